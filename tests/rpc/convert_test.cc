#include "rpc/convert.h"

#include <gtest/gtest.h>

namespace ptxfarm::rpc {
namespace {

action::CompilerIdentity Identity() { return {"ptxas", "13.0.88", DigestOf("ptxas").sha256}; }

action::ActionResult FullResult() {
  action::ActionResult result{.outcome = action::Outcome::kResourceLimit,
                              .outputs = {{action::OutputRole::kCubin, DigestOf("cubin")},
                                          {action::OutputRole::kReproducer, DigestOf("repro")}},
                              .diagnostics = {{.severity = Severity::kWarning,
                                               .kind = "kind",
                                               .message = "message",
                                               .place = {7, 5},
                                               .length = 3,
                                               .section = "9.7.1.1",
                                               .hint = "did you mean 'x'?",
                                               .related = {{{2, 1}, 4, "declared here"}}}},
                              .log = std::string("log\0with NUL", 12),
                              .undefined_symbols = {"f", "g"},
                              .object_kind = action::ObjectKind::kRelocatable,
                              .compiler = Identity()};
  result.kernels.push_back({.name = "k",
                            .is_entry = true,
                            .registers = 1,
                            .barriers = 2,
                            .shared_bytes = 3,
                            .frame_bytes = 4,
                            .stack_bytes = 5,
                            .spill_store_bytes = 6,
                            .spill_load_bytes = 7,
                            .parameter_bytes = 8,
                            .constant_bytes = {{0, 9}, {3, 10}},
                            .code_bytes = 11,
                            .threads_max = 12});
  result.execution = {.worker = "w",
                      .finished = WallTime(std::chrono::microseconds(1'700'000'000'123'456)),
                      .wall_time = std::chrono::microseconds(1'234'567),
                      .cpu_time = std::chrono::microseconds(7),
                      .memory_bytes_max = 8};
  return result;
}

TEST(ConvertTest, ResultsComeBackWhole) {
  EXPECT_EQ(FromProto(ToProto(FullResult())).value(), FullResult());
  EXPECT_EQ(ParseActionResult(Serialize(FullResult())).value(), FullResult());
}

TEST(ConvertTest, EveryOutcomeAndKindComesBack) {
  for (int outcome = 0; outcome <= static_cast<int>(action::Outcome::kFault); ++outcome) {
    action::ActionResult result{.outcome = static_cast<action::Outcome>(outcome),
                                .compiler = Identity()};
    EXPECT_EQ(FromProto(ToProto(result)).value().outcome, result.outcome);
  }
  for (int kind = 0; kind <= static_cast<int>(action::ObjectKind::kExtensible); ++kind) {
    action::ActionResult result{.object_kind = static_cast<action::ObjectKind>(kind),
                                .compiler = Identity()};
    EXPECT_EQ(FromProto(ToProto(result)).value().object_kind, result.object_kind);
  }
}

TEST(ConvertTest, ActionsKeepTheirDigest) {
  const action::Action action{.kind = action::Kind::kBundleFatbin,
                              .inputs = {{"sm_90a", DigestOf("a")}, {"compute_75", DigestOf("b")}},
                              .target = "",
                              .options = {"--compress=none"},
                              .compiler = Identity()};
  EXPECT_EQ(FromProto(ToProto(action)).value(), action);
  EXPECT_EQ(action::ActionDigest(FromProto(ToProto(action)).value()), action::ActionDigest(action));
}

TEST(ConvertTest, RequestsComeBackWhole) {
  CompileRequest request{.source = DigestOf("x"),
                         .targets = {"sm_90"},
                         .options = {"-O2"},
                         .want_cubins = true,
                         .want_fatbin = true,
                         .fatbin_compression = FatbinCompression::kSize,
                         .fatbin_identifier = "k.cu",
                         .key_tier = KeyTier::kLexical,
                         .compiler = "ptxas@13.0",
                         .priority = -3,
                         .inline_outputs_bytes_max = 9,
                         .recompile = true,
                         .limits = {std::chrono::milliseconds(1500), 2, 3},
                         .unverified = true,
                         .bridge = true};
  const CompileRequest back = FromProto(ToProto(request)).value();
  EXPECT_EQ(back.source, request.source);
  EXPECT_EQ(back.targets, request.targets);
  EXPECT_EQ(back.options, request.options);
  EXPECT_TRUE(back.want_cubins && back.want_fatbin && back.recompile && back.unverified &&
              back.bridge);
  EXPECT_EQ(back.fatbin_compression, request.fatbin_compression);
  EXPECT_EQ(back.fatbin_identifier, request.fatbin_identifier);
  EXPECT_EQ(back.key_tier, request.key_tier);
  EXPECT_EQ(back.compiler, request.compiler);
  EXPECT_EQ(back.priority, request.priority);
  EXPECT_EQ(back.inline_outputs_bytes_max, request.inline_outputs_bytes_max);
  EXPECT_EQ(back.limits, request.limits);
  request.source = std::string("text");
  EXPECT_EQ(FromProto(ToProto(request)).value().source, request.source);
}

TEST(ConvertTest, ResponsesComeBackWhole) {
  CompileResponse response;
  response.module = ModuleInfo{.version = {8, 3},
                               .target = "sm_90",
                               .entries = {"k"},
                               .digest = DigestOf("m"),
                               .compiled_as = PtxVersion{8, 0}};
  response.progress = {{"sm_90", TargetState::kRunning, "w"}};
  response.results = {{.target = "sm_90",
                       .served = Served::kJoined,
                       .result = FullResult(),
                       .key_tier = KeyTier::kExact,
                       .action_sha256 = DigestOf("a").sha256,
                       .elapsed = std::chrono::microseconds(42)}};
  response.blobs = {MakeBlob(std::string(3'000'000, 'b'))};
  const CompileResponse back = FromProto(ToProto(response)).value();
  EXPECT_EQ(back.module->version, response.module->version);
  EXPECT_EQ(back.module->entries, response.module->entries);
  EXPECT_EQ(back.module->compiled_as, response.module->compiled_as);
  EXPECT_EQ(back.progress.at(0).state, TargetState::kRunning);
  EXPECT_EQ(back.results.at(0).served, Served::kJoined);
  EXPECT_EQ(back.results.at(0).result, FullResult());
  EXPECT_EQ(back.results.at(0).action_sha256, response.results[0].action_sha256);
  EXPECT_EQ(back.results.at(0).elapsed, response.results[0].elapsed);
  EXPECT_EQ(back.blobs.at(0).digest, response.blobs[0].digest);
  EXPECT_EQ(back.blobs.at(0).Plain().value(), std::string(3'000'000, 'b'));
}

TEST(ConvertTest, WorkersAndOrdersComeBackWhole) {
  const WorkerDescription worker{.id = "id",
                                 .name = "name",
                                 .version = "0.1.0",
                                 .compilers = {{Identity(), {9, 0}, {"sm_90"}}},
                                 .slots = 4,
                                 .memory_bytes = 5};
  const WorkerReport report{.worker = worker,
                            .running_lease_ids = {"a"},
                            .finished = {{"b", FullResult(), {MakeBlob("x")}}},
                            .draining = true};
  const WorkerReport back = FromProto(ToProto(report)).value();
  EXPECT_EQ(back.worker, worker);
  EXPECT_EQ(back.running_lease_ids, report.running_lease_ids);
  EXPECT_EQ(back.finished.at(0).result, FullResult());
  EXPECT_TRUE(back.draining);

  const WorkerOrders orders{.heartbeat_interval = std::chrono::milliseconds(5000),
                            .leases = {{.id = "l",
                                        .action = {.inputs = {{"ptx", DigestOf("p")}},
                                                   .target = "sm_90",
                                                   .compiler = Identity()},
                                        .action_sha256 = DigestOf("a").sha256,
                                        .inputs = {MakeBlob("p")},
                                        .limits = {std::chrono::milliseconds(1), 2, 3},
                                        .traceparent = "t"}},
                            .cancelled_lease_ids = {"c"},
                            .accepted_lease_ids = {"d"},
                            .drain = true};
  const WorkerOrders orders_back = FromProto(ToProto(orders)).value();
  EXPECT_EQ(orders_back.heartbeat_interval, orders.heartbeat_interval);
  EXPECT_EQ(orders_back.leases.at(0).action, orders.leases[0].action);
  EXPECT_EQ(orders_back.leases.at(0).limits, orders.leases[0].limits);
  EXPECT_EQ(orders_back.cancelled_lease_ids, orders.cancelled_lease_ids);
  EXPECT_EQ(orders_back.accepted_lease_ids, orders.accepted_lease_ids);
  EXPECT_TRUE(orders_back.drain);
}

TEST(ConvertTest, WhatComesFromOutsideIsJudged) {
  v1::Digest short_digest;
  short_digest.set_sha256("abc");
  EXPECT_EQ(FromProto(short_digest).error().code, Code::kInvalidArgument);

  v1::Chunk no_encoding;
  no_encoding.set_data("x");
  no_encoding.set_plain_size_bytes(1);
  EXPECT_EQ(FromProto(std::move(no_encoding)).error().code, Code::kInvalidArgument);

  v1::Chunk huge;
  huge.set_encoding(v1::ENCODING_ZSTD);
  huge.set_data("x");
  huge.set_plain_size_bytes(u64{1} << 40);
  EXPECT_EQ(FromProto(std::move(huge)).error().code, Code::kInvalidArgument);

  v1::ActionLimits negative;
  negative.mutable_wall_time()->set_seconds(-1);
  EXPECT_EQ(FromProto(negative).error().code, Code::kInvalidArgument);
  negative.mutable_wall_time()->set_seconds(std::numeric_limits<i64>::max());
  EXPECT_EQ(FromProto(negative).error().code, Code::kInvalidArgument);

  v1::CompileRequest no_source;
  EXPECT_EQ(FromProto(std::move(no_source)).error().code, Code::kInvalidArgument);
  v1::CompileRequest odd_output;
  odd_output.set_text("x");
  odd_output.add_outputs(static_cast<v1::OutputKind>(99));
  EXPECT_EQ(FromProto(std::move(odd_output)).error().code, Code::kInvalidArgument);

  v1::ActionResult odd_outcome;
  odd_outcome.set_outcome(static_cast<v1::Outcome>(99));
  EXPECT_EQ(FromProto(odd_outcome).error().code, Code::kInvalidArgument);
  EXPECT_EQ(ParseActionResult("not a message \xff").error().code, Code::kDataLoss);
}

}  // namespace
}  // namespace ptxfarm::rpc

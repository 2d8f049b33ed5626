#include <algorithm>

#include <google/protobuf/arena.h>

#include "rpc/convert.h"
#include "rpc/convert_fields.h"

namespace ptxfarm::rpc {
namespace {

v1::KernelResources ToProto(const action::KernelResources& kernel) {
  v1::KernelResources message;
  message.set_name(kernel.name);
  message.set_is_entry(kernel.is_entry);
  message.set_registers(kernel.registers);
  message.set_barriers(kernel.barriers);
  message.set_shared_bytes(kernel.shared_bytes);
  message.set_frame_bytes(kernel.frame_bytes);
  message.set_stack_bytes(kernel.stack_bytes);
  message.set_spill_store_bytes(kernel.spill_store_bytes);
  message.set_spill_load_bytes(kernel.spill_load_bytes);
  message.set_parameter_bytes(kernel.parameter_bytes);
  message.set_code_bytes(kernel.code_bytes);
  message.set_threads_max(kernel.threads_max);
  for (const auto& [bank, size_bytes] : kernel.constant_bytes) {
    v1::ConstantBank& entry = *message.add_constant_banks();
    entry.set_bank(bank);
    entry.set_size_bytes(size_bytes);
  }
  return message;
}

action::KernelResources FromProto(const v1::KernelResources& message) {
  action::KernelResources kernel{.name = message.name(),
                                 .is_entry = message.is_entry(),
                                 .registers = message.registers(),
                                 .barriers = message.barriers(),
                                 .shared_bytes = message.shared_bytes(),
                                 .frame_bytes = message.frame_bytes(),
                                 .stack_bytes = message.stack_bytes(),
                                 .spill_store_bytes = message.spill_store_bytes(),
                                 .spill_load_bytes = message.spill_load_bytes(),
                                 .parameter_bytes = message.parameter_bytes(),
                                 .code_bytes = message.code_bytes(),
                                 .threads_max = message.threads_max()};
  for (const v1::ConstantBank& entry : message.constant_banks())
    kernel.constant_bytes[entry.bank()] = entry.size_bytes();
  return kernel;
}

}  // namespace

v1::Diagnostic ToProto(const Diagnostic& diagnostic) {
  v1::Diagnostic message;
  message.set_severity(EnumToProto<v1::Severity>(diagnostic.severity));
  message.set_kind(diagnostic.kind);
  message.set_message(diagnostic.message);
  message.set_line(diagnostic.place.line);
  message.set_column(diagnostic.place.column);
  message.set_length(diagnostic.length);
  message.set_section(diagnostic.section);
  message.set_hint(diagnostic.hint);
  for (const RelatedPlace& related : diagnostic.related) {
    v1::RelatedPlace& place = *message.add_related();
    place.set_line(related.place.line);
    place.set_column(related.place.column);
    place.set_length(related.length);
    place.set_message(related.message);
  }
  message.set_asked(diagnostic.asked);
  message.set_allowed(diagnostic.allowed);
  return message;
}

Result<Diagnostic> FromProto(const v1::Diagnostic& message) {
  PTXFARM_ASSIGN_OR_RETURN(
      const Severity severity,
      EnumFromProto(message.severity(), Severity::kNote, "diagnostic.severity"));
  Diagnostic diagnostic{.severity = severity,
                        .kind = message.kind(),
                        .message = message.message(),
                        .place = {message.line(), message.column()},
                        .length = message.length(),
                        .section = message.section(),
                        .hint = message.hint()};
  diagnostic.asked = message.asked();
  diagnostic.allowed = message.allowed();
  for (const v1::RelatedPlace& related : message.related())
    diagnostic.related.push_back(
        {{related.line(), related.column()}, related.length(), related.message()});
  return diagnostic;
}

v1::CompilerIdentity ToProto(const action::CompilerIdentity& identity) {
  v1::CompilerIdentity message;
  message.set_backend(identity.backend);
  message.set_version(identity.version);
  message.set_sha256(Sha256ToProto(identity.sha256));
  return message;
}

Result<action::CompilerIdentity> FromProto(const v1::CompilerIdentity& message) {
  PTXFARM_ASSIGN_OR_RETURN(const Sha256 sha256,
                           Sha256FromProto(message.sha256(), "compiler.sha256"));
  return action::CompilerIdentity{message.backend(), message.version(), sha256};
}

v1::PtxVersion ToProto(PtxVersion version) {
  v1::PtxVersion message;
  message.set_major(version.major);
  message.set_minor(version.minor);
  return message;
}

PtxVersion FromProto(const v1::PtxVersion& message) {
  // Parts beyond 16 bits are no version of anything; cut off they are newer than every compiler all
  // the same.
  constexpr u32 kPartMax = 0xffff;
  return {static_cast<u16>(std::min(message.major(), kPartMax)),
          static_cast<u16>(std::min(message.minor(), kPartMax))};
}

v1::Compiler ToProto(const action::Compiler& compiler) {
  v1::Compiler message;
  *message.mutable_identity() = ToProto(compiler.identity);
  *message.mutable_ptx_version_max() = ToProto(compiler.ptx_version_max);
  for (const std::string& target : compiler.targets) message.add_targets(target);
  return message;
}

Result<action::Compiler> FromProto(const v1::Compiler& message) {
  PTXFARM_ASSIGN_OR_RETURN(action::CompilerIdentity identity, FromProto(message.identity()));
  return action::Compiler{.identity = std::move(identity),
                          .ptx_version_max = FromProto(message.ptx_version_max()),
                          .targets = {message.targets().begin(), message.targets().end()}};
}

v1::Action ToProto(const action::Action& action) {
  v1::Action message;
  message.set_kind(EnumToProto<v1::ActionKind>(action.kind));
  for (const action::Input& input : action.inputs) {
    v1::ActionInput& entry = *message.add_inputs();
    entry.set_role(input.role);
    *entry.mutable_digest() = ToProto(input.digest);
  }
  message.set_target(action.target);
  for (const std::string& option : action.options) message.add_options(option);
  *message.mutable_compiler() = ToProto(action.compiler);
  return message;
}

Result<action::Action> FromProto(const v1::Action& message) {
  action::Action action;
  PTXFARM_ASSIGN_OR_RETURN(
      action.kind, EnumFromProto(message.kind(), action::Kind::kBundleFatbin, "action.kind"));
  for (const v1::ActionInput& entry : message.inputs()) {
    PTXFARM_ASSIGN_OR_RETURN(const Digest digest, FromProto(entry.digest()));
    action.inputs.push_back({entry.role(), digest});
  }
  action.target = message.target();
  action.options = {message.options().begin(), message.options().end()};
  PTXFARM_ASSIGN_OR_RETURN(action.compiler, FromProto(message.compiler()));
  return action;
}

v1::ActionLimits ToProto(const action::Limits& limits) {
  v1::ActionLimits message;
  SetDuration(message.mutable_wall_time(), limits.wall_time);
  message.set_memory_bytes(limits.memory_bytes);
  message.set_output_bytes(limits.output_bytes);
  return message;
}

Result<action::Limits> FromProto(const v1::ActionLimits& message) {
  PTXFARM_ASSIGN_OR_RETURN(const std::chrono::microseconds wall_time,
                           ReadDuration(message.wall_time(), "limits.wall_time"));
  return action::Limits{std::chrono::duration_cast<std::chrono::milliseconds>(wall_time),
                        message.memory_bytes(), message.output_bytes()};
}

v1::ActionResult ToProto(const action::ActionResult& result) {
  v1::ActionResult message;
  message.set_outcome(EnumToProto<v1::Outcome>(result.outcome));
  for (const action::Output& output : result.outputs) {
    v1::Output& entry = *message.add_outputs();
    entry.set_role(EnumToProto<v1::OutputRole>(output.role));
    *entry.mutable_digest() = ToProto(output.digest);
  }
  for (const Diagnostic& diagnostic : result.diagnostics)
    *message.add_diagnostics() = ToProto(diagnostic);
  message.set_log(result.log);
  for (const action::KernelResources& kernel : result.kernels)
    *message.add_kernels() = ToProto(kernel);
  for (const std::string& symbol : result.undefined_symbols) message.add_undefined_symbols(symbol);
  // kNone is the wire's UNSPECIFIED: most results of bundles have no object.
  message.set_object_kind(static_cast<v1::ObjectKind>(result.object_kind));
  *message.mutable_compiler() = ToProto(result.compiler);
  message.set_worker(result.execution.worker);
  SetTimestamp(message.mutable_finished(), result.execution.finished);
  SetDuration(message.mutable_wall_time(), result.execution.wall_time);
  SetDuration(message.mutable_cpu_time(), result.execution.cpu_time);
  message.set_memory_bytes_max(result.execution.memory_bytes_max);
  return message;
}

Result<action::ActionResult> FromProto(const v1::ActionResult& message) {
  action::ActionResult result;
  PTXFARM_ASSIGN_OR_RETURN(
      result.outcome, EnumFromProto(message.outcome(), action::Outcome::kFault, "result.outcome"));
  for (const v1::Output& entry : message.outputs()) {
    PTXFARM_ASSIGN_OR_RETURN(
        const action::OutputRole role,
        EnumFromProto(entry.role(), action::OutputRole::kReproducer, "output.role"));
    PTXFARM_ASSIGN_OR_RETURN(const Digest digest, FromProto(entry.digest()));
    result.outputs.push_back({role, digest});
  }
  PTXFARM_RETURN_IF_ERROR(
      ReadList(message.diagnostics(), result.diagnostics,
               [](const v1::Diagnostic& diagnostic) { return FromProto(diagnostic); }));
  result.log = message.log();
  for (const v1::KernelResources& kernel : message.kernels())
    result.kernels.push_back(FromProto(kernel));
  result.undefined_symbols = {message.undefined_symbols().begin(),
                              message.undefined_symbols().end()};
  if (!v1::ObjectKind_IsValid(message.object_kind()))
    return MakeError(Code::kInvalidArgument, "result.object_kind has no value {}",
                     static_cast<int>(message.object_kind()));
  result.object_kind = static_cast<action::ObjectKind>(message.object_kind());
  PTXFARM_ASSIGN_OR_RETURN(result.compiler, FromProto(message.compiler()));
  result.execution.worker = message.worker();
  PTXFARM_ASSIGN_OR_RETURN(result.execution.finished,
                           ReadTimestamp(message.finished(), "result.finished"));
  PTXFARM_ASSIGN_OR_RETURN(result.execution.wall_time,
                           ReadDuration(message.wall_time(), "result.wall_time"));
  PTXFARM_ASSIGN_OR_RETURN(result.execution.cpu_time,
                           ReadDuration(message.cpu_time(), "result.cpu_time"));
  result.execution.memory_bytes_max = message.memory_bytes_max();
  return result;
}

std::string Serialize(const action::ActionResult& result) {
  return ToProto(result).SerializeAsString();
}

Result<action::ActionResult> ParseActionResult(const std::string& bytes) {
  // Read at every hit, with a message for each kernel and constant bank: the arena makes and drops
  // all of them at once.
  google::protobuf::Arena arena;
  auto& message = *google::protobuf::Arena::CreateMessage<v1::ActionResult>(&arena);
  if (!message.ParseFromString(bytes))
    return MakeError(Code::kDataLoss, "the stored action result can't be read");
  return FromProto(message);
}

std::string Serialize(const action::Compiler& compiler) {
  return ToProto(compiler).SerializeAsString();
}

Result<action::Compiler> ParseCompiler(const std::string& bytes) {
  v1::Compiler message;
  if (!message.ParseFromString(bytes))
    return MakeError(Code::kDataLoss, "the stored compiler can't be read");
  return FromProto(message);
}

}  // namespace ptxfarm::rpc

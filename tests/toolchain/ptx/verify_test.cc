#include "toolchain/ptx/verify.h"

#include <gtest/gtest.h>

#include "toolchain/ptx/check.h"

namespace ptxfarm::ptx {
namespace {

constexpr const char* kHead = ".version 8.6\n.target sm_90\n.address_size 64\n";

CheckResult CheckText(const std::string& text, const VerifyOptions& options = {}) {
  return Check({"k.ptx", text}, options);
}

std::string Messages(const CheckResult& result) {
  std::string messages;
  for (const Diagnostic& diagnostic : result.diagnostics)
    messages += Format(diagnostic, "k.ptx") + "\n";
  return messages;
}

// What ptxfarm plan says: the contents decide, not the head.
TEST(VerifyTest, SaysWhatTheContentsNeed) {
  const CheckResult result =
      CheckText(std::string(kHead) +
                ".visible .entry k() .maxclusterrank 4\n"
                "{\n\t.reg .b32 %r<2>;\n\tmov.u32 %r1, %nsmid;\n\tret;\n}\n");
  ASSERT_TRUE(result.is_accepted) << Messages(result);
  EXPECT_EQ(result.needs.version().version, (PtxVersion{7, 8}));
  EXPECT_EQ(result.needs.version().what, "'.maxclusterrank'");
  ASSERT_EQ(result.needs.target_needs().size(), 1u);
  EXPECT_EQ(result.needs.target_needs()[0].what, "'.maxclusterrank'");
  EXPECT_EQ(result.needs.Targets().front().ToString(), "sm_90");
}

TEST(VerifyTest, AnEmptyModuleNeedsWhatItsHeadSays) {
  const CheckResult result = CheckText(kHead);
  ASSERT_TRUE(result.is_accepted) << Messages(result);
  EXPECT_EQ(result.needs.version().version, (PtxVersion{2, 3}));
  EXPECT_EQ(result.needs.version().what, "'.address_size'");
  EXPECT_EQ(result.needs.Targets().size(), AllTargets().size());
}

// ptxas takes these where the manual speaks of registers, and people write them.
TEST(VerifyTest, BulkCopiesAndWaitsTakeConstants) {
  const CheckResult result = CheckText(
      ".version 8.6\n.target sm_90\n.address_size 64\n.entry k(.param .u64 p)\n{\n"
      ".reg .pred %p1; .reg .b64 %d1;\n.shared .align 128 .b8 s[1024]; .shared .b64 m;\n"
      "ld.param.u64 %d1, [p];\n"
      "mbarrier.try_wait.parity.shared::cta.b64 %p1, [m], 0;\n"
      "mbarrier.test_wait.parity.shared::cta.b64 %p1, [m], 1;\n"
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [s], [%d1], 1024, [m];\n"
      "cp.async.bulk.global.shared::cta.bulk_group [%d1], [s], 1024;\nret;\n}\n");
  EXPECT_TRUE(result.is_accepted) << Messages(result);
}

TEST(VerifyTest, ARelocatableObjectMayLackWhatItCalls) {
  const std::string text = std::string(kHead) +
                           ".extern .func helper();\n.extern .func unused();\n"
                           ".visible .entry k()\n{\n\tcall helper;\n\tret;\n}\n";
  EXPECT_FALSE(CheckText(text).is_accepted);
  const CheckResult result = CheckText(text, {.is_relocatable = true});
  ASSERT_TRUE(result.is_accepted) << Messages(result);
  EXPECT_EQ(result.undefined_symbols, std::vector<std::string>{"helper"});
}

// ptxas 13.0 defines these itself.
TEST(VerifyTest, SystemFunctionsAreDefinedNowhere) {
  for (const char* const name : {"vprintf", "__assertfail", "malloc", "free", "__cuda_syscall_x"}) {
    const CheckResult result =
        CheckText(std::string(kHead) + ".extern .func " + name +
                  "();\n.visible .entry k()\n{\n\tcall " + name + ";\n\tret;\n}\n");
    EXPECT_TRUE(result.is_accepted) << Messages(result);
  }
}

TEST(VerifyTest, ErrorsComeInOrderWithSpansAndRelatedPlaces) {
  const CheckResult result = CheckText(std::string(kHead) +
                                       ".global .b32 x;\n.visible .entry k()\n{\n"
                                       "\tmov.u32 %r1, 5;\n\t.reg .b32 %r<2>;\n\tret;\n}\n"
                                       ".global .b32 x;\n");
  ASSERT_EQ(result.diagnostics.size(), 2u) << Messages(result);
  const Diagnostic& first = result.diagnostics[0];
  EXPECT_EQ(first.place, (Place{7, 10}));
  EXPECT_EQ(first.length, 3u);
  const Diagnostic& second = result.diagnostics[1];
  EXPECT_EQ(second.kind, "redeclared");
  EXPECT_EQ(second.section, "5.4");
  ASSERT_EQ(second.related.size(), 1u);
  EXPECT_EQ(second.related[0].place, (Place{4, 14}));
  EXPECT_EQ(second.related[0].length, 1u);
}

TEST(VerifyTest, OneNameIsUndeclaredOnce) {
  std::string text = std::string(kHead) + ".visible .entry k()\n{\n\t.reg .b32 %r<2>;\n";
  for (int i = 0; i < 100; ++i) text += "\tadd.s32 %r1, %r1, missing;\n";
  EXPECT_EQ(CheckText(text + "\tret;\n}\n").diagnostics.size(), 1u);
}

TEST(VerifyTest, ErrorsAreBounded) {
  std::string text = std::string(kHead) + ".visible .entry k()\n{\n\t.reg .b32 %r<2>;\n";
  for (int i = 0; i < 10000; ++i) text += "\tadd.s32 %r1, %r1, missing" + std::to_string(i) + ";\n";
  const CheckResult result = CheckText(text + "\tret;\n}\n");
  EXPECT_FALSE(result.is_accepted);
  EXPECT_LE(result.diagnostics.size(), 100u);
}

// Each is quadratic or a deep recursion for who does it the plain way; here they end at once.
struct Hostile {
  const char* name;
  std::string body;
  bool is_accepted;
};

std::string Repeated(std::size_t count, const std::string& text) {
  std::string all;
  all.reserve(count * text.size());
  for (std::size_t i = 0; i < count; ++i) all += text;
  return all;
}

std::string Numbered(int count, const std::string& before, const std::string& after) {
  std::string all;
  for (int i = 0; i < count; ++i) all += before + std::to_string(i) + after;
  return all;
}

TEST(VerifyTest, HostileModulesEnd) {
  constexpr int kMany = 100'000;
  const Hostile cases[] = {
      {"labels", Numbered(kMany, "L", ":\n") + "bra L99999;\n", true},
      {"blocks", Repeated(900, "{") + Repeated(900, "}"), true},
      {"blocks too deep", Repeated(kMany, "{") + Repeated(kMany, "}"), false},
      {"blocks in a row", Repeated(kMany, "{ .reg .b32 x<3>; mov.u32 x1, 5; }\n"), true},
      {"labels in blocks", Repeated(kMany, "{ L: bra L; }\n"), true},
      {"registers", Numbered(kMany, ".reg .b32 r", ";\n"), true},
      {"names and ranges",
       Numbered(kMany, ".reg .b32 x", ";\n") + Repeated(1000, "{ .reg .b32 x<9>; }\n"), true},
      {"long line", Repeated(kMany, "mov.u32 %r1, 5; "), true},
      {"long name", ".reg .b32 a" + std::string(1'000'000, 'b') + ";\n", true},
      {"huge integer", "mov.u32 %r1, " + std::string(kMany, '9') + ";\n", true},
      {"huge float", "mov.f32 %f1, 0." + std::string(kMany, '3') + ";\n", true},
      {"wide vector", "mov.b64 %d1, {%r1" + Repeated(kMany, ", %r1") + "};\n", false},
      {"unary operators", "mov.u32 %r1, " + std::string(kMany, '-') + "1;\n", false},
      {"additions", "mov.u32 %r1, 1" + Repeated(kMany, "+1") + ";\n", true},
      {"conditions", "mov.u32 %r1, 1" + Repeated(900, " ? 1 : 1") + ";\n", true},
      {"open brackets", "ld.global.u32 %r1, " + std::string(kMany, '[') + ";\n", false},
  };
  for (const Hostile& one : cases) {
    const CheckResult result =
        CheckText(std::string(kHead) +
                  ".visible .entry k()\n{\n.reg .b32 %r<2>;\n.reg .f32 %f<2>;\n"
                  ".reg .b64 %d<2>;\n" +
                  one.body + "ret;\n}\n");
    EXPECT_EQ(result.is_accepted, one.is_accepted) << one.name << '\n' << Messages(result);
  }
}

}  // namespace
}  // namespace ptxfarm::ptx

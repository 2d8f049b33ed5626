#include "toolchain/object/cubin/check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/bytes.h"
#include "tests/support/toolkit.h"
#include "tests/toolchain/object/elf_builder.h"
#include "tests/toolchain/object/ptxas.h"
#include "tests/toolchain/object/sample_modules.h"

namespace ptxfarm::object::cubin {
namespace {

using object::test::BuiltCubin;
using object::test::BuiltElf;
using object::test::RunPtxas;
using object::test::SampleModule;
using object::test::SampleModules;
using testing::HasSubstr;

std::string Verdict(std::string_view bytes, u32 sm = 80, char suffix = 0,
                    CubinKind kind = CubinKind::kExecutable) {
  const Status status = CheckObject(bytes, sm, suffix, kind);
  return status ? "OK" : status.error().ToString();
}

TEST(CheckObjectTest, TakesAGoodOne) { EXPECT_EQ(Verdict(BuiltCubin().Bytes()), "OK"); }

TEST(CheckObjectTest, SaysWhatIsWrong) {
  EXPECT_EQ(Verdict(""), "DATA_LOSS: the object is empty");
  EXPECT_THAT(Verdict("ptxas fatal: no space left"), HasSubstr("is no ELF file"));
  EXPECT_THAT(Verdict(BuiltCubin().Bytes(), 90),
              HasSubstr("FAILED_PRECONDITION: the object is for sm_80, sm_90 was asked"));
  EXPECT_THAT(Verdict(BuiltCubin().Bytes(), 80, 'a'), HasSubstr("is for sm_80, sm_80a was asked"));
  EXPECT_THAT(Verdict(BuiltCubin().Bytes(), 80, 0, CubinKind::kRelocatable),
              HasSubstr("the object is executable, relocatable was asked"));

  BuiltElf host = BuiltCubin();
  host.machine = 62;
  EXPECT_THAT(Verdict(host.Bytes()), HasSubstr("machine 62, not for a GPU"));
  BuiltElf unwritten = BuiltCubin();
  unwritten.sections[4].data = std::string(128, '\0');
  EXPECT_THAT(Verdict(unwritten.Bytes()), HasSubstr("DATA_LOSS: entry k has no code"));
  BuiltElf attributes = BuiltCubin();
  attributes.sections[3].data.resize(2);
  EXPECT_THAT(Verdict(attributes.Bytes()),
              HasSubstr("section .nv.info.k: attribute record cut short"));
}

TEST(CheckObjectTest, NoTruncationPasses) {
  const std::string bytes = BuiltCubin().Bytes();
  for (std::size_t size = 0; size < bytes.size(); ++size)
    EXPECT_NE(Verdict(std::string_view(bytes).substr(0, size)), "OK") << size;
}

TEST(CheckObjectTest, AttributeSectionsOverTheSameBytesAreRefused) {
  BuiltElf built = BuiltCubin();
  std::string flags;  // A record of four bytes that says nothing, many times.
  for (int i = 0; i < 4096; ++i) AppendTo(flags, u32{0x00000401});
  built.sections[3].data = flags;
  for (int i = 0; i < 8; ++i)
    built.sections.push_back({.name = ".nv.info.k", .type = 0x70000000, .link = 2, .info = 5});
  std::string bytes = built.Bytes();
  // The copies' headers are made to point at the first one's bytes.
  const u64 table = *ReadAt<u64>(bytes, 40);
  const u64 offset = *ReadAt<u64>(bytes, table + 4 * 64 + 24);
  for (u64 i = 9; i < 17; ++i) {
    WriteAt(bytes, table + i * 64 + 24, offset);
    WriteAt(bytes, table + i * 64 + 32, u64{flags.size()});
  }
  EXPECT_THAT(Verdict(bytes), HasSubstr("attribute sections overlap"));
}

struct TargetCase {
  const char* arch;
  u32 sm;
  char suffix;
};
class CheckTargetTest : public testing::TestWithParam<TargetCase> {};

constexpr TargetCase kTargets[] = {{"75", 75, 0},      {"80", 80, 0},      {"90", 90, 0},
                                   {"90a", 90, 'a'},   {"100", 100, 0},    {"100a", 100, 'a'},
                                   {"100f", 100, 'f'}, {"103f", 103, 'f'}, {"120", 120, 0},
                                   {"121a", 121, 'a'}};

TEST_P(CheckTargetTest, TellsEveryTargetAndKindFromTheOthers) {
  PTXFARM_NEED_TOOLKIT();
  constexpr std::pair<std::string_view, CubinKind> kKinds[] = {{"", CubinKind::kExecutable},
                                                               {"-c", CubinKind::kRelocatable},
                                                               {"-ewp", CubinKind::kExtensible}};
  for (const auto& [option, made] : kKinds) {
    const Result<std::string> bytes =
        RunPtxas(SampleModules()[1].text, fmt::format("-arch=sm_{} {}", GetParam().arch, option));
    ASSERT_TRUE(bytes.has_value()) << bytes.error().ToString();
    for (const TargetCase& asked : kTargets)
      for (const auto& [unused, kind] : kKinds) {
        const bool same =
            asked.sm == GetParam().sm && asked.suffix == GetParam().suffix && kind == made;
        EXPECT_EQ(Verdict(*bytes, asked.sm, asked.suffix, kind) == "OK", same)
            << GetParam().arch << option << " asked as " << asked.arch << " " << KindName(kind);
      }
  }
}

INSTANTIATE_TEST_SUITE_P(Targets, CheckTargetTest, testing::ValuesIn(kTargets),
                         [](const auto& test) { return std::string("sm_") + test.param.arch; });

TEST(CheckObjectTest, AnEmptyModuleIsAnObject) {
  PTXFARM_NEED_TOOLKIT();
  for (const u32 sm : {75u, 90u, 100u}) {
    const Result<std::string> bytes =
        RunPtxas(SampleModules()[0].text, fmt::format("-arch=sm_{}", sm));
    ASSERT_TRUE(bytes.has_value()) << bytes.error().ToString();
    EXPECT_EQ(Verdict(*bytes, sm), "OK");
  }
}

}  // namespace
}  // namespace ptxfarm::object::cubin

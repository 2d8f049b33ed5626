#include "toolchain/object/fatbin/write.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "base/bytes.h"
#include "base/file.h"
#include "tests/support/temp_dir.h"
#include "tests/support/toolkit.h"
#include "tests/toolchain/object/elf_builder.h"
#include "tests/toolchain/object/fatbinary.h"
#include "tests/toolchain/object/ptxas.h"
#include "tests/toolchain/object/sample_modules.h"
#include "toolchain/object/fatbin/fatbin.h"

namespace ptxfarm::object::fatbin {
namespace {

using object::test::BuiltCubin;
using object::test::RunFatbinary;
using object::test::RunPtxas;
using object::test::SampleModule;
using object::test::SampleModules;
using testing::HasSubstr;

constexpr std::string_view kPtx = ".version 8.0 // v\n.target sm_90\n\t.address_size 64\n";

// Stands in for LTO-IR: only the version bytes are looked at.
const std::string kLtoIr = std::string("\xed\x43\x4e\x7f\1\x41\2\3", 8) + std::string(100, 'i');

TEST(WriteFatbinTest, ReadsBackWhatWasWrittenInEveryMode) {
  const std::string cubin = BuiltCubin().Bytes();
  const Member members[] = {{MemberKind::kCubin, {80, 0}, cubin},
                            {MemberKind::kPtx, {90, 'a'}, kPtx},
                            {MemberKind::kLtoIr, {100, 'f'}, kLtoIr}};
  for (const CompressMode mode :
       {CompressMode::kNone, CompressMode::kDefault, CompressMode::kSize, CompressMode::kSpeed}) {
    for (const bool all : {false, true}) {
      const Result<std::string> bytes = WriteFatbin(members, {.compress = mode,
                                                              .compress_all = all,
                                                              .identifier = "a.cu",
                                                              .ptx_options = "--compile-only  ",
                                                              .lto_options = "-ftz=0 "});
      ASSERT_TRUE(bytes.has_value()) << bytes.error().ToString();
      const Result<std::vector<Container>> read = ReadFatbin(*bytes);
      ASSERT_TRUE(read.has_value()) << read.error().ToString();
      ASSERT_EQ(read->size(), 1u);
      const std::vector<MemberView>& found = (*read)[0].members;
      ASSERT_EQ(found.size(), 3u);
      EXPECT_EQ(Image(found[0]).value(), cubin);
      EXPECT_EQ(Image(found[1]).value(), ".version 8.0 \n.target sm_90\n.address_size 64\n");
      EXPECT_THAT(Image(found[2]).value(), testing::StartsWith(kLtoIr));
      for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_EQ(found[i].target, members[i].target);
        EXPECT_EQ(found[i].kind, static_cast<u16>(members[i].kind));
        EXPECT_EQ(found[i].identifier, "a.cu");
      }
      EXPECT_EQ(found[0].compression() != Compression::kNone,
                mode == CompressMode::kSize || (all && mode != CompressMode::kNone));
      EXPECT_EQ(found[1].options, "--compile-only  ");
      EXPECT_EQ(found[1].version_major, 8);
      EXPECT_EQ(found[2].options, "-ftz=0 ");
      EXPECT_EQ(found[2].compression(), Compression::kNone);

      // And once more, from what was read.
      const std::string images[] = {Image(found[0]).value(), Image(found[1]).value()};
      const Member again[] = {{MemberKind::kCubin, {80, 0}, images[0]},
                              {MemberKind::kPtx, {90, 'a'}, images[1]}};
      const Result<std::string> second = WriteFatbin(again, {.compress = mode});
      const Result<std::string> third =
          WriteFatbin(std::vector<Member>{members[0], members[1]}, {.compress = mode});
      ASSERT_TRUE(second.has_value() && third.has_value());
      if (mode == CompressMode::kNone) {
        EXPECT_EQ(*second, *third);
      }
    }
  }
}

TEST(WriteFatbinTest, AnEmptyContainerIsAHeader) {
  const Result<std::string> bytes = WriteFatbin({});
  ASSERT_TRUE(bytes.has_value());
  EXPECT_EQ(bytes->size(), 16u);
  EXPECT_TRUE(ReadFatbin(*bytes).value()[0].members.empty());
}

TEST(WriteFatbinTest, RefusesImagesThatAreNotWhatTheirMemberSays) {
  const std::string cubin = BuiltCubin().Bytes();
  const auto message = [](MemberKind kind, MemberTarget target, std::string_view image,
                          bool is_64_bit = true) {
    const Member member{kind, target, image};
    const Result<std::string> bytes = WriteFatbin({&member, 1}, {.is_64_bit = is_64_bit});
    return bytes ? "written" : bytes.error().ToString();
  };
  EXPECT_EQ(message(MemberKind::kCubin, {90, 'a'}, cubin),
            "INVALID_ARGUMENT: member 1 (elf 90a): the cubin is for sm_80");
  EXPECT_THAT(message(MemberKind::kCubin, {80, 0}, "text"), HasSubstr("the image is no ELF file"));
  EXPECT_THAT(message(MemberKind::kCubin, {80, 0}, ""), HasSubstr("the image is no ELF file"));
  EXPECT_THAT(message(MemberKind::kCubin, {80, 0}, cubin, false), HasSubstr("32-bit host"));
  EXPECT_THAT(message(MemberKind::kPtx, {80, 0}, "text"), HasSubstr("no .version directive"));
  EXPECT_THAT(message(MemberKind::kLtoIr, {80, 0}, "abc"), HasSubstr("the image is no LTO-IR"));
}

std::string FirstDifference(const std::string& a, const std::string& b) {
  std::size_t at = 0;
  while (at < a.size() && at < b.size() && a[at] == b[at]) ++at;
  return fmt::format("differ at {:#x} ({} and {} bytes)", at, a.size(), b.size());
}

// Images of every kind and many targets, made by the real compiler.
class Images {
 public:
  Images() {
    constexpr std::pair<MemberTarget, std::string_view> kCubins[] = {
        {{75, 0}, ""},    {{80, 0}, "-g"},   {{86, 0}, "-lineinfo"}, {{89, 0}, "-c"},
        {{90, 0}, ""},    {{90, 'a'}, "-c"}, {{100, 0}, ""},         {{100, 'a'}, "-g"},
        {{100, 'f'}, ""}, {{103, 0}, "-c"},  {{103, 'f'}, ""},       {{110, 0}, ""},
        {{120, 0}, "-c"}, {{120, 'a'}, ""},  {{121, 0}, ""}};
    std::size_t next = 0;
    for (const auto& [target, option] : kCubins) {
      const SampleModule& module = SampleModules()[1 + next++ % 6];
      const Result<std::string> cubin =
          RunPtxas(module.text, fmt::format("-arch=sm_{} {}", TargetText(target), option));
      if (!cubin) {
        ADD_FAILURE() << module.name << ": " << cubin.error().ToString();
        continue;
      }
      bytes_.push_back(*cubin);
      members_.push_back({MemberKind::kCubin, target, {}});
    }
    for (const SampleModule& module : SampleModules()) {
      bytes_.push_back(std::string(module.text));
      members_.push_back({MemberKind::kPtx, {90, module.since_sm == 90 ? 'a' : '\0'}, {}});
    }
    bytes_.push_back(kLtoIr);
    members_.push_back({MemberKind::kLtoIr, {75, 0}, {}});
    for (std::size_t i = 0; i < bytes_.size(); ++i) members_[i].image = bytes_[i];
  }

  // All, or those that neither the toolkit scrambles nor we store otherwise.
  std::vector<Member> All() const { return members_; }
  std::vector<Member> WithoutLtoIr() const { return {members_.begin(), members_.end() - 1}; }

 private:
  std::vector<std::string> bytes_;
  std::vector<Member> members_;
};

struct ModeCase {
  const char* name;
  const char* options;  // Of fatbinary.
  WriteOptions ours;
  bool lto_ir = false;  // With LTO-IR too: only where the toolkit stores it.
};

const ModeCase kIdentical[] = {
    {"Stored", "--compress=false", {.compress = CompressMode::kNone}, true},
    {"ModeNone", "--compress-mode=none", {.compress = CompressMode::kNone}, true},
    {"Debug", "--compress=false -g", {.compress = CompressMode::kNone, .debug = true}, true},
    {"Identifier",
     "--compress=false --ident=abcdefgh",
     {.compress = CompressMode::kNone, .identifier = "abcdefgh"},
     true},
    {"IdentifierOfSeven",
     "--compress=false --ident=abcdefg",
     {.compress = CompressMode::kNone, .identifier = "abcdefg"},
     true},
    {"Options",
     "--compress=false --ident=x --cmdline='--compile-only  ' --cicc-cmdline='-ftz=0 '",
     {.compress = CompressMode::kNone,
      .identifier = "x",
      .ptx_options = "--compile-only  ",
      .lto_options = "-ftz=0 "},
     true},
    {"Default", "", {}},
    {"Balance", "--compress-mode=balance", {}},
    {"Relocatable", "-c", {.relocatable = true}},
    {"DebugCompressed", "-g", {.debug = true}},
    {"All", "--compress-all", {.compress_all = true}},
};

class WriteAsFatbinaryTest : public testing::TestWithParam<ModeCase> {
 protected:
  static void SetUpTestSuite() {
    if (ptxfarm::test::ToolkitRoot()) images_ = new Images();
  }
  static void TearDownTestSuite() {
    delete images_;
    images_ = nullptr;
  }
  static Images* images_;
};
Images* WriteAsFatbinaryTest::images_ = nullptr;

TEST_P(WriteAsFatbinaryTest, GivesTheSameBytes) {
  PTXFARM_NEED_TOOLKIT();
  const std::vector<Member> members = GetParam().lto_ir ? images_->All() : images_->WithoutLtoIr();
  const Result<std::string> theirs = RunFatbinary(members, GetParam().options);
  ASSERT_TRUE(theirs.has_value()) << theirs.error().ToString();
  const Result<std::string> ours = WriteFatbin(members, GetParam().ours);
  ASSERT_TRUE(ours.has_value()) << ours.error().ToString();
  EXPECT_TRUE(*ours == *theirs) << FirstDifference(*ours, *theirs);
}

INSTANTIATE_TEST_SUITE_P(Modes, WriteAsFatbinaryTest, testing::ValuesIn(kIdentical),
                         [](const auto& test) { return test.param.name; });

// Other encoders than the toolkit's: the same images all the same, as the toolkit's linker reads
// them.
TEST(WriteFatbinTest, TheToolkitsLinkerReadsEveryMode) {
  PTXFARM_NEED_TOOLKIT();
  const SampleModule& module = SampleModules()[3];
  for (const MemberTarget target : {MemberTarget{80, 0}, MemberTarget{100, 0}}) {
    const Result<std::string> cubin =
        RunPtxas(module.text, fmt::format("-c -arch=sm_{}", TargetText(target)));
    ASSERT_TRUE(cubin.has_value()) << cubin.error().ToString();
    const Member members[] = {{MemberKind::kCubin, target, *cubin}};
    std::vector<std::string> linked;
    for (const CompressMode mode :
         {CompressMode::kNone, CompressMode::kDefault, CompressMode::kSize, CompressMode::kSpeed}) {
      const ptxfarm::test::TempDir folder;
      const Result<std::string> bytes =
          WriteFatbin(members, {.compress = mode, .compress_all = true});
      ASSERT_TRUE(bytes.has_value());
      ASSERT_TRUE(WriteFileAtomically(folder / "k.fatbin", *bytes).has_value());
      const ptxfarm::test::Ran ran = ptxfarm::test::RunShell(
          fmt::format("cd {} && {} -arch=sm_{} k.fatbin -o k.cubin", folder.path(),
                      ptxfarm::test::ToolkitTool("nvlink"), TargetText(target)));
      ASSERT_EQ(ran.exit_code, 0) << ran.output;
      linked.push_back(ReadFile(folder / "k.cubin", u64{1} << 30).value());
    }
    EXPECT_THAT(linked, testing::Each(linked.front()));
  }
}

TEST(WriteFatbinTest, WhatTheToolkitCompressesReadsBack) {
  PTXFARM_NEED_TOOLKIT();
  const Result<std::string> cubin = RunPtxas(SampleModules()[2].text, "-arch=sm_100f -g");
  ASSERT_TRUE(cubin.has_value()) << cubin.error().ToString();
  const Member members[] = {{MemberKind::kCubin, {100, 'f'}, *cubin}};
  for (const char* const mode : {"speed", "size", "default", "balance", "none"}) {
    const Result<std::string> theirs =
        RunFatbinary(members, fmt::format("--compress-all --compress-mode={}", mode));
    ASSERT_TRUE(theirs.has_value()) << theirs.error().ToString();
    const Result<std::vector<Container>> read = ReadFatbin(*theirs);
    ASSERT_TRUE(read.has_value()) << read.error().ToString();
    EXPECT_EQ(Image((*read)[0].members[0]).value(), *cubin) << mode;
    EXPECT_EQ((*read)[0].members[0].target, members[0].target);
  }
}

}  // namespace
}  // namespace ptxfarm::object::fatbin

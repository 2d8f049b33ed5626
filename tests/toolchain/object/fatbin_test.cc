#include "toolchain/object/fatbin/fatbin.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/bytes.h"
#include "tests/toolchain/object/elf_builder.h"
#include "toolchain/object/fatbin/describe.h"
#include "toolchain/object/fatbin/write.h"

namespace ptxfarm::object::fatbin {
namespace {

using object::test::BuiltCubin;
using testing::HasSubstr;

constexpr std::string_view kPtx = ".version 8.0\n.target sm_90\n";

std::string Sample(CompressMode mode = CompressMode::kNone) {
  static const std::string cubin = BuiltCubin().Bytes();
  const Member members[] = {{MemberKind::kCubin, {80, 0}, cubin},
                            {MemberKind::kPtx, {90, 'a'}, kPtx}};
  return WriteFatbin(
             members,
             {.compress = mode, .compress_all = true, .identifier = "a.cu", .ptx_options = "-O3 "})
      .value();
}

TEST(FatbinTest, Describes) {
  const std::string stored = Sample();
  const std::string text = DescribeFatbin(ReadContainer(stored).value());
  EXPECT_EQ(text, fmt::format("fatbin of {} bytes, 2 members\n"
                              "  elf 80, version 1.8, {} bytes, of \"a.cu\"\n"
                              "  ptx 90a, version 8.0, 32 bytes, of \"a.cu\", options \"-O3 \"\n",
                              stored.size(), AlignUp(BuiltCubin().Bytes().size(), 8)));
  const std::string packed = Sample(CompressMode::kDefault);
  EXPECT_THAT(DescribeFatbin(ReadContainer(packed).value()), HasSubstr("28 bytes, zstd "));
}

TEST(FatbinTest, ReadsContainersBackToBackWithPadding) {
  const std::string one = Sample();
  const Result<std::vector<Container>> read =
      ReadFatbin(one + std::string(16, '\0') + one + std::string(3, '\0'));
  ASSERT_TRUE(read.has_value()) << read.error().ToString();
  ASSERT_EQ(read->size(), 2u);
  EXPECT_EQ((*read)[1].offset, one.size() + 16);
  EXPECT_EQ(ReadFatbin(one + "trailing").error().code, Code::kInvalidArgument);
}

TEST(FatbinTest, SkipsUnknownKindsBySize) {
  std::string bytes = Sample();
  WriteAt(bytes, 16, u16{0x40});
  const Result<Container> container = ReadContainer(bytes);
  ASSERT_TRUE(container.has_value()) << container.error().ToString();
  ASSERT_EQ(container->members.size(), 2u);
  EXPECT_EQ(MemberKindName(container->members[0].kind), "kind 64");
  EXPECT_TRUE(container->members[1].Is(MemberKind::kPtx));
}

TEST(FatbinTest, ScrambledMembersAreListedButNotRead) {
  std::string bytes = Sample();
  const u64 flags = *ReadAt<u64>(bytes, 16 + 0x28);
  WriteAt(bytes, 16 + 0x28, flags | kFlagScrambled);
  const Container container = ReadContainer(bytes).value();
  EXPECT_TRUE(container.members[0].is_opaque());
  EXPECT_EQ(Image(container.members[0]).error().code, Code::kUnimplemented);
}

struct Damage {
  const char* name;
  u64 offset;
  u64 value;
  const char* message;
};
class DamagedFatbinTest : public testing::TestWithParam<Damage> {};

TEST_P(DamagedFatbinTest, SaysWhatAndWhere) {
  std::string bytes = Sample();
  WriteAt(bytes, GetParam().offset, GetParam().value);
  const Result<std::vector<Container>> read = ReadFatbin(bytes);
  ASSERT_FALSE(read.has_value());
  EXPECT_THAT(read.error().message, HasSubstr(GetParam().message));
}

// The offsets are those of 64-bit words: their lower or upper half may be another field's.
INSTANTIATE_TEST_SUITE_P(
    Fields, DamagedFatbinTest,
    testing::Values(
        Damage{"Magic", 0, 1, "not a fatbin"},
        Damage{"Version", 0, u64{0xba55ed50} | u64{2} << 32 | u64{16} << 48, "unknown version 2"},
        Damage{"Size", 8, u64{1} << 40, "runs past the end by"},
        Damage{"SizeThatWraps", 8, ~u64{0}, "runs past the end by"},
        Damage{"MemberVersion", 16, u64{2} | u64{0x0201} << 16 | u64{64} << 32, "unknown version"},
        Damage{"HeaderSize", 16, u64{2} | u64{0x0101} << 16 | u64{60} << 32, "impossible size"},
        Damage{"HeaderPastTheEnd", 16, u64{2} | u64{0x0101} << 16 | u64{0xfffffff8} << 32,
               "runs past its container"},
        Damage{"PayloadPastTheEnd", 24, u64{1} << 40, "runs past its container"},
        Damage{"PayloadThatWraps", 24, ~u64{7}, "runs past its container"},
        Damage{"CompressedBytes", 32, 0xffffff00, "more compressed bytes than payload"},
        Damage{"Options", 32, u64{0x7ffffff0} << 32, "options outside its header"},
        Damage{"Identifier", 16 + 0x20, u64{0xffffffff} << 32 | 64, "identifier outside"}),
    [](const auto& test) { return test.param.name; });

TEST(FatbinTest, NoTruncationIsRead) {
  const std::string bytes = Sample();
  for (std::size_t size = 0; size < bytes.size(); ++size)
    EXPECT_FALSE(ReadFatbin(std::string_view(bytes).substr(0, size)).has_value()) << size;
}

TEST(FatbinTest, DamagedPayloadsAreNotServed) {
  for (const CompressMode mode : {CompressMode::kDefault, CompressMode::kSpeed}) {
    const std::string good = Sample(mode);
    const Container container = ReadContainer(good).value();
    const std::string plain = Image(container.members[0]).value();
    const u64 payload = container.members[0].offset + container.members[0].header_bytes;

    std::string longer = good;  // Says one byte more than there is.
    WriteAt(longer, container.members[0].offset + 0x38, u64{plain.size() + 1});
    EXPECT_EQ(Image(ReadContainer(longer).value().members[0]).error().code, Code::kDataLoss);

    std::string bomb = good;  // Says more than so few bytes can hold: refused before allocating.
    WriteAt(bomb, container.members[0].offset + 0x38, u64{500} << 20);
    EXPECT_EQ(Image(ReadContainer(bomb).value().members[0]).error().code, Code::kDataLoss);
    WriteAt(bomb, container.members[0].offset + 0x38, u64{1} << 40);
    EXPECT_EQ(Image(ReadContainer(bomb).value().members[0]).error().code, Code::kResourceExhausted);

    std::string garbage = good;
    for (u64 i = 0; i < container.members[0].compressed_bytes; ++i) garbage[payload + i] = '\xff';
    EXPECT_EQ(Image(ReadContainer(garbage).value().members[0]).error().code, Code::kDataLoss);
  }
}

}  // namespace
}  // namespace ptxfarm::object::fatbin

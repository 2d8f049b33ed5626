#include "toolchain/object/elf/elf.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/bytes.h"
#include "base/file.h"
#include "tests/toolchain/object/elf_builder.h"

namespace ptxfarm::object::elf {
namespace {

using object::test::BuiltCubin;
using object::test::BuiltElf;
using testing::HasSubstr;

std::string MessageOf(const Result<File>& file) { return file ? "read" : file.error().ToString(); }

TEST(ElfTest, ReadsSectionsAndSymbols) {
  const std::string bytes = BuiltCubin().Bytes();
  const Result<File> file = File::Read(bytes);
  ASSERT_TRUE(file.has_value()) << MessageOf(file);
  EXPECT_EQ(file->header().machine, 190);
  EXPECT_TRUE(file->CheckWhole().has_value());
  const Section* const text = file->FindSection(".text.k");
  ASSERT_NE(text, nullptr);
  EXPECT_EQ(text->data, std::string(128, '\x5a'));
  const Section* const global = file->FindSection(".nv.global");
  ASSERT_NE(global, nullptr);
  EXPECT_EQ(global->size, 64u);
  EXPECT_TRUE(global->data.empty());

  const Result<std::vector<Symbol>> symbols = file->Symbols(*file->FindSection(".symtab"));
  ASSERT_TRUE(symbols.has_value());
  ASSERT_EQ(symbols->size(), 4u);
  EXPECT_EQ((*symbols)[1].name, "k");
  EXPECT_EQ((*symbols)[1].other, 0x10);
  EXPECT_EQ((*symbols)[3].section_index, kIndexUndefined);
}

TEST(ElfTest, ReadsRelocationsOfBothForms) {
  BuiltElf built;
  std::string rel, rela;
  AppendTo(rel, u64{0x40});
  AppendTo(rel, u64{7} << 32 | 2);
  rela = rel;
  AppendTo(rela, i64{-8});
  built.sections = {{.name = ".rel.x", .type = kSectionRel, .data = rel},
                    {.name = ".rela.x", .type = kSectionRela, .data = rela},
                    {.name = ".rela.short", .type = kSectionRela, .data = rel}};
  const std::string bytes = built.Bytes();
  const Result<File> file = File::Read(bytes);
  ASSERT_TRUE(file.has_value()) << MessageOf(file);
  for (const char* const name : {".rel.x", ".rela.x"}) {
    const Result<std::vector<Relocation>> found = file->Relocations(*file->FindSection(name));
    ASSERT_TRUE(found.has_value());
    ASSERT_EQ(found->size(), 1u);
    EXPECT_EQ((*found)[0].offset, 0x40u);
    EXPECT_EQ((*found)[0].symbol_index, 7u);
    EXPECT_EQ((*found)[0].type, 2u);
    EXPECT_EQ((*found)[0].addend, name == std::string_view(".rel.x") ? 0 : -8);
  }
  EXPECT_EQ(file->Relocations(*file->FindSection(".rela.short")).error().code, Code::kDataLoss);
}

struct Damage {
  const char* name;
  u64 offset;  // Of the header field.
  u64 value;
  int bytes;
  const char* message;
};
class DamagedElfTest : public testing::TestWithParam<Damage> {};

TEST_P(DamagedElfTest, NamesTheBadTable) {
  std::string bytes = BuiltCubin().Bytes();
  for (int i = 0; i < GetParam().bytes; ++i)
    bytes[GetParam().offset + static_cast<u64>(i)] = static_cast<char>(GetParam().value >> (8 * i));
  const Result<File> file = File::Read(bytes);
  EXPECT_THAT(MessageOf(file), HasSubstr(GetParam().message));
}

INSTANTIATE_TEST_SUITE_P(
    Headers, DamagedElfTest,
    testing::Values(
        Damage{"Magic", 0, 0x42, 1, "not an ELF file"},
        Damage{"Class", 4, 1, 1, "not a 64-bit little-endian"},
        Damage{"ByteOrder", 5, 2, 1, "not a 64-bit little-endian"},
        Damage{"SectionTableOutside", 40, ~u64{0} - 8, 8, "section header table lies outside"},
        Damage{"SectionTableCutOff", 60, 5000, 2, "section header table lies outside"},
        Damage{"SectionHeaderSize", 58, 40, 2, "section header table has entries of 40"},
        Damage{"NameTableIndex", 62, 1000, 2, "section name table has index 1000"},
        Damage{"NameTableOfTheWrongKind", 62, 5, 2, "section header table has no end"},
        Damage{"ProgramTableOutside", 56, 500, 2, "program header table lies outside"},
        Damage{"ProgramHeaderSize", 54, 0x0001'0020, 4, "program header table has entries of 32"}),
    [](const auto& test) { return test.param.name; });

TEST(ElfTest, CountsInSectionZeroAreBoundedByTheFile) {
  std::string bytes = BuiltCubin().Bytes();
  WriteAt(bytes, 60, u16{0});
  const u64 table = *ReadAt<u64>(bytes, 40);
  WriteAt(bytes, table + 32, u64{1} << 60);
  EXPECT_THAT(MessageOf(File::Read(bytes)), HasSubstr("section header table lies outside"));
}

TEST(ElfTest, NoTruncationPassesAsWhole) {
  const std::string bytes = BuiltCubin().Bytes();
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    const Result<File> file = File::Read(std::string_view(bytes).substr(0, size));
    EXPECT_FALSE(file.has_value() && file->CheckWhole().has_value()) << size;
  }
}

TEST(ElfTest, CheckWholeNamesTheSectionOutside) {
  BuiltElf built = BuiltCubin();
  built.sections[4].size = 1 << 20;
  const std::string bytes = built.Bytes();
  const Result<File> file = File::Read(bytes);
  ASSERT_TRUE(file.has_value()) << MessageOf(file);
  EXPECT_THAT(file->CheckWhole().error().message, HasSubstr("section .text.k (1048576 bytes"));
}

TEST(ElfTest, NamesSharedAMillionTimesAreALimit) {
  // 2,000 symbols, each of one name of 1 MiB: reading them all would look at 2 GB.
  BuiltElf built;
  std::string symbols;
  for (int i = 0; i < 2000; ++i) symbols += object::test::BuiltSymbol(1, 2, 1, 0, 0, 0, 0);
  built.sections = {{.name = ".strtab", .type = 3, .data = '\0' + std::string(1 << 20, 'n') + '\0'},
                    {.name = ".symtab", .type = 2, .link = 1, .data = symbols}};
  const std::string bytes = built.Bytes();
  const Result<File> file = File::Read(bytes);
  ASSERT_TRUE(file.has_value()) << MessageOf(file);
  const Result<std::vector<Symbol>> read = file->Symbols(*file->FindSection(".symtab"));
  ASSERT_FALSE(read.has_value());
  EXPECT_EQ(read.error().code, Code::kResourceExhausted);
  EXPECT_THAT(read.error().message, HasSubstr("object_name_bytes_max"));
}

TEST(ElfTest, ReadsThisProgram) {
  const Result<std::string> self = ReadFile("/proc/self/exe", u64{1} << 30);
  ASSERT_TRUE(self.has_value());
  const Result<File> file = File::Read(*self);
  ASSERT_TRUE(file.has_value()) << MessageOf(file);
  EXPECT_TRUE(file->CheckWhole().has_value());
  EXPECT_NE(file->FindSection(".text"), nullptr);
  EXPECT_FALSE(file->program_headers().empty());
}

}  // namespace
}  // namespace ptxfarm::object::elf

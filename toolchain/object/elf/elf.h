// 64-bit little-endian ELF, as cubins and host objects are. Looks at the bytes where they lie:
// nothing is copied but the headers, and every view points into the caller's bytes, which must
// outlive what is read from them.
//
// Input is hostile: a table that doesn't lie inside the file is an error that names the table, and
// no count in the file makes us allocate more than a small multiple of the file's size.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "base/int.h"
#include "base/result.h"

namespace ptxfarm::object::elf {

// e_type
inline constexpr u16 kTypeRelocatable = 1;
inline constexpr u16 kTypeExecutable = 2;

// sh_type
inline constexpr u32 kSectionNull = 0;
inline constexpr u32 kSectionProgbits = 1;
inline constexpr u32 kSectionSymtab = 2;
inline constexpr u32 kSectionStrtab = 3;
inline constexpr u32 kSectionRela = 4;
inline constexpr u32 kSectionNote = 7;
inline constexpr u32 kSectionNobits = 8;
inline constexpr u32 kSectionRel = 9;

// st_shndx
inline constexpr u16 kIndexUndefined = 0;
inline constexpr u16 kIndexReservedFirst = 0xff00;  // From here on no index of a section.
inline constexpr u16 kIndexExtended = 0xffff;       // In the header: the value stands in section 0.

// Sizes of the records on disk.
inline constexpr u64 kHeaderBytes = 64;
inline constexpr u64 kSectionHeaderBytes = 64;
inline constexpr u64 kProgramHeaderBytes = 56;
inline constexpr u64 kSymbolBytes = 24;
inline constexpr u64 kRelBytes = 16;
inline constexpr u64 kRelaBytes = 24;

// Offsets of header fields that a writer patches.
inline constexpr u64 kProgramHeadersField = 32;
inline constexpr u64 kSectionHeadersField = 40;

struct Header {
  u8 os_abi = 0;
  u8 abi_version = 0;
  u16 type = 0;
  u16 machine = 0;
  u32 version = 0;
  u64 program_headers_offset = 0;
  u64 section_headers_offset = 0;
  u32 flags = 0;
  u16 header_size = 0;
  u16 program_header_size = 0;
  u16 program_header_count = 0;
  u16 section_header_size = 0;
  u64 section_count = 0;     // Resolved, also where it doesn't fit the header's field.
  u32 name_table_index = 0;  // Likewise.
};

struct Section {
  u32 index = 0;
  std::string_view name;
  u32 type = 0;
  u64 flags = 0;
  u64 address = 0;
  u64 offset = 0;
  u64 size = 0;
  u32 link = 0;
  u32 info = 0;
  u64 alignment = 0;
  u64 entry_size = 0;
  // The contents; empty for sections that have none in the file, and for those that don't lie
  // inside it.
  std::string_view data;
};

struct ProgramHeader {
  u32 type = 0;
  u32 flags = 0;
  u64 offset = 0;
  u64 virtual_address = 0;
  u64 physical_address = 0;
  u64 file_size = 0;
  u64 memory_size = 0;
  u64 alignment = 0;
};

struct Symbol {
  std::string_view name;
  u8 type = 0;
  u8 binding = 0;
  u8 other = 0;
  u16 section_index = 0;
  u64 value = 0;
  u64 size = 0;
};

struct Relocation {
  u64 offset = 0;
  u32 symbol_index = 0;
  u32 type = 0;
  i64 addend = 0;
};

// True where the bytes begin as an ELF file does, of whatever kind.
bool LooksLikeElf(std::string_view bytes);

// sh_flags of the sections of a cubin's capsule (the second form of its code, sm_100 and later).
inline constexpr u64 kFlagCapsule = 0x10000000;

// True for sections that take memory but no bytes of the file: NOBITS, and NVIDIA's own types for
// relocatable cubins, which do have bytes where the capsule repeats them.
bool TakesNoFileBytes(u32 section_type, u64 section_flags);

class File {
 public:
  // Reads the header and both header tables. Section contents that lie outside the file are no
  // error here (a reader that looks for one section needn't care); CheckWhole() judges them.
  static Result<File> Read(std::string_view bytes);

  std::string_view bytes() const { return bytes_; }
  const Header& header() const { return header_; }
  std::span<const Section> sections() const { return sections_; }
  std::span<const ProgramHeader> program_headers() const { return program_headers_; }

  // The first section of that name or type, or null.
  const Section* FindSection(std::string_view name) const;
  const Section* FindSectionOfType(u32 type) const;
  // The section at an index that the file gave, or null.
  const Section* SectionAt(u64 index) const;

  // Symbols of a symbol table, index 0 included so that indices of the file hold.
  Result<std::vector<Symbol>> Symbols(const Section& table) const;
  // Relocations of a REL or RELA section; those of REL have addend 0.
  Result<std::vector<Relocation>> Relocations(const Section& table) const;

  // OK where the file is whole: all section contents and segments lie inside it. A truncated file
  // fails here, if not in Read(): compilers write the header tables last.
  Status CheckWhole() const;

  // Where the file ends by its own tables: the furthest end of a table or of section contents.
  // Never overflows; may lie beyond bytes().
  u64 EndOfContents() const;

 private:
  Status ReadHeader();
  Status ReadSections();
  Status ReadProgramHeaders();
  Status NameSections();

  std::string_view bytes_;
  Header header_;
  std::vector<Section> sections_;
  std::vector<ProgramHeader> program_headers_;
};

}  // namespace ptxfarm::object::elf

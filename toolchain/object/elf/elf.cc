#include "toolchain/object/elf/elf.h"

#include <algorithm>

#include "base/bytes.h"
#include "toolchain/object/limits.h"

namespace ptxfarm::object::elf {
namespace {

// The records as the System V gABI lays them out; fields are naturally aligned, so no packing is
// needed.
struct RawHeader {
  u8 ident[16];
  u16 type, machine;
  u32 version;
  u64 entry, program_headers_offset, section_headers_offset;
  u32 flags;
  u16 header_size, program_header_size, program_header_count;
  u16 section_header_size, section_count, name_table_index;
};
static_assert(sizeof(RawHeader) == kHeaderBytes);

struct RawSection {
  u32 name, type;
  u64 flags, address, offset, size;
  u32 link, info;
  u64 alignment, entry_size;
};
static_assert(sizeof(RawSection) == kSectionHeaderBytes);

struct RawProgramHeader {
  u32 type, flags;
  u64 offset, virtual_address, physical_address, file_size, memory_size, alignment;
};
static_assert(sizeof(RawProgramHeader) == kProgramHeaderBytes);

struct RawSymbol {
  u32 name;
  u8 info, other;
  u16 section_index;
  u64 value, size;
};
static_assert(sizeof(RawSymbol) == kSymbolBytes);

constexpr u32 kNoProgramHeaders = 0;

// Looks names up in a string table, and counts what that costs: a million symbols may all name one
// string of megabytes.
class NameTable {
 public:
  NameTable(std::string_view strings, std::string_view of) : strings_(strings), of_(of) {}

  Result<std::string_view> At(u64 offset) {
    if (offset == 0 && strings_.empty()) return std::string_view();
    if (offset >= strings_.size())
      return MakeError(Code::kDataLoss, "a name of the {} lies outside its string table", of_);
    const std::string_view rest = strings_.substr(offset);
    const std::size_t length = rest.find('\0');
    if (length == std::string_view::npos)
      return MakeError(Code::kDataLoss, "the string table of the {} has no end", of_);
    looked_at_bytes_ += length;
    if (looked_at_bytes_ > kNameBytesMax.value)
      return kNameBytesMax.Exceeded("sum of the names of the file", looked_at_bytes_);
    return rest.substr(0, length);
  }

 private:
  std::string_view strings_;
  std::string_view of_;
  u64 looked_at_bytes_ = 0;
};

Section SectionOf(const RawSection& raw, u32 index, std::string_view bytes) {
  Section section{.index = index,
                  .type = raw.type,
                  .flags = raw.flags,
                  .address = raw.address,
                  .offset = raw.offset,
                  .size = raw.size,
                  .link = raw.link,
                  .info = raw.info,
                  .alignment = raw.alignment,
                  .entry_size = raw.entry_size};
  if (raw.type != kSectionNull && !TakesNoFileBytes(raw.type, raw.flags))
    section.data = SliceAt(bytes, raw.offset, raw.size).value_or(std::string_view());
  return section;
}

}  // namespace

bool LooksLikeElf(std::string_view bytes) { return bytes.starts_with("\177ELF"); }

bool TakesNoFileBytes(u32 section_type, u64 section_flags) {
  switch (section_type) {
    case kSectionNobits: return true;
    // Measured on relocatable cubins: .nv.global, .nv.local, .nv.shared and .nv.shared.reserved
    // keep types of their own.
    case 0x70000007:
    case 0x70000009:
    case 0x7000000a:
    case 0x70000015: return (section_flags & kFlagCapsule) == 0;
    default: return false;
  }
}

Result<File> File::Read(std::string_view bytes) {
  File file;
  file.bytes_ = bytes;
  PTXFARM_RETURN_IF_ERROR(file.ReadHeader());
  PTXFARM_RETURN_IF_ERROR(file.ReadSections());
  PTXFARM_RETURN_IF_ERROR(file.ReadProgramHeaders());
  return file;
}

Status File::ReadHeader() {
  if (!LooksLikeElf(bytes_)) return MakeError(Code::kInvalidArgument, "not an ELF file");
  const std::optional<RawHeader> raw = ReadAt<RawHeader>(bytes_, 0);
  if (!raw)
    return MakeError(Code::kDataLoss, "ELF file of {} bytes ends inside its header", bytes_.size());
  if (raw->ident[4] != 2 || raw->ident[5] != 1)
    return MakeError(Code::kInvalidArgument, "not a 64-bit little-endian ELF file");
  header_ = Header{.os_abi = raw->ident[7],
                   .abi_version = raw->ident[8],
                   .type = raw->type,
                   .machine = raw->machine,
                   .version = raw->version,
                   .program_headers_offset = raw->program_headers_offset,
                   .section_headers_offset = raw->section_headers_offset,
                   .flags = raw->flags,
                   .header_size = raw->header_size,
                   .program_header_size = raw->program_header_size,
                   .program_header_count = raw->program_header_count,
                   .section_header_size = raw->section_header_size,
                   .section_count = raw->section_count,
                   .name_table_index = raw->name_table_index};
  return Ok();
}

Status File::ReadSections() {
  if (header_.section_headers_offset == 0) {
    header_.section_count = 0;
    return Ok();
  }
  if (header_.section_header_size != kSectionHeaderBytes)
    return MakeError(Code::kDataLoss, "section header table has entries of {} bytes, not {}",
                     header_.section_header_size, kSectionHeaderBytes);
  const std::optional<RawSection> first =
      ReadAt<RawSection>(bytes_, header_.section_headers_offset);
  if (!first && header_.section_count != 0)
    return MakeError(Code::kDataLoss, "section header table lies outside the file");
  // Counts of 0xff00 and more don't fit the header: they stand in the otherwise empty section 0.
  if (first && header_.section_count == 0) header_.section_count = first->size;
  if (first && header_.name_table_index == kIndexExtended) header_.name_table_index = first->link;
  if (header_.section_count > bytes_.size() / kSectionHeaderBytes ||
      !SliceAt(bytes_, header_.section_headers_offset, header_.section_count * kSectionHeaderBytes))
    return MakeError(Code::kDataLoss, "section header table lies outside the file");

  sections_.reserve(header_.section_count);
  for (u32 i = 0; i < header_.section_count; ++i) {
    const u64 offset = header_.section_headers_offset + i * kSectionHeaderBytes;
    sections_.push_back(SectionOf(*ReadAt<RawSection>(bytes_, offset), i, bytes_));
  }
  return NameSections();
}

Status File::NameSections() {
  if (sections_.empty() || header_.name_table_index == 0) return Ok();
  const Section* const names = SectionAt(header_.name_table_index);
  if (names == nullptr)
    return MakeError(Code::kDataLoss, "section name table has index {} of {}",
                     header_.name_table_index, sections_.size());
  NameTable table(names->data, "section header table");
  for (Section& section : sections_) {
    const u64 offset = header_.section_headers_offset + section.index * kSectionHeaderBytes;
    PTXFARM_ASSIGN_OR_RETURN(section.name, table.At(*ReadAt<u32>(bytes_, offset)));
  }
  return Ok();
}

Status File::ReadProgramHeaders() {
  if (header_.program_header_count == kNoProgramHeaders) return Ok();
  if (header_.program_header_size != kProgramHeaderBytes)
    return MakeError(Code::kDataLoss, "program header table has entries of {} bytes, not {}",
                     header_.program_header_size, kProgramHeaderBytes);
  if (!SliceAt(bytes_, header_.program_headers_offset,
               header_.program_header_count * kProgramHeaderBytes))
    return MakeError(Code::kDataLoss, "program header table lies outside the file");
  program_headers_.reserve(header_.program_header_count);
  for (u64 i = 0; i < header_.program_header_count; ++i) {
    const RawProgramHeader raw =
        *ReadAt<RawProgramHeader>(bytes_, header_.program_headers_offset + i * kProgramHeaderBytes);
    program_headers_.push_back({.type = raw.type,
                                .flags = raw.flags,
                                .offset = raw.offset,
                                .virtual_address = raw.virtual_address,
                                .physical_address = raw.physical_address,
                                .file_size = raw.file_size,
                                .memory_size = raw.memory_size,
                                .alignment = raw.alignment});
  }
  return Ok();
}

const Section* File::FindSection(std::string_view name) const {
  for (const Section& section : sections_)
    if (section.name == name) return &section;
  return nullptr;
}

const Section* File::FindSectionOfType(u32 type) const {
  for (const Section& section : sections_)
    if (section.type == type) return &section;
  return nullptr;
}

const Section* File::SectionAt(u64 index) const {
  return index < sections_.size() ? &sections_[index] : nullptr;
}

Result<std::vector<Symbol>> File::Symbols(const Section& table) const {
  if (table.data.size() != table.size)
    return MakeError(Code::kDataLoss, "symbol table {} lies outside the file", table.name);
  if (table.size % kSymbolBytes != 0)
    return MakeError(Code::kDataLoss, "symbol table {} has {} bytes, no multiple of {}", table.name,
                     table.size, kSymbolBytes);
  const Section* const strings = SectionAt(table.link);
  if (strings == nullptr)
    return MakeError(Code::kDataLoss, "symbol table {} names string table {} of {} sections",
                     table.name, table.link, sections_.size());
  NameTable names(strings->data, "symbol table");
  std::vector<Symbol> symbols;
  symbols.reserve(table.size / kSymbolBytes);
  for (u64 offset = 0; offset < table.size; offset += kSymbolBytes) {
    const RawSymbol raw = *ReadAt<RawSymbol>(table.data, offset);
    PTXFARM_ASSIGN_OR_RETURN(const std::string_view name, names.At(raw.name));
    symbols.push_back({.name = name,
                       .type = static_cast<u8>(raw.info & 0xf),
                       .binding = static_cast<u8>(raw.info >> 4),
                       .other = raw.other,
                       .section_index = raw.section_index,
                       .value = raw.value,
                       .size = raw.size});
  }
  return symbols;
}

Result<std::vector<Relocation>> File::Relocations(const Section& table) const {
  const bool has_addend = table.type != kSectionRel;
  const u64 entry_bytes = has_addend ? kRelaBytes : kRelBytes;
  if (table.data.size() != table.size || table.size % entry_bytes != 0)
    return MakeError(Code::kDataLoss, "relocation table {} lies outside the file or is cut short",
                     table.name);
  std::vector<Relocation> relocations;
  relocations.reserve(table.size / entry_bytes);
  for (u64 offset = 0; offset < table.size; offset += entry_bytes) {
    const u64 info = *ReadAt<u64>(table.data, offset + 8);
    relocations.push_back({.offset = *ReadAt<u64>(table.data, offset),
                           .symbol_index = static_cast<u32>(info >> 32),
                           .type = static_cast<u32>(info),
                           .addend = has_addend ? *ReadAt<i64>(table.data, offset + 16) : 0});
  }
  return relocations;
}

Status File::CheckWhole() const {
  for (const Section& section : sections_) {
    if (section.type == kSectionNull || TakesNoFileBytes(section.type, section.flags)) continue;
    if (section.data.size() != section.size)
      return MakeError(Code::kDataLoss,
                       "section {} ({} bytes at {}) lies outside the file of {} bytes",
                       section.name, section.size, section.offset, bytes_.size());
  }
  for (std::size_t i = 0; i < program_headers_.size(); ++i) {
    const ProgramHeader& segment = program_headers_[i];
    if (!SliceAt(bytes_, segment.offset, segment.file_size))
      return MakeError(Code::kDataLoss,
                       "segment {} ({} bytes at {}) lies outside the file of {} bytes", i,
                       segment.file_size, segment.offset, bytes_.size());
  }
  return Ok();
}

u64 File::EndOfContents() const {
  // Read() saw that these tables lie inside the file.
  u64 end = kHeaderBytes;
  if (!sections_.empty())
    end = std::max(end, header_.section_headers_offset + sections_.size() * kSectionHeaderBytes);
  if (!program_headers_.empty())
    end = std::max(end,
                   header_.program_headers_offset + program_headers_.size() * kProgramHeaderBytes);
  for (const Section& section : sections_) {
    if (section.type == kSectionNull || TakesNoFileBytes(section.type, section.flags)) continue;
    const bool overflows = section.offset > ~section.size;
    end = std::max(end, overflows ? ~u64{0} : section.offset + section.size);
  }
  return end;
}

}  // namespace ptxfarm::object::elf

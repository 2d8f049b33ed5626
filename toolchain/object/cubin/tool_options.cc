// ptxas places its sections in index order, each at its alignment behind the one before; the header
// tables come last. Some sections of the capsule (sm_100 and later) have the same bytes as an
// earlier section, and share its place. So a new layout needs no knowledge of the contents: the old
// one is walked with that rule, and a second cursor places the same sections with the new size of
// the note. Where the old file isn't exactly what the rule gives, neither would be the new one, and
// we refuse.
#include "toolchain/object/cubin/tool_options.h"

#include <algorithm>
#include <array>
#include <vector>

#include "base/bytes.h"
#include "toolchain/object/cubin/cubin.h"

namespace ptxfarm::object::cubin {
namespace {

constexpr u64 kTableAlignment = 8;
constexpr u64 kSectionOffsetField = 24;  // In a section header; the size follows.
constexpr u64 kSectionSizeField = 32;
constexpr u64 kSegmentOffsetField = 8;  // In a program header.
constexpr u64 kSegmentFileSizeField = 32;
constexpr u64 kSegmentMemorySizeField = 40;

Error CannotLayOut(std::string_view why) {
  return MakeError(Code::kUnimplemented, "cannot lay the cubin out again exactly: {}", why);
}

// The note section with another option text. The options are the last string; the descriptor is
// padded to 4 bytes, and its size counts the padding.
Result<std::string> NoteWithOptions(std::string_view section, std::string_view options) {
  const std::optional<NoteRecord> record = FirstNote(section, kToolNoteType);
  if (!record || record->descriptor_bytes < kToolNoteWordsBytes)
    return CannotLayOut("no tool note");
  const std::string_view descriptor =
      section.substr(record->descriptor_offset, record->descriptor_bytes);
  const u32 at = *ReadAt<u32>(descriptor, kToolNoteWordsBytes - sizeof(u32));
  const std::string_view strings = descriptor.substr(kToolNoteWordsBytes);
  if (at >= strings.size()) return CannotLayOut("the option text lies outside its note");
  for (u64 i = 0; i + 1 < kToolNoteStrings; ++i)
    if (*ReadAt<u32>(descriptor, sizeof(u32) * (1 + i)) >= at)
      return CannotLayOut("the option text isn't the note's last");

  std::string changed(descriptor.substr(0, kToolNoteWordsBytes + at));
  changed += options;
  changed += '\0';
  changed.resize(AlignUp(changed.size(), 4));
  std::string note(section.substr(0, record->descriptor_offset));
  WriteAt(note, sizeof(u32), static_cast<u32>(changed.size()));
  note += changed;
  note += section.substr(record->end);
  return note;
}

class Relayout {
 public:
  explicit Relayout(const elf::File& file) : file_(file) {}

  Result<std::string> WithSection(const elf::Section& replaced, std::string_view contents) {
    PTXFARM_RETURN_IF_ERROR(Place(replaced, contents.size()));
    PTXFARM_RETURN_IF_ERROR(Copy(replaced, contents));
    WriteSectionHeaders(replaced, contents.size());
    PTXFARM_RETURN_IF_ERROR(WriteProgramHeaders());
    return std::move(out_);
  }

 private:
  Status Place(const elf::Section& replaced, u64 contents_bytes);
  Result<u64> PlaceOfTwin(const elf::Section& section) const;
  Status Copy(const elf::Section& replaced, std::string_view contents);
  void WriteSectionHeaders(const elf::Section& replaced, u64 contents_bytes);
  Status WriteProgramHeaders();
  Result<u64> Moved(u64 segment_end, u64 segment_begin) const;

  static u64 FileBytes(const elf::Section& section) {
    return elf::TakesNoFileBytes(section.type, section.flags) ? 0 : section.size;
  }

  const elf::File& file_;
  std::vector<u64> offsets_;   // New, by section index.
  std::vector<bool> is_twin_;  // Shares the bytes of an earlier section.
  u64 section_headers_ = 0;
  u64 program_headers_ = 0;
  std::string out_;
};

Status Relayout::Place(const elf::Section& replaced, u64 contents_bytes) {
  u64 old_cursor = 0;
  u64 cursor = 0;
  for (const elf::Section& section : file_.sections()) {
    const u64 alignment = std::max<u64>(section.alignment, 1);
    if ((alignment & (alignment - 1)) != 0) return CannotLayOut("an alignment is no power of two");
    bool is_twin = false;
    if (section.index <= replaced.index) {
      // What stands before the note stays where it is (.shstrtab is followed by a gap that no rule
      // of ours explains).
      if (section.offset > replaced.offset) return CannotLayOut("sections aren't in order");
      offsets_.push_back(section.offset);
      if (section.index == replaced.index) {
        old_cursor = section.offset + FileBytes(section);
        cursor = section.offset + contents_bytes;
      }
    } else if (section.offset == AlignUp(old_cursor, alignment)) {
      offsets_.push_back(AlignUp(cursor, alignment));
      old_cursor = section.offset + FileBytes(section);
      cursor = offsets_.back() + FileBytes(section);
    } else {
      PTXFARM_ASSIGN_OR_RETURN(const u64 offset, PlaceOfTwin(section));
      offsets_.push_back(offset);
      is_twin = true;
    }
    is_twin_.push_back(is_twin);
  }
  const u64 table_bytes = file_.sections().size() * elf::kSectionHeaderBytes;
  const u64 segment_bytes = file_.program_headers().size() * elf::kProgramHeaderBytes;
  if (file_.header().section_headers_offset != AlignUp(old_cursor, kTableAlignment) ||
      (segment_bytes != 0 && file_.header().program_headers_offset !=
                                 file_.header().section_headers_offset + table_bytes) ||
      file_.bytes().size() != file_.header().section_headers_offset + table_bytes + segment_bytes)
    return CannotLayOut("the header tables aren't at the end");
  section_headers_ = AlignUp(cursor, kTableAlignment);
  program_headers_ = segment_bytes == 0 ? 0 : section_headers_ + table_bytes;
  return Ok();
}

Result<u64> Relayout::PlaceOfTwin(const elf::Section& section) const {
  for (std::size_t i = 0; i < offsets_.size(); ++i) {
    const elf::Section& earlier = file_.sections()[i];
    if (earlier.offset == section.offset && FileBytes(earlier) == FileBytes(section) &&
        earlier.index != 0)
      return offsets_[i];
  }
  return CannotLayOut(fmt::format("section {} isn't where ptxas puts it", section.name));
}

Status Relayout::Copy(const elf::Section& replaced, std::string_view contents) {
  out_ = std::string(file_.bytes().substr(0, replaced.offset));
  out_ += contents;
  u64 old_end = replaced.offset + FileBytes(replaced);
  for (const elf::Section& section : file_.sections()) {
    if (section.index <= replaced.index || is_twin_[section.index] || FileBytes(section) == 0)
      continue;
    if (file_.bytes().substr(old_end, section.offset - old_end).find_first_not_of('\0') !=
        std::string_view::npos)
      return CannotLayOut("there is something between the sections");
    out_.resize(offsets_[section.index]);
    out_ += section.data;
    old_end = section.offset + section.size;
  }
  out_.resize(section_headers_);
  out_ += file_.bytes().substr(file_.header().section_headers_offset);
  return Ok();
}

void Relayout::WriteSectionHeaders(const elf::Section& replaced, u64 contents_bytes) {
  WriteAt(out_, elf::kSectionHeadersField, section_headers_);
  WriteAt(out_, elf::kProgramHeadersField, program_headers_);
  for (const elf::Section& section : file_.sections()) {
    if (section.index == 0) continue;
    const u64 header = section_headers_ + section.index * elf::kSectionHeaderBytes;
    WriteAt(out_, header + kSectionOffsetField, offsets_[section.index]);
    if (section.index == replaced.index) WriteAt(out_, header + kSectionSizeField, contents_bytes);
  }
}

// Segments cover the program header table, or whole sections: from the first one's begin to the
// last one's end, with the padding between.
Status Relayout::WriteProgramHeaders() {
  for (std::size_t i = 0; i < file_.program_headers().size(); ++i) {
    const elf::ProgramHeader& segment = file_.program_headers()[i];
    const u64 header = program_headers_ + i * elf::kProgramHeaderBytes;
    if (segment.offset == file_.header().program_headers_offset) {
      WriteAt(out_, header + kSegmentOffsetField, program_headers_);
      continue;
    }
    const auto first = std::find_if(
        file_.sections().begin(), file_.sections().end(), [&](const elf::Section& section) {
          return section.index != 0 && section.offset == segment.offset && !is_twin_[section.index];
        });
    if (first == file_.sections().end()) return CannotLayOut("a segment begins in no section");
    const u64 begin = offsets_[first->index];
    PTXFARM_ASSIGN_OR_RETURN(const u64 end,
                             Moved(segment.offset + segment.file_size, segment.offset));
    WriteAt(out_, header + kSegmentOffsetField, begin);
    WriteAt(out_, header + kSegmentFileSizeField, end - begin);
    WriteAt(out_, header + kSegmentMemorySizeField,
            end - begin + segment.memory_size - segment.file_size);
  }
  return Ok();
}

// Where the end of a segment is now: behind the section that ended there.
Result<u64> Relayout::Moved(u64 segment_end, u64 segment_begin) const {
  for (const elf::Section& section : file_.sections()) {
    if (section.index == 0 || is_twin_[section.index] || section.offset < segment_begin) continue;
    if (section.offset + FileBytes(section) == segment_end)
      return offsets_[section.index] + FileBytes(section);
  }
  return CannotLayOut("a segment ends in no section");
}

}  // namespace

Result<std::string> WithToolOptions(std::string_view cubin, std::string_view options) {
  PTXFARM_ASSIGN_OR_RETURN(const elf::File file, elf::File::Read(cubin));
  PTXFARM_RETURN_IF_ERROR(file.CheckWhole());
  if (file.header().machine != kMachineCuda) return CannotLayOut("not a cubin");
  const elf::Section* const note = file.FindSection(kToolNoteSection);
  if (note == nullptr || !ReadToolNote(file)) return CannotLayOut("no tool note");
  PTXFARM_ASSIGN_OR_RETURN(const std::string contents, NoteWithOptions(note->data, options));
  return Relayout(file).WithSection(*note, contents);
}

std::string WithoutFlag(std::string_view options, std::string_view flag) {
  const std::string word = fmt::format("{}  ", flag);
  std::string text(options);
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at)) {
    if (at == 0 || text[at - 1] == ' ')
      text.erase(at, word.size());
    else
      at += word.size();
  }
  return text;
}

Result<std::string> WithoutToolFlag(std::string_view cubin, std::string_view flag) {
  PTXFARM_ASSIGN_OR_RETURN(const elf::File file, elf::File::Read(cubin));
  const std::optional<ToolNote> note = ReadToolNote(file);
  if (!note) return CannotLayOut("no tool note");
  return WithToolOptions(cubin, WithoutFlag(note->options, flag));
}

}  // namespace ptxfarm::object::cubin

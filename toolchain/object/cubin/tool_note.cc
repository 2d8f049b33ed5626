#include "toolchain/object/cubin/tool_note.h"

#include <array>

#include "base/bytes.h"

namespace ptxfarm::object::cubin {
namespace {

constexpr std::string_view kOwner{"NVIDIA Corp\0", 12};
constexpr u32 kToolNoteVersion = 2;
constexpr u16 kTargetNoteVersion = 2;

std::optional<std::string_view> StringAt(std::string_view strings, u32 offset) {
  if (offset >= strings.size()) return std::nullopt;
  const std::string_view rest = strings.substr(offset);
  const std::size_t length = rest.find('\0');
  if (length == std::string_view::npos) return std::nullopt;
  return rest.substr(0, length);
}

}  // namespace

std::optional<NoteRecord> FirstNote(std::string_view section_data, u32 type) {
  const std::optional<std::array<u32, 3>> head = ReadAt<std::array<u32, 3>>(section_data, 0);
  if (!head) return std::nullopt;
  const auto [name_bytes, descriptor_bytes, found_type] = *head;
  const std::optional<std::string_view> owner = SliceAt(section_data, sizeof(*head), name_bytes);
  if (!owner || *owner != kOwner || found_type != type) return std::nullopt;
  const u64 at = sizeof(*head) + kOwner.size();
  if (!SliceAt(section_data, at, descriptor_bytes)) return std::nullopt;
  return NoteRecord{.descriptor_offset = at,
                    .descriptor_bytes = descriptor_bytes,
                    .end = AlignUp(at + descriptor_bytes, 4)};
}

std::optional<ToolNote> ReadToolNote(const elf::File& file) {
  const elf::Section* const section = file.FindSection(kToolNoteSection);
  if (section == nullptr) return std::nullopt;
  const std::optional<NoteRecord> record = FirstNote(section->data, kToolNoteType);
  if (!record || record->descriptor_bytes < kToolNoteWordsBytes) return std::nullopt;
  const std::string_view descriptor =
      section->data.substr(record->descriptor_offset, record->descriptor_bytes);
  if (*ReadAt<u32>(descriptor, 0) != kToolNoteVersion) return std::nullopt;

  std::array<std::string_view, kToolNoteStrings> strings;
  for (std::size_t i = 0; i < strings.size(); ++i) {
    const std::optional<std::string_view> text =
        StringAt(descriptor.substr(kToolNoteWordsBytes), *ReadAt<u32>(descriptor, 4 + 4 * i));
    if (!text) return std::nullopt;
    strings[i] = *text;
  }
  return ToolNote{.object_name = strings[0],
                  .tool = strings[1],
                  .release = strings[2],
                  .build = strings[3],
                  .options = strings[4]};
}

std::optional<TargetNote> ReadTargetNote(const elf::File& file) {
  const elf::Section* const section = file.FindSection(kTargetNoteSection);
  if (section == nullptr) return std::nullopt;
  const std::optional<NoteRecord> record = FirstNote(section->data, kTargetNoteType);
  if (!record || record->descriptor_bytes < 8) return std::nullopt;
  const std::string_view descriptor = section->data.substr(record->descriptor_offset);
  if (*ReadAt<u16>(descriptor, 0) != kTargetNoteVersion) return std::nullopt;
  return TargetNote{.virtual_sm = *ReadAt<u16>(descriptor, 2),
                    .cuda_version = *ReadAt<u32>(descriptor, 4)};
}

}  // namespace ptxfarm::object::cubin

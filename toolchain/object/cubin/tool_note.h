// The notes of a cubin: who made it, with which options (.note.nv.tkinfo), and for what
// (.note.nv.cuinfo).
#pragma once

#include <optional>
#include <string_view>

#include "base/int.h"
#include "base/result.h"
#include "toolchain/object/elf/elf.h"

namespace ptxfarm::object::cubin {

inline constexpr std::string_view kToolNoteSection = ".note.nv.tkinfo";
inline constexpr std::string_view kTargetNoteSection = ".note.nv.cuinfo";

// The first note of .note.nv.tkinfo; a linked cubin has one more for each of its inputs.
struct ToolNote {
  std::string_view object_name;  // Name of the output file, with -g only.
  std::string_view tool;         // "ptxas"
  std::string_view release;      // "Cuda compilation tools, release 13.0, V13.0.88"
  std::string_view build;
  std::string_view options;  // In the tool's own normal form: "-v  -arch sm_90 ".
};

struct TargetNote {
  u16 virtual_sm = 0;    // N of the PTX's `.target sm_N`.
  u32 cuda_version = 0;  // Ten times the version: 130.
};

// Nothing where the file has no such note, or one of a layout that isn't CUDA 13's.
std::optional<ToolNote> ReadToolNote(const elf::File& file);
std::optional<TargetNote> ReadTargetNote(const elf::File& file);

// A note record: its descriptor's place in `section_data`, for who rewrites it.
struct NoteRecord {
  u64 descriptor_offset = 0;
  u64 descriptor_bytes = 0;
  u64 end = 0;  // Where the next record begins.
};

// The first record, if it is of `type` and NVIDIA's.
std::optional<NoteRecord> FirstNote(std::string_view section_data, u32 type);

inline constexpr u32 kToolNoteType = 2000;
inline constexpr u32 kTargetNoteType = 1000;
// A version word, then offsets of five strings from the end of these words.
inline constexpr u64 kToolNoteStrings = 5;
inline constexpr u64 kToolNoteWordsBytes = 4 * (1 + kToolNoteStrings);

}  // namespace ptxfarm::object::cubin

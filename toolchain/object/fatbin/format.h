// The fat binary on disk. A container is a header and members back to back; a member is a header of
// 64 bytes and a variable part (identifier, options), then its payload. All fields are
// little-endian, all sizes multiples of 8.
//
// No manual describes it: the values were measured on CUDA 13.0 by changing one input of
// `fatbinary` at a time.
#pragma once

#include <string>
#include <string_view>

#include "base/int.h"

namespace ptxfarm::object::fatbin {

inline constexpr u32 kContainerMagic = 0xba55ed50;
inline constexpr u16 kContainerVersion = 1;
inline constexpr u16 kContainerHeaderBytes = 16;

struct RawContainerHeader {
  u32 magic;
  u16 version;
  u16 header_bytes;
  u64 members_bytes;  // Of all that follows.
};
static_assert(sizeof(RawContainerHeader) == kContainerHeaderBytes);

inline constexpr u16 kMemberVersion = 0x0101;
inline constexpr u32 kMemberHeaderBytes = 64;  // Without the variable part.

struct RawMemberHeader {
  u16 kind;
  u16 version;
  u32 header_bytes;
  u64 payload_bytes;     // As stored, with padding.
  u32 compressed_bytes;  // Without padding; 0 where the payload isn't compressed.
  u32 options_offset;    // From the member's begin, to {u32 text offset, u32 length}; 0: none.
  u16 version_minor;     // PTX: of .version; cubin: its ABI version.
  u16 version_major;     // PTX: of .version; cubin: its ELF version.
  u32 sm;
  u32 identifier_offset;  // 0: none.
  u32 identifier_bytes;
  u64 flags;
  u64 scramble_key;        // Of compressed LTO-IR only.
  u64 uncompressed_bytes;  // 0 where the payload isn't compressed.
};
static_assert(sizeof(RawMemberHeader) == kMemberHeaderBytes);

// clang-format off
inline constexpr u64 kFlag64Bit      = 0x1;
inline constexpr u64 kFlagDebug      = 0x2;
inline constexpr u64 kFlagLinux      = 0x10;
inline constexpr u64 kFlagLz4        = 0x2000;
inline constexpr u64 kFlagZstd       = 0x8000;
inline constexpr u64 kFlagScrambled  = 0x10000;
inline constexpr u64 kFlagSuffixA    = 0x100000;
inline constexpr u64 kFlagSuffixF    = 0x200000;
inline constexpr u64 kFlagCapsule    = 0x1000000;  // A cubin that can be finalized for later targets.
// clang-format on

enum class MemberKind : u16 {
  kPtx = 1,
  kCubin = 2,
  kLtoIr = 8,
};

// "ptx", "elf", "lto"; "kind 16" of a kind that we don't know.
std::string MemberKindName(u16 kind);

// What a member is for: sm_90a is {90, 'a'}, and PTX of compute_90 is {90, 0}.
struct MemberTarget {
  u32 sm = 0;
  char suffix = 0;  // 'a', 'f' or 0.

  friend bool operator==(const MemberTarget&, const MemberTarget&) = default;
};

// "90a"
std::string TargetText(const MemberTarget& target);

}  // namespace ptxfarm::object::fatbin

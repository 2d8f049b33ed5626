// Fat binary: the container in which a program carries GPU code for several targets. Reading;
// write.h writes.
//
// Members are views into the caller's bytes, which must outlive them; only Image() copies.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/int.h"
#include "base/result.h"
#include "toolchain/object/fatbin/compression.h"
#include "toolchain/object/fatbin/format.h"

namespace ptxfarm::object::fatbin {

struct MemberView {
  u64 offset = 0;  // Of its header, in the bytes that were read.
  u16 kind = 0;    // A MemberKind, or one that we don't know.
  u16 version = 0;
  u32 header_bytes = 0;
  MemberTarget target;
  u16 version_major = 0;
  u16 version_minor = 0;
  u64 flags = 0;
  u64 scramble_key = 0;
  u32 compressed_bytes = 0;
  u64 uncompressed_bytes = 0;
  std::string_view identifier;
  // PTX and LTO-IR: the compiler's options; cubins: a copy of their .nv.compat section. Nothing
  // where there is no record.
  std::optional<std::string_view> options;
  std::string_view payload;  // With its padding.

  bool Is(MemberKind wanted) const { return kind == static_cast<u16>(wanted); }
  Compression compression() const;
  // Scrambled LTO-IR can be listed and copied, but not read.
  bool is_opaque() const { return (flags & kFlagScrambled) != 0; }
  // The payload without padding, where its exact size is known.
  std::string_view stored() const;
};

struct Container {
  u64 offset = 0;
  u64 size_bytes = 0;  // With its header.
  std::vector<MemberView> members;
};

bool LooksLikeFatbin(std::string_view bytes);

// The container at `offset`. DATA_LOSS where it or a member runs past its end; the message names
// the offset.
Result<Container> ReadContainer(std::string_view bytes, u64 offset = 0);

// All containers of a fatbin file or section: back to back, with zero bytes between them allowed.
Result<std::vector<Container>> ReadFatbin(std::string_view bytes);

// The image that a member holds, decompressed: PTX text without its NUL, a cubin without its
// padding. UNIMPLEMENTED for an opaque member, RESOURCE_EXHAUSTED beyond kMemberBytesMax, DATA_LOSS
// where it is damaged.
Result<std::string> Image(const MemberView& member);

// How far a damaged container could be read: where the search for the next one goes on.
struct ContainerEnd {
  Result<Container> container;
  u64 read_to = 0;
};
ContainerEnd ReadContainerAsFarAsItGoes(std::string_view bytes, u64 offset);

}  // namespace ptxfarm::object::fatbin

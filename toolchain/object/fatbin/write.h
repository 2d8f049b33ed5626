// Makes fat binaries, byte for byte as the toolkit's `fatbinary --create` does.
//
// Identical (measured against CUDA 13.0 with Debian 12's libzstd 1.5.4 and LZ4 1.9.4): everything
// stored uncompressed, and in the default mode every image of up to 16 KiB. Larger images may
// differ, within 2 % of the size, since the toolkit's zstd is newer; so do all in the modes for
// size (level 19, within 4 %) and speed. Those are as valid: the toolkit's linker reads them to the
// same result. LTO-IR is always stored: the toolkit scrambles what it compresses, and reads it
// stored as well.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "toolchain/object/fatbin/compression.h"
#include "toolchain/object/fatbin/format.h"

namespace ptxfarm::object::fatbin {

struct Member {
  MemberKind kind = MemberKind::kCubin;
  MemberTarget target;
  std::string_view image;  // PTX text, or the bytes of a cubin or of LTO-IR.
};

// Options of `fatbinary`, with its names in comments.
struct WriteOptions {
  CompressMode compress = CompressMode::kDefault;  // --compress-mode
  bool compress_all = false;                       // --compress-all: cubins too.
  bool relocatable = false;                        // --device-c: compresses cubins too.
  bool debug = false;            // -g: marks all members, and compresses cubins too.
  bool is_64_bit = true;         // -64
  std::string_view identifier;   // --ident
  std::string_view ptx_options;  // --cmdline
  std::string_view lto_options;  // --cicc-cmdline
};

// One container with the members in the order given. INVALID_ARGUMENT where an image isn't what its
// member says: the message names the member by its place, kind and target. RESOURCE_EXHAUSTED
// beyond kMemberBytesMax.
Result<std::string> WriteFatbin(std::span<const Member> members, const WriteOptions& options = {});

// Whether WriteFatbin() gives the bytes of the toolkit's own tool, as far as that was measured: see
// above. False for what is as valid, and packed a little differently.
bool IsAsTheToolkitWrites(std::span<const Member> members, const WriteOptions& options = {});

}  // namespace ptxfarm::object::fatbin

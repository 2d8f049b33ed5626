// The GPU code of a file, a piece at a time: what `fatbin list`, `fatbin extract` and `inspect`
// walk over.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "toolchain/object/fatbin/find.h"

namespace ptxfarm::client {

// One cubin or one member of a fat binary. The views are into the file's bytes.
struct GpuCode {
  std::string place;  // "saxpy.o:.nv_fatbin", or empty where the whole file is it.
  u64 offset = 0;
  std::size_t container = 0;  // Which fat binary of the file, from 0; meaningless without a member.
  std::optional<object::fatbin::MemberView> member;  // Nothing for a bare cubin.
  std::string_view cubin;                            // Of a bare cubin.

  // "sm_90a" of a cubin, "compute_90" of PTX, "lto_90" of LTO-IR.
  std::string Target() const;
  // "cubin", "ptx", "ltoir"
  std::string Kind() const;
  u64 StoredBytes() const;
  // Decompressed.
  Result<std::string> Image() const;
};

struct GpuFile {
  std::string path;
  std::unique_ptr<const std::string> bytes;  // In one place, whatever moves: the pieces look at it.
  std::vector<GpuCode> pieces;
  std::vector<object::fatbin::FoundDamage> damages;
};

// Reads the file and finds what is in it. The errors are those of reading, and INVALID_ARGUMENT
// where it is no file that can hold GPU code.
Result<GpuFile> ReadGpuFile(const std::string& path);

}  // namespace ptxfarm::client

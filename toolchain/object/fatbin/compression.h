// The two ways in which fat binaries compress a payload.
#pragma once

#include <string>
#include <string_view>

#include "base/int.h"
#include "base/result.h"

namespace ptxfarm::object::fatbin {

enum class Compression : u8 {
  kNone,
  kZstd,  // One frame with its content size, without checksum.
  kLz4,   // A raw block, without frame header or size.
};
std::string_view CompressionName(Compression compression);

// `fatbinary --compress-mode`.
enum class CompressMode : u8 {
  kDefault,  // zstd level 5; `balance` is the same.
  kNone,
  kSize,   // zstd level 19.
  kSpeed,  // LZ4's high-compression encoder.
};

// The compressed bytes; `mode` isn't kNone, and `plain` not larger than kMemberBytesMax.
std::string Compress(std::string_view plain, CompressMode mode);

// Gives exactly `plain_bytes` bytes or DATA_LOSS. Allocates no more than `packed` can hold by its
// format.
Result<std::string> Decompress(std::string_view packed, Compression compression, u64 plain_bytes);

}  // namespace ptxfarm::object::fatbin

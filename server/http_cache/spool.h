// Where a body waits whose digest isn't known before its end: in memory while it is small, in a
// file without a name beyond.
#pragma once

#include <string>
#include <vector>

#include "store/blob_store.h"

namespace ptxfarm::http_cache {

class Spool {
 public:
  // Encoded bytes that stay in memory.
  static constexpr u64 kMemoryBytesMax = u64{1} << 20;

  // `folder` is where the file goes, on the disk of the store if there is one.
  explicit Spool(std::string folder) : folder_(std::move(folder)) {}
  ~Spool();
  Spool(const Spool&) = delete;
  Spool& operator=(const Spool&) = delete;

  // RESOURCE_EXHAUSTED: the disk is full.
  Status Append(const Chunk& chunk);

  // All chunks, in their order.
  Status CopyTo(BlobWriter& writer) const;

 private:
  struct Row {
    Encoding encoding;
    u64 plain_bytes;
    u64 encoded_bytes;
  };

  Status OpenFile();
  Status WriteFile(std::string_view bytes);
  Result<std::string> ReadFile(u64 offset, u64 bytes) const;

  const std::string folder_;
  std::vector<Chunk> chunks_;  // The first ones, in memory.
  u64 memory_bytes_ = 0;
  std::vector<Row> rows_;  // The others, in the file one behind the other.
  int file_ = -1;
};

}  // namespace ptxfarm::http_cache

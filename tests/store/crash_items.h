// What the crash test's child writes and its parent looks for: blobs and action records by number.
#pragma once

#include <string>

#include "store/action_cache.h"
#include "tests/store/stacks.h"

namespace ptxfarm::test {

// Mostly small; now and then one that RocksDB keeps as a file of chunks.
inline Blob CrashBlob(u64 number) {
  const std::size_t size = number % 11 == 0 ? kChunkBytes + number * 4099 % (2 * kChunkBytes)
                                            : 100 + number * 7919 % 60'000;
  return MakeBlob(Noise(size, number));
}

inline ActionRecord CrashRecord(u64 number, const Digest& output) {
  return {.bytes = "record " + std::to_string(number), .outputs = {output}};
}

}  // namespace ptxfarm::test

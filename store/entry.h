// What a store keeps, uses and evicts: a blob, or the record of an action. Their digests are of two
// worlds, so equal ones must not meet.
#pragma once

#include <functional>

#include "base/digest.h"
#include "base/int.h"

namespace ptxfarm {

struct Entry {
  // By number on disk: never renumber.
  enum class Kind : u8 { kBlob = 'b', kAction = 'a' };

  Kind kind = Kind::kBlob;
  Digest digest;  // An action's has size 0.

  friend bool operator==(const Entry&, const Entry&) = default;
};

inline Entry BlobEntry(const Digest& digest) { return {Entry::Kind::kBlob, digest}; }
inline Entry ActionEntry(const Sha256& action) { return {Entry::Kind::kAction, {action, 0}}; }

// What an entry costs beside its value: keys, index rows, list nodes. So that a million empty blobs
// aren't free.
inline constexpr u64 kEntryOverheadBytes = 256;

}  // namespace ptxfarm

template <>
struct std::hash<ptxfarm::Entry> {
  std::size_t operator()(const ptxfarm::Entry& entry) const noexcept {
    return std::hash<ptxfarm::Digest>()(entry.digest) ^ static_cast<std::size_t>(entry.kind);
  }
};

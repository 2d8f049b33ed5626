// ActionCache: action results by action digest. What a record says is the business of action/; to
// the store it is bytes, and the blobs that they speak of.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/digest.h"
#include "base/result.h"

namespace ptxfarm {

struct ActionRecord {
  std::string bytes;
  std::vector<Digest> outputs;      // Blobs without which the record is worth nothing.
  std::optional<WallTime> expires;  // From then on it is as if it had never been put.
};

// Safe to call from many threads at once. Errors as of BlobStore.
class ActionCache {
 public:
  virtual ~ActionCache() = default;

  // The record, while it hasn't expired and all its outputs are there; they count as used now. A
  // record that was found damaged or without its outputs is dropped and is nothing, so that the
  // action is done again.
  //
  // An output can still be evicted between this and its Get, if the store is much too small for its
  // load: then Get says NOT_FOUND and the caller does the action again.
  virtual Result<std::optional<ActionRecord>> Get(const Sha256& action) = 0;

  // Replaces what was there. FAILED_PRECONDITION where an output isn't in the store: a record is
  // visible only after its blobs. Survives the end of the process, however hard; of the machine,
  // where the store was asked to sync.
  virtual Status Put(const Sha256& action, const ActionRecord& record) = 0;

  // No error where there is none.
  virtual Status Remove(const Sha256& action) = 0;
};

}  // namespace ptxfarm

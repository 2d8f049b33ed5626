// Who wants to know what a store does: with_observer.h calls it after each operation, the backends
// when they lose something.
#pragma once

#include <chrono>
#include <string_view>

#include "base/digest.h"
#include "base/int.h"
#include "base/result.h"

namespace ptxfarm {

enum class StoreOperation : u8 {
  kBlobGet,
  kBlobPut,
  kBlobOpen,    // Until the reader is done.
  kBlobCreate,  // Until the writer is.
  kFindMissing,
  kActionGet,
  kActionPut,
  kActionRemove,
};

struct StoreObservation {
  StoreOperation operation;
  Code code = Code::kOk;  // kNotFound is a miss, also of an action.
  u64 bytes = 0;          // As stored, in or out.
  std::chrono::nanoseconds duration{0};
};

// Called from any thread, on the way of every operation: must be quick and must not block.
class StoreObserver {
 public:
  virtual ~StoreObserver() = default;
  virtual void Observe(const StoreObservation& observation) = 0;
  // A blob, or the record of an action, was found damaged and taken out of the store.
  virtual void Isolated(const Sha256& sha256, std::string_view why) = 0;
  // The database has something to say; a line of its own words.
  virtual void Warned(std::string_view line) = 0;
};

}  // namespace ptxfarm

// Who wants to know what a store does: with_metrics.h calls it after each operation.
#pragma once

#include <chrono>

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
};

}  // namespace ptxfarm

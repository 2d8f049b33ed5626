// Tells an observer of each operation: what it was, how it went, how many bytes, how long.
#pragma once

#include <memory>

#include "base/clock.h"
#include "store/action_cache.h"
#include "store/blob_store.h"
#include "store/observer.h"

namespace ptxfarm {

// `observer` and `clock` must outlive the store.
std::unique_ptr<BlobStore> WithObserver(std::unique_ptr<BlobStore> inner, StoreObserver& observer,
                                        const Clock& clock);
std::unique_ptr<ActionCache> WithObserver(std::unique_ptr<ActionCache> inner,
                                          StoreObserver& observer, const Clock& clock);

}  // namespace ptxfarm

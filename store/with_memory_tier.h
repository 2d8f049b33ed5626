// Serves what was used lately out of memory: no disk, no decompression, no digest.
//
// Stands above the digest check: what it holds is verified, by the check when it was read or
// written.
#pragma once

#include <memory>

#include "store/action_cache.h"
#include "store/blob_store.h"
#include "store/memory_tier.h"

namespace ptxfarm {

// Large blobs pass by.
std::unique_ptr<BlobStore> WithMemoryTier(std::unique_ptr<BlobStore> inner,
                                          std::shared_ptr<MemoryTier> tier);
// A record is asked for again below every MemoryTier::kFreshFor, which is how long one that lost
// its outputs can be seen.
std::unique_ptr<ActionCache> WithMemoryTier(std::unique_ptr<ActionCache> inner,
                                            std::shared_ptr<MemoryTier> tier, const Clock& clock);

}  // namespace ptxfarm

// Refuses what is too big before any of it is taken in.
#pragma once

#include <memory>

#include "base/limits.h"
#include "store/action_cache.h"
#include "store/blob_store.h"

namespace ptxfarm {

// Of a blob's plain bytes.
std::unique_ptr<BlobStore> WithSizeLimit(std::unique_ptr<BlobStore> inner, const Limit& limit);
// Of a record's bytes, its outputs with them.
std::unique_ptr<ActionCache> WithSizeLimit(std::unique_ptr<ActionCache> inner, const Limit& limit);

}  // namespace ptxfarm

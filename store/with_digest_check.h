// Refuses blobs that aren't what their digest says: disk and network can both lie.
#pragma once

#include <memory>

#include "store/blob_store.h"
#include "store/quarantine.h"

namespace ptxfarm {

enum class DigestChecks {
  kInAndOut,
  kIn,  // For a store whose bytes stay in this process: what was right when it came in is right.
};

// What comes out wrong is DATA_LOSS and goes to the quarantine, if there is one, which must outlive
// the store; what goes in wrong is INVALID_ARGUMENT.
std::unique_ptr<BlobStore> WithDigestCheck(std::unique_ptr<BlobStore> inner,
                                           Quarantine* quarantine = nullptr,
                                           DigestChecks checks = DigestChecks::kInAndOut);

}  // namespace ptxfarm

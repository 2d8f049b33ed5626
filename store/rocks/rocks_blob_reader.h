// Reading one blob out of RocksDB.
#pragma once

#include <memory>

#include "store/blob_store.h"
#include "store/rocks/rocks_backend.h"

namespace ptxfarm::rocks {

// NOT_FOUND where there is none; DATA_LOSS where it is damaged, and then it has been isolated. The
// reader sees the blob as it is now, whatever happens to it later.
Result<std::unique_ptr<BlobReader>> OpenBlob(const std::shared_ptr<RocksBackend>& backend,
                                             const Digest& digest);

}  // namespace ptxfarm::rocks

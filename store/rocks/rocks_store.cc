#include "store/rocks/rocks_store.h"

#include "store/rocks/rocks_action_cache.h"
#include "store/rocks/rocks_backend.h"
#include "store/rocks/rocks_blob_store.h"
#include "store/rocks/rocks_fact_store.h"

namespace ptxfarm::rocks {

Result<BackendParts> OpenRocks(const RocksOptions& options, const Clock& clock) {
  PTXFARM_ASSIGN_OR_RETURN(const std::shared_ptr<RocksBackend> backend,
                           RocksBackend::Open(options, clock));
  PTXFARM_ASSIGN_OR_RETURN(std::unique_ptr<FactStore> facts, RocksFactStore::Open(backend));
  return BackendParts{.blobs = std::make_unique<RocksBlobStore>(backend),
                      .actions = std::make_unique<RocksActionCache>(backend),
                      .facts = std::move(facts),
                      .backend = backend};
}

}  // namespace ptxfarm::rocks

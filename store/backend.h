// A backend: what keeps blobs, records and facts itself, before any wrapper. rocks/ is one,
// memory_store.h the other.
#pragma once

#include <memory>
#include <optional>

#include "store/action_cache.h"
#include "store/blob_store.h"
#include "store/fact_store.h"
#include "store/figures.h"
#include "store/quarantine.h"

namespace ptxfarm {

class Backend : public Quarantine {
 public:
  // As of Store (stores.h).
  virtual Result<std::optional<Digest>> FindBlob(const Sha256& sha256) = 0;
  // As of Store (stores.h). The memory tier's rows aren't the backend's to fill.
  virtual StoreFigures Figures() = 0;
  virtual Status Flush() = 0;
  virtual Status Close() = 0;
};

// The three faces of one backend. Each keeps it alive, and so do their readers and writers.
struct BackendParts {
  std::unique_ptr<BlobStore> blobs;
  std::unique_ptr<ActionCache> actions;
  std::unique_ptr<FactStore> facts;
  std::shared_ptr<Backend> backend;
};

}  // namespace ptxfarm

// ActionCache on RocksDB.
#pragma once

#include <memory>

#include "store/action_cache.h"
#include "store/rocks/rocks_backend.h"

namespace ptxfarm::rocks {

class RocksActionCache final : public ActionCache {
 public:
  explicit RocksActionCache(std::shared_ptr<RocksBackend> backend) : backend_(std::move(backend)) {}

  Result<std::optional<ActionRecord>> Get(const Sha256& action) override;
  Status Put(const Sha256& action, const ActionRecord& record) override;
  Status Remove(const Sha256& action) override;

 private:
  // The record if it may be served; nothing where there is none or it must go.
  struct Found {
    std::optional<ActionRecord> record;
    bool must_go = false;
  };
  Result<Found> Read(const Sha256& action);
  Status RemoveIfStale(const Sha256& action);

  const std::shared_ptr<RocksBackend> backend_;
};

}  // namespace ptxfarm::rocks

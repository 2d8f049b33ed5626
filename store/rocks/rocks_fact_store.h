// FactStore on RocksDB.
#pragma once

#include <array>
#include <memory>
#include <mutex>

#include "store/fact_store.h"
#include "store/rocks/rocks_backend.h"

namespace ptxfarm::rocks {

class RocksFactStore final : public FactStore {
 public:
  static Result<std::unique_ptr<RocksFactStore>> Open(std::shared_ptr<RocksBackend> backend);

  Result<std::optional<std::string>> Get(FactKind kind, std::string_view key) override;
  Status Put(FactKind kind, std::string_view key, std::string_view value) override;
  Status Remove(FactKind kind, std::string_view key) override;
  Result<std::vector<std::pair<std::string, std::string>>> List(FactKind kind,
                                                                std::size_t limit) override;

 private:
  explicit RocksFactStore(std::shared_ptr<RocksBackend> backend) : backend_(std::move(backend)) {}

  struct Fact {
    u64 put;  // Number of the put that made it.
    std::string value;
  };
  Status Load();
  Result<std::optional<Fact>> Find(FactKind kind, std::string_view key);
  Status ForgetOldest(FactKind kind, rocksdb::WriteBatch& batch);

  const std::shared_ptr<RocksBackend> backend_;
  std::mutex mutex_;  // One change at a time.
  std::array<u64, std::size(kFactKinds)> counts_{};
  std::array<u64, std::size(kFactKinds)> oldest_{};  // No older put of the kind is left.
  u64 next_put_ = 1;
};

}  // namespace ptxfarm::rocks

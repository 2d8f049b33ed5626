#include "store/rocks/rocks_store.h"

#include <filesystem>
#include <system_error>

#include "store/observer.h"
#include "store/rocks/rocks_action_cache.h"
#include "store/rocks/rocks_backend.h"
#include "store/rocks/rocks_blob_store.h"
#include "store/rocks/rocks_fact_store.h"

namespace ptxfarm::rocks {
namespace {

Result<BackendParts> OpenParts(const RocksOptions& options, const Clock& clock,
                               const std::shared_ptr<FolderLock>& lock) {
  PTXFARM_ASSIGN_OR_RETURN(const std::shared_ptr<RocksBackend> backend,
                           RocksBackend::Open(options, clock, kFormat, lock));
  PTXFARM_ASSIGN_OR_RETURN(std::unique_ptr<FactStore> facts, RocksFactStore::Open(backend));
  return BackendParts{.blobs = std::make_unique<RocksBlobStore>(backend),
                      .actions = std::make_unique<RocksActionCache>(backend),
                      .facts = std::move(facts),
                      .backend = backend};
}

// One copy, so that it can be looked at; the next takes its place.
Status SetAside(const RocksOptions& options, const Error& why) {
  const std::string files = Database::FilesOf(options.path);
  const std::string aside = files + ".damaged";
  if (options.observer != nullptr)
    options.observer->Warned(
        fmt::format("{}; it is set aside as {} and a new one is begun", why.message, aside));
  std::error_code error;
  std::filesystem::remove_all(aside, error);
  if (!error) std::filesystem::rename(files, aside, error);
  if (error) return ErrnoError(error.value(), fmt::format("set the damaged {} aside", files));
  return Ok{};
}

}  // namespace

Result<BackendParts> OpenRocks(const RocksOptions& options, const Clock& clock) {
  // Held from before the first try until after the last: else another process could come between.
  PTXFARM_ASSIGN_OR_RETURN(const std::shared_ptr<FolderLock> lock, FolderLock::Take(options.path));
  Result<BackendParts> parts = OpenParts(options, clock, lock);
  if (parts || parts.error().code != Code::kDataLoss) return parts;
  // What the store keeps can be made again. A farm that doesn't start until somebody comes can't
  // make anything.
  PTXFARM_RETURN_IF_ERROR(SetAside(options, parts.error()));
  return OpenParts(options, clock, lock);
}

}  // namespace ptxfarm::rocks

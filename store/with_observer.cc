#include "store/with_observer.h"

namespace ptxfarm {
namespace {

// One operation, from its making to Done; reported once.
class Watch {
 public:
  Watch(StoreObserver& observer, const Clock& clock, StoreOperation operation)
      : observer_(observer), clock_(clock), operation_(operation), begin_(clock.Now()) {}

  void Add(u64 bytes) { bytes_ += bytes; }

  void Done(Code code) {
    if (done_) return;
    done_ = true;
    observer_.Observe({operation_, code, bytes_, clock_.Now() - begin_});
  }

  // The code of a result; passes it through.
  template <typename T>
  Result<T> Done(Result<T> result) {
    Done(result ? Code::kOk : result.error().code);
    return result;
  }

 private:
  StoreObserver& observer_;
  const Clock& clock_;
  const StoreOperation operation_;
  const TimePoint begin_;
  u64 bytes_ = 0;
  bool done_ = false;
};

class ObservedReader final : public BlobReader {
 public:
  ObservedReader(std::unique_ptr<BlobReader> inner, const Watch& watch)
      : inner_(std::move(inner)), watch_(watch) {}
  ~ObservedReader() override { watch_.Done(Code::kCancelled); }

  Result<std::optional<Chunk>> Next() override {
    Result<std::optional<Chunk>> chunk = inner_->Next();
    if (!chunk) return watch_.Done(std::move(chunk));
    if (*chunk) {
      watch_.Add((*chunk)->bytes->size());
    } else {
      watch_.Done(Code::kOk);
    }
    return chunk;
  }

 private:
  const std::unique_ptr<BlobReader> inner_;
  Watch watch_;
};

class ObservedWriter final : public BlobWriter {
 public:
  ObservedWriter(std::unique_ptr<BlobWriter> inner, const Watch& watch)
      : inner_(std::move(inner)), watch_(watch) {}
  ~ObservedWriter() override { watch_.Done(Code::kCancelled); }

  Status Append(Chunk chunk) override {
    if (chunk.bytes != nullptr) watch_.Add(chunk.bytes->size());
    Status appended = inner_->Append(std::move(chunk));
    return appended ? appended : watch_.Done(std::move(appended));
  }

  Status Commit() override { return watch_.Done(inner_->Commit()); }

 private:
  const std::unique_ptr<BlobWriter> inner_;
  Watch watch_;
};

class ObservedBlobStore final : public BlobStore {
 public:
  ObservedBlobStore(std::unique_ptr<BlobStore> inner, StoreObserver& observer, const Clock& clock)
      : inner_(std::move(inner)), observer_(observer), clock_(clock) {}

  Result<Blob> Get(const Digest& digest) override {
    Watch watch(observer_, clock_, StoreOperation::kBlobGet);
    Result<Blob> blob = inner_->Get(digest);
    if (blob) watch.Add(blob->stored_bytes());
    return watch.Done(std::move(blob));
  }

  Status Put(const Blob& blob) override {
    Watch watch(observer_, clock_, StoreOperation::kBlobPut);
    watch.Add(blob.stored_bytes());
    return watch.Done(inner_->Put(blob));
  }

  Result<std::unique_ptr<BlobReader>> Open(const Digest& digest) override {
    Watch watch(observer_, clock_, StoreOperation::kBlobOpen);
    Result<std::unique_ptr<BlobReader>> reader = inner_->Open(digest);
    if (!reader) return watch.Done(std::move(reader));
    return std::unique_ptr<BlobReader>(std::make_unique<ObservedReader>(*std::move(reader), watch));
  }

  Result<std::unique_ptr<BlobWriter>> Create(const Digest& digest) override {
    Watch watch(observer_, clock_, StoreOperation::kBlobCreate);
    Result<std::unique_ptr<BlobWriter>> writer = inner_->Create(digest);
    if (!writer) return watch.Done(std::move(writer));
    return std::unique_ptr<BlobWriter>(std::make_unique<ObservedWriter>(*std::move(writer), watch));
  }

  Result<std::vector<Digest>> FindMissing(std::span<const Digest> digests) override {
    Watch watch(observer_, clock_, StoreOperation::kFindMissing);
    return watch.Done(inner_->FindMissing(digests));
  }

 private:
  const std::unique_ptr<BlobStore> inner_;
  StoreObserver& observer_;
  const Clock& clock_;
};

class ObservedActionCache final : public ActionCache {
 public:
  ObservedActionCache(std::unique_ptr<ActionCache> inner, StoreObserver& observer,
                      const Clock& clock)
      : inner_(std::move(inner)), observer_(observer), clock_(clock) {}

  Result<std::optional<ActionRecord>> Get(const Sha256& action) override {
    Watch watch(observer_, clock_, StoreOperation::kActionGet);
    Result<std::optional<ActionRecord>> record = inner_->Get(action);
    if (!record) return watch.Done(std::move(record));
    if (*record) watch.Add((*record)->bytes.size());
    watch.Done(*record ? Code::kOk : Code::kNotFound);
    return record;
  }

  Status Put(const Sha256& action, const ActionRecord& record) override {
    Watch watch(observer_, clock_, StoreOperation::kActionPut);
    watch.Add(record.bytes.size());
    return watch.Done(inner_->Put(action, record));
  }

  Status Remove(const Sha256& action) override {
    Watch watch(observer_, clock_, StoreOperation::kActionRemove);
    return watch.Done(inner_->Remove(action));
  }

 private:
  const std::unique_ptr<ActionCache> inner_;
  StoreObserver& observer_;
  const Clock& clock_;
};

}  // namespace

std::unique_ptr<BlobStore> WithObserver(std::unique_ptr<BlobStore> inner, StoreObserver& observer,
                                        const Clock& clock) {
  return std::make_unique<ObservedBlobStore>(std::move(inner), observer, clock);
}

std::unique_ptr<ActionCache> WithObserver(std::unique_ptr<ActionCache> inner,
                                          StoreObserver& observer, const Clock& clock) {
  return std::make_unique<ObservedActionCache>(std::move(inner), observer, clock);
}

}  // namespace ptxfarm

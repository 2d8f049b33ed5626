// What each wrapper adds, beyond what the shared tests see.
#include <gtest/gtest.h>

#include "store/memory_store.h"
#include "store/with_digest_check.h"
#include "store/with_memory_tier.h"
#include "store/with_observer.h"
#include "store/with_size_limit.h"
#include "tests/store/stacks.h"

namespace ptxfarm {
namespace {

using test::ActionNumber;
using test::Noise;

// Counts what passes; can be told to fail.
class Tap final : public BlobStore {
 public:
  explicit Tap(std::unique_ptr<BlobStore> inner) : inner_(std::move(inner)) {}

  Result<Blob> Get(const Digest& digest) override {
    ++gets;
    if (down) return MakeError(Code::kUnavailable, "down");
    return inner_->Get(digest);
  }
  Status Put(const Blob& blob) override {
    ++puts;
    return inner_->Put(blob);
  }
  Result<std::unique_ptr<BlobReader>> Open(const Digest& digest) override {
    ++opens;
    return inner_->Open(digest);
  }
  Result<std::unique_ptr<BlobWriter>> Create(const Digest& digest) override {
    return inner_->Create(digest);
  }
  Result<std::vector<Digest>> FindMissing(std::span<const Digest> digests) override {
    ++finds;
    if (down) return MakeError(Code::kUnavailable, "down");
    return inner_->FindMissing(digests);
  }

  int gets = 0, puts = 0, opens = 0, finds = 0;
  bool down = false;

 private:
  const std::unique_ptr<BlobStore> inner_;
};

class MemoryTierTest : public testing::Test {
 protected:
  MemoryTierTest() {
    parts_ = MakeMemoryStore({}, clock_);
    auto tap = std::make_unique<Tap>(std::move(parts_.blobs));
    tap_ = tap.get();
    blobs_ = WithMemoryTier(std::move(tap), tier_);
    actions_ = WithMemoryTier(std::move(parts_.actions), tier_, clock_);
  }

  static constexpr u64 kTierBytes = u64{4} << 20;  // 256 KiB a shard, 64 KiB an entry.
  SteppedClock clock_;
  std::shared_ptr<MemoryTier> tier_ = std::make_shared<MemoryTier>(kTierBytes, clock_);
  BackendParts parts_;
  Tap* tap_ = nullptr;
  std::unique_ptr<BlobStore> blobs_;
  std::unique_ptr<ActionCache> actions_;
};

TEST_F(MemoryTierTest, AHitAsksNobodyBelow) {
  const Blob blob = MakeBlob(Noise(20'000));
  ASSERT_TRUE(blobs_->Put(blob));
  for (int i = 0; i < 10; ++i) EXPECT_TRUE(blobs_->Get(blob.digest));
  EXPECT_TRUE(blobs_->Open(blob.digest));
  EXPECT_TRUE(blobs_->FindMissing({&blob.digest, 1}).value().empty());
  EXPECT_EQ(tap_->gets + tap_->opens + tap_->finds, 0);
  EXPECT_EQ(tier_->figures().hits, 12u);
  EXPECT_EQ(tier_->figures().entries, 1u);
}

TEST_F(MemoryTierTest, ConfirmsWhatItHoldsNowAndThen) {
  const Blob blob = MakeBlob(Noise(20'000));
  ASSERT_TRUE(blobs_->Put(blob));
  for (int i = 0; i < 10; ++i) {
    clock_.Advance(std::chrono::seconds(10));
    EXPECT_TRUE(blobs_->Get(blob.digest));
  }
  EXPECT_EQ(tap_->finds, 3);  // At 30, 60 and 90 seconds: the store below knows of the use.
  EXPECT_EQ(tap_->gets, 0);
  parts_.backend->Isolate(blob.digest, "for the test");
  clock_.Advance(std::chrono::seconds(30));
  EXPECT_EQ(blobs_->Get(blob.digest).error().code, Code::kNotFound);
}

TEST_F(MemoryTierTest, ServesOnWhenTheStoreBelowIsDown) {
  const Blob blob = MakeBlob(Noise(20'000));
  ASSERT_TRUE(blobs_->Put(blob));
  tap_->down = true;
  clock_.Advance(std::chrono::hours(1));
  EXPECT_TRUE(blobs_->Get(blob.digest));
}

TEST_F(MemoryTierTest, StaysUnderItsBoundAndKeepsTheYoungest) {
  std::vector<Blob> blobs;
  for (u64 i = 0; i < 400; ++i) {
    blobs.push_back(MakeBlob(Noise(30'000, i)));
    ASSERT_TRUE(blobs_->Put(blobs.back()));
    EXPECT_LE(tier_->figures().bytes, kTierBytes);
  }
  EXPECT_GT(tier_->figures().bytes, kTierBytes / 2);
  EXPECT_TRUE(blobs_->Get(blobs.back().digest));
  EXPECT_EQ(tap_->gets, 0);
}

TEST_F(MemoryTierTest, LargeBlobsPassBy) {
  const Blob blob = MakeBlob(Noise(200'000));
  ASSERT_TRUE(blobs_->Put(blob));
  EXPECT_TRUE(blobs_->Open(blob.digest));
  EXPECT_EQ(tap_->opens, 1);
  EXPECT_EQ(tier_->figures().entries, 0u);
}

TEST_F(MemoryTierTest, ARecordIsForgottenWithItsRemoval) {
  ASSERT_TRUE(actions_->Put(ActionNumber(1), {.bytes = "old"}));
  EXPECT_EQ(actions_->Get(ActionNumber(1)).value()->bytes, "old");
  ASSERT_TRUE(actions_->Put(ActionNumber(1), {.bytes = "new"}));
  EXPECT_EQ(actions_->Get(ActionNumber(1)).value()->bytes, "new");
  ASSERT_TRUE(actions_->Remove(ActionNumber(1)));
  EXPECT_FALSE(actions_->Get(ActionNumber(1)).value().has_value());
}

// A look-up that was overtaken by a removal must not bring the record back.
TEST_F(MemoryTierTest, WhatWasRemovedMeanwhileIsntTakenIn) {
  const Entry entry = ActionEntry(ActionNumber(1));
  const u64 before = tier_->Removals(entry);
  tier_->Remove(entry);
  tier_->Put(entry, std::make_shared<const ActionRecord>(), 10, before);
  EXPECT_FALSE(tier_->Find(entry).has_value());
}

class Quarantined final : public Quarantine {
 public:
  void Isolate(const Digest& digest, std::string_view) override { digests.push_back(digest); }
  std::vector<Digest> digests;
};

TEST(DigestCheckTest, IsolatesWhatComesOutWrong) {
  const SteppedClock clock;
  BackendParts parts = MakeMemoryStore({}, clock);
  Blob lie = MakeBlob(Noise(1000, 1));
  lie.chunks = MakeBlob(Noise(1000, 2)).chunks;
  Blob rubbish = MakeBlob(std::string(5000, 'a'));
  rubbish.chunks[0].bytes = std::make_shared<const std::string>("not zstd");
  ASSERT_TRUE(parts.blobs->Put(lie));
  ASSERT_TRUE(parts.blobs->Put(rubbish));
  Quarantined quarantine;
  const auto checked = WithDigestCheck(std::move(parts.blobs), &quarantine);
  EXPECT_EQ(checked->Get(lie.digest).error().code, Code::kDataLoss);
  EXPECT_EQ(checked->Get(rubbish.digest).error().code, Code::kDataLoss);
  const auto reader = checked->Open(lie.digest).value();
  EXPECT_TRUE(reader->Next().value().has_value());
  EXPECT_EQ(reader->Next().error().code, Code::kDataLoss);
  EXPECT_EQ(quarantine.digests, (std::vector<Digest>{lie.digest, rubbish.digest, lie.digest}));
}

TEST(DigestCheckTest, OfWhatComesInOnlyStillRefusesLies) {
  const SteppedClock clock;
  BackendParts parts = MakeMemoryStore({}, clock);
  const auto checked = WithDigestCheck(std::move(parts.blobs), nullptr, DigestChecks::kIn);
  const Blob good = MakeBlob(Noise(1000, 1));
  Blob lie = MakeBlob(Noise(1000, 2));
  lie.digest = MakeBlob(Noise(1000, 3)).digest;
  EXPECT_TRUE(checked->Put(good));
  EXPECT_EQ(checked->Put(lie).error().code, Code::kInvalidArgument);
  const auto writer = checked->Create(lie.digest).value();
  EXPECT_TRUE(writer->Append(lie.chunks.front()));
  EXPECT_EQ(writer->Commit().error().code, Code::kInvalidArgument);
  EXPECT_EQ(checked->Get(lie.digest).error().code, Code::kNotFound);
  EXPECT_EQ(checked->Get(good.digest)->Plain().value(), good.Plain().value());
  EXPECT_EQ(checked->Open(good.digest).value()->Next().value()->bytes->size(),
            good.chunks.front().bytes->size());
}

TEST(SizeLimitTest, NamesTheLimit) {
  const SteppedClock clock;
  BackendParts parts = MakeMemoryStore({}, clock);
  const Limit limit{"blob_bytes_max", 1000, "for the test"};
  const auto blobs = WithSizeLimit(std::move(parts.blobs), limit);
  const auto actions = WithSizeLimit(std::move(parts.actions), limit);
  EXPECT_TRUE(blobs->Put(MakeBlob(std::string(1000, 'a'))));
  const Blob big = MakeBlob(std::string(1001, 'a'));
  const Status put = blobs->Put(big);
  EXPECT_EQ(put.error().code, Code::kResourceExhausted);
  EXPECT_NE(put.error().message.find("is 1001; blob_bytes_max is 1000"), std::string::npos)
      << put.error().message;
  EXPECT_EQ(blobs->Create(big.digest).error().code, Code::kResourceExhausted);
  EXPECT_TRUE(actions->Put(ActionNumber(1), {.bytes = std::string(1000, 'r')}));
  EXPECT_EQ(actions->Put(ActionNumber(1), {.bytes = std::string(1001, 'r')}).error().code,
            Code::kResourceExhausted);
}

class Notebook final : public StoreObserver {
 public:
  void Observe(const StoreObservation& observation) override { lines.push_back(observation); }
  void Isolated(const Sha256&, std::string_view) override { ++isolated; }
  void Warned(std::string_view) override {}
  std::vector<StoreObservation> lines;
  int isolated = 0;
};

TEST(ObserverTest, HearsOfEachOperationOnce) {
  SteppedClock clock;
  Notebook notebook;
  BackendParts parts = MakeMemoryStore({.observer = &notebook}, clock);
  const auto blobs = WithObserver(std::move(parts.blobs), notebook, clock);
  const auto actions = WithObserver(std::move(parts.actions), notebook, clock);
  const Blob blob = MakeBlob(Noise(5000));

  (void)blobs->Get(blob.digest).has_value();
  (void)blobs->Put(blob).has_value();
  (void)blobs->Get(blob.digest).has_value();
  {
    const auto reader = blobs->Open(blob.digest).value();
    clock.Advance(std::chrono::seconds(3));
    while (reader->Next().value().has_value()) {
    }
  }
  { const auto abandoned = blobs->Create(blob.digest).value(); }
  (void)actions->Get(ActionNumber(1)).has_value();
  parts.backend->Isolate(blob.digest, "for the test");

  using Op = StoreOperation;
  struct Line {
    Op operation;
    Code code;
    u64 bytes;
  };
  const std::vector<Line> wanted = {
      {Op::kBlobGet, Code::kNotFound, 0},     {Op::kBlobPut, Code::kOk, 5000},
      {Op::kBlobGet, Code::kOk, 5000},        {Op::kBlobOpen, Code::kOk, 5000},
      {Op::kBlobCreate, Code::kCancelled, 0}, {Op::kActionGet, Code::kNotFound, 0},
  };
  ASSERT_EQ(notebook.lines.size(), wanted.size());
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    EXPECT_EQ(notebook.lines[i].operation, wanted[i].operation) << i;
    EXPECT_EQ(notebook.lines[i].code, wanted[i].code) << i;
    EXPECT_EQ(notebook.lines[i].bytes, wanted[i].bytes) << i;
  }
  EXPECT_EQ(notebook.lines[3].duration, std::chrono::seconds(3));
  EXPECT_EQ(notebook.isolated, 1);
}

}  // namespace
}  // namespace ptxfarm

// Eviction by size and age, against what it promises: never over the cap, and never something used
// later gone while something used earlier is there.
#include <algorithm>
#include <map>
#include <random>

#include <gtest/gtest.h>

#include "tests/store/stacks.h"
#include "tests/support/temp_dir.h"

namespace ptxfarm {
namespace {

using std::chrono::minutes;
using test::ActionNumber;
using test::Noise;

// Those that pass every use down at once; a memory tier does so every half minute, which its own
// tests look at.
std::vector<test::Stack> Backends() {
  std::vector<test::Stack> backends;
  for (const test::Stack& stack : test::Stacks())
    if (const std::string_view name = stack.name; name == "Memory" || name == "Rocks")
      backends.push_back(stack);
  return backends;
}

class EvictionTest : public testing::TestWithParam<test::Stack> {
 protected:
  void Open(u64 bytes_max, std::chrono::seconds age_max = std::chrono::seconds(0)) {
    parts_ = {};
    Result<BackendParts> parts = GetParam().open(
        {.path = dir_ / "store", .bytes_max = bytes_max, .age_max = age_max}, clock_);
    ASSERT_TRUE(parts) << parts.error().ToString();
    parts_ = *std::move(parts);
  }
  u64 KeptBytes() {
    const StoreFigures figures = parts_.backend->Figures();
    return figures.blob_bytes + figures.action_bytes;
  }
  bool Has(const Digest& digest) { return parts_.blobs->FindMissing({&digest, 1}).value().empty(); }

  const test::TempDir dir_;
  SteppedClock clock_;
  BackendParts parts_;
};

INSTANTIATE_TEST_SUITE_P(All, EvictionTest, testing::ValuesIn(Backends()),
                         [](const testing::TestParamInfo<test::Stack>& i) { return i.param.name; });

TEST_P(EvictionTest, KeepsTheMostRecentlyUsedUnderTheCap) {
  constexpr u64 kCap = 1'000'000;
  Open(kCap);
  std::mt19937_64 random(7);
  std::map<Digest, int> last_use;  // Of all that was ever put, by step.
  std::vector<Blob> blobs;
  for (int i = 0; i < 120; ++i) blobs.push_back(MakeBlob(Noise(500 + random() % 40'000, i)));
  for (int step = 1; step <= 600; ++step) {
    clock_.Advance(minutes(2));  // More than the store distinguishes.
    const Blob& blob = blobs[random() % blobs.size()];
    if (random() % 2 == 0) {
      ASSERT_TRUE(parts_.blobs->Put(blob));
      last_use[blob.digest] = step;
    } else if (parts_.blobs->Get(blob.digest)) {
      last_use[blob.digest] = step;
    }
    ASSERT_TRUE(parts_.backend->Flush());
    EXPECT_LE(KeptBytes(), kCap);
  }
  EXPECT_GT(parts_.backend->Figures().evicted_blobs, 100u);
  EXPECT_GT(KeptBytes(), kCap * 8 / 10) << "evicted more than it had to";

  int oldest_kept = 1 << 30, youngest_evicted = 0;
  for (const auto& [digest, step] : last_use) {
    if (Has(digest)) {
      oldest_kept = std::min(oldest_kept, step);
    } else {
      youngest_evicted = std::max(youngest_evicted, step);
    }
  }
  EXPECT_GT(oldest_kept, youngest_evicted);
}

TEST_P(EvictionTest, AHitOfAnActionKeepsItsOutputs) {
  Open(300'000);
  const Blob output = MakeBlob(Noise(20'000, 1));
  ASSERT_TRUE(parts_.blobs->Put(output));
  ASSERT_TRUE(parts_.actions->Put(ActionNumber(1), {.bytes = "r", .outputs = {output.digest}}));
  for (u64 i = 2; i < 60; ++i) {
    clock_.Advance(minutes(2));
    ASSERT_TRUE(parts_.actions->Get(ActionNumber(1)).value().has_value()) << i;
    ASSERT_TRUE(parts_.blobs->Put(MakeBlob(Noise(20'000, i))));
    ASSERT_TRUE(parts_.backend->Flush());
  }
  EXPECT_GT(parts_.backend->Figures().evicted_blobs, 30u);
  EXPECT_TRUE(parts_.blobs->Get(output.digest));
}

TEST_P(EvictionTest, ActionsAreEvictedToo) {
  Open(100'000);
  for (u64 i = 0; i < 200; ++i) {
    clock_.Advance(minutes(2));
    ASSERT_TRUE(parts_.actions->Put(ActionNumber(i), {.bytes = Noise(2'000, i)}));
  }
  ASSERT_TRUE(parts_.backend->Flush());
  EXPECT_LE(KeptBytes(), 100'000u);
  EXPECT_FALSE(parts_.actions->Get(ActionNumber(0)).value().has_value());
  EXPECT_TRUE(parts_.actions->Get(ActionNumber(199)).value().has_value());
  EXPECT_GT(parts_.backend->Figures().evicted_actions, 100u);
}

TEST_P(EvictionTest, WhatIsTooOldGoesAndWhatIsUsedStays) {
  Open(0, minutes(60));
  const Blob used = MakeBlob("used"), unused = MakeBlob("unused");
  ASSERT_TRUE(parts_.blobs->Put(used));
  ASSERT_TRUE(parts_.blobs->Put(unused));
  for (int i = 0; i < 7; ++i) {
    clock_.Advance(minutes(10));
    ASSERT_TRUE(parts_.blobs->Get(used.digest));
    ASSERT_TRUE(parts_.backend->Flush());
  }
  EXPECT_TRUE(Has(used.digest));
  EXPECT_FALSE(Has(unused.digest));
}

TEST_P(EvictionTest, WhatIsBiggerThanTheCapIsRefused) {
  Open(100'000);
  const Blob blob = MakeBlob(Noise(100'001));
  EXPECT_EQ(parts_.blobs->Put(blob).error().code, Code::kResourceExhausted);
  EXPECT_FALSE(Has(blob.digest));
}

// Writers are faster than the keeper: they must work for the room themselves.
TEST_P(EvictionTest, ManyWritesAtOnceDontRunAwayFromTheCap) {
  constexpr u64 kCap = 2'000'000;
  Open(kCap);
  for (u64 i = 0; i < 400; ++i) {
    clock_.Advance(minutes(2));
    ASSERT_TRUE(parts_.blobs->Put(MakeBlob(Noise(30'000, i))));
    EXPECT_LE(KeptBytes(), kCap + kCap / 10 + 40'000);
  }
}

TEST_P(EvictionTest, AReaderReadsOnWhatIsEvictedMeanwhile) {
  Open(12 * kChunkBytes);
  const Blob blob = MakeBlob(Noise(5 * kChunkBytes));
  ASSERT_TRUE(parts_.blobs->Put(blob));
  const std::unique_ptr<BlobReader> reader = parts_.blobs->Open(blob.digest).value();
  EXPECT_EQ(*reader->Next().value()->bytes, *blob.chunks[0].bytes);
  for (u64 i = 2; i < 6; ++i) {
    clock_.Advance(minutes(2));
    ASSERT_TRUE(parts_.blobs->Put(MakeBlob(Noise(5 * kChunkBytes, i))));
  }
  ASSERT_TRUE(parts_.backend->Flush());
  ASSERT_EQ(parts_.blobs->Get(blob.digest).error().code, Code::kNotFound);
  for (std::size_t i = 1; i < blob.chunks.size(); ++i) {
    const Result<std::optional<Chunk>> chunk = reader->Next();
    ASSERT_TRUE(chunk) << chunk.error().ToString();
    EXPECT_EQ(*(*chunk)->bytes, *blob.chunks[i].bytes);
  }
  EXPECT_FALSE(reader->Next().value().has_value());
}

}  // namespace
}  // namespace ptxfarm

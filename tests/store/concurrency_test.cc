// Many threads at once, over every store, with a cap so small that eviction runs against them all
// the time.
#include <atomic>
#include <random>
#include <thread>

#include <gtest/gtest.h>

#include "tests/store/stacks.h"
#include "tests/support/temp_dir.h"

namespace ptxfarm {
namespace {

using test::ActionNumber;
using test::Noise;

class ConcurrencyTest : public testing::TestWithParam<test::Stack> {
 protected:
  void Open(u64 bytes_max) {
    Result<BackendParts> parts =
        GetParam().open({.path = dir_ / "store", .bytes_max = bytes_max}, clock_);
    ASSERT_TRUE(parts) << parts.error().ToString();
    parts_ = *std::move(parts);
  }

  template <typename Work>
  static void InThreads(int count, Work work) {
    std::vector<std::thread> threads;
    for (int i = 0; i < count; ++i) threads.emplace_back(work, i);
    for (std::thread& thread : threads) thread.join();
  }

  const test::TempDir dir_;
  SteppedClock clock_;
  BackendParts parts_;
};

INSTANTIATE_TEST_SUITE_P(All, ConcurrencyTest, testing::ValuesIn(test::Stacks()),
                         [](const testing::TestParamInfo<test::Stack>& i) { return i.param.name; });

void ExpectIs(const Blob& found, const Blob& wanted) {
  ASSERT_EQ(found.chunks.size(), wanted.chunks.size());
  for (std::size_t i = 0; i < found.chunks.size(); ++i)
    EXPECT_TRUE(*found.chunks[i].bytes == *wanted.chunks[i].bytes);
}

// Whatever is found is right, whole, and under a record all outputs are there or the record isn't.
TEST_P(ConcurrencyTest, WhatIsFoundIsRight) {
  Open(1'500'000);
  std::vector<Blob> blobs;
  for (u64 i = 0; i < 40; ++i)
    blobs.push_back(MakeBlob(Noise(i % 13 == 0 ? kChunkBytes + 70'000 : 1000 + 1000 * i, i)));
  InThreads(4, [&](int thread) {
    std::mt19937_64 random(static_cast<u64>(thread));
    for (int round = 0; round < 200; ++round) {
      const Blob& blob = blobs[random() % blobs.size()];
      const u64 number = random() % 20;
      switch (random() % 5) {
        case 0:
          // Two of the large ones at once are more than the cap.
          if (const Status put = parts_.blobs->Put(blob); !put) {
            EXPECT_EQ(put.error().code, Code::kResourceExhausted) << put.error().ToString();
            EXPECT_GT(blob.digest.size_bytes, kChunkBytes);
          }
          break;
        case 1:
          if (const Result<Blob> found = parts_.blobs->Get(blob.digest)) {
            ExpectIs(*found, blob);
          } else {
            EXPECT_EQ(found.error().code, Code::kNotFound) << found.error().ToString();
          }
          break;
        case 2: {
          Status put = parts_.actions->Put(
              ActionNumber(number), {.bytes = std::to_string(number), .outputs = {blob.digest}});
          if (!put) {
            EXPECT_EQ(put.error().code, Code::kFailedPrecondition);
          }
          break;
        }
        case 3:
          if (const auto record = parts_.actions->Get(ActionNumber(number)).value()) {
            EXPECT_EQ(record->bytes, std::to_string(number));
          }
          break;
        case 4:
          clock_.Advance(std::chrono::seconds(20));
          EXPECT_TRUE(parts_.backend->Flush());
          break;
      }
    }
  });
  // The sums must have survived the races: what is counted is what is there.
  ASSERT_TRUE(parts_.backend->Flush());
  u64 found = 0;
  for (const Blob& blob : blobs)
    found += parts_.blobs->FindMissing({&blob.digest, 1}).value().empty() ? 1 : 0;
  EXPECT_EQ(parts_.backend->Figures().blobs, found);
}

TEST_P(ConcurrencyTest, ManyPutTheSameBlobAndItIsKeptOnce) {
  Open(0);
  const Blob small = MakeBlob(Noise(30'000)), large = MakeBlob(Noise(2 * kChunkBytes));
  InThreads(8, [&](int thread) {
    EXPECT_TRUE(parts_.blobs->Put(thread % 2 == 0 ? small : large));
    ExpectIs(parts_.blobs->Get((thread % 2 == 0 ? small : large).digest).value(),
             thread % 2 == 0 ? small : large);
  });
  const StoreFigures figures = parts_.backend->Figures();
  EXPECT_EQ(figures.blobs, 2u);
  EXPECT_GE(figures.blob_bytes, small.stored_bytes() + large.stored_bytes());
  EXPECT_LE(figures.blob_bytes, small.stored_bytes() + large.stored_bytes() + 1024);
}

TEST_P(ConcurrencyTest, OfManyRecordsOneIsTheLast) {
  Open(0);
  InThreads(4, [&](int thread) {
    for (int i = 0; i < 50; ++i) {
      EXPECT_TRUE(parts_.actions->Put(ActionNumber(1), {.bytes = std::to_string(thread)}));
      EXPECT_TRUE(parts_.actions->Get(ActionNumber(1)).value().has_value());
    }
  });
  // Memory and disk must agree on which.
  const std::string now = parts_.actions->Get(ActionNumber(1)).value()->bytes;
  clock_.Advance(std::chrono::hours(1));
  EXPECT_EQ(parts_.actions->Get(ActionNumber(1)).value()->bytes, now);
  EXPECT_EQ(parts_.backend->Figures().actions, 1u);
}

TEST_P(ConcurrencyTest, FactsFromManyThreads) {
  Open(0);
  InThreads(4, [&](int thread) {
    for (int i = 0; i < 100; ++i) {
      const std::string key = std::to_string(i);
      EXPECT_TRUE(parts_.facts->Put(FactKind::kCompiler, key, key + key));
      EXPECT_EQ(parts_.facts->Get(FactKind::kCompiler, key).value(), key + key);
      EXPECT_TRUE(parts_.facts->Remove(FactKind::kCompiler, std::to_string(1000 + thread)));
    }
  });
  EXPECT_EQ(parts_.facts->List(FactKind::kCompiler, 1000).value().size(), 100u);
}

}  // namespace
}  // namespace ptxfarm

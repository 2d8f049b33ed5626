// What blob_store.h, action_cache.h and fact_store.h promise, over every store.
#include <gtest/gtest.h>

#include "store/blob_hasher.h"
#include "tests/store/stacks.h"
#include "tests/support/temp_dir.h"

namespace ptxfarm {
namespace {

using test::ActionNumber;
using test::Noise;

class StoreTest : public testing::TestWithParam<test::Stack> {
 protected:
  StoreTest() { Open(); }

  void Open(u64 bytes_max = 0, std::chrono::seconds age_max = std::chrono::seconds(0)) {
    parts_ = {};
    Result<BackendParts> parts = GetParam().open(
        {.path = dir_ / "store", .bytes_max = bytes_max, .age_max = age_max}, clock_);
    ASSERT_TRUE(parts) << parts.error().ToString();
    parts_ = *std::move(parts);
  }

  BlobStore& blobs() { return *parts_.blobs; }
  ActionCache& actions() { return *parts_.actions; }
  FactStore& facts() { return *parts_.facts; }
  bool Has(const Digest& digest) { return blobs().FindMissing({&digest, 1}).value().empty(); }

  const test::TempDir dir_;
  SteppedClock clock_;
  BackendParts parts_;
};

class CheckedStoreTest : public StoreTest {};
class LastingStoreTest : public StoreTest {};

std::vector<test::Stack> StacksThat(bool test::Stack::*property) {
  std::vector<test::Stack> stacks;
  for (const test::Stack& stack : test::Stacks())
    if (stack.*property) stacks.push_back(stack);
  return stacks;
}

std::string NameOf(const testing::TestParamInfo<test::Stack>& info) { return info.param.name; }

INSTANTIATE_TEST_SUITE_P(All, StoreTest, testing::ValuesIn(test::Stacks()), NameOf);
INSTANTIATE_TEST_SUITE_P(All, CheckedStoreTest,
                         testing::ValuesIn(StacksThat(&test::Stack::checks_digests)), NameOf);
INSTANTIATE_TEST_SUITE_P(All, LastingStoreTest,
                         testing::ValuesIn(StacksThat(&test::Stack::persists)), NameOf);

std::vector<std::string> Plains() {
  return {"",
          "x",
          std::string(100'000, 'a'),
          Noise(20'000),
          Noise(kChunkBytes),
          Noise(kChunkBytes + 1),             // Large: more than RocksDB keeps as one value.
          std::string(5 * kChunkBytes, 'b'),  // Many chunks, and small.
          Noise(3 * kChunkBytes + 17)};
}

std::vector<Chunk> ReadAll(BlobStore& store, const Digest& digest) {
  std::vector<Chunk> chunks;
  const std::unique_ptr<BlobReader> reader = store.Open(digest).value();
  while (true) {
    const Result<std::optional<Chunk>> chunk = reader->Next();
    if (!chunk.value()) break;
    chunks.push_back(**chunk);
  }
  EXPECT_FALSE(reader->Next().value().has_value()) << "the end must stay the end";
  return chunks;
}

void ExpectSame(const std::vector<Chunk>& found, const std::vector<Chunk>& wanted) {
  ASSERT_EQ(found.size(), wanted.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    EXPECT_EQ(found[i].encoding, wanted[i].encoding);
    EXPECT_EQ(found[i].plain_bytes, wanted[i].plain_bytes);
    EXPECT_TRUE(*found[i].bytes == *wanted[i].bytes);
  }
}

TEST_P(StoreTest, FindsABlobByItsHashAlone) {
  for (const std::string& plain : {std::string("x"), std::string(), Noise(2 * kChunkBytes)}) {
    const Blob blob = MakeBlob(plain);
    EXPECT_EQ(parts_.backend->FindBlob(blob.digest.sha256).value(), std::nullopt);
    // A neighbour of the key, with the record of an action under the very same hash.
    Sha256 next = blob.digest.sha256;
    next.back() ^= 1;
    ASSERT_TRUE(blobs().Put(blob));
    ASSERT_TRUE(actions().Put(next, {.bytes = "record"}));
    EXPECT_EQ(parts_.backend->FindBlob(blob.digest.sha256).value(), blob.digest);
    EXPECT_EQ(parts_.backend->FindBlob(next).value(), std::nullopt);
  }
}

TEST_P(StoreTest, GivesBackWhatWasPutAsItWasPut) {
  for (const std::string& plain : Plains()) {
    const Blob blob = MakeBlob(plain);
    EXPECT_EQ(blobs().Get(blob.digest).error().code, Code::kNotFound);
    EXPECT_EQ(blobs().Open(blob.digest).error().code, Code::kNotFound);
    ASSERT_TRUE(blobs().Put(blob)) << plain.size();
    const Blob found = blobs().Get(blob.digest).value();
    EXPECT_EQ(found.digest, blob.digest);
    ExpectSame(found.chunks, blob.chunks);
    EXPECT_TRUE(found.Plain().value() == plain);
    ExpectSame(ReadAll(blobs(), blob.digest), blob.chunks);
    EXPECT_TRUE(blobs().Put(blob)) << "again";
  }
}

TEST_P(StoreTest, TakesABlobChunkByChunkAndShowsItWhenItIsWhole) {
  for (const std::string& plain : Plains()) {
    const Blob blob = MakeBlob(plain);
    const std::unique_ptr<BlobWriter> writer = blobs().Create(blob.digest).value();
    for (const Chunk& chunk : blob.chunks) ASSERT_TRUE(writer->Append(chunk));
    EXPECT_EQ(blobs().Get(blob.digest).error().code, Code::kNotFound);
    EXPECT_FALSE(Has(blob.digest));
    ASSERT_TRUE(writer->Commit());
    EXPECT_TRUE(Has(blob.digest));
    ExpectSame(blobs().Get(blob.digest).value().chunks, blob.chunks);
  }
}

TEST_P(StoreTest, AnAbandonedWriterLeavesNothing) {
  for (const std::string& plain : Plains()) {
    const Blob blob = MakeBlob(plain);
    {
      const std::unique_ptr<BlobWriter> writer = blobs().Create(blob.digest).value();
      for (const Chunk& chunk : blob.chunks) ASSERT_TRUE(writer->Append(chunk));
    }
    EXPECT_FALSE(Has(blob.digest));
  }
  EXPECT_EQ(parts_.backend->Figures().blobs, 0u);
  EXPECT_EQ(parts_.backend->Figures().blob_bytes, 0u);
}

TEST_P(StoreTest, TwoWritersOfOneBlobDontDisturbEachOther) {
  const Blob blob = MakeBlob(Noise(2 * kChunkBytes));
  const std::unique_ptr<BlobWriter> first = blobs().Create(blob.digest).value();
  const std::unique_ptr<BlobWriter> second = blobs().Create(blob.digest).value();
  for (const Chunk& chunk : blob.chunks) {
    ASSERT_TRUE(first->Append(chunk));
    ASSERT_TRUE(second->Append(chunk));
  }
  ASSERT_TRUE(second->Commit());
  ASSERT_TRUE(first->Commit());
  ExpectSame(blobs().Get(blob.digest).value().chunks, blob.chunks);
  EXPECT_EQ(parts_.backend->Figures().blobs, 1u);
}

TEST_P(StoreTest, RefusesBlobsOfTheWrongSizeOrShape) {
  const std::string plain = Noise(3 * kChunkBytesMin);
  const Digest digest = DigestOf(plain);
  const auto piece = [&](std::size_t from, std::size_t size) {
    return MakeChunk(std::string_view(plain).substr(from, size));
  };

  std::unique_ptr<BlobWriter> writer = blobs().Create(digest).value();
  ASSERT_TRUE(writer->Append(piece(0, kChunkBytesMin)));
  EXPECT_EQ(writer->Commit().error().code, Code::kInvalidArgument) << "too few";

  writer = blobs().Create(digest).value();
  ASSERT_TRUE(writer->Append(piece(0, plain.size())));
  EXPECT_EQ(writer->Append(piece(0, 1)).error().code, Code::kInvalidArgument) << "too many";

  writer = blobs().Create(digest).value();
  ASSERT_TRUE(writer->Append(piece(0, kChunkBytesMin - 1)));
  EXPECT_EQ(writer->Append(piece(kChunkBytesMin - 1, 1)).error().code, Code::kInvalidArgument)
      << "small chunk before the last";

  writer = blobs().Create(digest).value();
  EXPECT_EQ(writer->Append(Chunk{}).error().code, Code::kInvalidArgument) << "no bytes";

  Blob blob = MakeBlob(plain);
  blob.chunks[0].plain_bytes += 1;
  EXPECT_EQ(blobs().Put(blob).error().code, Code::kInvalidArgument);
  EXPECT_FALSE(Has(digest));
}

TEST_P(CheckedStoreTest, RefusesBlobsOfOtherBytes) {
  for (const std::size_t size : {std::size_t{1000}, std::size_t{kChunkBytes + 100}}) {
    Blob blob = MakeBlob(Noise(size, 1));
    const Blob other = MakeBlob(Noise(size, 2));
    blob.chunks = other.chunks;
    EXPECT_EQ(blobs().Put(blob).error().code, Code::kInvalidArgument);
    const std::unique_ptr<BlobWriter> writer = blobs().Create(blob.digest).value();
    for (const Chunk& chunk : blob.chunks) ASSERT_TRUE(writer->Append(chunk));
    EXPECT_EQ(writer->Commit().error().code, Code::kInvalidArgument);
    EXPECT_FALSE(Has(blob.digest));
  }
}

TEST_P(StoreTest, FindsWhatIsMissingInTheOrderAsked) {
  std::vector<Digest> digests;
  for (int i = 0; i < 10; ++i) {
    const Blob blob = MakeBlob(std::to_string(i));
    digests.push_back(blob.digest);
    if (i % 3 == 0) continue;
    ASSERT_TRUE(blobs().Put(blob));
  }
  Digest wrong_size = digests[1];
  wrong_size.size_bytes += 1;
  digests.push_back(wrong_size);
  digests.push_back(digests[0]);
  EXPECT_EQ(blobs().FindMissing(digests).value(),
            (std::vector<Digest>{digests[0], digests[3], digests[6], digests[9], wrong_size,
                                 digests[0]}));
  EXPECT_TRUE(blobs().FindMissing({}).value().empty());
}

ActionRecord RecordOf(const std::string& bytes, std::vector<Digest> outputs = {}) {
  return {.bytes = bytes, .outputs = std::move(outputs)};
}

TEST_P(StoreTest, KeepsActionRecords) {
  const Blob blob = MakeBlob("output");
  ASSERT_TRUE(blobs().Put(blob));
  EXPECT_FALSE(actions().Get(ActionNumber(1)).value().has_value());
  ASSERT_TRUE(actions().Put(ActionNumber(1), RecordOf("one", {blob.digest})));
  ASSERT_TRUE(actions().Put(ActionNumber(2), RecordOf(std::string("t\0wo", 4))));
  const std::optional<ActionRecord> one = actions().Get(ActionNumber(1)).value();
  ASSERT_TRUE(one.has_value());
  EXPECT_EQ(one->bytes, "one");
  EXPECT_EQ(one->outputs, std::vector<Digest>{blob.digest});
  EXPECT_FALSE(one->expires.has_value());
  EXPECT_EQ(actions().Get(ActionNumber(2)).value()->bytes, std::string("t\0wo", 4));

  ASSERT_TRUE(actions().Put(ActionNumber(1), RecordOf("other")));
  EXPECT_EQ(actions().Get(ActionNumber(1)).value()->bytes, "other");
  EXPECT_EQ(parts_.backend->Figures().actions, 2u);

  ASSERT_TRUE(actions().Remove(ActionNumber(1)));
  ASSERT_TRUE(actions().Remove(ActionNumber(1)));
  EXPECT_FALSE(actions().Get(ActionNumber(1)).value().has_value());
  EXPECT_EQ(parts_.backend->Figures().actions, 1u);
}

TEST_P(StoreTest, ARecordComesAfterItsBlobs) {
  const Digest absent = DigestOf("never put");
  EXPECT_EQ(actions().Put(ActionNumber(1), RecordOf("r", {absent})).error().code,
            Code::kFailedPrecondition);
  EXPECT_FALSE(actions().Get(ActionNumber(1)).value().has_value());
}

TEST_P(StoreTest, ARecordGoesWithItsBlobs) {
  const Blob blob = MakeBlob(Noise(1000));
  ASSERT_TRUE(blobs().Put(blob));
  ASSERT_TRUE(actions().Put(ActionNumber(1), RecordOf("r", {blob.digest})));
  ASSERT_TRUE(actions().Get(ActionNumber(1)).value().has_value());
  parts_.backend->Isolate(blob.digest, "for the test");
  clock_.Advance(std::chrono::minutes(2));  // A memory tier asks again only after a while.
  EXPECT_FALSE(actions().Get(ActionNumber(1)).value().has_value());
  EXPECT_EQ(parts_.backend->Figures().actions, 0u);
  EXPECT_EQ(blobs().Get(blob.digest).error().code, Code::kNotFound);
}

TEST_P(StoreTest, ARecordExpires) {
  ActionRecord record = RecordOf("short-lived");
  record.expires = clock_.WallNow() + std::chrono::seconds(10);
  ASSERT_TRUE(actions().Put(ActionNumber(1), record));
  EXPECT_EQ(actions().Get(ActionNumber(1)).value()->expires, record.expires);
  clock_.Advance(std::chrono::seconds(9));
  EXPECT_TRUE(actions().Get(ActionNumber(1)).value().has_value());
  clock_.Advance(std::chrono::seconds(1));
  EXPECT_FALSE(actions().Get(ActionNumber(1)).value().has_value());
  EXPECT_EQ(parts_.backend->Figures().actions, 0u);
}

TEST_P(StoreTest, ABlobAndAnActionOfOneDigestAreTwoThings) {
  const Blob blob = MakeBlob("");
  ASSERT_TRUE(actions().Put(blob.digest.sha256, RecordOf("r")));
  EXPECT_FALSE(Has(blob.digest));
  ASSERT_TRUE(blobs().Put(blob));
  ASSERT_TRUE(actions().Remove(blob.digest.sha256));
  EXPECT_TRUE(Has(blob.digest));
}

TEST_P(StoreTest, RemembersFactsAndForgetsTheOldest) {
  const FactKind kind = FactKind::kCompiler;
  const u64 most = kFactKinds[static_cast<std::size_t>(kind)].entries_max;
  for (u64 i = 0; i < most; ++i)
    ASSERT_TRUE(facts().Put(kind, std::to_string(i), std::to_string(i * i)));
  ASSERT_TRUE(facts().Put(kind, "0", "young again"));
  ASSERT_TRUE(facts().Put(kind, "new", ""));
  EXPECT_EQ(facts().Get(kind, "0").value(), "young again");
  EXPECT_EQ(facts().Get(kind, "1").value(), std::nullopt);
  EXPECT_EQ(facts().Get(kind, "2").value(), "4");
  EXPECT_EQ(facts().Get(kind, "new").value(), "");
  EXPECT_EQ(facts().List(kind, most * 2).value().size(), most);
  using Pairs = std::vector<std::pair<std::string, std::string>>;
  EXPECT_EQ(facts().List(kind, 2).value(), (Pairs{{"new", ""}, {"0", "young again"}}));

  ASSERT_TRUE(facts().Remove(kind, "new"));
  ASSERT_TRUE(facts().Remove(kind, "new"));
  EXPECT_EQ(facts().Get(kind, "new").value(), std::nullopt);
  EXPECT_EQ(facts().Put(kind, std::string(kFactKeyBytesMax + 1, 'k'), "").error().code,
            Code::kInvalidArgument);
  EXPECT_EQ(facts().Put(kind, "k", std::string(kFactValueBytesMax + 1, 'v')).error().code,
            Code::kInvalidArgument);
}

TEST_P(StoreTest, IsUnavailableOnceClosed) {
  const Blob blob = MakeBlob("late");
  ASSERT_TRUE(parts_.backend->Close());
  EXPECT_EQ(blobs().Put(blob).error().code, Code::kUnavailable);
  EXPECT_EQ(blobs().Get(blob.digest).error().code, Code::kUnavailable);
  EXPECT_EQ(blobs().FindMissing({&blob.digest, 1}).error().code, Code::kUnavailable);
  EXPECT_EQ(actions().Put(ActionNumber(1), {}).error().code, Code::kUnavailable);
  EXPECT_EQ(actions().Get(ActionNumber(1)).error().code, Code::kUnavailable);
  EXPECT_EQ(parts_.backend->Flush().error().code, Code::kUnavailable);
}

TEST_P(LastingStoreTest, HasEverythingAfterARestart) {
  std::vector<Blob> put;
  for (const std::string& plain : Plains()) put.push_back(MakeBlob(plain));
  for (const Blob& blob : put) ASSERT_TRUE(blobs().Put(blob));
  ASSERT_TRUE(actions().Put(ActionNumber(1), RecordOf("r", {put[3].digest})));
  ASSERT_TRUE(facts().Put(FactKind::kCompiler, "a", "b"));
  const StoreFigures before = parts_.backend->Figures();

  Open();
  const StoreFigures after = parts_.backend->Figures();
  EXPECT_EQ(after.blobs, before.blobs);
  EXPECT_EQ(after.blob_bytes, before.blob_bytes);
  EXPECT_EQ(after.actions, before.actions);
  EXPECT_EQ(after.action_bytes, before.action_bytes);
  EXPECT_EQ(after.format_version, 1u);
  for (const Blob& blob : put) ExpectSame(blobs().Get(blob.digest).value().chunks, blob.chunks);
  EXPECT_EQ(actions().Get(ActionNumber(1)).value()->bytes, "r");
  EXPECT_EQ(facts().Get(FactKind::kCompiler, "a").value(), "b");
}

}  // namespace
}  // namespace ptxfarm

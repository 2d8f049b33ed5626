// Bytes that change or vanish on the disk: never served, found, and made again.
#include <algorithm>
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "store/rocks/database.h"
#include "store/rocks/layout.h"
#include "store/stores.h"
#include "tests/store/stacks.h"
#include "tests/support/temp_dir.h"

namespace ptxfarm {
namespace {

using test::ActionNumber;
using test::Noise;

class CorruptionTest : public testing::Test {
 protected:
  // Small ones, some of them in the tree and some beside it, and one in a file of chunks.
  CorruptionTest() {
    for (u64 i = 0; i < 30; ++i) blobs_.push_back(MakeBlob(Noise(50 + i * i * 40, i)));
    blobs_.push_back(MakeBlob(Noise(3 * kChunkBytes, 99)));
  }

  // No memory tier: what is read comes from the disk.
  Result<std::unique_ptr<Store>> Open() {
    return OpenStore({.path = folder_, .memory_bytes_max = 0}, clock_);
  }

  // A store with everything in files, not in the log.
  void Fill() {
    const std::unique_ptr<Store> store = Open().value();
    for (std::size_t i = 0; i < blobs_.size(); ++i) {
      ASSERT_TRUE(store->blobs().Put(blobs_[i]));
      ASSERT_TRUE(store->actions().Put(
          ActionNumber(i), {.bytes = std::to_string(i), .outputs = {blobs_[i].digest}}));
    }
    ASSERT_TRUE(store->Close());
  }
  void FlushTables() {
    const auto database = rocks::Database::Open({.path = folder_, .cache_bytes = 1 << 20}).value();
    for (const rocks::FamilyRow& row : rocks::kFamilies)
      ASSERT_TRUE(database->db().Flush({}, database->handle(row.family)).ok());
  }

  // Reads everything; whatever comes is right. Then puts everything, and all must be there.
  void ExpectNothingWrongAndEverythingMendable(Store& store) {
    for (std::size_t i = 0; i < blobs_.size(); ++i) {
      const Result<Blob> found = store.blobs().Get(blobs_[i].digest);
      if (found) {
        EXPECT_TRUE(found->Plain().value() == blobs_[i].Plain().value());
      } else {
        EXPECT_TRUE(found.error().code == Code::kDataLoss || found.error().code == Code::kNotFound)
            << found.error().ToString();
      }
      const Result<std::optional<ActionRecord>> record = store.actions().Get(ActionNumber(i));
      ASSERT_TRUE(record) << record.error().ToString();
      if (*record) {
        EXPECT_EQ((*record)->bytes, std::to_string(i));
      }
    }
    for (std::size_t i = 0; i < blobs_.size(); ++i) {
      const Status put = store.blobs().Put(blobs_[i]);
      ASSERT_TRUE(put) << put.error().ToString();
      const Result<Blob> found = store.blobs().Get(blobs_[i].digest);
      ASSERT_TRUE(found) << i << ": " << found.error().ToString();
      EXPECT_TRUE(store.actions().Put(ActionNumber(i),
                                      {.bytes = std::to_string(i), .outputs = {blobs_[i].digest}}));
      EXPECT_TRUE(store.actions().Get(ActionNumber(i)).value().has_value());
    }
  }

  // RocksDB's files, but empty ones.
  std::vector<std::string> Files() const {
    std::vector<std::string> files;
    for (const auto& entry : std::filesystem::directory_iterator(folder_ + "/db"))
      if (entry.file_size() > 0) files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    return files;
  }

  // Damages one file after the other, each time all others are whole; the store opens and mends
  // itself.
  template <typename Damage>
  void DamageEachFile(Damage damage) {
    Fill();
    FlushTables();
    const std::string pristine = dir_ / "pristine";
    constexpr auto kAll = std::filesystem::copy_options::recursive;
    std::filesystem::copy(folder_, pristine, kAll);
    for (const std::string& path : Files()) {
      SCOPED_TRACE(path);
      damage(path);
      {
        const Result<std::unique_ptr<Store>> store = Open();
        ASSERT_TRUE(store) << store.error().ToString();
        ExpectNothingWrongAndEverythingMendable(**store);
      }
      std::filesystem::remove_all(folder_);
      std::filesystem::copy(pristine, folder_, kAll);
    }
  }

  const test::TempDir dir_;
  const std::string folder_ = dir_ / "store";
  const RealClock clock_;
  std::vector<Blob> blobs_;
};

void FlipByte(const std::string& path, u64 offset) {
  std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
  file.seekg(static_cast<std::streamoff>(offset));
  const char byte = static_cast<char>(file.get() ^ 0x55);
  file.seekp(static_cast<std::streamoff>(offset));
  file.put(byte);
  ASSERT_TRUE(file.flush().good());
}

TEST_F(CorruptionTest, FlippedBytesOfAnyFileAreNeverServed) {
  std::mt19937_64 random(3);
  DamageEachFile([&](const std::string& path) {
    const u64 size = std::filesystem::file_size(path);
    for (int i = 0; i < 5; ++i) FlipByte(path, random() % size);
  });
}

TEST_F(CorruptionTest, TruncatedFilesAreNeverServed) {
  DamageEachFile([](const std::string& path) {
    std::filesystem::resize_file(path, std::filesystem::file_size(path) / 2);
  });
}

TEST_F(CorruptionTest, LostFilesAreNoReasonNotToStart) {
  DamageEachFile([](const std::string& path) { std::filesystem::remove(path); });
}

TEST_F(CorruptionTest, ADatabaseBeyondReadingIsSetAside) {
  Fill();
  for (const std::string& path : Files())
    if (path.find("MANIFEST") != std::string::npos) std::filesystem::resize_file(path, 10);
  const std::unique_ptr<Store> store = Open().value();
  EXPECT_EQ(store->Figures().blobs, 0u);
  EXPECT_TRUE(std::filesystem::exists(folder_ + "/db.damaged/CURRENT"));
  ExpectNothingWrongAndEverythingMendable(*store);
}

// What RocksDB's checksums can't see: the wrong bytes, well stored.
TEST_F(CorruptionTest, AWrongBlobIsQuarantinedAndCountsAsMissing) {
  Fill();
  const Digest& digest = blobs_[20].digest;
  {
    const auto database = rocks::Database::Open({.path = folder_, .cache_bytes = 1 << 20}).value();
    rocksdb::WriteBatch batch;
    batch.Put(database->handle(rocks::Family::kBlobs), rocks::DigestKey(digest),
              rocks::EncodeInline(MakeBlob(Noise(digest.size_bytes, 12345)).chunks));
    ASSERT_TRUE(database->Write(batch));
  }
  const std::unique_ptr<Store> store = Open().value();
  const u64 before = store->Figures().blobs;
  EXPECT_EQ(store->blobs().Get(digest).error().code, Code::kDataLoss);
  EXPECT_EQ(store->Figures().quarantined, 1u);
  EXPECT_EQ(store->Figures().blobs, before - 1);
  EXPECT_EQ(store->blobs().Get(digest).error().code, Code::kNotFound);
  EXPECT_EQ(store->blobs().FindMissing({&digest, 1}).value(), std::vector<Digest>{digest});
  EXPECT_FALSE(store->actions().Get(ActionNumber(20)).value().has_value());
  ASSERT_TRUE(store->blobs().Put(blobs_[20]));
  EXPECT_TRUE(store->blobs().Get(digest));
}

TEST_F(CorruptionTest, AWrongBlobIsFoundAtTheEndOfItsStreamToo) {
  Fill();
  const Digest& digest = blobs_.back().digest;
  {
    const auto database = rocks::Database::Open({.path = folder_, .cache_bytes = 1 << 20}).value();
    const auto chunks = database->NewIterator(rocks::Family::kChunks);
    chunks->SeekToLast();
    ASSERT_TRUE(chunks->Valid());
    rocksdb::WriteBatch batch;
    batch.Put(database->handle(rocks::Family::kChunks), chunks->key(),
              rocks::EncodeChunk(MakeChunk(Noise(kChunkBytes, 777))));
    ASSERT_TRUE(database->Write(batch));
  }
  const std::unique_ptr<Store> store = Open().value();
  const std::unique_ptr<BlobReader> reader = store->blobs().Open(digest).value();
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(reader->Next().value().has_value());
  EXPECT_EQ(reader->Next().error().code, Code::kDataLoss);
  EXPECT_EQ(store->blobs().Get(digest).error().code, Code::kNotFound);
  EXPECT_EQ(store->Figures().quarantined, 1u);
}

TEST_F(CorruptionTest, TheQuarantineIsBounded) {
  std::vector<Digest> digests;
  {
    const std::unique_ptr<Store> store = Open().value();
    for (u64 i = 0; i < 100; ++i) {
      const Blob blob = MakeBlob(Noise(200, 5000 + i));
      ASSERT_TRUE(store->blobs().Put(blob));
      digests.push_back(blob.digest);
    }
  }
  {
    const auto database = rocks::Database::Open({.path = folder_, .cache_bytes = 1 << 20}).value();
    for (const Digest& digest : digests) {
      rocksdb::WriteBatch batch;
      batch.Put(database->handle(rocks::Family::kBlobs), rocks::DigestKey(digest), "rubbish");
      ASSERT_TRUE(database->Write(batch));
    }
  }
  {
    const std::unique_ptr<Store> store = Open().value();
    for (const Digest& digest : digests)
      EXPECT_EQ(store->blobs().Get(digest).error().code, Code::kDataLoss);
    EXPECT_EQ(store->Figures().quarantined, digests.size());
  }
  const auto database = rocks::Database::Open({.path = folder_, .cache_bytes = 1 << 20}).value();
  const auto rows = database->NewIterator(rocks::Family::kMeta);
  std::size_t aside = 0;
  for (rows->Seek(rocks::kQuarantinePrefix);
       rows->Valid() && rows->key().starts_with(rocks::kQuarantinePrefix); rows->Next())
    ++aside;
  EXPECT_EQ(aside, 32u);
}

// Files of the database that are lost take their blobs with them and nothing else.
TEST_F(CorruptionTest, ADamagedFileDoesntStopEvictionOrCompaction) {
  Fill();
  FlushTables();
  for (const std::string& path : Files())
    if (path.ends_with(".blob")) FlipByte(path, std::filesystem::file_size(path) / 2);
  const std::unique_ptr<Store> store =
      OpenStore({.path = folder_, .bytes_max = 1'000'000, .memory_bytes_max = 0}, clock_).value();
  for (u64 i = 0; i < 100; ++i) {
    const Status put = store->blobs().Put(MakeBlob(Noise(30'000, 10'000 + i)));
    ASSERT_TRUE(put) << put.error().ToString();
  }
  ASSERT_TRUE(store->Flush());
  const StoreFigures figures = store->Figures();
  EXPECT_LE(figures.blob_bytes + figures.action_bytes, 1'000'000u);
  EXPECT_TRUE(figures.writable);
}

}  // namespace
}  // namespace ptxfarm

// What is particular to the backend on RocksDB: one owner, format versions, what a crash leaves,
// big blobs.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "store/blob_hasher.h"
#include "store/rocks/chunk_files.h"
#include "store/rocks/rocks_backend.h"
#include "store/rocks/rocks_store.h"
#include "store/stores.h"
#include "tests/store/stacks.h"
#include "tests/support/temp_dir.h"

namespace ptxfarm::rocks {
namespace {

using test::Noise;

class RocksStoreTest : public testing::Test {
 protected:
  Result<std::unique_ptr<Store>> Open() { return OpenStore({.path = folder_}, clock_); }

  const test::TempDir dir_;
  const std::string folder_ = dir_ / "a/store";
  const RealClock clock_;
};

TEST_F(RocksStoreTest, HasOneOwner) {
  std::unique_ptr<Store> first = Open().value();
  const Result<std::unique_ptr<Store>> second = Open();
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().code, Code::kFailedPrecondition);
  EXPECT_EQ(second.error().message,
            fmt::format("the store in {} is in use by another process ({}); stop it, or choose "
                        "another folder",
                        folder_, ::getpid()));
  first.reset();
  EXPECT_TRUE(Open());
}

TEST_F(RocksStoreTest, SaysWhyAFolderCantBeHad) {
  std::ofstream(dir_ / "file") << "not a folder";
  const Result<std::unique_ptr<Store>> store = OpenStore({.path = dir_ / "file/store"}, clock_);
  ASSERT_FALSE(store);
  EXPECT_NE(store.error().message.find("make the store's folder"), std::string::npos)
      << store.error().ToString();
}

Status AddMark(Database& database, rocksdb::WriteBatch& batch) {
  batch.Put(database.handle(Family::kMeta), "mark", "migrated");
  return Ok{};
}

TEST_F(RocksStoreTest, MigratesAnOlderFormatAndRefusesANewerOne) {
  static constexpr Migration kMigrations[] = {{.from = 1, .migrate = AddMark}};
  const Format newer{.version = 2, .migrations = kMigrations};
  { ASSERT_TRUE(RocksBackend::Open({.path = folder_}, clock_)); }
  {
    const auto backend = RocksBackend::Open({.path = folder_}, clock_, newer).value();
    rocksdb::PinnableSlice mark;
    EXPECT_TRUE(backend->database().Get(Family::kMeta, "mark", mark).value());
    EXPECT_EQ(mark.ToString(), "migrated");
  }
  const auto refused = RocksBackend::Open({.path = folder_}, clock_);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, Code::kFailedPrecondition);
  EXPECT_NE(refused.error().message.find("has format version 2"), std::string::npos);
  // No way leads from 2 to 4.
  EXPECT_EQ(RocksBackend::Open({.path = folder_}, clock_, {.version = 4}).error().code,
            Code::kFailedPrecondition);
}

TEST_F(RocksStoreTest, RefusesANewerFormatWithFamiliesItDoesntKnow) {
  {
    const auto database = Database::Open({.path = folder_, .cache_bytes = 1 << 20}).value();
    rocksdb::ColumnFamilyHandle* family = nullptr;
    ASSERT_TRUE(database->db().CreateColumnFamily({}, "of tomorrow", &family).ok());
    ASSERT_TRUE(database->db().DestroyColumnFamilyHandle(family).ok());
    rocksdb::WriteBatch batch;
    batch.Put(database->handle(Family::kMeta), kFormatVersionKey, "7");
    ASSERT_TRUE(database->Write(batch));
  }
  const Result<std::unique_ptr<Store>> store = Open();
  ASSERT_FALSE(store);
  EXPECT_NE(store.error().message.find("has format version 7"), std::string::npos)
      << store.error().ToString();
}

TEST_F(RocksStoreTest, CleansUpWhatACrashLeftOfUploads) {
  {
    const auto backend = RocksBackend::Open({.path = folder_}, clock_).value();
    // In place, but its blob was never committed; and one that was never finished.
    const auto placed = backend->chunk_files().Create().value();
    ASSERT_TRUE(placed->Append(MakeChunk(Noise(kChunkBytes))));
    ASSERT_TRUE(placed->Place());
    std::ofstream(folder_ + "/incoming/77.sst") << "half a file";
  }
  const auto backend = RocksBackend::Open({.path = folder_}, clock_).value();
  EXPECT_TRUE(std::filesystem::is_empty(folder_ + "/incoming"));
  const auto chunks = backend->database().NewIterator(Family::kChunks);
  chunks->SeekToFirst();
  EXPECT_FALSE(chunks->Valid());
  const auto rows = backend->database().NewIterator(Family::kMeta);
  rows->Seek(kUploadPrefix);
  EXPECT_FALSE(rows->Valid() && rows->key().starts_with(kUploadPrefix));
}

TEST_F(RocksStoreTest, DeletingALargeBlobGivesItsSpaceBackAtOnce) {
  const auto backend = RocksBackend::Open({.path = folder_}, clock_).value();
  BackendParts unused;
  const auto file = backend->chunk_files().Create().value();
  for (u64 i = 0; i < 20; ++i) ASSERT_TRUE(file->Append(MakeChunk(Noise(kChunkBytes, i))));
  ASSERT_TRUE(file->Place());
  EXPECT_GT(backend->database().disk_bytes(), 20 * kChunkBytes);
  ASSERT_TRUE(backend->chunk_files().Delete(file->upload()));
  EXPECT_LT(backend->database().disk_bytes(), kChunkBytes);
}

// Uploads that never end fill no disk: their bytes push out what is kept, and then are refused.
TEST_F(RocksStoreTest, UploadsUnderWayCountAgainstTheCap) {
  constexpr u64 kCap = 12 * kChunkBytes;
  const std::unique_ptr<Store> store =
      OpenStore({.path = folder_, .bytes_max = kCap, .memory_bytes_max = 0}, clock_).value();
  const Blob kept = MakeBlob(Noise(5 * kChunkBytes));
  ASSERT_TRUE(store->blobs().Put(kept));

  std::vector<std::unique_ptr<BlobWriter>> writers;
  Status status = Ok{};
  u64 appended = 0;
  for (u64 i = 1; status && appended < 40; ++i) {
    const Blob blob = MakeBlob(Noise(8 * kChunkBytes, i));
    writers.push_back(store->blobs().Create(blob.digest).value());
    for (std::size_t j = 0; status && j < 6; ++j) {
      status = writers.back()->Append(blob.chunks[j]);
      ++appended;
    }
  }
  EXPECT_EQ(status.error().code, Code::kResourceExhausted);
  EXPECT_NE(status.error().message.find("uploads under way"), std::string::npos);
  EXPECT_GT(appended, 11u);
  EXPECT_LE(appended, 18u);  // A writer keeps its first chunks in memory.
  EXPECT_EQ(store->blobs().Get(kept.digest).error().code, Code::kNotFound);

  writers.clear();
  EXPECT_TRUE(store->blobs().Put(kept));
  EXPECT_TRUE(store->blobs().Get(kept.digest));
}

// Under steady replacement the files stay in proportion to what is kept.
TEST_F(RocksStoreTest, SpaceOfEvictedBlobsComesBack) {
  constexpr u64 kCap = 20'000'000;
  const std::unique_ptr<Store> store =
      OpenStore({.path = folder_, .bytes_max = kCap, .memory_bytes_max = 0}, clock_).value();
  for (u64 i = 0; i < 4'000; ++i)
    ASSERT_TRUE(store->blobs().Put(MakeBlob(Noise(50'000, i))));  // Ten times the cap.
  ASSERT_TRUE(store->Flush());
  const StoreFigures figures = store->Figures();
  EXPECT_LE(figures.blob_bytes, kCap);
  EXPECT_LT(figures.disk_bytes, 5 * kCap);
}

u64 ResidentBytes() {
  std::ifstream status("/proc/self/statm");
  u64 pages = 0, resident = 0;
  status >> pages >> resident;
  return resident * static_cast<u64>(::sysconf(_SC_PAGESIZE));
}

// The i-th chunk of a blob that is nowhere whole.
Chunk BigChunk(const std::string& noise, u64 i) {
  std::string plain = noise;
  plain.replace(0, sizeof(i), reinterpret_cast<const char*>(&i), sizeof(i));
  return MakeChunk(plain);
}

// AddressSanitizer holds on to memory that was freed, 256 MiB of it.
#ifdef __SANITIZE_ADDRESS__
constexpr u64 kHeldBySanitizer = u64{320} << 20;
#else
constexpr u64 kHeldBySanitizer = 0;
#endif

TEST_F(RocksStoreTest, A256MegabyteBlobStreamsInFlatMemory) {
  constexpr u64 kChunks = 256;
  const std::string noise = Noise(kChunkBytes);
  BlobHasher hasher;
  for (u64 i = 0; i < kChunks; ++i) ASSERT_TRUE(hasher.Add(BigChunk(noise, i)));
  const Digest digest = std::move(hasher).Finish();

  const std::unique_ptr<Store> store = Open().value();
  const u64 before = ResidentBytes();
  u64 most = 0;
  {
    const std::unique_ptr<BlobWriter> writer = store->blobs().Create(digest).value();
    for (u64 i = 0; i < kChunks; ++i) {
      ASSERT_TRUE(writer->Append(BigChunk(noise, i)));
      most = std::max(most, ResidentBytes());
    }
    ASSERT_TRUE(writer->Commit());
  }
  {
    const std::unique_ptr<BlobReader> reader = store->blobs().Open(digest).value();
    u64 chunks = 0;
    while (true) {
      const Result<std::optional<Chunk>> chunk = reader->Next();
      ASSERT_TRUE(chunk) << chunk.error().ToString();
      if (!*chunk) break;
      most = std::max(most, ResidentBytes());
      ++chunks;
    }
    EXPECT_EQ(chunks, kChunks);
  }
  EXPECT_LT(most - std::min(most, before), kHeldBySanitizer + (u64{32} << 20));
}

}  // namespace
}  // namespace ptxfarm::rocks

// Speed of the store, by layer: 20 KB blobs out of the memory tier and out of RocksDB, put and got;
// action look-ups; 256 MB as a stream. docs/design.md §12.
//
//   store_bench [--benchmark_filter=…]
#include <unistd.h>

#include <cstdio>
#include <memory>
#include <random>
#include <string>

#include <benchmark/benchmark.h>

#include "base/check.h"
#include "store/blob_hasher.h"
#include "store/rocks/rocks_store.h"
#include "store/stores.h"
#include "tests/support/temp_dir.h"

namespace ptxfarm {
namespace {

constexpr std::size_t kBlobBytes = 20'000;

std::string Noise(std::size_t size, u64 seed) {
  std::mt19937_64 random(seed);
  std::string bytes(size, '\0');
  for (char& byte : bytes) byte = static_cast<char>(random());
  return bytes;
}

Sha256 ActionNumber(u64 number) { return DigestOf(std::to_string(number)).sha256; }

// A store with `count` blobs of 20 KB that don't compress, each the output of an action.
struct Filled {
  Filled(StoreOptions options, u64 count) {
    options.path = dir / "store";
    store = OpenStore(options, clock).value();
    for (u64 i = 0; i < count; ++i) {
      const Blob blob = MakeBlob(Noise(kBlobBytes, i));
      PTXFARM_CHECK(store->blobs().Put(blob).has_value());
      const ActionRecord record{.bytes = std::string(2'000, 'r'), .outputs = {blob.digest}};
      PTXFARM_CHECK(store->actions().Put(ActionNumber(i), record).has_value());
      digests.push_back(blob.digest);
      actions.push_back(ActionNumber(i));
    }
  }

  const test::TempDir dir;
  const RealClock clock;
  std::unique_ptr<Store> store;
  std::vector<Digest> digests;
  std::vector<Sha256> actions;
};

constexpr u64 kCount = 2'000;

StoreOptions WithTier() { return {.memory_bytes_max = u64{1} << 30}; }
StoreOptions WithoutTier() { return {.memory_bytes_max = 0, .cache_bytes = u64{256} << 20}; }

// An action's record and its 20 KB output: what a hit costs the store.
void Hit(benchmark::State& state, Filled& filled) {
  u64 i = 0;
  for (const Sha256& action : filled.actions) {  // Warms what there is to warm.
    benchmark::DoNotOptimize(filled.store->actions().Get(action));
    benchmark::DoNotOptimize(filled.store->blobs().Get(filled.digests[i++]));
  }
  for (auto _ : state) {
    const std::size_t at = i++ * 7919 % filled.actions.size();
    benchmark::DoNotOptimize(filled.store->actions().Get(filled.actions[at]));
    benchmark::DoNotOptimize(filled.store->blobs().Get(filled.digests[at]));
  }
}

void HitFromMemoryTier(benchmark::State& state) {
  static Filled filled(WithTier(), kCount);
  Hit(state, filled);
}
BENCHMARK(HitFromMemoryTier)->Threads(1)->Threads(2)->UseRealTime();

// With the digest checked at each read.
void HitFromRocksWithDigestCheck(benchmark::State& state) {
  static Filled filled(WithoutTier(), kCount);
  Hit(state, filled);
}
BENCHMARK(HitFromRocksWithDigestCheck)->Threads(1)->Threads(2)->UseRealTime();

// The backend alone, warm: in RocksDB's cache.
struct Bare {
  Bare() {
    parts = rocks::OpenRocks({.path = dir / "store", .cache_bytes = u64{256} << 20}, clock).value();
    for (u64 i = 0; i < kCount; ++i) {
      const Blob blob = MakeBlob(Noise(kBlobBytes, i));
      PTXFARM_CHECK(parts.blobs->Put(blob).has_value());
      const ActionRecord record{.bytes = std::string(2'000, 'r'), .outputs = {blob.digest}};
      PTXFARM_CHECK(parts.actions->Put(ActionNumber(i), record).has_value());
      digests.push_back(blob.digest);
      actions.push_back(ActionNumber(i));
    }
  }
  const test::TempDir dir;
  const RealClock clock;
  BackendParts parts;
  std::vector<Digest> digests;
  std::vector<Sha256> actions;
};

Bare& TheBare() {
  static Bare bare;
  return bare;
}

void RocksBlobGet(benchmark::State& state) {
  Bare& bare = TheBare();
  for (const Digest& digest : bare.digests) benchmark::DoNotOptimize(bare.parts.blobs->Get(digest));
  u64 i = 0;
  for (auto _ : state)
    benchmark::DoNotOptimize(bare.parts.blobs->Get(bare.digests[i++ * 7919 % bare.digests.size()]));
}
BENCHMARK(RocksBlobGet);

void RocksBlobMiss(benchmark::State& state) {
  Bare& bare = TheBare();
  Digest absent = DigestOf("absent");
  for (auto _ : state) {
    ++absent.size_bytes;
    benchmark::DoNotOptimize(bare.parts.blobs->Get(absent));
  }
}
BENCHMARK(RocksBlobMiss);

void RocksFindMissing(benchmark::State& state) {
  Bare& bare = TheBare();
  u64 i = 0;
  for (auto _ : state)
    benchmark::DoNotOptimize(
        bare.parts.blobs->FindMissing({&bare.digests[i++ * 7919 % bare.digests.size()], 1}));
}
BENCHMARK(RocksFindMissing);

void RocksActionGet(benchmark::State& state) {
  Bare& bare = TheBare();
  u64 i = 0;
  for (auto _ : state)
    benchmark::DoNotOptimize(
        bare.parts.actions->Get(bare.actions[i++ * 7919 % bare.actions.size()]));
}
BENCHMARK(RocksActionGet);

// Cold for RocksDB, though not for the kernel: a cache that holds nothing.
void RocksBlobGetCold(benchmark::State& state) {
  const test::TempDir dir;
  const RealClock clock;
  std::vector<Digest> digests;
  for (const bool writing : {true, false}) {
    BackendParts parts =
        rocks::OpenRocks({.path = dir / "store", .cache_bytes = 1 << 20}, clock).value();
    if (writing) {
      for (u64 i = 0; i < kCount; ++i) {
        const Blob blob = MakeBlob(Noise(kBlobBytes, i));
        PTXFARM_CHECK(parts.blobs->Put(blob).has_value());
        digests.push_back(blob.digest);
      }
      continue;
    }
    u64 i = 0;
    for (auto _ : state)
      benchmark::DoNotOptimize(parts.blobs->Get(digests[i++ * 7919 % digests.size()]));
  }
}
BENCHMARK(RocksBlobGetCold);

void RocksBlobPut(benchmark::State& state) {
  Bare& bare = TheBare();
  std::string plain = Noise(kBlobBytes, 1);
  static u64 number = 1'000'000;
  for (auto _ : state) {
    state.PauseTiming();
    ++number;
    plain.replace(0, sizeof(number), reinterpret_cast<const char*>(&number), sizeof(number));
    const Blob blob = MakeBlob(plain);
    state.ResumeTiming();
    PTXFARM_CHECK(bare.parts.blobs->Put(blob).has_value());
  }
}
BENCHMARK(RocksBlobPut)->Iterations(5'000);

void RocksActionPut(benchmark::State& state) {
  Bare& bare = TheBare();
  const ActionRecord record{.bytes = std::string(2'000, 'r'), .outputs = {bare.digests[0]}};
  static u64 number = 1'000'000;
  for (auto _ : state)
    PTXFARM_CHECK(bare.parts.actions->Put(ActionNumber(++number), record).has_value());
}
BENCHMARK(RocksActionPut)->Iterations(20'000);

// What a digest check of 20 KB costs by itself: the floor under any checked read.
void Sha256Of20Kb(benchmark::State& state) {
  const std::string plain = Noise(kBlobBytes, 1);
  for (auto _ : state) benchmark::DoNotOptimize(DigestOf(plain));
}
BENCHMARK(Sha256Of20Kb);

constexpr u64 kStreamChunks = 256;

// 256 MiB in chunks made beforehand: `checked` through the whole stack, else the backend alone.
class Stream {
 public:
  explicit Stream(bool compressible) {
    const std::string plain = compressible ? std::string(kChunkBytes, 'c') : Noise(kChunkBytes, 1);
    for (u64 i = 0; i < kStreamChunks; ++i) chunks_.push_back(MakeChunk(plain));
    BlobHasher hasher;
    for (const Chunk& chunk : chunks_) PTXFARM_CHECK(hasher.Add(chunk).has_value());
    digest_ = std::move(hasher).Finish();
  }

  void Write(BlobStore& store) const {
    const std::unique_ptr<BlobWriter> writer = store.Create(digest_).value();
    for (const Chunk& chunk : chunks_) PTXFARM_CHECK(writer->Append(chunk).has_value());
    PTXFARM_CHECK(writer->Commit().has_value());
  }

  void Read(BlobStore& store) const {
    const std::unique_ptr<BlobReader> reader = store.Open(digest_).value();
    while (true) {
      const Result<std::optional<Chunk>> chunk = reader->Next();
      if (!chunk.value()) break;
    }
  }

 private:
  std::vector<Chunk> chunks_;
  Digest digest_;
};

enum class Layer { kBackend, kStack };

struct StreamStore {
  explicit StreamStore(Layer layer) {
    if (layer == Layer::kStack) {
      stack = OpenStore({.path = dir / "store"}, clock).value();
    } else {
      parts = rocks::OpenRocks({.path = dir / "store"}, clock).value();
    }
  }
  BlobStore& blobs() { return stack != nullptr ? stack->blobs() : *parts.blobs; }

  const test::TempDir dir;
  const RealClock clock;
  BackendParts parts;
  std::unique_ptr<Store> stack;
};

void StreamWrite(benchmark::State& state, Layer layer, bool compressible) {
  const Stream stream(compressible);
  for (auto _ : state) {
    state.PauseTiming();
    StreamStore store(layer);
    state.ResumeTiming();
    stream.Write(store.blobs());
  }
  state.SetBytesProcessed(static_cast<int64_t>(state.iterations() * kStreamChunks * kChunkBytes));
}
BENCHMARK_CAPTURE(StreamWrite, backend_incompressible, Layer::kBackend, false)->UseRealTime();
BENCHMARK_CAPTURE(StreamWrite, stack_incompressible, Layer::kStack, false)->UseRealTime();
BENCHMARK_CAPTURE(StreamWrite, stack_compressible, Layer::kStack, true)->UseRealTime();

void StreamRead(benchmark::State& state, Layer layer, bool compressible) {
  const Stream stream(compressible);
  StreamStore store(layer);
  stream.Write(store.blobs());
  for (auto _ : state) stream.Read(store.blobs());
  state.SetBytesProcessed(static_cast<int64_t>(state.iterations() * kStreamChunks * kChunkBytes));
}
BENCHMARK_CAPTURE(StreamRead, backend_incompressible, Layer::kBackend, false)->UseRealTime();
BENCHMARK_CAPTURE(StreamRead, stack_incompressible, Layer::kStack, false)->UseRealTime();
BENCHMARK_CAPTURE(StreamRead, stack_compressible, Layer::kStack, true)->UseRealTime();

// The floor under writing: as many bytes to a plain file, synced.
void FileWrite256Mb(benchmark::State& state) {
  const test::TempDir dir;
  const std::string plain = Noise(kChunkBytes, 1);
  for (auto _ : state) {
    std::FILE* const file = std::fopen((dir / "file").c_str(), "wb");
    for (u64 i = 0; i < kStreamChunks; ++i)
      PTXFARM_CHECK(std::fwrite(plain.data(), 1, plain.size(), file) == plain.size());
    std::fflush(file);
    ::fsync(::fileno(file));
    std::fclose(file);
  }
  state.SetBytesProcessed(static_cast<int64_t>(state.iterations() * kStreamChunks * kChunkBytes));
}
BENCHMARK(FileWrite256Mb)->UseRealTime();

void OpenAndClose(benchmark::State& state) {
  const test::TempDir dir;
  const RealClock clock;
  { PTXFARM_CHECK(OpenStore({.path = dir / "store"}, clock).has_value()); }
  for (auto _ : state) benchmark::DoNotOptimize(OpenStore({.path = dir / "store"}, clock));
}
BENCHMARK(OpenAndClose)->UseRealTime()->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace ptxfarm

BENCHMARK_MAIN();

#include <filesystem>
#include <fstream>
#include <random>

#include "base/bytes.h"
#include "base/check.h"
#include "rpc/remote_blob_store.h"
#include "tests/bench/big_blob.h"
#include "tests/bench/measures.h"
#include "tests/bench/ratio.h"

namespace ptxfarm::bench {
namespace {

constexpr int kRounds = 20;
constexpr int kSettledAfter = 8;  // Rounds until buffers and caches have their size.
constexpr std::size_t kSmallBlobs = 1'000;
constexpr std::size_t kSmallWords =
    2'500;  // 20 KB that don't pack: the buffers fill within the first rounds.
// As much as one reading differs from the next.
constexpr double kGoal = 1.1;

double ResidentMiB(pid_t pid) {
  std::ifstream status(fmt::format("/proc/{}/status", pid));
  for (std::string line; std::getline(status, line);)
    if (line.starts_with("VmRSS:")) return std::stod(line.substr(6)) / 1024;
  PTXFARM_CHECK(false, "no VmRSS");
}

// One round: a large blob up and down, then many small ones.
class Load {
 public:
  explicit Load(const std::string& address)
      : store_(rpc::MakeRemoteBlobStore(Connect(address))), large_(Content::kPtx) {}

  void Run() {
    const Blob large = large_.Next();
    PTXFARM_CHECK(store_->Put(large).has_value());
    ReadThrough(*store_, large.digest);
    for (std::size_t i = 0; i < kSmallBlobs; ++i) {
      const Blob small = NextSmall();
      PTXFARM_CHECK(store_->Put(small).has_value());
      PTXFARM_CHECK(store_->Get(small.digest).has_value());
    }
  }

 private:
  Blob NextSmall() {
    std::string bytes;
    for (std::size_t word = 0; word < kSmallWords; ++word) AppendTo(bytes, noise_());
    return MakeBlob(std::move(bytes));
  }

  const std::unique_ptr<BlobStore> store_;
  BigBlobs large_;
  std::mt19937_64 noise_;
};

}  // namespace

void MeasureMemory(Rivals& rivals) {
  const std::string folder = rivals.Folder("memory");
  std::filesystem::create_directory(folder);
  // Caches that are full after the first rounds: what grows after that grows for no reason.
  FarmServer server(folder,
                    {"--store-memory-bytes-max", "16MiB", "--store-cache-bytes-max", "8MiB"});
  Load load(server.address());
  double settled = 0, largest = 0;
  for (int i = 0; i < kRounds; ++i) {
    load.Run();
    (i < kSettledAfter ? settled : largest) =
        std::max(i < kSettledAfter ? settled : largest, ResidentMiB(server.pid()));
  }
  PrintRow(fmt::format("memory after {} rounds, against {}", kRounds, kSettledAfter),
           {largest, settled, largest / settled, largest - settled}, kGoal, "MB");
}

}  // namespace ptxfarm::bench

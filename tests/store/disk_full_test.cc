// A disk that is full, on a small file system of its own: errors that say so, reads that go on, and
// writes again as soon as there is room.
#include <sched.h>
#include <sys/mount.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "store/stores.h"
#include "tests/store/stacks.h"
#include "tests/support/temp_dir.h"

namespace ptxfarm {
namespace {

using test::Noise;

class DiskFullTest : public testing::Test {
 protected:
  // Mounts are seen by this process alone. Once, and before any other thread is started: those get
  // theirs from this one.
  static void SetUpTestSuite() {
    static const bool apart = ::unshare(CLONE_NEWNS) == 0 &&
                              ::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0;
    if (!apart) why_not_ = std::strerror(errno);
  }

  void SetUp() override {
    std::filesystem::create_directory(disk_);
    if (why_not_.empty() && ::mount("tmpfs", disk_.c_str(), "tmpfs", 0, "size=96m") != 0)
      why_not_ = std::strerror(errno);
    if (!why_not_.empty()) GTEST_SKIP() << "can't mount a small disk here: " << why_not_;
    FillUp(48 << 20);  // More than waits in memory: going on begins with writing that out.
  }

  void TearDown() override {
    store_.reset();
    ::umount(disk_.c_str());
  }

  // Takes `bytes` of the disk, to be given back by MakeRoom.
  void FillUp(std::size_t bytes) {
    std::ofstream(disk_ + "/ballast", std::ios::app) << std::string(bytes, 'x') << std::flush;
  }
  void MakeRoom() { std::filesystem::remove(disk_ + "/ballast"); }

  Status Open() {
    store_.reset();
    PTXFARM_ASSIGN_OR_RETURN(store_,
                             OpenStore({.path = disk_ + "/store", .memory_bytes_max = 0}, clock_));
    return Ok{};
  }

  // Puts blobs of `size` until one is refused, which it returns.
  Error PutUntilFull(std::size_t size) {
    while (true) {
      const Blob blob = MakeBlob(Noise(size, ++seed_));
      Status put = store_->blobs().Put(blob);
      if (!put) return std::move(put).error();
      kept_.push_back(blob.digest);
    }
  }

  void ExpectAllKept() {
    for (const Digest& digest : kept_) {
      const Result<Blob> blob = store_->blobs().Get(digest);
      EXPECT_TRUE(blob) << blob.error().ToString();
    }
  }

  static std::string why_not_;
  const test::TempDir dir_;
  const std::string disk_ = dir_ / "disk";
  const RealClock clock_;
  std::unique_ptr<Store> store_;
  std::vector<Digest> kept_;
  u64 seed_ = 0;
};

std::string DiskFullTest::why_not_;

struct Case {
  const char* name;
  std::size_t blob_bytes;
};
class DiskFullPutTest : public DiskFullTest, public testing::WithParamInterface<Case> {};

INSTANTIATE_TEST_SUITE_P(Sizes, DiskFullPutTest,
                         testing::Values(Case{"Values", 100'000}, Case{"Chunks", 3'000'000}),
                         [](const testing::TestParamInfo<Case>& i) { return i.param.name; });

TEST_P(DiskFullPutTest, SaysSoServesOnAndWritesAgainWhenThereIsRoom) {
  ASSERT_TRUE(Open());
  const Error full = PutUntilFull(GetParam().blob_bytes);
  EXPECT_EQ(full.code, Code::kResourceExhausted) << full.ToString();
  EXPECT_NE(full.message.find("is full"), std::string::npos) << full.message;
  EXPECT_GT(kept_.size() * GetParam().blob_bytes, 5'000'000u);
  ExpectAllKept();
  // It stays so, without harm, as long as the disk does.
  for (int i = 0; i < 20; ++i)
    (void)store_->blobs().Put(MakeBlob(Noise(GetParam().blob_bytes, 1000 + i))).has_value();
  ExpectAllKept();

  MakeRoom();
  const Blob blob = MakeBlob(Noise(10'000, 2000));
  const Status put = store_->blobs().Put(blob);
  ASSERT_TRUE(put) << put.error().ToString();
  kept_.push_back(blob.digest);
  EXPECT_TRUE(store_->Figures().writable);
  ExpectAllKept();

  ASSERT_TRUE(Open());
  ExpectAllKept();
}

TEST_F(DiskFullTest, AFullDiskAtTheStartIsAnError) {
  FillUp(96 << 20);
  const Status opened = Open();
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().code, Code::kResourceExhausted) << opened.error().ToString();
  MakeRoom();
  EXPECT_TRUE(Open());
}

}  // namespace
}  // namespace ptxfarm

#include "worker/scratch.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>

#include <gtest/gtest.h>

#include "base/file.h"
#include "tests/support/temp_dir.h"

namespace ptxfarm::worker {
namespace {

namespace fs = std::filesystem;

TEST(ScratchTest, IsPrivateAndGoesWithItsObject) {
  const test::TempDir parent;
  std::string path;
  {
    Result<Scratch> scratch = Scratch::Make(parent.path());
    ASSERT_TRUE(scratch) << scratch.error().ToString();
    path = scratch->path();
    struct stat info {};
    ASSERT_EQ(::stat(path.c_str(), &info), 0);
    EXPECT_EQ(info.st_mode & 0777, 0700u);
    const Result<std::string> folder = scratch->MakeFolder();
    ASSERT_TRUE(folder);
    EXPECT_NE(*folder, *scratch->MakeFolder());
    ASSERT_TRUE(WriteFileAtomically(*folder + "/input.ptx", "text"));
    scratch->RemoveFolder(*folder);
    EXPECT_FALSE(fs::exists(*folder));
  }
  EXPECT_FALSE(fs::exists(path));
}

TEST(ScratchTest, CleansUpAfterTheDeadAndLeavesTheLiving) {
  const test::TempDir parent;
  // A worker that ends without a word: its lock goes with it.
  const pid_t child = ::fork();
  if (child == 0) {
    Result<Scratch> left = Scratch::Make(parent.path());
    ::_exit(left && left->MakeFolder() ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_EQ(status, 0);
  ASSERT_TRUE(WriteFileAtomically(parent / "ptxfarm-worker-file", "no folder"));
  fs::create_directory(parent / "ptxfarm-worker-new");  // Just being made: no lock yet.
  fs::create_directory(parent / "other");

  Result<Scratch> living = Scratch::Make(parent.path());
  ASSERT_TRUE(living);
  Result<Scratch> another = Scratch::Make(parent.path());
  ASSERT_TRUE(another);
  EXPECT_TRUE(fs::exists(living->path()));
  std::size_t entries = 0;
  for ([[maybe_unused]] const auto& entry : fs::directory_iterator(parent.path())) ++entries;
  EXPECT_EQ(entries, 5u);
}

TEST(ScratchTest, SaysWhereItCannotBe) {
  const Result<Scratch> scratch = Scratch::Make("/no/such/folder");
  ASSERT_FALSE(scratch);
  EXPECT_EQ(scratch.error().code, Code::kNotFound);
}

}  // namespace
}  // namespace ptxfarm::worker

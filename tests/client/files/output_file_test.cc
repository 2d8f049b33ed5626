#include "client/files/output_file.h"

#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/file.h"
#include "tests/support/temp_dir.h"

namespace ptxfarm::client {
namespace {

using test::TempDir;
using testing::HasSubstr;

std::vector<std::string> NamesIn(const std::string& folder) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    names.push_back(entry.path().filename());
  return names;
}

bool Exists(const std::string& path) { return ::access(path.c_str(), F_OK) == 0; }

class OutputFileTest : public testing::Test {
 protected:
  const TempDir folder_;
};

TEST_F(OutputFileTest, ReplacesAFileAndLeavesNothingElse) {
  const std::string path = folder_ / "k.cubin";
  ASSERT_TRUE(WriteOutput(path, "old"));
  ASSERT_TRUE(WriteOutput(path, "new"));
  EXPECT_EQ(*ReadFile(path, 100), "new");
  EXPECT_THAT(NamesIn(folder_.path()), testing::ElementsAre("k.cubin"));
}

TEST_F(OutputFileTest, WritesThroughALinkAndKeepsIt) {
  const std::string file = folder_ / "real", link = folder_ / "link";
  ASSERT_TRUE(WriteOutput(file, "old"));
  ASSERT_EQ(::symlink("real", link.c_str()), 0);
  ASSERT_TRUE(WriteOutput(link, "new"));
  EXPECT_EQ(*ReadFile(file, 100), "new");
  EXPECT_TRUE(std::filesystem::is_symlink(link));
}

TEST_F(OutputFileTest, WritesDevicesInPlace) {
  EXPECT_TRUE(WriteOutput("/dev/null", "bytes"));
  struct stat info {};
  ASSERT_EQ(::stat("/dev/null", &info), 0);
  EXPECT_TRUE(S_ISCHR(info.st_mode)) << "the device was replaced by a file";
}

TEST_F(OutputFileTest, SaysWhenTheDiskIsFull) {
  const Status written = WriteOutput("/dev/full", "bytes");
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().code, Code::kResourceExhausted);
  EXPECT_THAT(written.error().message, HasSubstr("No space left on device"));
}

TEST_F(OutputFileTest, LeavesNothingOnAFullFileSystem) {
  const std::string mount = folder_ / "small";
  ASSERT_EQ(::mkdir(mount.c_str(), 0755), 0);
  if (::mount("tmpfs", mount.c_str(), "tmpfs", 0, "size=64k") != 0)
    GTEST_SKIP() << "may not mount a file system here";
  const Status written = WriteOutput(mount + "/k.cubin", std::string(1 << 20, 'x'));
  const std::vector<std::string> left = NamesIn(mount);
  ::umount(mount.c_str());
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().code, Code::kResourceExhausted);
  EXPECT_TRUE(left.empty());
}

TEST_F(OutputFileTest, RefusesAFolder) {
  const Status written = WriteOutput(folder_.path(), "bytes");
  ASSERT_FALSE(written);
  EXPECT_THAT(written.error().message, HasSubstr("it is a folder"));
}

TEST_F(OutputFileTest, RemovesWhatIsStaleButNoDevice) {
  const std::string file = folder_ / "file", link = folder_ / "link";
  ASSERT_TRUE(WriteOutput(file, "old"));
  ASSERT_EQ(::symlink("file", link.c_str()), 0);
  RemoveStaleOutput(link);
  EXPECT_FALSE(Exists(file));

  const std::string to_device = folder_ / "device";
  ASSERT_EQ(::symlink("/dev/null", to_device.c_str()), 0);
  RemoveStaleOutput(to_device);
  RemoveStaleOutput("/dev/null");
  EXPECT_TRUE(Exists("/dev/null"));
  RemoveStaleOutput(folder_ / "never was");
}

TEST_F(OutputFileTest, MakesFoldersAndSaysWhatIsInTheWay) {
  EXPECT_TRUE(MakeFolders(folder_ / "a/b/c"));
  EXPECT_TRUE(MakeFolders(folder_ / "a/b/c"));
  ASSERT_TRUE(WriteOutput(folder_ / "file", ""));
  EXPECT_FALSE(MakeFolders(folder_ / "file"));
  EXPECT_FALSE(MakeFolders(folder_ / "file/below"));
}

}  // namespace
}  // namespace ptxfarm::client

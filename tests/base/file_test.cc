#include "base/file.h"

#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/temp_dir.h"

namespace ptxfarm {
namespace {

std::size_t FilesIn(const std::string& folder) {
  std::size_t count = 0;
  for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(folder)) ++count;
  return count;
}

TEST(FileTest, ReadsBackWhatItWrote) {
  const test::TempDir dir;
  const std::string bytes("a\0b\n", 4);
  ASSERT_TRUE(WriteFileAtomically(dir / "f", bytes).has_value());
  EXPECT_EQ(ReadFile(dir / "f", 4).value(), bytes);
  EXPECT_EQ(ReadFile(dir / "f", 3).error().code, Code::kResourceExhausted);
}

TEST(FileTest, ReadsFilesWithoutASize) {
  EXPECT_FALSE(ReadFile("/proc/self/status", 1 << 20).value().empty());
}

TEST(FileTest, SaysWhatIsWrong) {
  const test::TempDir dir;
  EXPECT_EQ(ReadFile(dir / "absent", 10).error().code, Code::kNotFound);
  EXPECT_EQ(ReadFile(dir.path(), 10).error().code, Code::kInvalidArgument);
  EXPECT_EQ(WriteFileAtomically(dir / "no/f", "x").error().code, Code::kNotFound);
}

TEST(FileTest, AFailedLastStepLeavesWhatWasThereAndNoLitter) {
  const test::TempDir dir;
  std::filesystem::create_directories(dir / "target/inner");
  EXPECT_FALSE(WriteFileAtomically(dir / "target", "x").has_value());
  EXPECT_EQ(FilesIn(dir.path()), 1u);
}

TEST(FileTest, ReadersNeverSeeAPart) {
  const test::TempDir dir;
  const std::string a(100000, 'a'), b(50000, 'b');
  ASSERT_TRUE(WriteFileAtomically(dir / "f", a).has_value());
  std::vector<std::thread> writers;
  for (int i = 0; i < 4; ++i)
    writers.emplace_back([&] {
      for (int k = 0; k < 25; ++k)
        EXPECT_TRUE(WriteFileAtomically(dir / "f", k % 2 == 0 ? a : b).has_value());
    });
  for (int k = 0; k < 200; ++k) {
    const std::string seen = ReadFile(dir / "f", 1 << 20).value();
    EXPECT_TRUE(seen == a || seen == b) << seen.size();
  }
  for (std::thread& writer : writers) writer.join();
  EXPECT_EQ(FilesIn(dir.path()), 1u);
}

}  // namespace
}  // namespace ptxfarm

#include "telemetry/log_sink.h"

#include <filesystem>

#include <gtest/gtest.h>

#include "base/file.h"
#include "tests/support/temp_dir.h"

namespace ptxfarm::telemetry {
namespace {

std::string Read(const std::string& path) { return ReadFile(path, 1 << 20).value(); }

TEST(LogSinkTest, AppendsToAFile) {
  const test::TempDir dir;
  FileLogSink::ToFile(dir / "log").value()->Write("one\n");
  FileLogSink::ToFile(dir / "log").value()->Write("two\n");
  EXPECT_EQ(Read(dir / "log"), "one\ntwo\n");
}

TEST(LogSinkTest, SaysWhyAFileCannotBeOpened) {
  const test::TempDir dir;
  EXPECT_EQ(FileLogSink::ToFile(dir / "no/log").error().code, Code::kNotFound);
}

TEST(LogSinkTest, OpensTheFileAgainAfterRotation) {
  const test::TempDir dir;
  const std::unique_ptr<FileLogSink> sink = FileLogSink::ToFile(dir / "log").value();
  sink->Write("one\n");
  std::filesystem::rename(dir / "log", dir / "log.1");
  sink->Write("two\n");
  ASSERT_TRUE(sink->Reopen());
  sink->Write("three\n");
  EXPECT_EQ(Read(dir / "log.1"), "one\ntwo\n");
  EXPECT_EQ(Read(dir / "log"), "three\n");
}

TEST(LogSinkTest, AFullDiskLosesLinesAndSaysSoLater) {
  const test::TempDir dir;
  // /dev/full refuses every write as a full disk does; the link is what is rotated.
  std::filesystem::create_symlink("/dev/full", dir / "log");
  const std::unique_ptr<FileLogSink> sink = FileLogSink::ToFile(dir / "log").value();
  sink->Write("one\n");
  sink->Write("two\n");
  std::filesystem::remove(dir / "log");
  ASSERT_TRUE(sink->Reopen());
  sink->Write("three\n");
  sink->Write("four\n");
  EXPECT_EQ(Read(dir / "log"), "log_lines_lost count=2\nthree\nfour\n");
}

}  // namespace
}  // namespace ptxfarm::telemetry

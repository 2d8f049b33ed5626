// The references in docs/ say what the programs say; ./dev docs prints them anew.
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/file.h"
#include "tests/support/toolkit.h"

namespace ptxfarm::test {
namespace {

std::string Folder(const char* variable) { return std::getenv(variable); }

std::string Document(const std::string& name) {
  const Result<std::string> text = ReadFile(Folder("PTXFARM_SOURCE") + "/docs/" + name, 1 << 20);
  EXPECT_TRUE(text.has_value()) << name;
  return text ? *text : "";
}

TEST(PrintedTest, FlagsAreTheProgramsOwn) {
  const Ran ran =
      RunShell(fmt::format("{}/dev flags_page {}", Folder("PTXFARM_SOURCE"), Folder("PTXFARM_BIN")));
  ASSERT_EQ(ran.exit_code, 0) << ran.output;
  EXPECT_EQ(Document("flags.md"), ran.output) << "run ./dev docs";
}

TEST(PrintedTest, MetricsAreTheRows) {
  const Ran ran = RunShell(Folder("PTXFARM_BIN") + "/gen-docs");
  ASSERT_EQ(ran.exit_code, 0) << ran.output;
  EXPECT_EQ(Document("metrics.md"), ran.output) << "run ./dev docs";
}

}  // namespace
}  // namespace ptxfarm::test

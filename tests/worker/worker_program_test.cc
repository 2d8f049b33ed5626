// `ptxfarm-worker` as a process.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/program.h"

namespace ptxfarm::test {
namespace {

TEST(WorkerProgramTest, TwoOnOneMachineEachHaveTheirPage) {
  const std::vector<std::string> words = {"ptxfarm-worker", "--server", "unix:/nowhere/farm.sock"};
  Program first(words), second(words);
  const auto line = first.WaitForLine("page_listening");
  const auto other = second.WaitForLine("page_listening");
  ASSERT_TRUE(line) << first.output();
  ASSERT_TRUE(other) << second.output();
  const auto url = [](const std::string& text) { return text.substr(text.find("url=")); };
  EXPECT_NE(url(*line), url(*other));
}

TEST(WorkerProgramTest, APortThatWasAskedForIsThatOneOrNone) {
  Program first({"ptxfarm-worker", "--server", "unix:/nowhere/farm.sock", "--http", "127.0.0.1:0"});
  const auto line = first.WaitForLine("page_listening");
  ASSERT_TRUE(line) << first.output();
  const std::string address =
      line->substr(line->find("127.0.0.1:"), line->find_last_not_of("\n\""));
  const std::string taken = address.substr(0, address.find_first_not_of("0123456789.:"));
  Program second({"ptxfarm-worker", "--server", "unix:/nowhere/farm.sock", "--http", taken});
  EXPECT_EQ(second.Wait(), 3) << second.output();
  EXPECT_THAT(second.output(), testing::HasSubstr("--http " + taken));
}

}  // namespace
}  // namespace ptxfarm::test

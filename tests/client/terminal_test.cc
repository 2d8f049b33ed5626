#include "client/terminal.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include <gtest/gtest.h>

namespace ptxfarm::client {
namespace {

// A terminal of our own, of 100 columns.
class TerminalTest : public testing::Test {
 protected:
  void SetUp() override {
    master_ = ::posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
    ASSERT_GE(master_, 0);
    ASSERT_EQ(::grantpt(master_), 0);
    ASSERT_EQ(::unlockpt(master_), 0);
    slave_ = ::open(::ptsname(master_), O_RDWR | O_NOCTTY | O_CLOEXEC);
    ASSERT_GE(slave_, 0);
    ::setenv("TERM", "xterm", 1);
    ::unsetenv("NO_COLOR");
  }
  void TearDown() override {
    ::unsetenv("NO_COLOR");
    ::close(slave_);
    ::close(master_);
  }

  int master_ = -1, slave_ = -1;
};

TEST_F(TerminalTest, ATerminalHasColorsAndRedrawsLines) {
  const Terminal terminal = DetectTerminal(slave_, ColorMode::kAuto);
  EXPECT_TRUE(terminal.interactive);
  EXPECT_TRUE(terminal.color);
}

TEST_F(TerminalTest, NoColorTakesColorsOnly) {
  ::setenv("NO_COLOR", "1", 1);
  EXPECT_TRUE(DetectTerminal(slave_, ColorMode::kAuto).interactive);
  EXPECT_FALSE(DetectTerminal(slave_, ColorMode::kAuto).color);
  EXPECT_TRUE(DetectTerminal(slave_, ColorMode::kAlways).color) << "who asks for it gets it";
}

TEST_F(TerminalTest, ADumbTerminalIsPlain) {
  ::setenv("TERM", "dumb", 1);
  EXPECT_FALSE(DetectTerminal(slave_, ColorMode::kAuto).interactive);
  EXPECT_FALSE(DetectTerminal(slave_, ColorMode::kAuto).color);
}

TEST_F(TerminalTest, APipeIsPlainUnlessColorsAreAskedFor) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  EXPECT_FALSE(DetectTerminal(ends[1], ColorMode::kAuto).color);
  EXPECT_TRUE(DetectTerminal(ends[1], ColorMode::kAlways).color);
  EXPECT_FALSE(DetectTerminal(ends[1], ColorMode::kAlways).interactive);
  ::close(ends[0]);
  ::close(ends[1]);
}

TEST(DisplayWidthTest, CountsWhatIsSeen) {
  EXPECT_EQ(DisplayWidth("abc"), 3u);
  EXPECT_EQ(DisplayWidth("…"), 1u);
  EXPECT_EQ(DisplayWidth(Styled("abc", Style::kRed, true)), 3u);
}

TEST(PrintableTest, LetsNoEscapeSequenceThrough) {
  EXPECT_EQ(Printable("a\x1b[2Jb\rc\n"), "a\\x1b[2Jb\\x0dc\\x0a");
  EXPECT_EQ(PrintableLines("a\nb\x07"), "a\nb\\x07");
  EXPECT_EQ(Printable("größe"), "größe");
}

}  // namespace
}  // namespace ptxfarm::client

// Each protection against a real child that tries to get around it.
#include <cstdlib>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/file.h"
#include "tests/support/temp_dir.h"
#include "tests/worker/confined.h"

namespace ptxfarm::worker {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

struct Case {
  const char* name;
  const char* way;
  const char* argument;
  const char* says;  // Empty where the attempt ends the process.
};

std::string NameOf(const testing::TestParamInfo<Case>& info) { return info.param.name; }

class BreakoutTest : public testing::TestWithParam<Case> {};

TEST_P(BreakoutTest, IsRefused) {
  if (!ConfinementIsWhole()) GTEST_SKIP() << "this machine doesn't give every protection";
  const test::TempDir folder;
  const ProcessResult ran =
      RunBreakout(folder.path(), {GetParam().way, GetParam().argument}, Confinement::kRequired);
  if (std::string_view(GetParam().says).empty()) {
    EXPECT_EQ(ran.ending, Ending::kSignalled) << ran.output;
    EXPECT_EQ(ran.signal, SIGSYS);
  } else {
    EXPECT_EQ(ran.ending, Ending::kExited);
    EXPECT_THAT(ran.output, StartsWith(GetParam().says));
  }
}

// What each of them does without confinement, so that the table above proves something.
TEST_P(BreakoutTest, WorksOutside) {
  if (::geteuid() != 0) GTEST_SKIP() << "some of these take root";
  const test::TempDir folder;
  const std::string_view way = GetParam().way;
  if (way == "exec" || way == "exec-itself" || way == "raise-limit") return;
  const ProcessResult ran =
      RunBreakout(folder.path(), {GetParam().way, GetParam().argument}, Confinement::kOff);
  EXPECT_THAT(ran.output, StartsWith("done")) << way;
}

constexpr Case kCases[] = {
    {"InternetSocket", "socket", "", "refused Operation not permitted"},
    {"UnixSocket", "unix-socket", "", "refused Operation not permitted"},
    {"PasswordFile", "read", "/etc/shadow", "refused Permission denied"},
    {"AnyConfiguration", "read", "/etc/passwd", "refused Permission denied"},
    {"OtherProcesses", "read", "/proc/1/status", "refused Permission denied"},
    {"HomeFolder", "list", "/root", "refused Permission denied"},
    {"RootFolder", "list", "/", "refused Permission denied"},
    {"TemporaryFolder", "list", "/tmp", "refused Permission denied"},
    {"WriteOutside", "write", "/tmp/ptxfarm-breakout", "refused Permission denied"},
    {"WriteDevice", "write", "/dev/null", "refused Permission denied"},
    {"WriteLibraries", "write", "/usr/lib/ptxfarm-breakout", "refused Permission denied"},
    {"Fork", "fork", "", "refused Operation not permitted"},
    {"RawFork", "raw-fork", "", "refused Operation not permitted"},
    {"Spawn", "spawn", "", "refused Operation not permitted"},
    {"Shell", "exec", "/bin/sh", ""},
    {"ItselfAgain", "exec-itself", "", ""},
    {"SignalInit", "kill", "1", "refused Operation not permitted"},
    {"Namespace", "unshare", "", "refused Function not implemented"},
    {"MoreDescriptors", "raise-limit", "", "refused Operation not permitted"},
};
INSTANTIATE_TEST_SUITE_P(All, BreakoutTest, testing::ValuesIn(kCases), NameOf);

TEST(ConfineTest, LeavesWhatACompilerNeeds) {
  const test::TempDir folder;
  ASSERT_TRUE(WriteFileAtomically(folder / "input.ptx", "text"));
  for (const std::vector<std::string>& way : std::vector<std::vector<std::string>>{
           {"read", "input.ptx"}, {"write", "output.cubin"}, {"list", "."}, {"thread", ""}}) {
    const ProcessResult ran = RunBreakout(folder.path(), way, Confinement::kBestEffort);
    EXPECT_EQ(ran.output, "done\n") << way[0];
  }
}

TEST(ConfineTest, GivesNoEnvironmentAndNoDescriptors) {
  ::setenv("PTXFARM_SECRET", "token", 1);
  const test::TempDir folder;
  const int leaked = ::dup(STDOUT_FILENO);  // Without close-on-exec, as libraries leave them.
  EXPECT_EQ(RunBreakout(folder.path(), {"environment", ""}, Confinement::kOff).output, "");
  EXPECT_EQ(RunBreakout(folder.path(), {"descriptors", ""}, Confinement::kOff).output, "");
  ::close(leaked);
  ::unsetenv("PTXFARM_SECRET");
}

TEST(ConfineTest, ProbeHasARowForEachProtection) {
  const Result<std::vector<ProtectionStatus>> rows = ProbeConfinement(HelperPath());
  ASSERT_TRUE(rows) << rows.error().ToString();
  std::vector<std::string> names;
  for (const ProtectionStatus& row : *rows) {
    names.push_back(row.name);
    EXPECT_EQ(row.available, row.why.empty()) << row.name;
    EXPECT_FALSE(row.stops.empty()) << row.name;
  }
  EXPECT_THAT(names, testing::ElementsAre("session", "groups", "descriptors", "limits",
                                          "namespaces", "capabilities", "no_new_privileges",
                                          "parent_death", "landlock", "seccomp"));
}

TEST(ConfineTest, SaysWhatProgramIsMissing) {
  const test::TempDir folder;
  const Command command{
      .arguments = {"/no/such/ptxas"}, .folder = folder.path(), .confinement = Confinement::kOff};
  const Result<ProcessResult> ran = RunProcess(HelperPath(), command, Cancellation());
  ASSERT_FALSE(ran);
  EXPECT_EQ(ran.error().code, Code::kNotFound);
  EXPECT_THAT(ran.error().message, HasSubstr("/no/such/ptxas: No such file"));
}

}  // namespace
}  // namespace ptxfarm::worker

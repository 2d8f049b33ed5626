#include "worker/control_group.h"

#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/file.h"
#include "tests/support/temp_dir.h"
#include "tests/worker/confined.h"

namespace ptxfarm::worker {
namespace {

using testing::HasSubstr;
using Groups = std::vector<std::unique_ptr<ControlGroup>>;

// The real ones of this machine, where this process may make any.
class RealGroupTest : public testing::Test {
 protected:
  void SetUp() override {
    const Result<GroupPlace> place = ReadGroupPlace();
    ASSERT_TRUE(place) << place.error().ToString();
    Result<Groups> groups = MakeControlGroups(*place, 2, 16);
    if (!groups) GTEST_SKIP() << "no control groups here: " << groups.error().message;
    groups_ = *std::move(groups);
  }

  ProcessResult Run(std::vector<std::string> words, u64 memory_bytes) {
    Command command = BreakoutCommand(folder_.path(), std::move(words), Confinement::kBestEffort);
    command.group = groups_[0].get();
    command.limits.threads = 0;
    // The limits of the process would stop it first.
    PTXFARM_CHECK(command.group->Prepare(memory_bytes).has_value());
    const Result<ProcessResult> ran = RunProcess(HelperPath(), command, Cancellation());
    EXPECT_TRUE(ran) << ran.error().ToString();
    return ran ? *ran : ProcessResult{};
  }

  test::TempDir folder_;
  Groups groups_;
};

TEST_F(RealGroupTest, BoundsThreads) {
  EXPECT_THAT(Run({"threads", "64"}, 0).output, testing::StartsWith("refused"));
  EXPECT_EQ(Run({"threads", "4"}, 0).output, "done\n");
}

TEST_F(RealGroupTest, MeasuresMemory) {
  const ProcessResult ran = Run({"memory", "40"}, 0);
  EXPECT_EQ(ran.output, "done\n");
  EXPECT_GE(ran.memory_bytes_max, 40u << 20);
  EXPECT_LT(Run({"say"}, 0).memory_bytes_max, 40u << 20) << "the last one's is forgotten";
}

TEST_F(RealGroupTest, KillsForMemory) {
  // Both limits at once: of address space there is enough, as what isn't touched doesn't count.
  Command command = BreakoutCommand(folder_.path(), {"memory", "1000"}, Confinement::kBestEffort);
  command.group = groups_[0].get();
  command.limits.memory_bytes = 32 << 20;
  const ProcessResult ran = *RunProcess(HelperPath(), command, Cancellation());
  // Whichever comes first: the group's kill, or the process's own refusal.
  if (ran.ending == Ending::kExited) {
    EXPECT_EQ(ran.output, "refused Cannot allocate memory\n");
  } else {
    EXPECT_EQ(ran.ending, Ending::kOverMemory);
  }
}

TEST_F(RealGroupTest, GroupsOfOneProcessDontMeet) {
  const Result<Groups> more = MakeControlGroups(*ReadGroupPlace(), 1, 16);
  ASSERT_TRUE(more) << more.error().ToString();
  EXPECT_NE((*more)[0]->JoinFiles(), groups_[0]->JoinFiles());
  EXPECT_NE(groups_[1]->JoinFiles(), groups_[0]->JoinFiles());
}

TEST_F(RealGroupTest, GoWithTheirObjects) {
  const std::filesystem::path file = groups_[0]->JoinFiles()[0];
  EXPECT_TRUE(std::filesystem::exists(file));
  groups_.clear();
  EXPECT_FALSE(std::filesystem::exists(file.parent_path()));
}

// Where groups would be made, by the folder in the message: made-up trees hold no kernel's files.
struct Case {
  const char* name;
  const char* cgroup;
  const char* mountinfo;  // {} is the tree.
  const char* own;        // Below the tree; its folders are there.
  const char* message;
  const char* made_in = nullptr;  // Below the tree, where not `own`.
};

class PlaceTest : public testing::TestWithParam<Case> {};

TEST_P(PlaceTest, IsFound) {
  const test::TempDir tree;
  const Case& c = GetParam();
  const std::string own = tree.path() + c.own;
  std::filesystem::create_directories(own);
  ASSERT_TRUE(WriteFileAtomically(own + "/cgroup.controllers", "cpu memory pids\n"));
  const GroupPlace place{c.cgroup, fmt::format(fmt::runtime(c.mountinfo), tree.path())};
  const Result<Groups> groups = MakeControlGroups(place, 1, 16);
  ASSERT_FALSE(groups);
  EXPECT_THAT(groups.error().message, HasSubstr(c.message));
  if (*c.own != '\0') {
    const std::string made_in = c.made_in != nullptr ? tree.path() + c.made_in : own;
    EXPECT_THAT(groups.error().message,
                HasSubstr(made_in + fmt::format("/ptxfarm-{}-", ::getpid())));
  }
}

constexpr Case kCases[] = {
    {"Version2", "0::/a.slice/b\n", "30 23 0:26 / {} rw shared:4 - cgroup2 cgroup2 rw\n",
     "/a.slice/b", "cgroup.procs"},
    {"Version2AfterARestart", "0::/a/ptxfarm-12-0\n", "30 23 0:26 / {} rw - cgroup2 cgroup2 rw\n",
     "/a/ptxfarm-12-0", "cgroup.procs", "/a"},
    {"Version2OfAUnitOfThatName", "0::/ptxfarm-worker\n",
     "30 23 0:26 / {} rw - cgroup2 cgroup2 rw\n", "/ptxfarm-worker", "cgroup.procs"},
    {"Version2OfAContainer", "0::/\n", "30 23 0:26 / {}/c rw - cgroup2 cgroup2 rw\n", "/c",
     "cgroup.procs"},
    {"Version1", "9:name=systemd:/\n8:pids:/p\n4:cpu,memory:/p\n0::/\n",
     "31 23 0:27 / {0} rw - cgroup cgroup rw,pids\n32 23 0:28 / {0} rw - cgroup cgroup "
     "rw,cpu,memory\n",
     "/p", "pids.max"},
    {"Version1OfAContainer", "8:pids:/docker/x\n4:memory:/docker/x\n",
     "31 23 0:27 /docker/x {0}/m rw - cgroup cgroup rw,pids\n"
     "32 23 0:28 /docker/x {0}/m rw - cgroup cgroup rw,memory\n",
     "/m", "pids.max"},
    {"Nothing", "", "", "", "no control groups"},
    {"NoMemory", "8:pids:/\n", "31 23 0:27 / {} rw - cgroup cgroup rw,pids\n", "",
     "no control groups"},
};
INSTANTIATE_TEST_SUITE_P(All, PlaceTest, testing::ValuesIn(kCases),
                         [](const auto& row) { return row.param.name; });

TEST(ControlGroupTest, RemovesThoseOfTheDead) {
  const test::TempDir tree;
  // No process has this number: the kernel's own largest is 4194304.
  const std::string dead = tree / "ptxfarm-999999999-0";
  const std::string living = tree / fmt::format("ptxfarm-{}-9", ::getppid());
  std::filesystem::create_directories(dead);
  std::filesystem::create_directories(living);
  std::filesystem::create_directories(tree / "other");
  ASSERT_TRUE(WriteFileAtomically(tree / "cgroup.controllers", "memory pids\n"));
  const GroupPlace place{"0::/\n",
                         fmt::format("30 23 0:26 / {} rw - cgroup2 cgroup2 rw\n", tree.path())};
  EXPECT_FALSE(MakeControlGroups(place, 1, 16));
  EXPECT_FALSE(std::filesystem::exists(dead));
  EXPECT_TRUE(std::filesystem::exists(living));
  EXPECT_TRUE(std::filesystem::exists(tree / "other"));
}

}  // namespace
}  // namespace ptxfarm::worker

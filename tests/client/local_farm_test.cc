// The local farm under what happens to it: many callers at once, sudden ends, new versions,
// idleness.
#include <signal.h>
#include <unistd.h>

#include <filesystem>
#include <memory>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "client/lib/client.h"
#include "tests/client/cli_farm.h"
#include "tests/support/program.h"
#include "tests/support/toolkit.h"

namespace ptxfarm::test {
namespace {

using testing::HasSubstr;

std::size_t CountOf(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
    ++count;
  return count;
}

class LocalFarmTest : public testing::Test {
 protected:
  void SetUp() override { farm_.Write("k.ptx", SmallModule()); }

  // As Run, but not waited for.
  std::unique_ptr<Program> Start(std::vector<std::string> words) const {
    words.insert(words.begin(), "ptxfarm");
    return std::make_unique<Program>(words, farm_.environment());
  }

  // The process of the farm that runs now.
  pid_t process() const {
    const std::optional<local::FarmRecord> record = farm_.farm();
    return record ? static_cast<pid_t>(record->process) : -1;
  }

  // Polls until a compile is under way; a farm has no other sign of it.
  void AwaitRunning() const {
    for (int i = 0; i < 3000; ++i) {
      const nlohmann::json status = farm_.Run("status --json").Json();
      if (status.contains("queue") && status["queue"]["running_count"].get<int>() > 0) return;
    }
    FAIL() << "nothing ran";
  }

  CliFarm farm_;
};

TEST_F(LocalFarmTest, TwentyCallersAtOnceStartOneFarm) {
  std::vector<std::unique_ptr<Program>> callers;
  for (int i = 0; i < 20; ++i)
    callers.push_back(Start({"compile", farm_.In("k.ptx"), "-t", "compute_75", "-o",
                             farm_.In(fmt::format("out{}/", i))}));
  for (const std::unique_ptr<Program>& caller : callers)
    EXPECT_EQ(caller->Wait(), 0) << caller->output();
  EXPECT_EQ(CountOf(farm_.log(), "farm_ready"), 1u) << farm_.log();
  for (int i = 0; i < 20; ++i) EXPECT_TRUE(farm_.Exists(fmt::format("out{}/k.fatbin", i)));
}

TEST_F(LocalFarmTest, AKilledFarmIsReplacedByTheNextCall) {
  const std::string words = "compile k.ptx -t compute_75 -o k.fatbin";
  ASSERT_EQ(farm_.Run(words).exit_code, 0);
  const pid_t first = process();
  ASSERT_GT(first, 0);
  ASSERT_EQ(::kill(first, SIGKILL), 0);
  ASSERT_TRUE(WaitForEnd(first));
  EXPECT_FALSE(farm_.farm());
  const CliRan again = farm_.Run(words);
  EXPECT_EQ(again.exit_code, 0) << again.err;
  EXPECT_GT(process(), 0);
  EXPECT_NE(process(), first);
}

TEST_F(LocalFarmTest, AFarmKilledInTheMiddleOfACallIsReplacedWithinIt) {
  PTXFARM_NEED_TOOLKIT();
  farm_.Write("slow.ptx", SlowModule());
  const std::unique_ptr<Program> caller =
      Start({"compile", farm_.In("slow.ptx"), "-t", "sm_80", "-o", farm_.In("slow.cubin")});
  AwaitRunning();
  const pid_t first = process();
  ASSERT_EQ(::kill(first, SIGKILL), 0);
  EXPECT_EQ(caller->Wait(), 0) << caller->output() << farm_.log();
  EXPECT_TRUE(farm_.Exists("slow.cubin"));
  EXPECT_NE(process(), first);
}

TEST_F(LocalFarmTest, AFarmThatHangsIsEndedByStop) {
  ASSERT_EQ(farm_.Run("compile k.ptx -t compute_75 -o k.fatbin").exit_code, 0);
  const pid_t hanging = process();
  ASSERT_EQ(::kill(hanging, SIGSTOP), 0);
  const CliRan stuck = farm_.Run("targets --connect-timeout 200ms --attempts 1");
  EXPECT_EQ(stuck.exit_code, 3);
  EXPECT_THAT(stuck.err, HasSubstr("no answer from"));
  EXPECT_THAT(stuck.err, HasSubstr("ptxfarm stop"));
  EXPECT_EQ(farm_.Run("stop --wait 100ms").exit_code, 0);
  EXPECT_TRUE(WaitForEnd(hanging));
  EXPECT_EQ(farm_.Run("targets").exit_code, 0);
}

TEST_F(LocalFarmTest, StopEndsItAndStatusStartsNone) {
  EXPECT_THAT(farm_.Run("status").out, HasSubstr("no local farm is running"));
  EXPECT_THAT(farm_.Run("stop").out, HasSubstr("no local farm was running"));
  ASSERT_EQ(farm_.Run("targets").exit_code, 0);
  const pid_t running = process();
  EXPECT_THAT(farm_.Run("status").out, HasSubstr("/metrics"));
  EXPECT_THAT(farm_.Run("stop").out, HasSubstr("has ended"));
  EXPECT_TRUE(WaitForEnd(running));
  EXPECT_FALSE(farm_.farm());
}

TEST_F(LocalFarmTest, ItEndsWhenNobodyCalls) {
  ASSERT_EQ(farm_.Run("compile k.ptx -t compute_75 -o k.fatbin --farm-idle-time 1s").exit_code, 0);
  const pid_t running = process();
  ASSERT_GT(running, 0);
  EXPECT_TRUE(WaitForEnd(running));
  EXPECT_THAT(farm_.log(), HasSubstr("reason=idle"));
  EXPECT_EQ(farm_.Run("compile k.ptx -t compute_75 -o k.fatbin").exit_code, 0);
}

TEST_F(LocalFarmTest, AProgramInstalledAnewReplacesTheFarmOfTheOldOne) {
  const std::string programs = farm_.In("bin");
  std::filesystem::create_directory(programs);
  for (const char* name : {"ptxfarm", "ptxfarm-serve", "ptxfarm-confine"})
    std::filesystem::copy_file(ProgramPath(name), programs + "/" + name);
  farm_.SetPrograms(programs + "/");
  const std::string words = "compile k.ptx -t compute_75 -o k.fatbin";
  ASSERT_EQ(farm_.Run(words).exit_code, 0);
  const pid_t old = process();
  ASSERT_EQ(farm_.Run(words).exit_code, 0);
  EXPECT_EQ(process(), old) << "nothing changed, so nothing was replaced";
  // As package managers do it: beside, and renamed.
  std::filesystem::copy_file(programs + "/ptxfarm-serve", programs + "/new");
  std::filesystem::rename(programs + "/new", programs + "/ptxfarm-serve");
  ASSERT_EQ(farm_.Run(words).exit_code, 0);
  EXPECT_NE(process(), old);
  EXPECT_TRUE(WaitForEnd(old));
}

TEST_F(LocalFarmTest, ACompilerThatIsReplacedIsUsedAtOnce) {
  PTXFARM_NEED_TOOLKIT();
  const std::string ptxas = farm_.In("ptxas");
  std::filesystem::copy_file(ToolkitTool("ptxas"), ptxas);
  farm_.SetEnvironment("PTXFARM_CUDA", ptxas);
  const auto compile = [&](const std::string& name) {
    farm_.Write("k.ptx", SmallModule(name));
    const CliRan ran = farm_.Run("compile k.ptx -t sm_80 -o k.cubin --json");
    EXPECT_EQ(ran.exit_code, 0) << ran.out << farm_.log();
    return ran.Json()["modules"][0]["results"][0];
  };
  const nlohmann::json first = compile("k");
  EXPECT_EQ(first["served"], "miss");
  const pid_t farm = process();
  for (const char* change : {"one", "two"}) {
    // Another program, by its bytes; and another file, as package managers make it.
    ASSERT_EQ(RunShell(fmt::format("cp {0} {0}.new && printf {1} >> {0}.new && mv {0}.new {0}",
                                   ptxas, change))
                  .exit_code,
              0);
    // A miss finds the compiler changed whatever the farm knows by now.
    const nlohmann::json next = compile(change);
    EXPECT_EQ(compile("k")["served"], "miss") << "another compiler may give other bytes";
    EXPECT_NE(next["compiler"]["sha256"], first["compiler"]["sha256"]);
    const nlohmann::json status = farm_.Run("status --json").Json();
    EXPECT_EQ(status["workers"].size(), 1u) << status;
    for (const nlohmann::json& compiler : status["compilers"])
      EXPECT_TRUE(compiler["backend"] != "ptxas" ||
                  compiler["sha256"] == next["compiler"]["sha256"])
          << status;
    EXPECT_FALSE(status["remembered_compilers"].empty());
  }
  EXPECT_EQ(process(), farm) << "the farm itself stayed";
  EXPECT_THAT(farm_.Run("status").out, HasSubstr("no worker any more has ptxas"));
}

TEST_F(LocalFarmTest, AWorkerThatIsDrainedIsReplaced) {
  ASSERT_EQ(farm_.Run("targets").exit_code, 0);
  const auto workers = [&] { return farm_.Run("status --json").Json()["workers"]; };
  const std::string first = workers()[0]["id"];
  client::ConnectOptions options{.server = farm_.files().address()};
  const Result<client::Client> client = client::Client::Connect(options);
  ASSERT_TRUE(client);
  ASSERT_TRUE(client->Drain(first));
  EXPECT_EQ(farm_.Run("compile k.ptx -t compute_75 -o k.fatbin").exit_code, 0) << farm_.log();
  EXPECT_NE(workers()[0]["id"], first);
}

TEST_F(LocalFarmTest, AFailedStartShowsWhatTheFarmSaid) {
  // The store's folder is a file.
  ASSERT_TRUE(std::filesystem::create_directories(farm_.files().cache_folder));
  ASSERT_EQ(::symlink("/dev/null", farm_.files().store().c_str()), 0);
  const CliRan ran = farm_.Run("compile k.ptx -t compute_75 -o k.fatbin");
  EXPECT_EQ(ran.exit_code, 3);
  EXPECT_THAT(ran.err, HasSubstr("start the local farm"));
  EXPECT_THAT(ran.err, HasSubstr("  | ptxfarm-serve: ")) << ran.err;
  EXPECT_THAT(ran.err, HasSubstr(farm_.files().log()));
}

TEST_F(LocalFarmTest, WithoutAServeProgramItSaysWhereItLooked) {
  const std::string programs = farm_.In("bin");
  std::filesystem::create_directory(programs);
  std::filesystem::copy_file(ProgramPath("ptxfarm"), programs + "/ptxfarm");
  farm_.SetPrograms(programs + "/");
  const CliRan ran = farm_.Run("targets");
  EXPECT_EQ(ran.exit_code, 3);
  EXPECT_THAT(ran.err, HasSubstr("libexec/ptxfarm/ptxfarm-serve"));
}

TEST_F(LocalFarmTest, CtrlCCancelsAndLeavesNoOutput) {
  PTXFARM_NEED_TOOLKIT();
  farm_.Write("slow.ptx", SlowModule());
  farm_.Write("slow.cubin", "stale");
  const std::unique_ptr<Program> caller =
      Start({"compile", farm_.In("slow.ptx"), "-t", "sm_80", "-o", farm_.In("slow.cubin")});
  AwaitRunning();
  caller->Signal(SIGINT);
  EXPECT_EQ(caller->Wait(), 128 + SIGINT) << "as if nobody had caught it";
  EXPECT_FALSE(farm_.Exists("slow.cubin"));
  for (int i = 0; i < 3000; ++i)
    if (farm_.Run("status --json").Json()["queue"]["running_count"] == 0) return;
  FAIL() << "the compile goes on, though nobody waits for it";
}

}  // namespace
}  // namespace ptxfarm::test

// What goes wrong around the drop-in, and what nobody may notice of it.
#include <arpa/inet.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <filesystem>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/file.h"
#include "client/dropin/tier/local_tier.h"
#include "client/dropin/tier/trim.h"
#include "tests/client/cli_farm.h"
#include "tests/client/dropin/drop_in.h"
#include "tests/support/program.h"
#include "tests/support/toolkit.h"

namespace ptxfarm::test {
namespace {

namespace fs = std::filesystem;
using dropin::Counter;
using testing::HasSubstr;

// A server that lets connect and never says a word.
class SilentServer {
 public:
  SilentServer() : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof(address);
    ::bind(socket_, reinterpret_cast<sockaddr*>(&address), size);
    ::listen(socket_, 100);
    ::getsockname(socket_, reinterpret_cast<sockaddr*>(&address), &size);
    address_ = "127.0.0.1:" + std::to_string(ntohs(address.sin_port));
  }
  ~SilentServer() { ::close(socket_); }
  const std::string& address() const { return address_; }

 private:
  int socket_;
  std::string address_;
};

std::ptrdiff_t LinesOf(const std::string& text) { return std::ranges::count(text, '\n'); }

class BadDaysTest : public testing::Test {
 protected:
  void SetUp() override {
    PTXFARM_NEED_TOOLKIT();
    user_.Write("k.ptx", SmallModule());
    ASSERT_EQ(user_.RunDirect("ptxas k.ptx -o k.cubin").exit_code, 0);
  }

  void ExpectRight(const std::string& line = "ptxas k.ptx -o k.cubin") {
    const DropInRan ran = user_.Run(line);
    EXPECT_EQ(ran.exit_code, 0) << ran.err;
    EXPECT_TRUE(user_.Read("k.cubin") == user_.ReadDirect("k.cubin")) << line;
    user_.Run("rm -f k.cubin");
  }

  // Of the compile: the largest one.
  std::string RecordFile() const {
    std::string found;
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(user_.results()))
      if (entry.is_regular_file() && entry.path().parent_path().filename().string().size() == 2 &&
          (found.empty() || entry.file_size() > fs::file_size(found)))
        found = entry.path();
    return found;
  }

  DropIn user_;
};

// One line, once; the compile is done by the toolkit.
TEST_F(BadDaysTest, NoServerAndSilentServer) {
  const SilentServer silent;
  user_.SetEnvironment("PTXFARM_DROP_IN_FARM", "true");
  user_.SetEnvironment("PTXFARM_DROP_IN_CONNECT_TIMEOUT", "200ms");
  for (const std::string& server : {std::string("127.0.0.1:1"), silent.address()}) {
    user_.SetEnvironment("PTXFARM_SERVER", server);
    const DropInRan first = user_.Run("ptxas k.ptx -o k.cubin -O1");
    EXPECT_EQ(first.exit_code, 0);
    EXPECT_EQ(LinesOf(first.err), 1) << first.err;
    EXPECT_THAT(first.err, HasSubstr(server));
    const DropInRan second = user_.Run("ptxas k.ptx -o k.cubin -O2");
    EXPECT_EQ(second.exit_code, 0);
    EXPECT_EQ(second.err, "") << "said once";
    user_.Run("rm -rf " + user_.results());
  }
  EXPECT_EQ(user_
                .Run("PTXFARM_PTXAS=none PTXFARM_ATTEMPTS=1 PTXFARM_CONNECT_TIMEOUT=200ms ptxas "
                     "k.ptx -o no -O1 2>&1 | wc -l")
                .out,
            "1\n");
  EXPECT_EQ(user_.Read("no"), "(none)");
}

// A farm that refuses us is like none.
TEST_F(BadDaysTest, WrongToken) {
  user_.Write("tokens", "worker-token-0123456789 worker\nteam-token-0123456789 compile team\n");
  user_.Write("worker", "worker-token-0123456789\n");
  user_.Write("wrong", "nobody-token-0123456789\n");
  Program server({"ptxfarm-serve", "--listen", "localhost:0", "--http", "", "--store", "",
                  "--tokens", user_.work() + "/tokens", "--worker-token-file",
                  user_.work() + "/worker"});
  const std::optional<std::string> line = server.WaitForLine("server_listening address=localhost");
  ASSERT_TRUE(line && server.WaitForLine("farm_ready")) << server.output();
  const std::string address = line->substr(line->find("localhost:"));
  user_.SetEnvironment("PTXFARM_SERVER", address.substr(0, address.find_first_of(" \n")));
  user_.SetEnvironment("PTXFARM_TOKEN_FILE", user_.work() + "/wrong");
  user_.SetEnvironment("PTXFARM_DROP_IN_FARM", "true");
  const DropInRan ran = user_.Run("ptxas k.ptx -o k.cubin");
  EXPECT_EQ(ran.exit_code, 0);
  EXPECT_EQ(LinesOf(ran.err), 1) << ran.err;
  EXPECT_THAT(ran.err, HasSubstr("token"));
  EXPECT_TRUE(user_.Read("k.cubin") == user_.ReadDirect("k.cubin"));
  EXPECT_EQ(user_.Run("ptxas k.ptx -o k.cubin -O1").err, "") << "said once";
}

// A farm with another compiler, or with none, isn't sent each text in vain.
TEST_F(BadDaysTest, FarmWithoutThisCompilerIsAskedOnce) {
  user_.SetEnvironment("PTXFARM_DROP_IN_FARM", "true");
  // Of the same version, but of other bytes.
  ASSERT_EQ(
      user_.Run("mkdir mine && cp " + ToolkitTool("ptxas") + " mine/ptxas && echo >> mine/ptxas")
          .exit_code,
      0);
  user_.SetEnvironment("PTXFARM_PTXAS", user_.work() + "/mine/ptxas");
  Program server({"ptxfarm-serve", "--listen", "localhost:0", "--http", "", "--store", ""});
  const std::optional<std::string> line = server.WaitForLine("server_listening address=localhost");
  ASSERT_TRUE(line && server.WaitForLine("farm_ready")) << server.output();
  const std::string address = line->substr(line->find("localhost:"));
  user_.SetEnvironment("PTXFARM_SERVER", address.substr(0, address.find_first_of(" \n")));
  ExpectRight();
  EXPECT_EQ(user_.Count(Counter::kTool), 1u);
  // Who asks now would say that nobody answers.
  server.Signal(SIGKILL);
  server.Wait();
  EXPECT_EQ(user_.Run("ptxas k.ptx -o k.cubin -O1").err, "");
  EXPECT_EQ(user_.Count(Counter::kTool), 2u);
}

// The results' folder as a disk of its own: without room, and then without writing. What it has is
// served, what it can't take costs a compile, and nobody hears of it.
TEST_F(BadDaysTest, FullDiskAndReadOnlyDiskOfResults) {
  user_.Write("disk.sh",
              "mount -t tmpfs -o size=256k none " + user_.results() +
                  " || exit 99\n"
                  "ptxas k.ptx -o first.cubin || exit 1\n"
                  "dd if=/dev/zero of=" +
                  user_.results() +
                  "/filler bs=4k 2>/dev/null && exit 2\n"
                  "for try in 1 2; do ptxas k.ptx -o full.$try.cubin -O1 || exit 3; done\n"
                  "ptxas k.ptx -o hit.cubin || exit 4\n" +
                  ProgramPath("ptxfarm") +
                  " cache stats --json >stats || exit 4\n"
                  "mount -o remount,ro " +
                  user_.results() +
                  " || exit 99\n"
                  "ptxas k.ptx -o read.cubin || exit 5\n"
                  "ptxas k.ptx -o more.cubin -O1 || exit 6\n");
  const DropInRan ran =
      user_.Run("mkdir -p " + user_.results() + "; exec unshare -m -r sh disk.sh");
  if (ran.exit_code == 99 || ran.err.starts_with("unshare"))
    GTEST_SKIP() << "nothing may be mounted here: " << ran.err;
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_EQ(ran.err, "");
  ASSERT_EQ(user_.RunDirect("ptxas k.ptx -o less.cubin -O1").exit_code, 0);
  for (const char* const name : {"first.cubin", "hit.cubin", "read.cubin"})
    EXPECT_TRUE(user_.Read(name) == user_.ReadDirect("k.cubin")) << name;
  for (const char* const name : {"full.1.cubin", "full.2.cubin", "more.cubin"})
    EXPECT_TRUE(user_.Read(name) == user_.ReadDirect("less.cubin")) << name;
  // The full disk served what it had; for what it has no room for the toolkit was called directly.
  EXPECT_THAT(user_.Read("stats"), HasSubstr("\"hits\": 1"));
  EXPECT_THAT(user_.Read("stats"), HasSubstr("\"passed\": 2"));
}

TEST_F(BadDaysTest, ResultsFolderThatCannotBe) {
  user_.Write("file", "in the way");
  for (const std::string& folder : {user_.work() + "/file", user_.work() + "/file/below",
                                    std::string("/proc/no"), std::string("none")}) {
    user_.SetEnvironment("PTXFARM_LOCAL_RESULTS", folder);
    ExpectRight();
    ExpectRight();
  }
  user_.SetEnvironment("HOME", "");
  user_.SetEnvironment("XDG_CACHE_HOME", "");
  user_.SetEnvironment("PTXFARM_LOCAL_RESULTS", "");
  ExpectRight();
}

TEST_F(BadDaysTest, DamagedResultIsMadeAgain) {
  ExpectRight();
  const std::string file = RecordFile();
  ASSERT_NE(file, "");
  for (const u64 size : {fs::file_size(file) / 2, u64{0}}) {
    fs::resize_file(file, size);
    ExpectRight();
  }
  EXPECT_EQ(user_.Count(Counter::kDamaged), 2u);
  EXPECT_EQ(user_.Count(Counter::kTool), 3u);
  ExpectRight();
  EXPECT_EQ(user_.Count(Counter::kHit), 1u);
}

TEST_F(BadDaysTest, FullDisk) {
  // No file may grow: nothing is left under the name asked, or beside it.
  const DropInRan ran = user_.Run("ulimit -f 1; ptxas k.ptx -o k.cubin");
  EXPECT_NE(ran.exit_code, 0);
  EXPECT_EQ(user_.Run("ls | grep -c cubin").out, "0\n");
  ExpectRight();
  const DropInRan hit = user_.Run("ulimit -f 1; ptxas k.ptx -o k.cubin");
  EXPECT_EQ(hit.exit_code, 255);
  EXPECT_EQ(user_.Run("ls | grep -c cubin").out, "0\n");
}

TEST_F(BadDaysTest, FindsTheToolBehindItsOwnNames) {
  // A copy of ourselves, a wrapper that calls us again, and ourselves twice on the PATH.
  ASSERT_EQ(user_
                .Run("mkdir copy wrapper && cp $(readlink -f " + user_.bin() +
                     "/ptxas) copy/ptxas && printf '#!/bin/sh\\nexec " + user_.bin() +
                     "/ptxas \"$@\"\\n' >wrapper/ptxas && chmod +x wrapper/ptxas")
                .exit_code,
            0);
  ExpectRight("PATH=" + user_.work() + "/copy:$PATH ptxas k.ptx -o k.cubin");
  ExpectRight("PATH=" + user_.bin() + ":" + user_.work() + "/copy:$PATH ptxas k.ptx -o k.cubin");
  ExpectRight("PATH=" + user_.work() + "/wrapper:$PATH ptxas k.ptx -o k.cubin");
  ExpectRight("PATH=" + user_.bin() + ":" + user_.work() + "/wrapper:$PATH ptxas k.ptx -o k.cubin");
}

// As clusters put them on the PATH. What a script does beside its one exec isn't known, so nothing
// is kept of what it makes.
TEST_F(BadDaysTest, ScriptThatExecutesTheToolIsTheTool) {
  const auto write_script = [&](const std::string& tool, const std::string& words) {
    user_.Run(
        fmt::format("mkdir -p script && printf '#!/bin/sh\\nexec {} {}\\n' >script/ptxas && "
                    "chmod +x script/ptxas",
                    tool, words));
  };
  const std::string line =
      "PATH=" + user_.bin() + ":" + user_.work() + "/script:$PATH ptxas k.ptx -o k.cubin";
  ExpectRight();
  write_script(ToolkitTool("ptxas"), "\"$@\"");
  ExpectRight(line);
  EXPECT_EQ(user_.Count(Counter::kHit), 1u);
  // Another tool behind the same script, and the script's own loop.
  ASSERT_EQ(user_.Run("cp " + ToolkitTool("ptxas") + " other && printf x >>other").exit_code, 0);
  write_script(user_.work() + "/other", "\"$@\"");
  ExpectRight(line);
  ExpectRight(line);
  EXPECT_EQ(user_.Count(Counter::kTool), 2u);
  EXPECT_EQ(user_.Count(Counter::kHit), 2u);
  write_script(user_.work() + "/script/ptxas", "\"$@\"");
  ExpectRight(line);
  EXPECT_EQ(user_.Count(Counter::kHit), 3u);
  write_script("env THING=1 " + ToolkitTool("ptxas"), "\"$@\"");
  ExpectRight(line);
  EXPECT_EQ(user_.Count(Counter::kPassed), 1u);
}

TEST_F(BadDaysTest, AnotherToolIsAnotherResult) {
  // Two toolkits; one is swapped in place, its times set back.
  ASSERT_EQ(
      user_.Run("mkdir one && cp " + ToolkitTool("ptxas") + " one/ptxas && printf x >>one/ptxas")
          .exit_code,
      0);
  const std::string with_one = "PATH=" + user_.bin() + ":" + user_.work() + "/one:$PATH ";
  ExpectRight();
  ExpectRight(with_one + "ptxas k.ptx -o k.cubin");
  EXPECT_EQ(user_.Count(Counter::kTool), 2u);
  user_.Run(
      "touch -r one/ptxas stamp; size=$(stat -c %s one/ptxas); truncate -s -1 one/ptxas; printf "
      "y >>one/ptxas; touch -r stamp one/ptxas");
  ExpectRight(with_one + "ptxas k.ptx -o k.cubin");
  EXPECT_EQ(user_.Count(Counter::kTool), 3u);
  ExpectRight();
  EXPECT_EQ(user_.Count(Counter::kHit), 1u);
}

TEST_F(BadDaysTest, OutputKeepsItsLinkAndMode) {
  user_.Run("mkdir real; touch real/k; chmod 640 real/k; ln -s real/k k.cubin");
  EXPECT_EQ(user_.Run("ptxas k.ptx -o k.cubin; stat -c %a real/k; readlink k.cubin").out,
            "640\nreal/k\n");
  EXPECT_TRUE(user_.Read("real/k") == user_.ReadDirect("k.cubin"));
}

TEST_F(BadDaysTest, CrashOfTheToolIsACrash) {
  // What stands for a ptxas that crashes is a program, as scripts aren't kept.
  user_.Write("crash.c", "int main(void) { __builtin_trap(); }\n");
  ASSERT_EQ(user_.Run("mkdir crash && gcc crash.c -o crash/ptxas").exit_code, 0);
  const std::string line = "ptxas k.ptx -o k.cubin";
  const DropInRan ran = user_.Run("PATH=" + user_.bin() + ":" + user_.work() +
                                  "/crash:$PATH; export PATH; exec " + line);
  EXPECT_EQ(ran.exit_code, 128 + 4);
  EXPECT_EQ(user_.Read("k.cubin"), "(none)");
}

TEST_F(BadDaysTest, CacheCommand) {
  ExpectRight();
  ExpectRight();
  const std::string cache = ProgramPath("ptxfarm") + " cache ";
  EXPECT_THAT(user_.Run(cache + "stats").out, HasSubstr("results, "));
  EXPECT_THAT(user_.Run(cache + "stats --json").out, HasSubstr("\"hits\": 1"));
  EXPECT_EQ(user_.Run(cache + "verify").exit_code, 0);
  EXPECT_THAT(user_.Run(cache + "recall 1.2.3").out, HasSubstr(" 0 of that compiler removed"));
  const std::string version = "$(ptxas --version | sed -n 's/.*, V\\([0-9.]*\\).*/\\1/p')";
  EXPECT_THAT(user_.Run(cache + "recall " + version).out, HasSubstr("2 of that compiler removed"));
  ExpectRight();
  EXPECT_EQ(user_.Count(Counter::kTool), 2u);
  fs::resize_file(RecordFile(), 10);
  EXPECT_THAT(user_.Run(cache + "verify").out, HasSubstr("1 damaged ones removed"));
  EXPECT_EQ(user_.Run(cache + "clear").exit_code, 0);
  EXPECT_EQ(dropin::UseOf(dropin::LocalTier(user_.results())).results, 0u);
}

// 200 processes over 20 inputs at once, some of them killed.
TEST_F(BadDaysTest, ManyProcessesCompileEachInputOnce) {
  for (int i = 0; i < 20; ++i)
    user_.Write("m" + std::to_string(i) + ".ptx", SmallModule("entry" + std::to_string(i)));
  ASSERT_EQ(user_.RunDirect("for i in $(seq 0 19); do ptxas m$i.ptx -o m$i.cubin || exit 1; done")
                .exit_code,
            0);
  const std::string all =
      "for n in $(seq 0 199); do i=$((n % 20)); ptxas m$i.ptx -o out.$n.cubin & pids=\"$pids "
      "$!\"; ";
  const std::string check =
      "; for n in $(seq 0 199); do i=$((n % 20)); f=out.$n.cubin; "
      "if [ -e $f ]; then cmp -s $f ../direct/m$i.cubin || echo wrong $f; else echo none $f; fi; "
      "done";
  const DropInRan ran = user_.Run(all + "done; wait" + check);
  EXPECT_EQ(ran.out, "");
  EXPECT_EQ(ran.err, "");
  EXPECT_EQ(user_.Count(Counter::kTool), 20u);
  EXPECT_EQ(
      user_.Count(Counter::kTool) + user_.Count(Counter::kHit) + user_.Count(Counter::kJoined),
      200u);
  // Again from nothing, every third one killed somewhere on its way: what is there is right.
  user_.Run("rm -f out.*; rm -rf " + user_.results());
  const DropInRan killed = user_.Run(all +
                                     "if [ $((n % 3)) = 0 ]; then kill -9 $(echo $pids | tr ' ' "
                                     "'\\n' | shuf -n 1) 2>/dev/null; fi; "
                                     "done; wait" +
                                     check +
                                     " | grep wrong; for n in $(seq 0 19); do ptxas m$n.ptx -o "
                                     "last.$n.cubin; cmp last.$n.cubin ../direct/m$n.cubin; done");
  EXPECT_EQ(killed.out, "");
  EXPECT_EQ(user_.Run("ls | grep -c '^last.*cubin$'").out, "20\n");
}

}  // namespace
}  // namespace ptxfarm::test

// Situations from the field, as users meet them: what was once reported of some compiler, cache or
// build, and what is right here.
#include <signal.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>
#include <set>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/client/cli_farm.h"
#include "tests/support/program.h"
#include "tests/support/toolkit.h"

namespace ptxfarm::test {
namespace {

using nlohmann::json;
using testing::HasSubstr;

class CliCasesTest : public testing::Test {
 protected:
  void SetUp() override {
    PTXFARM_NEED_TOOLKIT();
    farm_.Write("k.ptx", SmallModule());
  }

  std::unique_ptr<Program> Start(std::vector<std::string> words) const {
    words.insert(words.begin(), "ptxfarm");
    return std::make_unique<Program>(words, farm_.environment());
  }

  // The first result of a compile, with the options of a compiler.
  json Compile(const std::string& target, const std::string& options = "") const {
    const CliRan ran = farm_.Run(
        fmt::format("compile k.ptx -t {} --emit cubin -o out/ --json -- {}", target, options));
    EXPECT_EQ(ran.exit_code, 0) << target << options << ran.out;
    return ran.Json()["modules"][0]["results"][0];
  }

  // The ELF type of an output.
  u16 ElfType(const std::string& file) const {
    const std::string bytes = farm_.Read(file);
    u16 type = 0;
    if (bytes.size() > 18) std::memcpy(&type, bytes.data() + 16, 2);
    return type;
  }

  // A compiler that runs under the farm, or -1 once the farm has nothing to do.
  pid_t AwaitCompiler() const {
    const pid_t farm = static_cast<pid_t>(farm_.farm() ? farm_.farm()->process : -1);
    for (int i = 0; i < 100'000; ++i) {
      const std::string children = fmt::format("/proc/{0}/task", farm);
      std::error_code gone;
      for (const auto& task : std::filesystem::directory_iterator(children, gone)) {
        std::ifstream list(task.path() / "children");
        for (pid_t child = 0; list >> child;) {
          std::string name;
          std::getline(std::ifstream(fmt::format("/proc/{}/comm", child)), name);
          if (name == "ptxas") return child;
        }
      }
    }
    return -1;
  }

  CliFarm farm_;
};

TEST_F(CliCasesTest, NamesThatAreNoGpuAreNeverAnEmptySuccess) {
  struct Case {
    const char* target;
    const char* message;
  };
  const Case cases[] = {
      {"compute_80", "give no cubin"},
      {"lto_80", "ask for sm_80 or compute_80"},
      {"sm_70", "CUDA 12"},
      {"sm_101", "sm_110"},
      {"sm_130", "sm_130"},
      {"SM_80", "sm_80"},
      {"sm80", "sm_80"},
      {"80", "sm_80"},
      {"sm_8.0", "sm_8.0"},
      {"sm_80a", "sm_80a"},
      {"''", "target"},
      {"sm_80,,sm_90", "empty"},
  };
  for (const Case& one : cases) {
    const CliRan ran =
        farm_.Run(fmt::format("compile k.ptx -t {} --emit cubin -o k.cubin", one.target));
    EXPECT_EQ(ran.exit_code, 2) << one.target << ran.err;
    EXPECT_THAT(ran.err, HasSubstr(one.message)) << one.target;
    EXPECT_FALSE(farm_.Exists("k.cubin")) << one.target;
  }
}

TEST_F(CliCasesTest, AKeyCoversTargetAndOptionsAndNothingThatOnlyReports) {
  std::set<std::string> cubins;
  std::size_t compiles = 0;
  for (const char* target : {"sm_80", "sm_86", "sm_90", "sm_90a", "sm_100", "sm_100f", "sm_100a"}) {
    EXPECT_EQ(Compile(target)["served"], "miss") << target;
    cubins.insert(farm_.Read(fmt::format("out/k.{}.cubin", target)));
    ++compiles;
  }
  for (const char* options : {"-O0", "-O1", "-O2", "-fmad=false", "-lineinfo", "-c",
                              "-maxrregcount=32", "-regUsageLevel=0"}) {
    EXPECT_EQ(Compile("sm_80", options)["served"], "miss") << options;
    cubins.insert(farm_.Read("out/k.sm_80.cubin"));
    ++compiles;
  }
  EXPECT_EQ(cubins.size(), compiles) << "each is another object";
  Compile("sm_80");
  const std::string plain = farm_.Read("out/k.sm_80.cubin");
  for (const char* options :
       {"-v", "-w", "-warn-spills", "-O3", "-fmad true", "-split-compile=2"}) {
    EXPECT_EQ(Compile("sm_80", options)["served"], "hit") << options;
    EXPECT_EQ(farm_.Read("out/k.sm_80.cubin"), plain) << options;
  }
}

TEST_F(CliCasesTest, AnObjectSaysWhatKindItIs) {
  struct Case {
    const char* options;
    const char* kind;
    u16 elf_type;
  };
  std::set<std::string> actions;
  for (const Case& one : {Case{"", "executable", 2}, Case{"-c", "relocatable", 1},
                          Case{"-ewp", "extensible", 65280}}) {
    const json result = Compile("sm_80", one.options);
    EXPECT_EQ(result["object_kind"], one.kind);
    EXPECT_EQ(ElfType("out/k.sm_80.cubin"), one.elf_type);
    actions.insert(result["action_sha256"]);
  }
  EXPECT_EQ(actions.size(), 3u);
}

TEST_F(CliCasesTest, LongNamesAndLinesAreTakenAndShownShort) {
  std::string name = "_ZN4core6kernelI";
  while (name.size() < 100'000) name += "Lj17ENS_3TagE";
  farm_.Write("name.ptx", SmallModule(name));
  std::string body =
      ".version 7.0\n.target sm_75\n.address_size 64\n.visible .entry k(.param .u64 p) { .reg .b64 "
      "%q; .reg .b32 %r; ld.param.u64 %q, [p]; mov.u32 %r, 0;";
  for (int i = 0; i < 10'000; ++i) body += fmt::format(" add.u32 %r, %r, {};", i);
  farm_.Write("line.ptx", body + " st.global.u32 [%q], %r; ret; }\n");
  farm_.Write("bad.ptx", body + " st.global.q32 [%q], %r; ret; }\n");
  const CliRan ran = farm_.Run("compile name.ptx line.ptx bad.ptx -t sm_80 -o out/ --color always");
  EXPECT_EQ(ran.exit_code, 1) << ran.err.substr(0, 2000);
  EXPECT_TRUE(farm_.Exists("out/name.sm_80.cubin"));
  EXPECT_TRUE(farm_.Exists("out/line.sm_80.cubin"));
  EXPECT_LT(ran.err.size(), 4000u);
  const json bad = farm_.Run("compile bad.ptx -t sm_80 -o out/ --json").Json();
  const json diagnostic = bad["modules"][0]["diagnostics"][0];
  EXPECT_EQ(diagnostic["line"], 4);
  EXPECT_GT(diagnostic["column"], 200'000) << diagnostic;
}

TEST_F(CliCasesTest, ACompilerKilledUnderManyWaitersLeavesNoneHanging) {
  farm_.Write("slow.ptx", SlowModule());
  ASSERT_EQ(farm_.Run("targets").exit_code, 0);
  std::vector<std::unique_ptr<Program>> callers;
  for (int i = 0; i < 6; ++i)
    callers.push_back(Start({"compile", farm_.In("slow.ptx"), "-t", "sm_80", "-o",
                             farm_.In(fmt::format("slow{}.cubin", i))}));
  const pid_t compiler = AwaitCompiler();
  ASSERT_GT(compiler, 0);
  ASSERT_EQ(::kill(compiler, SIGKILL), 0);
  int failed = 0;
  for (int i = 0; i < 6; ++i) {
    const int code = callers[i]->Wait();
    const bool is_there = farm_.Exists(fmt::format("slow{}.cubin", i));
    EXPECT_EQ(code == 0, is_there) << callers[i]->output();
    if (code == 0) continue;
    ++failed;
    EXPECT_EQ(code, 3) << callers[i]->output();
    EXPECT_THAT(callers[i]->output(), HasSubstr("killed from outside"));
  }
  EXPECT_GT(failed, 0);
  // No verdict on the input was kept.
  EXPECT_EQ(farm_.Run("compile slow.ptx -t sm_80 -o again.cubin").exit_code, 0);
}

TEST_F(CliCasesTest, ALimitOfTimeIsNoVerdictOnTheInput) {
  farm_.Write("slow.ptx", SlowModule());
  const CliRan limited = farm_.Run("compile slow.ptx -t sm_80 -o slow.cubin --time-limit 100ms");
  EXPECT_EQ(limited.exit_code, 3);
  EXPECT_THAT(limited.err, HasSubstr("one compile may take 0.1 s"));
  EXPECT_FALSE(farm_.Exists("slow.cubin"));
  EXPECT_EQ(farm_.Run("compile slow.ptx -t sm_80 -o slow.cubin").exit_code, 0);
}

TEST_F(CliCasesTest, AFullScratchFolderIsTheWorkersFault) {
  const std::string scratch = farm_.In("scratch");
  ASSERT_EQ(::mkdir(scratch.c_str(), 0700), 0);
  if (::mount("tmpfs", scratch.c_str(), "tmpfs", 0, "size=256k") != 0)
    GTEST_SKIP() << "may not mount a file system here";
  farm_.SetEnvironment("PTXFARM_SCRATCH", scratch);
  EXPECT_EQ(farm_.Run("compile k.ptx -t sm_80 -o k.cubin").exit_code, 0) << farm_.log();
  farm_.Write("l.ptx", SmallModule("l"));
  // ptxas itself would write an empty object here, and say that all is well.
  RunShell(fmt::format("dd if=/dev/zero of={}/filler bs=1k", scratch));
  const CliRan full = farm_.Run("compile l.ptx -t sm_80 -o l.cubin");
  ::unlink((scratch + "/filler").c_str());
  const CliRan again = farm_.Run("compile l.ptx -t sm_80 -o l.cubin");
  farm_.Run("stop");
  ::umount(scratch.c_str());
  EXPECT_EQ(full.exit_code, 3) << full.out;
  EXPECT_THAT(full.err, HasSubstr("scratch folder is full"));
  EXPECT_EQ(again.exit_code, 0) << again.err;
}

TEST_F(CliCasesTest, ReadersOfAnOutputSeeAWholeOneWhoeverWrites) {
  ASSERT_EQ(farm_.Run("compile k.ptx -t sm_80 -o shared.cubin").exit_code, 0);
  const std::string whole = farm_.Read("shared.cubin");
  std::atomic<bool> done = false;
  std::set<std::string> seen;
  std::thread reader([&] {
    while (!done) seen.insert(farm_.Read("shared.cubin"));
  });
  std::vector<std::unique_ptr<Program>> writers;
  for (int i = 0; i < 8; ++i)
    writers.push_back(
        Start({"compile", farm_.In("k.ptx"), "-t", "sm_80", "-o", farm_.In("shared.cubin")}));
  for (const std::unique_ptr<Program>& writer : writers)
    EXPECT_EQ(writer->Wait(), 0) << writer->output();
  done = true;
  reader.join();
  EXPECT_EQ(seen, std::set<std::string>{whole});
  for (const auto& file : std::filesystem::directory_iterator(farm_.work()))
    EXPECT_EQ(file.path().string().find(".tmp"), std::string::npos) << file.path();
}

// What ptxas says without a line, or with the wrong one.
TEST_F(CliCasesTest, FaultsHaveTheirPlacesAndNumbers) {
  const std::string head = ".version 8.8\n.target sm_80\n.address_size 64\n";
  struct Case {
    const char* text;
    const char* options;
    const char* kind;
    int line;
    int related_line;
    u64 asked, allowed;
  };
  // Comments before: the lines are the user's, not those of what is compiled.
  const Case cases[] = {
      {"// c\n// c\n.visible .entry big()\n{\n  .shared .b8 tile[65536];\n  .reg .b32 %r;\n  "
       "mov.b32 "
       "%r, tile;\n  st.shared.b32 [tile], %r;\n  ret;\n}\n",
       "", "shared-too-large", 6, 8, 65536, 49152},
      {"// c\n.const .align 4 .b8 region[65536];\n.const .align 8 .b8 extra[24];\n.visible .entry "
       "k(.param .u64 p)\n{\n .reg .b32 %r<3>; .reg .b64 %q; ld.param.u64 %q, [p]; ld.const.b32 "
       "%r1, [region+8]; ld.const.b32 %r2, [extra]; st.global.b32 [%q], %r1; st.global.b32 "
       "[%q+4], %r2; ret;\n}\n",
       "", "constant-too-large", 5, 5, 65560, 65536},
      {"// c\n.extern .func far();\n.visible .entry k()\n{\n\n  call.uni far;\n  ret;\n}\n", "",
       "unresolved", 5, 9, 0, 0},
      {"// c\n.visible .entry k()\n{\n\n  .pragma \"enable_smem_spilling\";\n  ret;\n}\n", "-c",
       "bad-pragma", 8, 0, 0, 0},
      {"// c\n.file 1 \"a.cu\"\n.visible .entry k() { ret; }\n\n.file 1 \"b.cu\"\n", "",
       "bad-debug", 8, 5, 0, 0},
  };
  for (const Case& one : cases) {
    farm_.Write("bad.ptx", head + one.text);
    const CliRan ran =
        farm_.Run(fmt::format("compile bad.ptx -t sm_80 -o bad.cubin --json -- {}", one.options));
    EXPECT_EQ(ran.exit_code, 1) << ran.out;
    const json diagnostic = ran.Json()["modules"][0]["diagnostics"][0];
    EXPECT_EQ(diagnostic["kind"], one.kind) << diagnostic;
    EXPECT_EQ(diagnostic["line"], one.line) << diagnostic;
    EXPECT_EQ(diagnostic["asked"], one.asked) << diagnostic;
    EXPECT_EQ(diagnostic["allowed"], one.allowed) << diagnostic;
    if (one.related_line != 0) {
      EXPECT_EQ(diagnostic["related"][0]["line"], one.related_line) << diagnostic;
    }
  }
}

TEST_F(CliCasesTest, DebugInTheTargetIsSaidToCostOptimization) {
  std::string text = SmallModule() + ".section .debug_abbrev\n{\n.b8 0\n}\n";
  text.replace(text.find("sm_75"), 5, "sm_75, debug");
  farm_.Write("k.ptx", text);
  const CliRan warned = farm_.Run("compile k.ptx -t sm_80 -o k.cubin");
  EXPECT_EQ(warned.exit_code, 0);
  EXPECT_THAT(warned.err, HasSubstr("k.ptx:2:9: warning: the module's .target says 'debug'"));
  const CliRan hit = farm_.Run("compile k.ptx -t sm_80 -o k.cubin");
  EXPECT_THAT(hit.out, HasSubstr("hit"));
  EXPECT_EQ(hit.err, warned.err) << "also from the store";
  const CliRan asked = farm_.Run("compile k.ptx -t sm_80 -o k.cubin -- -O0");
  EXPECT_EQ(asked.exit_code, 0);
  EXPECT_EQ(asked.err.find("optimized"), std::string::npos) << asked.err;
  EXPECT_EQ(farm_.Run("compile k.ptx -t sm_80 -o k.cubin -- -O3").exit_code, 1);
}

TEST_F(CliCasesTest, TheCauseIsSaidBeforeWhatComesOfIt) {
  farm_.Write("bad.ptx", ".version 8.0\n.target sm_90\n.address_size 64\n.entry k() { ret; }\n");
  const CliRan ran = farm_.Run("compile bad.ptx -t sm_80,sm_90 -o out/");
  EXPECT_EQ(ran.exit_code, 1);
  const std::size_t cause = ran.err.find("sm_90"), effect = ran.err.find("no fat binary is made");
  ASSERT_NE(effect, std::string::npos) << ran.err;
  EXPECT_LT(cause, effect) << ran.err;
}

}  // namespace
}  // namespace ptxfarm::test

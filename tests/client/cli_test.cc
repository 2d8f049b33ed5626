// `ptxfarm` as people and build systems use it: real processes, a real local farm, real files.
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/client/cli_farm.h"
#include "tests/support/toolkit.h"

namespace ptxfarm::test {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr char kWrongModule[] =
    ".version 7.0\n.target sm_75\n.address_size 64\n.visible .entry k()\n{\n  bogus;\n  ret;\n}\n";

class CliTest : public testing::Test {
 protected:
  void SetUp() override { farm_.Write("k.ptx", SmallModule()); }

  CliFarm farm_;
};

TEST_F(CliTest, CompilesThenHits) {
  PTXFARM_NEED_TOOLKIT();
  const CliRan first = farm_.Run("compile k.ptx -t sm_80,sm_90a,compute_75 -o out --json");
  ASSERT_EQ(first.exit_code, 0) << first.out << first.err;
  nlohmann::json results = first.Json()["modules"][0]["results"];
  ASSERT_EQ(results.size(), 4u);
  EXPECT_EQ(results[0]["served"], "miss");
  EXPECT_EQ(results[0]["kernels"][0]["name"], "k");
  EXPECT_EQ(results[0]["file"], "out/k.sm_80.cubin");
  EXPECT_EQ(results[3]["target"], "fatbin");
  const std::string cubin = farm_.Read("out/k.sm_80.cubin");
  EXPECT_EQ(results[0]["size_bytes"], cubin.size());
  EXPECT_TRUE(farm_.Exists("out/k.sm_90a.cubin"));
  EXPECT_TRUE(farm_.Exists("out/k.fatbin"));

  // Another form of the same module.
  farm_.Write("k.ptx", "// a comment\n" + SmallModule());
  const CliRan second = farm_.Run("compile k.ptx -t sm_80,sm_90a,compute_75 -o out --json");
  ASSERT_EQ(second.exit_code, 0);
  results = second.Json()["modules"][0]["results"];
  EXPECT_EQ(results[0]["served"], "hit");
  EXPECT_EQ(results[1]["served"], "hit");
  EXPECT_EQ(farm_.Read("out/k.sm_80.cubin"), cubin);
}

TEST_F(CliTest, CubinsAreThoseOfADirectCall) {
  PTXFARM_NEED_TOOLKIT();
  ASSERT_EQ(farm_.Run("compile k.ptx -t sm_90 -o k.cubin -- -O1 --maxrregcount 32").exit_code, 0);
  const Ran direct =
      RunShell(fmt::format("cd {} && {} -arch sm_90 -O1 --maxrregcount 32 k.ptx -o direct.cubin",
                           farm_.work(), ToolkitTool("ptxas")));
  ASSERT_EQ(direct.exit_code, 0) << direct.output;
  // The note in a cubin quotes the options in their order: all else is compared in tests/worker.
  EXPECT_EQ(farm_.Read("k.cubin").size(), farm_.Read("direct.cubin").size());
}

TEST_F(CliTest, PtxMembersNeedNoToolkit) {
  const CliRan ran = farm_.Run("compile k.ptx -t compute_75 --emit fatbin,ptx -o out/");
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_THAT(farm_.Read("out/k.compute_75.ptx"), HasSubstr("st.global.u32"));
  const CliRan list = farm_.Run("fatbin list out/k.fatbin --json");
  EXPECT_EQ(list.Json()["files"][0]["members"][0]["target"], "compute_75");
}

TEST_F(CliTest, ReadsAndWritesPipes) {
  const CliRan piped = farm_.RunPiped("cat k.ptx", "compile - -t compute_75 -o -");
  ASSERT_EQ(piped.exit_code, 0) << piped.err;
  ASSERT_EQ(farm_.Run("compile k.ptx -t compute_75 -o k.fatbin").exit_code, 0);
  EXPECT_EQ(piped.out, farm_.Read("k.fatbin"));
  EXPECT_THAT(piped.err, HasSubstr("stdin compute_75")) << "the report went elsewhere";
}

TEST_F(CliTest, AWrongModuleIsShownWithItsPlaceAndHarmsNoOther) {
  farm_.Write("bad.ptx", kWrongModule);
  farm_.Write("out.txt", "");
  ASSERT_EQ(farm_.Run("compile k.ptx -t compute_75 -o out/").exit_code, 0);
  ASSERT_EQ(::link(farm_.In("out/k.fatbin").c_str(), farm_.In("out/bad.fatbin").c_str()), 0);
  const CliRan ran =
      farm_.Run("compile bad.ptx k.ptx -t compute_75,sm_80 --emit fatbin,cubin -o out/");
  EXPECT_TRUE(ran.exit_code == 1 || !ToolkitRoot()) << ran.exit_code << ran.err;
  if (ToolkitRoot()) {
    EXPECT_THAT(ran.err, HasSubstr("bad.ptx:6:3: error: ")) << ran.err;
    EXPECT_TRUE(farm_.Exists("out/k.sm_80.cubin"));
  }
  EXPECT_FALSE(farm_.Exists("out/bad.fatbin")) << "a stale output stayed";
  EXPECT_FALSE(farm_.Exists("out/bad.sm_80.cubin"));
}

TEST_F(CliTest, WhatIsNoPtxIsSaidSo) {
  farm_.Write("empty.ptx", "");
  farm_.Write("elf.ptx", std::string("\x7f"
                                     "ELF\x02\x01\x01",
                                     7) +
                             std::string(100, '\0'));
  const CliRan ran = farm_.Run("compile empty.ptx elf.ptx k.ptx -t compute_75 -o out/ --json");
  EXPECT_EQ(ran.exit_code, 1);
  const nlohmann::json json = ran.Json();
  EXPECT_EQ(json["modules"][0]["exit_code"], 1) << ran.out;
  EXPECT_EQ(json["modules"][1]["exit_code"], 1) << ran.out;
  EXPECT_EQ(json["modules"][2]["exit_code"], 0) << ran.out;
}

struct UsageCase {
  const char* words;
  const char* message;
};

TEST_F(CliTest, UsageIsJudgedBeforeAnythingRuns) {
  ASSERT_EQ(::mkdir(farm_.In("a").c_str(), 0755), 0);
  farm_.Write("a/k.ptx", "");
  const UsageCase cases[] = {
      {"compile k.ptx", "name targets"},
      {"compile k.ptx -t sm_9", "sm_9"},
      {"compile k.ptx -t sm_80a", "sm_80a"},
      {"compile k.ptx -t sm_70", "sm_70"},
      {"compile k.ptx -t lto_90", "ask for sm_90 or compute_90"},
      {"compile -t sm_80", "FILE is missing"},
      {"compile k.ptx -t sm_80 -- --no-such-option", "no-such-option"},
      {"compile k.ptx -t sm_80 -X -o", "-o"},
      {"compile k.ptx k.ptx -t sm_80", "given twice"},
      {"compile k.ptx a/k.ptx -t sm_80", "would both write k.*"},
      {"compile k.ptx -t compute_80 --emit cubin", "give no cubin"},
      {"compile k.ptx -t sm_80,sm_90 -o k.cubin", "names one file"},
      {"compile k.ptx -t sm_80 -o k.ptx", "give PTX"},
      {"compile k.ptx -t sm_80 --emit fatbin -o ./k.ptx", "is the input k.ptx"},
      {"compile k.ptx -t sm_80 --emit nothing", "nothing"},
      {"compile k.ptx -t sm_80 --time-limit 10", "unit"},
      {"compile k.ptx -t sm_80 --server nonsense", "no server address"},
      {"compile k.ptx -t sm_80 --server farm.example.com:1", "not be encrypted"},
      {"complie k.ptx", "compile"},
      {"fatbin create k.ptx -o x", "compute_90="},
      {"completion tcsh", "bash, zsh or fish"},
  };
  for (const UsageCase& one : cases) {
    const CliRan ran = farm_.Run(one.words);
    const bool is_input = std::string_view(one.words).starts_with("fatbin create");
    EXPECT_EQ(ran.exit_code, is_input ? 1 : 2) << one.words << "\n" << ran.out << ran.err;
    EXPECT_THAT(ran.out + ran.err, HasSubstr(one.message)) << one.words;
  }
  EXPECT_FALSE(farm_.farm()) << "a farm was started for nothing";
}

TEST_F(CliTest, AFileWithoutGpuCodeIsSaidSo) {
  ASSERT_EQ(farm_.Run("compile k.ptx -t compute_75 -o k.fatbin").exit_code, 0);
  const CliRan ran = farm_.Run("fatbin list /bin/true k.fatbin");
  EXPECT_EQ(ran.exit_code, 1);
  EXPECT_THAT(ran.err, HasSubstr("error: /bin/true: there is no GPU code in it"));
  EXPECT_THAT(ran.out, HasSubstr("compute_75"));
  const CliRan json = farm_.Run("fatbin list /bin/true --json");
  EXPECT_EQ(json.exit_code, 1);
  EXPECT_EQ(json.Json()["exit_code"], 1);
}

TEST_F(CliTest, FilesThatCannotBeReadLeaveTheOthersAlone) {
  const CliRan ran = farm_.Run("compile nothing.ptx . k.ptx -t compute_75 -o out/");
  EXPECT_EQ(ran.exit_code, 4);
  EXPECT_THAT(ran.err,
              HasSubstr("nothing.ptx: error: open nothing.ptx: No such file or directory"));
  EXPECT_THAT(ran.err, HasSubstr("is a folder"));
  EXPECT_TRUE(farm_.Exists("out/k.fatbin"));
}

TEST_F(CliTest, SaysThatTheDiskIsFull) {
  const CliRan device = farm_.Run("compile k.ptx -t compute_75 -o /dev/full");
  EXPECT_EQ(device.exit_code, 4);
  EXPECT_THAT(device.err, HasSubstr("No space left on device"));
  EXPECT_EQ(farm_.RunPiped("true", "targets --help > /dev/full; echo $?").out, "1\n");

  ASSERT_EQ(::mkdir(farm_.In("small").c_str(), 0755), 0);
  if (::mount("tmpfs", farm_.In("small").c_str(), "tmpfs", 0, "size=4k") != 0)
    GTEST_SKIP() << "may not mount a file system here";
  std::string large = SmallModule();
  for (int i = 0; i < 2000; ++i)
    large += fmt::format(".global .align 4 .u32 v{}_{} = {};\n", i, i * 7919, i * 104729);
  farm_.Write("large.ptx", large);
  const CliRan ran = farm_.Run("compile large.ptx -t compute_75 -o small/ ");
  const Ran left = RunShell("ls -A " + farm_.In("small"));
  ::umount(farm_.In("small").c_str());
  EXPECT_EQ(ran.exit_code, 4) << ran.err << left.output;
  EXPECT_THAT(ran.err, HasSubstr("No space left on device"));
  EXPECT_EQ(left.output, "");
}

TEST_F(CliTest, WithoutAServerItSaysSoOnce) {
  farm_.Write("l.ptx", SmallModule("l"));
  farm_.Write("out.fatbin", "stale");
  const CliRan ran = farm_.Run(
      "compile k.ptx l.ptx -t compute_75 -j 1 --server unix:/nowhere/farm.sock --attempts 2");
  EXPECT_EQ(ran.exit_code, 3);
  EXPECT_THAT(ran.err, HasSubstr("no server listens there"));
  EXPECT_THAT(ran.err, HasSubstr("l.ptx: error: not compiled, for the reason above"));
  farm_.SetEnvironment("PTXFARM_SERVER", "unix:/elsewhere/farm.sock");
  EXPECT_THAT(farm_.Run("status --attempts 1").err, HasSubstr("/elsewhere/farm.sock"));
  EXPECT_EQ(farm_.Run("stop").exit_code, 2);
}

TEST_F(CliTest, ChecksWithoutAFarm) {
  const CliRan right = farm_.Run("check k.ptx -t sm_80");
  EXPECT_EQ(right.exit_code, 0) << right.err;
  EXPECT_THAT(right.out, HasSubstr("k.ptx: accepted"));

  farm_.Write("wrong.ptx", kWrongModule);
  const CliRan wrong = farm_.Run("check k.ptx wrong.ptx");
  EXPECT_EQ(wrong.exit_code, 1);
  EXPECT_THAT(wrong.err, HasSubstr("wrong.ptx:6:3: error: "));
  EXPECT_THAT(wrong.err, HasSubstr("bogus"));
  EXPECT_THAT(wrong.out, HasSubstr("k.ptx: accepted")) << "one wrong file doesn't hide the others";

  const nlohmann::json document = farm_.Run("check wrong.ptx k.ptx --json").Json();
  EXPECT_EQ(document["modules"][0]["is_accepted"], false);
  EXPECT_EQ(document["modules"][0]["diagnostics"][0]["line"], 6);
  EXPECT_EQ(document["modules"][1]["is_accepted"], true);
  EXPECT_FALSE(document["modules"][1]["needs"]["targets"].empty());

  farm_.Write("late.ptx", ".version 7.0\n.target sm_80\n.entry k() { ret; }\n");
  EXPECT_EQ(farm_.Run("check late.ptx -t sm_75").exit_code, 1) << "the module's .target is later";
  EXPECT_EQ(farm_.Run("check k.ptx -t sm_7O").exit_code, 2);
  EXPECT_EQ(farm_.Run("check nothing.ptx").exit_code, 2) << "it could not look";
  EXPECT_EQ(farm_.Run("check nothing.ptx wrong.ptx").exit_code, 2);
}

TEST_F(CliTest, ChecksInlineAssembly) {
  farm_.Write("k.cu",
              "__device__ int f(int a) {\n  int d;\n"
              "  asm(\"add.s32 %0, %1, %2;\" : \"=r\"(d) : \"r\"(a));\n  return d;\n}\n");
  const CliRan wrong = farm_.Run("check --inline k.cu");
  EXPECT_EQ(wrong.exit_code, 1);
  EXPECT_THAT(wrong.err, HasSubstr("k.cu:3:24: error: '%2' names no operand"));
  const nlohmann::json document = farm_.Run("check -i k.cu --json").Json();
  EXPECT_EQ(document["modules"][0]["asm_statements"], 1);
  EXPECT_EQ(document["modules"][0]["diagnostics"][0]["kind"], "asm-operand-range");

  farm_.Write("old.cu", "void f() { asm(\"fma.rn.bf16 %0, %0, %0, %0;\" : \"+h\"(a)); }\n");
  EXPECT_EQ(farm_.Run("check -i old.cu").exit_code, 0) << "some target has it";
  EXPECT_EQ(farm_.Run("check -i old.cu -t sm_75").exit_code, 1);
  EXPECT_THAT(farm_.Run("check -i old.cu -t sm_80").out, HasSubstr("1 asm statement checked"));
}

TEST_F(CliTest, WritesSarif) {
  farm_.Write("wrong.ptx", kWrongModule);
  const CliRan ran = farm_.Run("check wrong.ptx nothing.ptx --sarif -");
  EXPECT_EQ(ran.exit_code, 2);
  const nlohmann::json log = ran.Json();
  EXPECT_EQ(
      log["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"],
      "wrong.ptx");
  EXPECT_EQ(log["runs"][0]["invocations"][0]["executionSuccessful"], false);
  EXPECT_EQ(farm_.Run("check k.ptx --sarif log.sarif").exit_code, 0);
  EXPECT_THAT(farm_.Read("log.sarif"), HasSubstr("\"2.1.0\""));
  EXPECT_EQ(farm_.Run("check k.ptx --sarif nowhere/log.sarif").exit_code, 4);
  EXPECT_EQ(farm_.Run("check k.ptx --sarif - --json").exit_code, 2);
}

TEST_F(CliTest, CompilesWithSarif) {
  farm_.Write("wrong.ptx", kWrongModule);
  const CliRan ran =
      farm_.Run("compile wrong.ptx k.ptx -t 'sm_80 sm_90' --emit cubin -o out/ --sarif -");
  EXPECT_EQ(ran.exit_code, 1) << ran.err;
  const nlohmann::json run = ran.Json()["runs"][0];
  EXPECT_EQ(run["results"], farm_.Run("check wrong.ptx --sarif -").Json()["runs"][0]["results"])
      << "each once, for all targets";
  EXPECT_EQ(run["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"],
            "wrong.ptx");
  EXPECT_EQ(run["invocations"][0]["executionSuccessful"], true);
  EXPECT_FALSE(farm_.Read("out/k.sm_90.cubin").empty()) << "blanks separate targets too";
  EXPECT_EQ(farm_.Run("compile k.ptx -t sm_80 -o out/ --sarif log.sarif").exit_code, 0);
  EXPECT_THAT(farm_.Read("log.sarif"), HasSubstr("\"2.1.0\""));
  EXPECT_EQ(farm_.Run("compile k.ptx -t sm_80 -o out/ --sarif nowhere/log.sarif").exit_code, 4);
  EXPECT_EQ(farm_.Run("compile k.ptx -t sm_80 -o - --sarif -").exit_code, 2);
  EXPECT_EQ(farm_.Run("compile k.ptx -t sm_80 --json --sarif -").exit_code, 2);
}

TEST_F(CliTest, PlansWithoutAFarm) {
  const CliRan all = farm_.Run("plan k.ptx");
  EXPECT_EQ(all.exit_code, 0) << all.err;
  EXPECT_THAT(all.out, HasSubstr("ptxfarm compile k.ptx --targets sm_75,"));

  farm_.Write("late.ptx", ".version 7.0\n.target sm_80\n.entry k() { ret; }\n");
  const CliRan some = farm_.Run("plan late.ptx --gpus sm_75,sm_86 --json");
  EXPECT_EQ(some.exit_code, 1) << "not all can be covered";
  EXPECT_EQ(some.Json()["modules"][0]["cubins"][0]["target"], "sm_86");
  EXPECT_EQ(some.Json()["modules"][0]["uncovered"][0]["gpu"], "sm_75");

  farm_.Write("wrong.ptx", kWrongModule);
  const CliRan wrong = farm_.Run("plan wrong.ptx late.ptx");
  EXPECT_EQ(wrong.exit_code, 1);
  EXPECT_THAT(wrong.err, HasSubstr("wrong.ptx:6:3: error: "));
  EXPECT_THAT(wrong.out, HasSubstr("late.ptx: ")) << "one wrong file doesn't hide the others";
  EXPECT_EQ(farm_.Run("plan k.ptx --gpus compute_80").exit_code, 2) << "no GPU";
  EXPECT_EQ(farm_.Run("plan nothing.ptx").exit_code, 4);
}

TEST_F(CliTest, FormatsAndKeepsAFileThatDoesNotParse) {
  farm_.Write("dense.ptx",
              ".version 7.0 .target sm_75 .address_size 64 // head\n.entry k() { ret; }");
  const CliRan printed = farm_.Run("format dense.ptx");
  ASSERT_EQ(printed.exit_code, 0) << printed.err;
  EXPECT_THAT(printed.out, HasSubstr(".version 7.0\n.target sm_75\n"));
  EXPECT_THAT(printed.out, HasSubstr("// head"));
  ASSERT_EQ(farm_.Run("format dense.ptx -o dense.ptx").exit_code, 0);
  EXPECT_EQ(farm_.Read("dense.ptx"), printed.out);
  EXPECT_EQ(farm_.Run("format dense.ptx").out, printed.out) << "a second time changes nothing";

  farm_.Write("broken.ptx", ".version 7.0\n.target sm_75\n.entry k( { ret; }\n");
  const CliRan broken = farm_.Run("format broken.ptx -o broken.ptx");
  EXPECT_EQ(broken.exit_code, 1);
  EXPECT_THAT(broken.err, HasSubstr("broken.ptx:3:"));
  EXPECT_EQ(farm_.Read("broken.ptx"), ".version 7.0\n.target sm_75\n.entry k( { ret; }\n");
}

TEST_F(CliTest, ExplainsWordsOfPtx) {
  const CliRan ran = farm_.Run("explain cp.async .maxntid %clusterid");
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  for (const char* const part : {"cp.async", "sm_80", ".maxntid", "%clusterid", "since PTX 7.8"})
    EXPECT_THAT(ran.out, HasSubstr(part));
  const CliRan unknown = farm_.Run("explain bogus");
  EXPECT_EQ(unknown.exit_code, 1);
  EXPECT_THAT(unknown.err, HasSubstr("'bogus'"));
}

TEST_F(CliTest, JsonIsADocumentAlsoWhenThingsFail) {
  const std::pair<const char*, int> cases[] = {
      {"compile k.ptx -t sm_9 --json", 2},
      {"compile nothing.ptx -t compute_75 --json", 4},
      {"status --json", 0},
      {"stop --json", 0},
      {"targets --server unix:/nowhere --attempts 1 --json", 3},
      {"inspect nothing --json", 4},
      {"inspect k.ptx --json", 1},
      {"fatbin list k.ptx --json", 1},
      {"fatbin extract nothing --json", 4},
  };
  for (const auto& [words, code] : cases) {
    const CliRan ran = farm_.Run(words);
    EXPECT_EQ(ran.exit_code, code) << words << ran.err;
    ASSERT_FALSE(ran.Json().is_discarded()) << words << "\n" << ran.out;
    EXPECT_THAT(ran.Json()["schema"].get<std::string>(), testing::StartsWith("ptxfarm."));
  }
}

TEST_F(CliTest, TakesFatBinariesApartAndPutsThemTogether) {
  PTXFARM_NEED_TOOLKIT();
  ASSERT_EQ(farm_.Run("compile k.ptx -t sm_80,sm_90a,compute_75 -o out").exit_code, 0);
  ASSERT_EQ(farm_.Run("fatbin extract out/k.fatbin -o parts").exit_code, 0);
  EXPECT_EQ(farm_.Read("parts/k.sm_80.cubin"), farm_.Read("out/k.sm_80.cubin"));
  EXPECT_EQ(farm_.Read("parts/k.sm_90a.cubin"), farm_.Read("out/k.sm_90a.cubin"));
  ASSERT_EQ(
      farm_
          .Run(
              "fatbin create parts/k.sm_80.cubin compute_75=parts/k.compute_75.ptx -o again.fatbin")
          .exit_code,
      0);
  const nlohmann::json members =
      farm_.Run("fatbin list again.fatbin --json").Json()["files"][0]["members"];
  ASSERT_EQ(members.size(), 2u);
  EXPECT_EQ(members[0]["target"], "sm_80");
  EXPECT_EQ(members[1]["kind"], "ptx");
  const nlohmann::json kernel =
      farm_.Run("inspect out/k.sm_90a.cubin --json").Json()["objects"][0]["kernels"][0];
  EXPECT_EQ(kernel["name"], "k");
  EXPECT_GT(kernel["registers"], 0);
  EXPECT_EQ(farm_.Run("fatbin extract out/k.fatbin -t sm_75").exit_code, 1);
}

TEST_F(CliTest, PrintsPagesAndCompletions) {
  EXPECT_THAT(farm_.Run("man").out, HasSubstr(".SH NAME"));
  EXPECT_THAT(farm_.Run("man fatbin list").out, HasSubstr("ptxfarm\\-fatbin\\-list"));
  EXPECT_EQ(farm_.Run("man nothing").exit_code, 2);
  for (const char* shell : {"bash", "zsh", "fish"})
    EXPECT_THAT(farm_.Run(std::string("completion ") + shell).out, HasSubstr("compile"));
  EXPECT_EQ(farm_.Run("--version").out, "ptxfarm 0.1.0\n");
}

TEST_F(CliTest, ATerminalGetsColorsATableAndProgress) {
  if (RunShell("command -v script").exit_code != 0) GTEST_SKIP() << "no script(1) here";
  const std::string words = "compile k.ptx -t compute_75 -o out";
  ASSERT_EQ(farm_.Run(words).exit_code, 0);
  const auto on_terminal = [&](const std::string& setting, const std::string& line) {
    std::string environment;
    for (const auto& [name, value] : farm_.environment())
      environment += value.empty() ? " -u " + name : " " + name + "=" + value;
    return RunShell(
               fmt::format("cd {} && script -qec 'env {} TERM=xterm {} {}ptxfarm {}' /dev/null",
                           farm_.work(), environment, setting,
                           std::getenv("PTXFARM_BIN") + std::string("/"), line))
        .output;
  };
  EXPECT_THAT(on_terminal("", words), HasSubstr("\x1b[1mmodule\x1b[0m"));
  EXPECT_THAT(on_terminal("NO_COLOR=1", words), Not(HasSubstr("\x1b[1m")));
  EXPECT_THAT(on_terminal("", words + " --color never"), Not(HasSubstr("\x1b[1m")));
  farm_.Write("bad.ptx", kWrongModule);
  if (ToolkitRoot()) {
    EXPECT_THAT(on_terminal("", "compile bad.ptx -t sm_80 -o out --color never"),
                HasSubstr("     6 |   bogus;"));
  }
  EXPECT_THAT(farm_.Run(words).out, Not(HasSubstr("\x1b"))) << "a pipe gets plain text";
}

}  // namespace
}  // namespace ptxfarm::test

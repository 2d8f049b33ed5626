#include "worker/ptxas/toolkit.h"

#include <sys/stat.h>

#include <filesystem>
#include <map>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/drop_in_mark.h"
#include "base/file.h"
#include "tests/support/temp_dir.h"
#include "tests/support/toolkit.h"
#include "tests/worker/confined.h"

namespace ptxfarm::worker {
namespace {

using testing::Contains;
using testing::HasSubstr;

// A program that answers ptxas's three questions, or badly.
void MakeFakePtxas(const std::string& root, const std::string& version, const std::string& rest) {
  std::filesystem::create_directories(root + "/bin");
  const std::string script =
      "#!/bin/sh\n"
      "case $1 in\n"
      "--version) echo 'ptxas: NVIDIA (R) Ptx optimizing assembler'\n"
      "  echo 'Cuda compilation tools, release " +
      version + ", V" + version + ".1';;\n" + rest +
      "--list-version) printf '7.0\\n8.10\\n8.9\\nnonsense\\n';;\n"
      "--help) echo \"Allowed values: 'sm_75','sm_90a','compute_90', 'sm_75','sm_x'\";;\n"
      "esac\n";
  ASSERT_TRUE(WriteFileAtomically(root + "/bin/ptxas", script));
  ASSERT_EQ(::chmod((root + "/bin/ptxas").c_str(), 0755), 0);
}

// The same as a program.
void MakeFakeProgram(const std::string& root, const std::string& version) {
  MakeFakePtxas(root, version, "");
  const std::string ptxas = root + "/bin/ptxas";
  const test::Ran built = test::RunShell(
      fmt::format("mv {0} {0}.script && echo 'int execv(const char*, char**);"
                  "int main(int n, char** words) {{ return n + execv(\"{0}.script\", words); }}' | "
                  "gcc -x c - -o {0}",
                  ptxas));
  ASSERT_EQ(built.exit_code, 0) << built.output;
}

class ToolkitTest : public testing::Test {
 protected:
  ToolkitSearch Search(std::vector<std::string> named) {
    ToolkitSearch search;
    search.named = std::move(named);
    search.environment = [this](const std::string& name) -> std::optional<std::string> {
      const auto entry = environment_.find(name);
      return entry == environment_.end() ? std::nullopt : std::optional(entry->second);
    };
    search.usual_parents = {folder_ / "usual"};
    search.helper = HelperPath();
    return search;
  }

  test::TempDir folder_;
  std::map<std::string, std::string> environment_;
};

TEST_F(ToolkitTest, AsksTheToolkitOfThisMachine) {
  PTXFARM_NEED_TOOLKIT();
  const FoundToolkits found = FindToolkits(Search({*test::ToolkitRoot()}));
  ASSERT_EQ(found.toolkits.size(), 1u) << (found.skipped.empty() ? "" : found.skipped[0].why);
  const action::Compiler& compiler = found.toolkits[0].compiler;
  EXPECT_EQ(compiler.identity.backend, "ptxas");
  const test::Ran version = test::RunShell(test::ToolkitTool("ptxas") + " --version");
  EXPECT_THAT(version.output, HasSubstr("V" + compiler.identity.version));
  const test::Ran sum = test::RunShell("sha256sum " + found.toolkits[0].ptxas);
  EXPECT_THAT(sum.output, testing::StartsWith(HexOf(compiler.identity.sha256)));
  EXPECT_GE(compiler.ptx_version_max, (PtxVersion{7, 0}));
  EXPECT_TRUE(compiler.HasTarget("sm_80"));
  EXPECT_TRUE(compiler.HasTarget("sm_90a"));
  EXPECT_FALSE(compiler.HasTarget("compute_80"));
}

TEST_F(ToolkitTest, FindsSeveralVersionsNewestFirst) {
  MakeFakeProgram(folder_ / "usual/cuda-9.2", "9.2");
  MakeFakeProgram(folder_ / "usual/cuda-12.6", "12.6");
  MakeFakeProgram(folder_ / "home", "11.8");
  MakeFakeProgram(folder_ / "path", "10.1");
  std::filesystem::create_symlink("cuda-12.6", folder_ / "usual/cuda");
  environment_["CUDA_HOME"] = folder_ / "home";
  environment_["PATH"] = "relative:" + (folder_ / "path/bin") + ":" + (folder_ / "usual/cuda/bin");
  const FoundToolkits found = FindToolkits(Search({}));
  std::vector<std::string> versions;
  for (const Toolkit& toolkit : found.toolkits)
    versions.push_back(toolkit.compiler.identity.version);
  EXPECT_THAT(versions, testing::ElementsAre("12.6.1", "11.8.1", "10.1.1", "9.2.1"));
  EXPECT_TRUE(found.skipped.empty());
  EXPECT_EQ(found.toolkits[0].compiler.ptx_version_max, (PtxVersion{8, 10}));
  EXPECT_THAT(found.toolkits[0].compiler.targets, testing::ElementsAre("sm_75", "sm_90a"));
}

// Its bytes stay the same when what it calls changes.
TEST_F(ToolkitTest, ScriptsAreWhatTheyExecuteOrNoCompiler) {
  MakeFakeProgram(folder_ / "usual/cuda-12.6", "12.6");
  const auto write_script = [&](const std::string& root, const std::string& body) {
    std::filesystem::create_directories(root + "/bin");
    ASSERT_TRUE(WriteFileAtomically(root + "/bin/ptxas", "#!/bin/sh\n" + body + "\n"));
    ASSERT_EQ(::chmod((root + "/bin/ptxas").c_str(), 0755), 0);
  };
  MakeFakeProgram(folder_ / "hidden", "11.8");
  const std::string call = folder_ / "hidden/bin/ptxas" + " \"$@\"";
  write_script(folder_ / "same", "exec " + (folder_ / "usual/cuda-12.6/bin/ptxas") + " \"$@\"");
  write_script(folder_ / "path", "exec " + call);
  write_script(folder_ / "more", "test -e /nowhere || exec " + call);
  write_script(folder_ / "loop", "exec " + (folder_ / "loop/bin/ptxas") + " \"$@\"");
  for (const char* const root : {"same", "path", "more", "loop"})
    environment_["PATH"] += folder_ / (std::string(root) + "/bin") + ":";
  const FoundToolkits found = FindToolkits(Search({}));
  std::vector<std::string> paths, skipped;
  for (const Toolkit& toolkit : found.toolkits) paths.push_back(toolkit.ptxas);
  for (const SkippedToolkit& toolkit : found.skipped) skipped.push_back(toolkit.why);
  EXPECT_THAT(paths, testing::ElementsAre(folder_ / "usual/cuda-12.6/bin/ptxas",
                                          folder_ / "hidden/bin/ptxas"));
  EXPECT_THAT(skipped, testing::ElementsAre(HasSubstr("a script"), HasSubstr("a script")));
  // Who names one means it.
  const FoundToolkits named = FindToolkits(Search({folder_ / "more"}));
  ASSERT_EQ(named.toolkits.size(), 1u);
  EXPECT_EQ(named.toolkits[0].ptxas, folder_ / "more/bin/ptxas");
}

TEST_F(ToolkitTest, TakesEqualCompilersOnce) {
  MakeFakePtxas(folder_ / "a", "12.6", "");
  MakeFakePtxas(folder_ / "b", "12.6", "");
  const FoundToolkits found = FindToolkits(Search({folder_ / "a", folder_ / "b"}));
  EXPECT_EQ(found.toolkits.size(), 1u);
  ASSERT_EQ(found.skipped.size(), 1u);
  EXPECT_THAT(found.skipped[0].why, HasSubstr("the same compiler"));
}

TEST_F(ToolkitTest, PassesOverOurDropInAndFindsWhatItStandsFor) {
  MakeFakePtxas(folder_ / "one", "13.0", "# " + std::string(kDropInMark));
  const FoundToolkits alone = FindToolkits(Search({folder_ / "one"}));
  EXPECT_TRUE(alone.toolkits.empty());
  ASSERT_EQ(alone.skipped.size(), 1u);
  EXPECT_THAT(alone.skipped[0].why, HasSubstr("drop-in"));
  MakeFakePtxas(folder_ / "two", "12.9", "");
  std::filesystem::rename(folder_ / "two/bin/ptxas", folder_ / "one/bin/ptxas.real");
  const FoundToolkits beside = FindToolkits(Search({folder_ / "one"}));
  ASSERT_EQ(beside.toolkits.size(), 1u);
  EXPECT_EQ(beside.toolkits[0].compiler.identity.version, "12.9.1");
}

TEST_F(ToolkitTest, SkipsWhatIsNoPtxasAndSaysWhy) {
  MakeFakePtxas(folder_ / "silent", "12.6", "*) exit 0;;\n");
  MakeFakePtxas(folder_ / "failing", "12.6", "*) echo broken; exit 3;;\n");
  std::filesystem::create_directories(folder_ / "other/bin");
  ASSERT_TRUE(WriteFileAtomically(folder_ / "other/bin/ptxas", "#!/bin/sh\necho hello\n"));
  ::chmod((folder_ / "other/bin/ptxas").c_str(), 0755);
  std::filesystem::create_directories(folder_ / "locked/bin");
  ASSERT_TRUE(WriteFileAtomically(folder_ / "locked/bin/ptxas", "no program"));
  const FoundToolkits found =
      FindToolkits(Search({folder_ / "silent", folder_ / "failing", folder_ / "other",
                           folder_ / "locked", folder_ / "missing"}));
  EXPECT_TRUE(found.toolkits.empty());
  ASSERT_EQ(found.skipped.size(), 5u);
  EXPECT_THAT(found.skipped[0].why, HasSubstr("names no PTX versions"));
  EXPECT_THAT(found.skipped[1].why, HasSubstr("broken"));
  EXPECT_THAT(found.skipped[2].why, HasSubstr("hello"));
  EXPECT_THAT(found.skipped[3].why, HasSubstr("Permission denied"));
  EXPECT_THAT(found.skipped[4].why, HasSubstr("no ptxas here"));
}

}  // namespace
}  // namespace ptxfarm::worker

#include "worker/executors.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/file.h"
#include "tests/support/temp_dir.h"
#include "tests/support/toolkit.h"
#include "tests/worker/confined.h"
#include "worker/cancellation.h"

namespace ptxfarm::worker {
namespace {

using action::Outcome;
using testing::HasSubstr;

constexpr const char* kText =
    ".version 8.0\n.target sm_75\n.address_size 64\n.visible .entry k() { ret; }\n";

Executed Do(const Workshop& workshop, const action::Action& action,
            const std::vector<std::string>& inputs, action::Limits limits = {}) {
  const test::TempDir scratch;
  return Execute(workshop,
                 {.action = action, .inputs = inputs, .limits = limits, .scratch = scratch.path()},
                 Cancellation());
}

Workshop RealWorkshop() {
  ToolkitSearch search;
  search.named = {*test::ToolkitRoot()};
  search.helper = HelperPath();
  return {.toolkits = FindToolkits(search).toolkits,
          .ptxas = {.helper = HelperPath(), .confinement = Confinement::kBestEffort}};
}

action::Action Bundle(std::vector<std::string> roles, std::vector<std::string> options,
                      const std::vector<std::string>& images) {
  action::Action action{.kind = action::Kind::kBundleFatbin,
                        .options = std::move(options),
                        .compiler = BundlerIdentity()};
  for (std::size_t i = 0; i < roles.size(); ++i)
    action.inputs.push_back({roles[i], DigestOf(images[i])});
  return action;
}

TEST(ExecutorsTest, CompilesAndBundlesAsTheToolkitDoes) {
  PTXFARM_NEED_TOOLKIT();
  const Workshop workshop = RealWorkshop();
  ASSERT_EQ(CompilersOf(workshop).size(), 2u);
  const action::Action compile{.inputs = {{"ptx", DigestOf(kText)}},
                               .target = "sm_90a",
                               .compiler = CompilersOf(workshop)[0].identity};
  const Executed cubin = Do(workshop, compile, {kText});
  ASSERT_EQ(cubin.result.outcome, Outcome::kOk);
  ASSERT_EQ(cubin.outputs.size(), 1u);
  EXPECT_EQ(*cubin.result.OutputOf(action::OutputRole::kCubin), cubin.outputs[0].digest);

  const std::string object = *cubin.outputs[0].Plain();
  const Executed fatbin = Do(
      workshop,
      Bundle({"sm_90a", "compute_75"}, {"--compress=none", "--identifier=k.cu"}, {object, kText}),
      {object, kText});
  ASSERT_EQ(fatbin.result.outcome, Outcome::kOk) << fatbin.result.diagnostics[0].message;
  EXPECT_GT(fatbin.result.execution.wall_time.count(), 0);

  const test::TempDir folder;
  ASSERT_TRUE(WriteFileAtomically(folder / "k.cubin", object));
  ASSERT_TRUE(WriteFileAtomically(folder / "k.ptx", kText));
  const test::Ran tool =
      test::RunShell("cd " + folder.path() + " && " + test::ToolkitTool("fatbinary") +
                     " --create=k.fatbin -64 --compress-mode=none --ident=k.cu"
                     " --image3=kind=elf,sm=90a,file=k.cubin --image3=kind=ptx,sm=75,file=k.ptx");
  ASSERT_EQ(tool.exit_code, 0) << tool.output;
  EXPECT_EQ(fatbin.outputs[0].digest, DigestOf(*ReadFile(folder / "k.fatbin", 1 << 20)));
}

TEST(ExecutorsTest, KeepsWhatACompilerDiedOf) {
  PTXFARM_NEED_TOOLKIT();
  const Workshop workshop = RealWorkshop();
  const std::string text =
      ".version 8.0\n.target sm_80\n.address_size 64\n.entry k(.param .u64 p) { .reg .b64 %o;\n"
      ".reg .b32 %v; ld.param.u64 %o,[p]; { .param .b32 slot; st.param.b32 [slot],42;\n"
      "ld.param.b32 %v,[slot]; } st.global.u32 [%o],%v; ret; }\n";
  const action::Action compile{.inputs = {{"ptx", DigestOf(text)}},
                               .target = "sm_80",
                               .compiler = CompilersOf(workshop)[0].identity};
  const Executed crashed = Do(workshop, compile, {text});
  EXPECT_EQ(crashed.result.outcome, Outcome::kCrashed);
  EXPECT_EQ(*crashed.result.OutputOf(action::OutputRole::kReproducer), DigestOf(text));
}

TEST(ExecutorsTest, BundlesTheSameBytesTwice) {
  const action::Action bundle = Bundle({"compute_75"}, {"--compress=default"}, {kText});
  const Executed once = Do({}, bundle, {kText});
  ASSERT_EQ(once.result.outcome, Outcome::kOk);
  EXPECT_EQ(Do({}, bundle, {kText}).outputs[0].digest, once.outputs[0].digest);
  EXPECT_EQ(once.result.compiler, BundlerIdentity());
}

struct Case {
  const char* name;
  std::vector<std::string> roles;
  std::vector<std::string> options;
  std::vector<std::string> images;
  const char* message;
};

class BadBundleTest : public testing::TestWithParam<Case> {};

TEST_P(BadBundleTest, IsRefusedWithAReason) {
  const Executed executed =
      Do({}, Bundle(GetParam().roles, GetParam().options, GetParam().images), GetParam().images);
  EXPECT_EQ(executed.result.outcome, Outcome::kInputError);
  EXPECT_THAT(executed.result.diagnostics.at(0).message, HasSubstr(GetParam().message));
  EXPECT_TRUE(executed.outputs.empty());
}

const Case kCases[] = {
    {"UnknownOption", {"compute_75"}, {"--zip"}, {kText}, "'--zip'"},
    {"UnknownMode", {"compute_75"}, {"--compress=max"}, {kText}, "'--compress=max'"},
    {"UnknownTarget", {"sm_1"}, {}, {kText}, "sm_1"},
    {"LinkTimeTarget", {"lto_90"}, {}, {kText}, "lto_90"},
    {"NoCubin", {"sm_90"}, {}, {"not an object"}, "no ELF file"},
};
INSTANTIATE_TEST_SUITE_P(All, BadBundleTest, testing::ValuesIn(kCases),
                         [](const auto& row) { return row.param.name; });

TEST(ExecutorsTest, RefusesCompilersThatItHasNot) {
  action::Action compile{.inputs = {{"ptx", DigestOf(kText)}}, .target = "sm_90"};
  compile.compiler = {.backend = "ptxas", .version = "1.0"};
  EXPECT_EQ(Do({}, compile, {kText}).result.outcome, Outcome::kFault);
  action::Action bundle = Bundle({"compute_75"}, {}, {kText});
  bundle.compiler.version = "0";
  EXPECT_EQ(Do({}, bundle, {kText}).result.diagnostics.at(0).kind, "no-compiler");
}

TEST(ExecutorsTest, BoundsWhatItBundles) {
  const action::Action bundle = Bundle({"compute_75"}, {"--compress=none"}, {kText});
  EXPECT_EQ(Do({}, bundle, {kText}, {.output_bytes = 100}).result.outcome, Outcome::kServiceLimit);
}

}  // namespace
}  // namespace ptxfarm::worker

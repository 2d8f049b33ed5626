// What the farm hands out equals what the toolkit's own tools make.
#include <gtest/gtest.h>

#include "base/file.h"
#include "tests/integration/farm_fixture.h"
#include "tests/support/toolkit.h"

namespace ptxfarm::test {
namespace {

using client::Served;

const std::vector<std::string> kTargets = {"sm_75",  "sm_80",   "sm_86",
                                           "sm_90a", "sm_100a", "sm_120"};

// The object that the real ptxas makes. With -g it records the name of its output, which for the
// farm is always this one.
std::string Direct(const TempDir& dir, const std::string& text, const std::string& target,
                   const std::string& options = "") {
  EXPECT_TRUE(WriteFileAtomically(dir / "input.ptx", text).has_value());
  const Ran ran = RunShell(
      fmt::format("cd {} && rm -f output.cubin && {} {} -arch={} input.ptx -o output.cubin",
                  ShellQuote(dir.path()), ToolkitTool("ptxas"), options, target));
  EXPECT_EQ(ran.exit_code, 0) << ran.output;
  return ReadFile(dir / "output.cubin", u64{64} << 20).value_or("");
}

TEST_F(FarmTest, CubinsEqualThoseOfADirectCallOverAllExamplesAndTargets) {
  StartServer();
  StartWorker();
  const client::Client farm = Connect();
  ASSERT_GE(ExampleNames().size(), 6u);
  for (const std::string& name : ExampleNames()) {
    const std::string text = Example(name);
    const auto reply = farm.Compile({.text = text, .targets = kTargets});
    ASSERT_TRUE(reply.has_value()) << reply.error().ToString();
    for (const client::TargetReply& target : reply->targets) {
      ASSERT_TRUE(target.ok()) << name << " " << target.target << ": "
                               << (target.result.diagnostics.empty()
                                       ? ""
                                       : target.result.diagnostics[0].message);
      EXPECT_TRUE(target.object == Direct(dir_, text, target.target))
          << name << " for " << target.target;
      EXPECT_FALSE(target.result.kernels.empty());
    }
  }
}

TEST_F(FarmTest, OptionsReachTheCompiler) {
  StartServer();
  StartWorker();
  const client::Client farm = Connect();
  const std::string text = Example(ExampleNames().front());
  for (const char* const options :
       {"-O1", "--maxrregcount=32", "-c", "-lineinfo", "-g", "-fmad=false"}) {
    const auto reply = farm.Compile({.text = text, .targets = {"sm_80"}, .options = {options}});
    ASSERT_TRUE(reply.has_value() && reply->targets.at(0).ok()) << options;
    EXPECT_TRUE(reply->targets[0].object == Direct(dir_, text, "sm_80", options)) << options;
    EXPECT_EQ(reply->targets[0].served, Served::kMiss) << options;
  }
}

TEST_F(FarmTest, FatBinariesEqualTheToolkits) {
  StartServer();
  StartWorker();
  const std::string text = Example(ExampleNames().front());
  const auto reply = Connect().Compile(
      {.text = text, .targets = {"sm_75", "compute_75", "sm_90a"}, .fatbin = true});
  ASSERT_TRUE(reply.has_value() && reply->fatbin.has_value() && reply->fatbin->ok());
  std::string images;
  for (const client::TargetReply& target : reply->targets) {
    if (target.object.empty()) continue;
    ASSERT_TRUE(WriteFileAtomically(dir_ / (target.target + ".cubin"), target.object).has_value());
    images += fmt::format(" --image3=kind=elf,sm={},file={}.cubin", target.target.substr(3),
                          target.target);
    if (target.target == "sm_75") images += " --image3=kind=ptx,sm=75,file=k.ptx";
  }
  ASSERT_TRUE(WriteFileAtomically(dir_ / "k.ptx", text).has_value());
  const Ran ran = RunShell(fmt::format("cd {} && {} --create=k.fatbin -64{}",
                                       ShellQuote(dir_.path()), ToolkitTool("fatbinary"), images));
  ASSERT_EQ(ran.exit_code, 0) << ran.output;
  EXPECT_TRUE(reply->fatbin->object == ReadFile(dir_ / "k.fatbin", 64 << 20).value());
}

TEST_F(FarmTest, ASecondCallHitsAlsoAfterTheServerWasKilled) {
  StartServer();
  StartWorker();
  const std::string text = Example(ExampleNames().front());
  const auto first = Connect().Compile({.text = text, .targets = kTargets, .fatbin = true});
  ASSERT_TRUE(first.has_value());
  server_->Signal(SIGKILL);
  server_->Wait();
  workers_.clear();
  StartServer();
  // Without any worker: what was acknowledged is on disk.
  const auto second = Connect().Compile({.text = text, .targets = kTargets, .fatbin = true});
  ASSERT_TRUE(second.has_value()) << second.error().ToString();
  for (std::size_t i = 0; i < second->targets.size(); ++i) {
    EXPECT_EQ(second->targets[i].served, Served::kHit) << second->targets[i].target;
    EXPECT_TRUE(second->targets[i].object == first->targets[i].object);
    EXPECT_EQ(second->targets[i].result, first->targets[i].result);
  }
  EXPECT_EQ(second->fatbin->served, Served::kHit);
  EXPECT_TRUE(second->fatbin->object == first->fatbin->object);
}

TEST_F(FarmTest, ErrorsOfTheCompilerPointIntoTheCallersText) {
  StartServer();
  StartWorker();
  std::string text = SmallModule("k");
  text.insert(text.find("mov.u32"), "/* two\nlines */ mov.u32 %nowhere, 1;\n");
  const auto reply = Connect().Compile({.text = text, .targets = {"sm_80"}});
  ASSERT_TRUE(reply.has_value());
  const action::ActionResult& result = reply->targets.at(0).result;
  EXPECT_EQ(result.outcome, action::Outcome::kInputError);
  ASSERT_FALSE(result.diagnostics.empty());
  EXPECT_EQ(result.diagnostics[0].place.line, 9u) << result.diagnostics[0].message;
}

}  // namespace
}  // namespace ptxfarm::test

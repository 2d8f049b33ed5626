#include "client/files/output_plan.h"

#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/file.h"
#include "tests/support/temp_dir.h"

namespace ptxfarm::client {
namespace {

using test::TempDir;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr PlannedTarget Real(const char* name) { return {name, false}; }

std::vector<std::string> PathsOf(const OutputPlan& plan) {
  std::vector<std::string> paths;
  for (const PlannedModule& module : plan.modules)
    for (const PlannedFile& file : module.files) paths.push_back(file.path);
  return paths;
}

class OutputPlanTest : public testing::Test {
 protected:
  OutputRequest Request(const std::string& output) const {
    return {.inputs = {"kernels/k.ptx"},
            .targets = {{"sm_80"}, {"sm_90a"}, {"compute_75", true}},
            .output = output};
  }

  const TempDir folder_;
};

TEST_F(OutputPlanTest, NamesAFileATargetAndOneFatbin) {
  const Result<OutputPlan> plan = PlanOutputs(Request("out"));
  ASSERT_TRUE(plan) << plan.error().message;
  EXPECT_THAT(PathsOf(*plan),
              ElementsAre("out/k.sm_80.cubin", "out/k.sm_90a.cubin", "out/k.fatbin"));
  EXPECT_EQ(plan->folder, "out");
  EXPECT_TRUE(plan->Writes(OutputKind::kCubin));
  EXPECT_FALSE(plan->Writes(OutputKind::kPtx));
}

TEST_F(OutputPlanTest, UsesThisFolderWithoutAnOutput) {
  EXPECT_THAT(PathsOf(*PlanOutputs(Request(""))),
              ElementsAre("k.sm_80.cubin", "k.sm_90a.cubin", "k.fatbin"));
}

TEST_F(OutputPlanTest, WritesPtxOfVirtualTargetsWhereAsked) {
  OutputRequest request = Request("out/");
  request.emit = {{OutputKind::kPtx}};
  EXPECT_THAT(PathsOf(*PlanOutputs(request)), ElementsAre("out/k.compute_75.ptx"));
}

TEST_F(OutputPlanTest, VirtualTargetsAloneGiveAFatbinOnly) {
  OutputRequest request = Request("");
  request.targets = {{"compute_75", true}};
  EXPECT_THAT(PathsOf(*PlanOutputs(request)), ElementsAre("k.fatbin"));
}

struct NameCase {
  const char* output;
  std::vector<PlannedTarget> targets;
  std::vector<std::string> paths;
};

TEST_F(OutputPlanTest, TakesTheOutputAsAFileWhereItSaysSo) {
  const NameCase cases[] = {
      {"x.cubin", {{"sm_80"}}, {"x.cubin"}},
      {"x.fatbin", {{"sm_80"}, {"sm_90"}}, {"x.fatbin"}},
      {"x.cubin/", {{"sm_80"}}, {"x.cubin/k.sm_80.cubin", "x.cubin/k.fatbin"}},
      {"x.ptx", {{"compute_80", true}}, {"x.ptx"}},
      {"-", {{"sm_80"}}, {"-"}},
      {"-", {{"sm_80"}, {"sm_90"}}, {"-"}},
      {"/dev/null", {{"sm_80"}}, {"/dev/null"}},
      // A name without an extension is a folder, whatever comes out.
      {"x", {{"compute_80", true}}, {"x/k.fatbin"}},
      {"x.bin", {{"compute_80", true}}, {"x.bin"}},
      {".hidden", {{"compute_80", true}}, {".hidden/k.fatbin"}},
  };
  for (const NameCase& one : cases) {
    OutputRequest request = Request(one.output);
    request.targets = one.targets;
    const Result<OutputPlan> plan = PlanOutputs(request);
    ASSERT_TRUE(plan) << one.output << ": " << plan.error().message;
    EXPECT_EQ(PathsOf(*plan), one.paths) << one.output;
  }
}

TEST_F(OutputPlanTest, AnExistingFolderIsAFolderWhateverItsName) {
  const std::string folder = folder_ / "x.cubin";
  ASSERT_EQ(::mkdir(folder.c_str(), 0755), 0);
  OutputRequest request = Request(folder);
  request.targets = {{"sm_80"}};
  EXPECT_THAT(PathsOf(*PlanOutputs(request)),
              ElementsAre(folder + "/k.sm_80.cubin", folder + "/k.fatbin"));
}

struct RefusalCase {
  const char* name;
  OutputRequest request;
  const char* message;
};

TEST_F(OutputPlanTest, RefusesWhatCannotBeWritten) {
  const RefusalCase cases[] = {
      {"several outputs, one file",
       {{"k.ptx"}, {{"sm_80"}, {"sm_90"}}, {}, "k.cubin"},
       "names one file, but 2 outputs"},
      {"several modules, one file",
       {{"a.ptx", "b.ptx"}, {{"sm_80"}}, {}, "k.cubin"},
       "names one file, but 2 outputs"},
      {"several outputs, one pipe",
       {{"k.ptx"}, {{"sm_80"}}, {{OutputKind::kCubin, OutputKind::kFatbin}}, "-"},
       "name a folder ('out/')"},
      {"one name twice",
       {{"a/k.ptx", "b/k.ptx"}, {{"sm_80"}}, {}, "out"},
       "a/k.ptx and b/k.ptx would both write k.*"},
      {"one file twice", {{"k.ptx", "k.ptx"}, {{"sm_80"}}, {}, "out"}, "k.ptx is given twice"},
      {"names that meet",
       {{"k.ptx", "k.sm_80.ptx"}, {{"sm_80"}, {"sm_80.sm_80"}}, {{OutputKind::kCubin}}, "out"},
       "would both write"},
      {"no cubin",
       {{"k.ptx"}, {{"compute_80", true}}, {{OutputKind::kCubin}}, "out"},
       "compute_* targets give no cubin"},
      {"no ptx",
       {{"k.ptx"}, {{"sm_80"}}, {{OutputKind::kPtx}}, "out"},
       "only compute_* targets give PTX"},
      {"no input", {{}, {{"sm_80"}}, {}, "out"}, "no file to compile"},
  };
  for (const RefusalCase& one : cases) {
    const Result<OutputPlan> plan = PlanOutputs(one.request);
    ASSERT_FALSE(plan) << one.name;
    EXPECT_EQ(plan.error().code, Code::kInvalidArgument) << one.name;
    EXPECT_THAT(plan.error().message, HasSubstr(one.message)) << one.name;
  }
}

TEST_F(OutputPlanTest, RefusesAnOutputThatIsAnInputAlsoThroughALink) {
  const std::string input = folder_ / "k.ptx";
  ASSERT_TRUE(WriteFileAtomically(input, "x"));
  const std::string link = folder_ / "k.fatbin";
  ASSERT_EQ(::symlink(input.c_str(), link.c_str()), 0);
  const Result<OutputPlan> plan = PlanOutputs({.inputs = {input},
                                               .targets = {Real("sm_80")},
                                               .emit = {{OutputKind::kFatbin}},
                                               .output = folder_.path()});
  ASSERT_FALSE(plan);
  EXPECT_THAT(plan.error().message, HasSubstr("is the input " + input));
}

TEST(ModuleNameTest, IsTheFilesNameWithoutPtx) {
  const std::pair<const char*, const char*> cases[] = {
      {"a/b/saxpy.ptx", "saxpy"}, {"saxpy", "saxpy"}, {"a.b.ptx", "a.b"}, {"-", "stdin"},
      {".ptx", ".ptx"},           {"dir/", "module"},
  };
  for (const auto& [input, name] : cases) EXPECT_EQ(ModuleNameOf(input), name) << input;
}

}  // namespace
}  // namespace ptxfarm::client

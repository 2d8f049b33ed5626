#include "toolchain/target/reach.h"

#include <cstdlib>
#include <fstream>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/temp_dir.h"
#include "tests/support/toolkit.h"

namespace ptxfarm {
namespace {

using testing::HasSubstr;

struct Row {
  std::string module;
  std::string compiles;  // A '+' or '-' a GPU.
};
struct Matrix {
  std::vector<Target> gpus;
  std::vector<Row> rows;
};

Matrix ReadMatrix() {
  Matrix matrix;
  std::ifstream file(std::string(std::getenv("PTXFARM_SOURCE")) + "/tests/golden/target/reach.txt");
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with('#')) continue;
    std::istringstream words(line);
    std::string first;
    words >> first;
    if (first == "gpus") {
      for (std::string name; words >> name;) matrix.gpus.push_back(*ParseTarget(name));
      continue;
    }
    Row row{.module = first};
    words >> row.compiles;
    matrix.rows.push_back(row);
  }
  return matrix;
}

TEST(ReachTest, CubinsRunOnLaterMinorRevisionsButOfEmbeddedGpus) {
  struct Runs {
    const char* cubin;
    const char* gpu;
    bool runs;
  };
  const Runs cases[] = {
      {"sm_80", "sm_80", true},    {"sm_80", "sm_86", true},       {"sm_86", "sm_80", false},
      {"sm_80", "sm_90", false},   {"sm_80", "sm_87", false},      {"sm_87", "sm_87", true},
      {"sm_87", "sm_89", false},   {"sm_90a", "sm_90", true},      {"sm_100a", "sm_103", false},
      {"sm_100f", "sm_103", true}, {"sm_103f", "sm_100", false},   {"sm_100f", "sm_120", false},
      {"sm_120", "sm_121", true},  {"compute_80", "sm_80", false},
  };
  for (const Runs& one : cases)
    EXPECT_EQ(CubinRunsOn(*ParseTarget(one.cubin), *ParseTarget(one.gpu)), one.runs)
        << one.cubin << " on " << one.gpu;
}

TEST(ReachTest, EqualsWhatPtxasCompiles) {
  const Matrix matrix = ReadMatrix();
  ASSERT_EQ(matrix.gpus.size(), 23u);
  ASSERT_EQ(matrix.rows.size(), 49u);
  for (const Row& row : matrix.rows) {
    if (row.module.starts_with("sm_107")) continue;  // Newer than the ptxas that was measured.
    ASSERT_EQ(row.compiles.size(), matrix.gpus.size());
    const Result<Target> module = ParseModuleTarget(row.module);
    EXPECT_EQ(module.has_value(), row.module != "sm_90f");
    for (std::size_t i = 0; i < matrix.gpus.size(); ++i) {
      const bool can = module && CanCompile(*module, matrix.gpus[i]);
      EXPECT_EQ(can, row.compiles[i] == '+') << row.module << " for " << matrix.gpus[i].ToString();
      if (!module) continue;
      EXPECT_EQ(WhyNot(*module, matrix.gpus[i]).empty(), can);
    }
  }
}

// The matrix is a record; the toolkit of this machine may tell more, and must not tell otherwise.
TEST(ReachTest, AgreesWithThePtxasOfThisMachine) {
  PTXFARM_NEED_TOOLKIT();
  const test::TempDir folder;
  const std::string ptxas = test::ShellQuote(test::ToolkitTool("ptxas"));
  const std::string help = test::RunShell(ptxas + " --help").output;
  for (const char* const name :
       {"sm_75", "sm_90", "sm_90a", "sm_100f", "sm_103", "sm_110", "sm_121a"}) {
    const Target module = *ParseModuleTarget(name);
    const std::string path = folder.path() + "/" + name + ".ptx";
    std::ofstream(path) << ".version "
                        << std::max(module.ptx_version_min(), PtxVersion{8, 0}).ToString()
                        << "\n.target " << name
                        << "\n.address_size 64\n.visible .entry k() { ret; }\n";
    for (const char* const gpu :
         {"sm_75", "sm_90", "sm_90a", "sm_100", "sm_103a", "sm_110f", "sm_121"}) {
      if (help.find(std::string("'") + gpu + "'") == std::string::npos) continue;
      const test::Ran ran = test::RunShell(ptxas + " -arch=" + gpu + " " + test::ShellQuote(path) +
                                           " -o " + test::ShellQuote(folder.path() + "/k.cubin"));
      EXPECT_EQ(ran.exit_code == 0, CanCompile(module, *ParseTarget(gpu)))
          << name << " for " << gpu << ": " << ran.output;
    }
  }
}

struct Case {
  const char* module;
  const char* gpu;
  bool can;
};

// The rule of the manual for targets newer than the ptxas that was measured, and of virtual ones.
constexpr Case kCases[] = {
    {"sm_100f", "sm_107", true},        {"sm_100f", "sm_107a", true},
    {"sm_107f", "sm_103", false},       {"sm_107f", "sm_107a", true},
    {"sm_107", "sm_110", true},         {"sm_107a", "sm_107a", true},
    {"sm_107a", "sm_107", false},       {"sm_107f", "sm_120", false},
    {"sm_80", "compute_80", true},      {"sm_80", "compute_90", true},
    {"sm_80", "compute_90a", true},     {"sm_80", "compute_75", false},
    {"sm_100f", "compute_100", false},  {"sm_100f", "compute_100f", true},
    {"sm_100f", "compute_103f", true},  {"sm_100f", "compute_103a", true},
    {"sm_100f", "compute_120f", false}, {"sm_90a", "compute_90", false},
    {"sm_90a", "compute_90a", true},    {"sm_100a", "compute_100f", false},
    {"sm_70", "compute_70", true},      {"sm_80", "lto_80", false},
};

TEST(ReachTest, FollowsTheManualWhereNoPtxasIs) {
  for (const Case& c : kCases)
    EXPECT_EQ(CanCompile(*ParseModuleTarget(c.module), *ParseTarget(c.gpu)), c.can)
        << c.module << " for " << c.gpu;
}

struct Explained {
  const char* module;
  const char* gpu;
  const char* says;
};

constexpr Explained kExplained[] = {
    {"sm_90", "sm_80", "the module says .target sm_90: it needs that GPU or a later one"},
    {"sm_90a", "sm_90", "ask for sm_90a instead of sm_90"},
    {"sm_90a", "sm_100", "compiles for sm_90a only"},
    {"sm_101a", "sm_110f", "ask for sm_110a instead of sm_110f"},
    {"sm_100f", "sm_120", "the sm_10x family only, from sm_100 on (sm_100, sm_103, sm_107"},
    {"sm_100f", "sm_120", "sm_120 is of the sm_12x family"},
    {"sm_100f", "sm_110", "sm_110 is of the sm_11x family"},
    {"sm_100f", "sm_90", "sm_90 is older"},
    {"sm_103f", "sm_100", "from sm_103 on"},
    {"sm_90a", "compute_90", "ask for compute_90a instead of compute_90"},
    {"sm_100f", "compute_100", "wherever compute_100 promises; ask for compute_100f"},
    {"sm_90", "compute_80", "it needs that GPU or a later one"},
    {"sm_80", "lto_80", "ask for sm_80"},
};

TEST(ReachTest, SaysWhyNot) {
  for (const Explained& c : kExplained)
    EXPECT_THAT(WhyNot(*ParseModuleTarget(c.module), *ParseTarget(c.gpu)), HasSubstr(c.says));
}

TEST(ReachTest, ParameterBytesGrewWithTheLanguage) {
  const Target sm_70 = *ParseModuleTarget("sm_70");
  const Target sm_60 = *ParseModuleTarget("sm_60");
  EXPECT_EQ(ParameterBytesMax({1, 4}, sm_60), 256u);
  EXPECT_EQ(ParameterBytesMax({1, 5}, sm_60), 4352u);
  EXPECT_EQ(ParameterBytesMax({8, 0}, sm_70), 4352u);
  EXPECT_EQ(ParameterBytesMax({8, 1}, sm_70), 32764u);
  EXPECT_EQ(ParameterBytesMax({9, 4}, sm_60), 4352u);
}

}  // namespace
}  // namespace ptxfarm

#include "action/options.h"

#include <filesystem>
#include <set>
#include <sstream>

#include <gtest/gtest.h>

#include "base/file.h"
#include "tests/support/temp_dir.h"
#include "tests/support/toolkit.h"

namespace ptxfarm::action {
namespace {

std::vector<std::string> Words(const std::string& text) {
  std::istringstream stream(text);
  return {std::istream_iterator<std::string>(stream), {}};
}

std::string Canonical(const std::string& text) {
  const Result<CompileOptions> options = NormalizeOptions(Words(text));
  if (!options) return options.error().message;
  std::string joined;
  for (const std::string& option : options->canonical)
    joined += (joined.empty() ? "" : " ") + option;
  return joined;
}

struct Case {
  const char* given;
  const char* canonical;
};

class NormalizeTest : public testing::TestWithParam<Case> {};

TEST_P(NormalizeTest, GivesOneSpelling) {
  EXPECT_EQ(Canonical(GetParam().given), GetParam().canonical);
}

INSTANTIATE_TEST_SUITE_P(
    Options, NormalizeTest,
    testing::Values(Case{"", ""}, Case{"-O2", "--opt-level=2"}, Case{"-O 2", "--opt-level=2"},
                    Case{"-O=2", "--opt-level=2"}, Case{"--opt-level 2", "--opt-level=2"},
                    Case{"--opt-level=2", "--opt-level=2"}, Case{"-opt-level=2", "--opt-level=2"},
                    Case{"-O3", ""}, Case{"-g -O3", "--device-debug --opt-level=3"},
                    Case{"-m64 -v", ""},
                    Case{"-lineinfo -maxrregcount=64 -c",
                         "--compile-only --generate-line-info --maxrregcount=64"},
                    Case{"-fmad=true", ""}, Case{"--fmad false", "--fmad=false"},
                    Case{"-O1 -O1", "--opt-level=1"}, Case{"-split-compile=4 -warn-spills -w", ""},
                    Case{"-Werror -warn-spills -v", "--warn-on-spills --warning-as-error"}));

INSTANTIATE_TEST_SUITE_P(
    Errors, NormalizeTest,
    testing::Values(
        Case{"-O1 -O2", "option '--opt-level' is given twice, as '1' and '2'"},
        Case{"-O", "option '--opt-level' needs a value"},
        Case{"-O9", "option '--opt-level' takes 0 to 4, not '9'"},
        Case{"-fmad=yes", "option '--fmad' takes true or false, not 'yes'"},
        Case{"-m32", "option '--machine' takes 64 only, not '32'"},
        Case{"-c=1", "option '--compile-only' takes no value"},
        Case{"-maxregcount=64",
             "unknown compiler option '-maxregcount=64' (did you mean '-maxrregcount'?)"},
        Case{"k.ptx", "unknown compiler option 'k.ptx'"}, Case{"-", "unknown compiler option '-'"},
        Case{"-arch=sm_80",
             "option '-arch=sm_80' is not for a compile request: name the target in the request's "
             "target list"}));

TEST(OptionsTest, SaysWhatTheModeIs) {
  const CompileOptions options = NormalizeOptions(Words("-c -g -O0 -lineinfo")).value();
  EXPECT_TRUE(options.relocatable && options.debug && options.lines_matter);
  EXPECT_EQ(options.optimization_level, 0u);
  EXPECT_FALSE(NormalizeOptions(Words("-O3")).value().lines_matter);
}

// The key leaves lines out but where ptxas puts them into the object: so each option is asked.
TEST(OptionsTest, LinesMatterExactlyWhereTheRealToolPutsThemIntoTheObject) {
  PTXFARM_NEED_TOOLKIT();
  const std::string module =
      ".version 8.0\n.target sm_80\n.address_size 64\n"
      ".visible .entry k(.param .u64 p) {\n  .shared .align 4 .f32 tile[64];\n  .reg .f32 %f;\n"
      "  .reg .u64 %p;\n  ld.param.u64 %p, [p];\n  ld.shared.f32 %f, [tile+8];\n"
      "  st.global.f32 [%p], %f;\n  ret;\n}\n";
  const test::TempDir folder;
  const auto cubin_of = [&](const std::string& text, const std::string& option) {
    std::filesystem::remove(folder / "k.cubin");
    EXPECT_TRUE(WriteFileAtomically(folder / "k.ptx", text).has_value());
    test::RunShell(fmt::format("cd {} && {} -arch=sm_80 {} k.ptx -o k.cubin",
                               test::ShellQuote(folder.path()), test::ToolkitTool("ptxas"),
                               option));
    return ReadFile(folder / "k.cubin", 1 << 24).value_or("");
  };
  for (const OptionRow& row : OptionTable()) {
    if (row.effect == OptionEffect::kRefused || row.effect == OptionEffect::kReport) continue;
    std::string option = fmt::format("--{}", row.name);
    if (row.value == OptionValue::kBool) option += "=true";
    if (row.name == "sanitize") option += "=memcheck";
    if (row.value == OptionValue::kText && row.name != "sanitize") continue;
    const std::string plain = cubin_of(module, option);
    if (plain.empty()) continue;  // Another option has to stand beside it, or another module.
    EXPECT_EQ(cubin_of("\n\n\n" + module, option) != plain, row.effect == OptionEffect::kLines)
        << option;
  }
}

TEST(OptionsTest, TheTableHasEveryOptionOfTheRealTool) {
  PTXFARM_NEED_TOOLKIT();
  const test::Ran help = test::RunShell(test::ToolkitTool("ptxas") + " --help");
  std::set<std::string> known;
  for (const OptionRow& row : OptionTable())
    known.insert(fmt::format("{} ({})", row.name, row.short_name));
  std::istringstream lines(help.output);
  std::size_t found = 0;
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("--")) continue;
    const std::string name = line.substr(2, line.find_first_of(" ", 2) - 2);
    const std::size_t open = line.find("(-");
    ASSERT_NE(open, std::string::npos) << line;
    const std::string short_name = line.substr(open + 2, line.find(')', open) - open - 2);
    EXPECT_TRUE(known.contains(fmt::format("{} ({})", name, short_name))) << line;
    ++found;
  }
  EXPECT_EQ(found, known.size());
}

}  // namespace
}  // namespace ptxfarm::action

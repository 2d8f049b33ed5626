// What the canonical form rests on: ptxas makes the same cubin of it, to the byte.
#include <filesystem>

#include <gtest/gtest.h>

#include "tests/support/temp_dir.h"
#include "tests/support/toolkit.h"
#include "tests/toolchain/ptx/golden.h"
#include "tests/toolchain/ptx/respaced.h"
#include "toolchain/ptx/canonical.h"
#include "toolchain/ptx/lex.h"

namespace ptxfarm::ptx {
namespace {

struct Compiled {
  bool accepted = false;
  std::string cubin;
  std::string log;
};

// Compiles under a fixed file name: ptxas writes the name into some cubins.
Compiled Ptxas(std::string_view text, const std::string& target, const std::string& options = "") {
  const test::TempDir folder;
  PTXFARM_CHECK(WriteFileAtomically(folder / "k.ptx", text).has_value());
  const test::Ran ran = test::RunShell("cd " + test::ShellQuote(folder.path()) + " && " +
                                       test::ShellQuote(test::ToolkitTool("ptxas")) +
                                       " -arch=" + target + " " + options + " k.ptx -o k.cubin");
  Compiled compiled{.accepted = ran.exit_code == 0, .log = ran.output};
  if (compiled.accepted) compiled.cubin = *ReadFile(folder / "k.cubin", 1 << 28);
  return compiled;
}

struct Module {
  explicit Module(const std::string& given)
      : text(given), source{"k.ptx", text}, tokens(*Lex(source)), header(*ReadHeader(tokens)) {}

  std::string text;
  Source source;
  TokenBuffer tokens;
  ModuleHeader header;
};

// The examples of the repository say no targets; these are what they can all be compiled for.
std::vector<test::GoldenFile> Samples() {
  std::vector<test::GoldenFile> samples = test::GoldenFiles("ptx/modules");
  const std::string examples = std::string(std::getenv("PTXFARM_SOURCE")) + "/examples";
  if (std::filesystem::exists(examples))
    for (test::GoldenFile& file : test::PtxFilesOf(examples)) samples.push_back(std::move(file));
  return samples;
}

std::vector<std::string> TargetsFor(const test::GoldenFile& file) {
  const std::vector<std::string> targets = test::TargetsOf(file.text);
  return targets.empty() ? std::vector<std::string>{"sm_90"} : targets;
}

// ptxas itself refuses byte order marks, final NULs and bytes above 127; the exact text is what is
// left of the module without them.
std::string Acceptable(const Module& module) { return ExactText(module.tokens).text; }

TEST(PtxasTest, ExactTextChangesNothing) {
  PTXFARM_NEED_TOOLKIT();
  for (const test::GoldenFile& file : Samples()) {
    const Module module(file.text);
    const std::string exact = ExactText(module.tokens).text;
    if (exact == file.text) continue;
    const std::string target = TargetsFor(file).front();
    EXPECT_FALSE(Ptxas(file.text, target).accepted) << file.name;
    EXPECT_TRUE(Ptxas(exact, target).accepted) << file.name;
  }
}

TEST(PtxasTest, CanonicalTextGivesTheSameCubin) {
  PTXFARM_NEED_TOOLKIT();
  for (const test::GoldenFile& file : Samples()) {
    const Module module(file.text);
    if (TextLinesMatter(module.header)) continue;
    const std::string canonical = Canonicalize(module.tokens).text;
    for (const std::string& target : TargetsFor(file)) {
      const Compiled original = Ptxas(Acceptable(module), target);
      ASSERT_TRUE(original.accepted) << file.name << " for " << target << ": " << original.log;
      const Compiled compiled = Ptxas(canonical, target);
      ASSERT_TRUE(compiled.accepted) << file.name << ": " << compiled.log << canonical;
      EXPECT_TRUE(original.cubin == compiled.cubin) << file.name << " for " << target;
    }
  }
}

// Other blanks give the same canonical text (canonical_property_test.cc); here: and ptxas agrees
// that they mean nothing, wherever they stand.
TEST(PtxasTest, BlanksAndCommentsMeanNothing) {
  PTXFARM_NEED_TOOLKIT();
  for (const test::GoldenFile& file : Samples()) {
    const Module module(file.text);
    if (TextLinesMatter(module.header)) continue;
    const std::string target = TargetsFor(file).front();
    const Compiled original = Ptxas(Acceptable(module), target);
    const std::string respaced = test::Respaced(module.tokens, 7, test::Split::kNotInNames);
    const Compiled compiled = Ptxas(respaced, target);
    ASSERT_TRUE(compiled.accepted) << file.name << ": " << compiled.log << respaced;
    EXPECT_TRUE(original.cubin == compiled.cubin) << file.name;
  }
}

// Why TextLinesMatter is as it is.
TEST(PtxasTest, LinesAreInTheCubinWhereTextLinesMatterSaysSo) {
  PTXFARM_NEED_TOOLKIT();
  const std::string folder = test::GoldenFolder("ptx/modules");
  const std::string with_loc = *ReadFile(folder + "/locations.ptx", 1 << 20);
  const std::string plain = *ReadFile(folder + "/reduce.ptx", 1 << 20);
  ASSERT_TRUE(TextLinesMatter(Module(with_loc).header));
  ASSERT_FALSE(TextLinesMatter(Module(plain).header));
  const auto depends_on_lines = [](const std::string& text, const std::string& options) {
    const Compiled one = Ptxas(text, "sm_90", options);
    const Compiled two = Ptxas("\n\n" + text, "sm_90", options);
    EXPECT_TRUE(one.accepted && two.accepted) << one.log;
    return one.cubin != two.cubin;
  };
  EXPECT_TRUE(depends_on_lines(with_loc, ""));
  EXPECT_FALSE(depends_on_lines(plain, ""));
  EXPECT_TRUE(depends_on_lines(plain, "-lineinfo"));
}

TEST(PtxasTest, LineOfAMessageIsFoundInTheUsersText) {
  PTXFARM_NEED_TOOLKIT();
  const std::string text =
      "// c\n.version 8.0 .target sm_80\n.address_size 64\n\n.visible .entry k()\n{\n\n"
      "  .reg .b32 %r; mov.u32 %r,\n  1; /* x\n */ bad.u32 %r, 2;\n  ret;\n}\n";
  const Module module(text);
  const CompilerText canonical = Canonicalize(module.tokens);
  const Compiled compiled = Ptxas(canonical.text, "sm_80");
  ASSERT_FALSE(compiled.accepted);
  constexpr std::string_view kLine = "k.ptx, line ";
  const std::size_t at = compiled.log.find(kLine);
  ASSERT_NE(at, std::string::npos) << compiled.log;
  const u32 line = static_cast<u32>(std::stoul(compiled.log.substr(at + kLine.size())));
  EXPECT_EQ(canonical.PlaceOf(module.source, line), (Place{10, 5})) << compiled.log;
}

// A large module, as nvcc makes it of CUB.
TEST(PtxasTest, CanonicalTextOfALargeModuleGivesTheSameCubin) {
  PTXFARM_NEED_TOOLKIT();
  if (!std::filesystem::exists(test::ToolkitTool("nvcc")))
    GTEST_SKIP() << "the toolkit has no nvcc";
  const test::TempDir folder;
  const test::Ran nvcc =
      test::RunShell(test::ShellQuote(test::ToolkitTool("nvcc")) +
                     " -std=c++17 -arch=sm_80 -ptx -o " + test::ShellQuote(folder / "large.ptx") +
                     " " + test::ShellQuote(test::GoldenFolder("ptx") + "/large.cu"));
  if (nvcc.exit_code != 0)
    GTEST_SKIP() << "nvcc can't compile here: " << nvcc.output.substr(0, 500);
  const Module module(*ReadFile(folder / "large.ptx", 1 << 26));
  EXPECT_GT(module.text.size(), 100000u);
  EXPECT_GT(module.header.functions.size(), 3u);
  ASSERT_FALSE(TextLinesMatter(module.header));
  const Compiled original = Ptxas(module.text, "sm_80");
  ASSERT_TRUE(original.accepted) << original.log;
  EXPECT_TRUE(Ptxas(Canonicalize(module.tokens).text, "sm_80").cubin == original.cubin);
}

}  // namespace
}  // namespace ptxfarm::ptx

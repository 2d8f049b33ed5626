// What the structural form rests on: ptxas makes the same cubin of it, to the byte, and other names
// give the same form.
#include <filesystem>

#include <gtest/gtest.h>

#include "tests/support/temp_dir.h"
#include "tests/support/toolkit.h"
#include "tests/toolchain/ptx/golden.h"
#include "tests/toolchain/ptx/renamed.h"
#include "tests/toolchain/ptx/respaced.h"
#include "toolchain/ptx/canonical.h"
#include "toolchain/ptx/check.h"
#include "toolchain/ptx/lex.h"
#include "toolchain/ptx/parse.h"
#include "toolchain/ptx/structural.h"

namespace ptxfarm::ptx {
namespace {

struct Parsed {
  explicit Parsed(std::string given)
      : text(std::move(given)), source{"", text}, tokens(*Lex(source)), module(*Parse(tokens)) {}

  std::string text;
  Source source;
  TokenBuffer tokens;
  Module module;
};

// What would be keyed and compiled; nothing where the module has no structural form.
std::optional<std::string> FormOf(const std::string& text) {
  const Parsed parsed(text);
  std::optional<std::string> form = StructuralText(parsed.module);
  if (!form) return std::nullopt;
  return Canonicalize(Parsed(*std::move(form)).tokens).text;
}

std::vector<test::GoldenFile> Samples() {
  std::vector<test::GoldenFile> samples = test::GoldenFiles("ptx/modules");
  for (test::GoldenFile& file :
       test::PtxFilesOf(std::string(std::getenv("PTXFARM_SOURCE")) + "/examples"))
    samples.push_back(std::move(file));
  return samples;
}

std::vector<std::string> TargetsFor(const test::GoldenFile& file) {
  const std::vector<std::string> targets = test::TargetsOf(file.text);
  return targets.empty() ? std::vector<std::string>{"sm_90"} : targets;
}

std::string Renamed(const std::string& text, u32 seed) {
  const Parsed parsed(text);
  const std::string renamed = test::Renamer(parsed.module, seed).Text();
  constexpr u32 kSpacing = 7;  // ptxas takes it; it has words that it reads with what is around.
  return test::Respaced(Parsed(renamed).tokens, kSpacing, test::Split::kNotInNames);
}

// The cubin, or what ptxas said.
std::string Ptxas(const std::string& text, const std::string& target, const std::string& options) {
  const test::TempDir folder;
  PTXFARM_CHECK(WriteFileAtomically(folder / "k.ptx", text).has_value());
  const test::Ran ran = test::RunShell("cd " + test::ShellQuote(folder.path()) + " && " +
                                       test::ShellQuote(test::ToolkitTool("ptxas")) +
                                       " -arch=" + target + " " + options + " k.ptx -o k.cubin");
  if (ran.exit_code != 0) return "refused: " + ran.output;
  return *ReadFile(folder / "k.cubin", 1 << 28);
}

void ExpectSameCubin(const std::string& name, const std::string& text, const std::string& form,
                     const std::string& target, const std::string& options = "") {
  SCOPED_TRACE(name + " for " + target + " " + options);
  const Parsed parsed(text);
  const std::string original = Ptxas(ExactText(parsed.tokens).text, target, options);
  ASSERT_FALSE(original.starts_with("refused")) << original;
  const std::string compiled = Ptxas(form, target, options);
  ASSERT_FALSE(compiled.starts_with("refused")) << compiled << form;
  EXPECT_TRUE(original == compiled);
}

TEST(StructuralTest, IsAcceptedAndItsOwnForm) {
  std::size_t forms = 0;
  for (const test::GoldenFile& file : Samples()) {
    const std::optional<std::string> form = FormOf(file.text);
    if (!form) continue;
    ++forms;
    for (const Diagnostic& diagnostic : Check({"", *form}).diagnostics)
      EXPECT_NE(diagnostic.severity, Severity::kError) << Format(diagnostic, file.name) << *form;
    EXPECT_EQ(FormOf(*form).value_or(""), *form) << file.name;
  }
  EXPECT_GT(forms, 15u);
}

TEST(StructuralTest, KeepsTheLines) {
  for (const test::GoldenFile& file : Samples()) {
    const Parsed parsed(file.text);
    const std::optional<std::string> form = StructuralText(parsed.module);
    if (!form) continue;
    EXPECT_EQ(std::count(form->begin(), form->end(), '\n'),
              std::count(file.text.begin(), file.text.end(), '\n'))
        << file.name;
  }
}

TEST(StructuralTest, OtherNamesGiveTheSameForm) {
  for (const test::GoldenFile& file : Samples()) {
    const std::optional<std::string> form = FormOf(file.text);
    if (!form) continue;
    for (u32 seed = 0; seed < 10; ++seed)
      ASSERT_EQ(FormOf(Renamed(file.text, seed)).value_or("none"), *form) << file.name;
  }
}

TEST(StructuralTest, MeaningIsPartOfTheForm) {
  const auto of = [](const std::string& body) {
    return FormOf(".version 8.0\n.target sm_80\n.visible .entry k()\n{\n" + body + "ret;\n}\n")
        .value();
  };
  const std::string first = of(".reg .b32 %a<4>; mov.b32 %a1, 1; mov.b32 %a2, %a1;\n");
  EXPECT_EQ(of(".reg .b32 %q, %w, %e; mov.b32 %w, 1; mov.b32 %q, %w;\n"), first);
  EXPECT_NE(of(".reg .b32 %a<4>; mov.b32 %a1, 1; mov.b32 %a1, %a1;\n"), first);
  EXPECT_NE(of(".reg .u32 %a<4>; mov.b32 %a1, 1; mov.b32 %a2, %a1;\n"), first);
  EXPECT_EQ(of(".reg .b32 %x<4>; { .reg .b32 %x<2>; mov.b32 %x1, 1; mov.b32 %x3, %x1; }\n"),
            of(".reg .b32 %x<4>; { .reg .b32 %y; mov.b32 %y, 1; mov.b32 %x3, %y; }\n"));
}

TEST(StructuralTest, NamesThatStayAreNeverGiven) {
  EXPECT_FALSE(
      FormOf(".version 8.0\n.target sm_80\n.global .b32 %b32_0;\n.visible .entry k()\n{\n"
             ".reg .b32 %r; ld.global.b32 %r, [%b32_0]; ret;\n}\n"));
}

constexpr char kUnused[] =
    ".version 8.0\n.target sm_80\n.address_size 64\n"
    ".extern .func (.param .b32 r) vprintf (.param .b64 f, .param .b64 a);\n"
    ".extern .func helper\n()\n;\n"
    ".visible .entry k(.param .u64 p)\n{\n.reg .b64 %rd<9>;\n.reg .b32 %r<5>;\n"
    "NOWHERE:\nld.param.u64 %rd3, [p];\nst.global.u32 [%rd3], 1;\nret;\n}\n";

TEST(StructuralTest, WhatNobodyUsesIsDropped) {
  const std::string form = FormOf(kUnused).value();
  for (const char* const word : {"vprintf", "helper", "<9>", ".b32"})
    EXPECT_EQ(form.find(word), std::string::npos) << form;
}

TEST(StructuralTest, WhatIsDroppedLeavesNoTrace) {
  PTXFARM_NEED_TOOLKIT();
  std::string text = kUnused;  // Of what isn't defined elsewhere ptxas takes system functions only.
  const std::size_t helper = text.find(".extern .func helper");
  text.erase(helper, text.find(".visible") - helper);
  for (const char* const target : {"sm_80", "sm_90", "sm_120"})
    ExpectSameCubin("unused", text, FormOf(text).value(), target);
}

TEST(StructuralTest, GivesTheSameCubin) {
  PTXFARM_NEED_TOOLKIT();
  for (const test::GoldenFile& file : Samples()) {
    const std::optional<std::string> form = FormOf(file.text);
    if (!form) continue;
    for (const std::string& target : TargetsFor(file))
      ExpectSameCubin(file.name, file.text, *form, target);
    ExpectSameCubin(file.name, Renamed(file.text, 3), *form, TargetsFor(file).front());
    for (const char* const options : {"-O0", "-O1", "-maxrregcount=32"})
      ExpectSameCubin(file.name, file.text, *form, TargetsFor(file).front(), options);
  }
}

TEST(StructuralTest, GivesTheSameCubinOfWhatNvccWrites) {
  PTXFARM_NEED_TOOLKIT();
  const std::string nvcc = test::ToolkitTool("nvcc");
  if (!std::filesystem::exists(nvcc)) GTEST_SKIP() << "the toolkit has no nvcc";
  struct Case {
    const char* file;
    const char* target;
  };
  for (const Case& one :
       {Case{"large.cu", "80"}, Case{"real/headers.cu", "90"}, Case{"real/wrappers.cu", "90"}}) {
    const test::TempDir folder;
    const test::Ran ran =
        test::RunShell(test::ShellQuote(nvcc) + " -std=c++17 -w -ptx -arch=compute_" + one.target +
                       " -o " + test::ShellQuote(folder / "k.ptx") + " " +
                       test::ShellQuote(test::GoldenFolder("ptx") + "/" + one.file));
    ASSERT_EQ(ran.exit_code, 0) << ran.output.substr(0, 1000);
    const std::string text = *ReadFile(folder / "k.ptx", 1 << 28);
    const std::optional<std::string> form = FormOf(text);
    ASSERT_TRUE(form) << one.file;
    const std::string renamed = Renamed(text, 5);
    EXPECT_EQ(FormOf(renamed).value_or("none"), *form) << one.file;
    ExpectSameCubin(one.file, text, *form, std::string("sm_") + one.target);
  }
}

}  // namespace
}  // namespace ptxfarm::ptx

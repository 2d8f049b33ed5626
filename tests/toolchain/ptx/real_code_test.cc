// No false errors: what compilers write is accepted, all of it.
#include <filesystem>

#include <gtest/gtest.h>

#include "tests/support/temp_dir.h"
#include "tests/support/toolkit.h"
#include "tests/toolchain/ptx/golden.h"
#include "toolchain/ptx/check.h"

namespace ptxfarm::ptx {
namespace {

void ExpectAccepted(const std::string& path, bool is_relocatable) {
  constexpr u64 kBytesMax = u64{1} << 28;
  const std::string text = *ReadFile(path, kBytesMax);
  const CheckResult result = Check({path, text}, {.is_relocatable = is_relocatable});
  EXPECT_TRUE(result.is_accepted) << path;
  for (const Diagnostic& diagnostic : result.diagnostics)
    if (diagnostic.severity == Severity::kError)
      ADD_FAILURE() << Format(diagnostic, std::filesystem::path(path).filename()) << '\n'
                    << Source{"", text}.Line(diagnostic.place.line);
}

struct Compile {
  const char* file;    // Of tests/golden/ptx.
  const char* target;  // Of nvcc.
  const char* options;
};

constexpr Compile kCompiles[] = {
    {"large.cu", "compute_80", ""},
    {"real/algorithms.cu", "compute_75", "-lineinfo"},
    {"real/headers.cu", "compute_75", "-G"},
    {"real/headers.cu", "compute_80", "-lineinfo -rdc=true"},
    {"real/headers.cu", "compute_90", ""},
    {"real/headers.cu", "compute_120a", "-ftz=true -prec-div=false"},
    {"real/wrappers.cu", "compute_90", ""},
    {"real/wrappers.cu", "compute_90a", "-G"},
    {"real/wrappers.cu", "compute_100a", ""},
    {"real/wrappers.cu", "compute_103f", "-lineinfo"},
};

TEST(RealCodeTest, WhatNvccWritesIsAccepted) {
  PTXFARM_NEED_TOOLKIT();
  const std::string nvcc = test::ToolkitTool("nvcc");
  if (!std::filesystem::exists(nvcc)) GTEST_SKIP() << "the toolkit has no nvcc";
  for (const Compile& one : kCompiles) {
    const test::TempDir folder;
    const test::Ran ran =
        test::RunShell(test::ShellQuote(nvcc) + " -std=c++17 -w -ptx -arch=" + one.target + " " +
                       one.options + " -o " + test::ShellQuote(folder / "k.ptx") + " " +
                       test::ShellQuote(test::GoldenFolder("ptx") + "/" + one.file));
    ASSERT_EQ(ran.exit_code, 0) << one.file << ' ' << one.target << ": "
                                << ran.output.substr(0, 1000);
    SCOPED_TRACE(std::string(one.file) + " for " + one.target + " " + one.options);
    ExpectAccepted(folder / "k.ptx", std::string(one.options).find("-rdc") != std::string::npos);
  }
}

// Debian's LLVM has the backend; the toolkit plays no part.
TEST(RealCodeTest, WhatClangWritesIsAccepted) {
  std::string clang;
  for (const char* const name : {"clang-16", "clang-14", "clang"})
    if (clang.empty() && test::RunShell(std::string(name) + " --version").exit_code == 0)
      clang = name;
  if (clang.empty()) GTEST_SKIP() << "no clang here";
  for (const char* const options : {"-O2 -march=sm_60 -Xclang -target-feature -Xclang +ptx60",
                                    "-O0 -march=sm_75 -Xclang -target-feature -Xclang +ptx64",
                                    "-O3 -g -march=sm_80 -Xclang -target-feature -Xclang +ptx70"}) {
    const test::TempDir folder;
    const test::Ran ran =
        test::RunShell(clang + " --target=nvptx64-nvidia-cuda -S -w " + options + " -o " +
                       test::ShellQuote(folder / "k.ptx") + " " +
                       test::ShellQuote(test::GoldenFolder("ptx") + "/real/plain.c"));
    ASSERT_EQ(ran.exit_code, 0) << options << ": " << ran.output.substr(0, 1000);
    SCOPED_TRACE(options);
    ExpectAccepted(folder / "k.ptx", false);
  }
}

}  // namespace
}  // namespace ptxfarm::ptx

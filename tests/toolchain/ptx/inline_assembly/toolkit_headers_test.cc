// The asm statements of the toolkit's own headers: thousands, all right, so every error is ours.
#include <filesystem>

#include <gtest/gtest.h>

#include "base/file.h"
#include "tests/support/toolkit.h"
#include "toolchain/ptx/inline_assembly/check_inline.h"

namespace ptxfarm::ptx {
namespace {

// What is wrong in these headers indeed: templates that nobody instantiates, so no ptxas saw them.
struct KnownFault {
  std::string_view file;
  std::string_view kind;
  std::string_view why;
};
// clang-format off
constexpr KnownFault kKnown[] = {
    {"cuda/std/__atomic/functions/cuda_ptx_generated.h", "operand-kind",      "128-bit loads: 'ld.b128 [%2],_d;', destination and address swapped"},
    {"cuda/std/__atomic/functions/cuda_ptx_generated.h", "asm-writes-input",  "128-bit operations: 'mov.b128 {%1, %2}, _v;' the wrong way round"},
    {"cuda/std/__atomic/functions/cuda_ptx_generated.h", "asm-never-written", "the same with outputs"},
    {"doca_gpunetio_dev_verbs_common.cuh",               "asm-writes-input",  "'ld.acquire.cta.b32 %0' with %0 an input"},
    {"sm_20_intrinsics.hpp",                             "unknown-modifier",  "'cvta.param.u32' for hosts of 32 bits, which left"},
};
// clang-format on

bool IsKnown(const std::string& file, const Diagnostic& diagnostic) {
  for (const KnownFault& known : kKnown)
    if (file.ends_with(known.file) && diagnostic.kind == known.kind) return true;
  return false;
}

TEST(ToolkitHeadersTest, HaveNoFalseErrors) {
  PTXFARM_NEED_TOOLKIT();
  const std::filesystem::path root = *test::ToolkitRoot() + "/include/";
  u32 statements = 0, skipped = 0;
  std::string errors;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(
           root, std::filesystem::directory_options::follow_directory_symlink |
                     std::filesystem::directory_options::skip_permission_denied)) {
    if (!entry.is_regular_file()) continue;
    const Result<std::string> text = ReadFile(entry.path(), 64 << 20);
    ASSERT_TRUE(text) << text.error().message;
    if (text->find("asm") == std::string::npos) continue;
    const InlineCheckResult result = CheckInline({entry.path(), *text});
    statements += result.statements_count;
    skipped += result.skipped_count;
    for (const Diagnostic& one : result.diagnostics) {
      if (one.severity != Severity::kError) continue;
      const std::string file = entry.path().lexically_relative(root);
      if (!IsKnown(file, one)) errors += Format(one, file) + "\n";
    }
  }
  EXPECT_EQ(errors, "");
  EXPECT_GT(statements, 2000u);
  RecordProperty("statements", static_cast<int>(statements));
  RecordProperty("skipped", static_cast<int>(skipped));
}

}  // namespace
}  // namespace ptxfarm::ptx

// The C file of an embedded fat binary is the toolkit's, byte for byte.
#include "toolchain/object/fatbin/embed.h"

#include <gtest/gtest.h>

#include "base/file.h"
#include "tests/support/temp_dir.h"
#include "tests/support/toolkit.h"
#include "toolchain/object/fatbin/write.h"

namespace ptxfarm::object::fatbin {
namespace {

struct Form {
  const char* options;
  EmbedOptions embed;
};

constexpr Form kForms[] = {
    {"", {}},
    {"-c", {.relocatable = true}},
    {"-link", {.linked = true}},
    {"-c -link", {.relocatable = true, .linked = true}},
    {"--no-asm", {.without_assembler = true}},
    {"-c --no-asm", {.relocatable = true, .without_assembler = true}},
    {"-link --no-asm", {.linked = true, .without_assembler = true}},
};

TEST(EmbeddedTextTest, IsTheToolkitsInEveryFormAndOfEveryLength) {
  PTXFARM_NEED_TOOLKIT();
  const test::TempDir dir;
  for (std::size_t words = 0; words < 9; ++words) {
    const std::string ptx = ".version 8.0\n.target sm_80\n" + std::string(words * 8, 'x');
    ASSERT_TRUE(WriteFileAtomically(dir / "k.ptx", ptx));
    for (const Form& form : kForms) {
      const test::Ran ran = test::RunShell(
          fmt::format("cd {} && {} --compress=false {} --image3=kind=ptx,sm=80,file=k.ptx "
                      "--embedded-fatbin=k.c",
                      test::ShellQuote(dir.path()), test::ToolkitTool("fatbinary"), form.options));
      ASSERT_EQ(ran.exit_code, 0) << ran.output;
      const Member member{MemberKind::kPtx, {80, 0}, ptx};
      const std::string container =
          WriteFatbin({&member, 1}, {.compress = CompressMode::kNone}).value();
      EXPECT_EQ(EmbeddedText(container, form.embed), ReadFile(dir / "k.c", 1 << 20).value())
          << form.options << ", " << words;
    }
  }
}

}  // namespace
}  // namespace ptxfarm::object::fatbin

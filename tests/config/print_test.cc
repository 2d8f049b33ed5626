// Help, man pages, the reference and completions, judged by the programs that read them where those
// are installed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/file.h"
#include "config/completion.h"
#include "config/general.h"
#include "config/help.h"
#include "config/man_page.h"
#include "config/markdown.h"
#include "config/text.h"
#include "tests/config/sample_program.h"
#include "tests/support/temp_dir.h"
#include "tests/support/toolkit.h"

#define PTXFARM_NEED_PROGRAM(name)                                              \
  do {                                                                          \
    if (test::RunShell("command -v " name).exit_code != 0)                      \
      GTEST_SKIP() << "no " name " here (apt-get install " name " to have it)"; \
  } while (false)

namespace ptxfarm::config {
namespace {

using testing::HasSubstr;
using testing::Not;

class PrintTest : public testing::Test {
 protected:
  CommandPath Path(std::size_t index) const { return AllPaths(program_)[index]; }
  std::string Write(const std::string& name, const std::string& text) const {
    EXPECT_TRUE(WriteFileAtomically(dir_ / name, text));
    return dir_ / name;
  }

  const test::TempDir dir_;
  SampleOptions options_;
  GeneralOptions general_;
  const Program program_ = WithGeneralOptions(SampleProgram(options_), general_);
};

TEST_F(PrintTest, HelpIsGroupedAndFitsTheWidth) {
  for (const std::size_t width : {40u, 60u, 80u, 120u}) {
    for (const CommandPath& path : AllPaths(program_)) {
      const std::string text = Help(path, width);
      std::size_t begin = 0;
      while (begin < text.size()) {
        const std::size_t end = text.find('\n', begin);
        EXPECT_LE(Columns(text.substr(begin, end - begin)), width)
            << text.substr(begin, end - begin);
        begin = end + 1;
      }
    }
  }
}

TEST_F(PrintTest, HelpShowsDefaultsUnitsRangesAndChoices) {
  const std::string help = Help(Path(1), 120);
  EXPECT_THAT(
      help,
      HasSubstr(
          "\nCompiling:\n  -t, --targets LIST        What to compile for. [default sm_90; may "
          "be given several times]\n"));
  EXPECT_THAT(
      help, HasSubstr("      --store-bytes-max SIZE\n                            Room for results. "
                      "[default 64MiB; a size from 1MiB to 1TiB]\n"));
  EXPECT_THAT(help, HasSubstr("      --[no-]verify         Check what came back. [default on]\n"));
  EXPECT_THAT(help, HasSubstr("Colour the output. [default auto; one of auto, always, never]"));
  EXPECT_THAT(help, HasSubstr("  -h, --help                Print this help and exit.\n"));
  EXPECT_THAT(Help(Path(0), 80),
              HasSubstr("\nCommands:\n  compile                   compiles PTX modules\n"));
}

TEST_F(PrintTest, WrapKeepsParagraphsAndLongWords) {
  EXPECT_EQ(Wrap("aa bb cc\n\ndd", 1, 6), " aa bb\n cc\n\n dd\n");
  EXPECT_EQ(Wrap("a veryveryverylongword b", 0, 8), "a\nveryveryverylongword\nb\n");
  EXPECT_EQ(Columns("äöü…"), 4u);
}

TEST_F(PrintTest, ManPagesPassMandoc) {
  PTXFARM_NEED_PROGRAM("mandoc");
  for (const CommandPath& path : AllPaths(program_)) {
    const std::string file = Write(ManPageFileName(path), ManPage(program_, path));
    const test::Ran lint =
        test::RunShell("mandoc -T lint -W warning " + file + " | grep -v -e 'missing date'");
    EXPECT_EQ(lint.output, "") << ManPage(program_, path);
  }
}

TEST_F(PrintTest, ManPagesPassGroffAndSayWhatTheRowsSay) {
  PTXFARM_NEED_PROGRAM("man");
  const std::string file = Write("p.1", ManPage(program_, Path(1)));
  const test::Ran warnings =
      test::RunShell("LC_ALL=C.UTF-8 MANROFFSEQ= man --warnings -E UTF-8 -l -Tutf8 -Z " + file +
                     " 2>&1 >/dev/null");
  EXPECT_EQ(warnings.output, "");
  const test::Ran page = test::RunShell("LC_ALL=C.UTF-8 MANWIDTH=100 man -l " + file + " | col -b");
  for (const char* part :
       {"NAME\n       sample-compile - compiles PTX modules",
        "SYNOPSIS\n       sample compile [OPTION]... FILE...", "       .Dots and 'quotes' stay.",
        "--store-bytes-max SIZE", "Default 64MiB; a size from 1MiB to 1TiB.",
        "it's \"cubin\" [or] 'fatbin' $HOME `x` \\ | all.", "PTXFARM_STORE_BYTES_MAX",
        "/etc/ptxfarm/config.toml", "EXIT STATUS", "sample compile k.ptx --targets sm_90",
        "SEE ALSO\n       sample(1)"})
    EXPECT_THAT(page.output, HasSubstr(part));
}

TEST_F(PrintTest, MarkdownHasARowForEachOption) {
  const std::string markdown = Markdown(program_, 2);
  EXPECT_THAT(markdown, HasSubstr("### sample compile\n\n`sample compile [OPTION]... FILE...`\n"));
  EXPECT_THAT(
      markdown,
      HasSubstr("| `--store-bytes-max SIZE` | `PTXFARM_STORE_BYTES_MAX` | "
                "`client.store-bytes-max` | `64MiB` | Room for results. Allowed: a size from "
                "1MiB to 1TiB. |\n"));
  EXPECT_THAT(markdown, HasSubstr("| `-o, --output PATH` |  |  |  | Where to write. |\n"));
  EXPECT_THAT(markdown, HasSubstr("`x` \\ \\| all."));
}

class BashTest : public PrintTest {
 protected:
  // What bash offers for the words, the last of which is being written.
  std::string Complete(const std::vector<std::string>& words) {
    const std::string script = Write("sample.bash", BashCompletion(program_));
    std::string list;
    for (const std::string& word : words) list += " " + test::ShellQuote(word);
    const std::string code = fmt::format(
        "set -u; . {}; COMP_WORDS=({}); COMP_CWORD={}; _sample; printf '%s\\n' "
        "\"${{COMPREPLY[@]-}}\" | sort | "
        "xargs echo",
        script, list, words.size() - 1);
    return test::RunShell("cd " + dir_.path() + " && bash -c " + test::ShellQuote(code)).output;
  }
};

TEST_F(BashTest, CompletesCommandsOptionsChoicesAndFiles) {
  Write("a file.ptx", "");
  EXPECT_EQ(Complete({"sample", ""}), "compile fatbin\n");
  EXPECT_EQ(Complete({"sample", "-q", "fa"}), "fatbin\n");
  EXPECT_EQ(Complete({"sample", "fatbin", ""}), "list\n");
  EXPECT_EQ(Complete({"sample", "compile", "--st"}), "--store-bytes-max\n");
  EXPECT_EQ(Complete({"sample", "compile", "--no-v"}), "--no-verify\n");
  EXPECT_EQ(Complete({"sample", "compile", "--lea"}), "--lease\n");
  EXPECT_EQ(Complete({"sample", "compile", "--emit", ""}), "cubin fatbin ptx\n");
  EXPECT_EQ(Complete({"sample", "compile", "--emit", "=", "f"}), "fatbin\n");
  EXPECT_EQ(Complete({"sample", "compile", "--emit", "="}), "cubin fatbin ptx\n");
  EXPECT_EQ(Complete({"sample", "compile", "a f"}), "a file.ptx\n");
  EXPECT_EQ(Complete({"sample", "compile", "-o", "a f"}), "a file.ptx\n");
  EXPECT_EQ(Complete({"sample", "compile", "--jobs", ""}), "\n");
}

TEST_F(BashTest, AValueIsNoCommand) {
  EXPECT_EQ(Complete({"sample", "--server", "compile", ""}), "compile fatbin\n");
  EXPECT_EQ(Complete({"sample", "--server", "=", "compile", ""}), "compile fatbin\n");
}

TEST_F(PrintTest, ZshReadsItsCompletion) {
  PTXFARM_NEED_PROGRAM("zsh");
  const std::string script = Write("_sample", ZshCompletion(program_));
  EXPECT_EQ(test::RunShell("zsh -f -n " + script).output, "");
}

// A zsh on a pseudo terminal that writes each line and presses Tab twice; all that it showed is
// seen.
TEST_F(PrintTest, ZshCompletesOnATerminal) {
  PTXFARM_NEED_PROGRAM("zsh");
  Write("_sample", ZshCompletion(program_));
  const std::string driver = Write("driver.zsh", R"(zmodload zsh/zpty || exit 3
zpty shell zsh -f -i
zpty -w shell "PROMPT=; stty cols 200; fpath=($1 \$fpath); autoload -U compinit; compinit -u -D; print RE''ADY"
zpty -r shell seen '*READY*'
for line in ${@:2}; do
  zpty -n -w shell "$line"$'\t\t'
  zpty -n -w shell $'\C-a\C-kprint DO\'\'NE\n'
  zpty -r shell seen '*DONE*'
  print -r -- $seen
done
zpty -d shell
)");
  const std::string seen =
      test::RunShell(
          "cd " + dir_.path() + " && TERM=dumb zsh -f " + driver + " " + dir_.path() +
          " 'sample ' 'sample compile --emit ' 'sample fatbin ' 'sample compile --store-b'")
          .output;
  for (const char* part : {"compiles PTX modules", "reads and writes fat binaries", "cubin", "ptx",
                           "sample fatbin list", "sample compile --store-bytes-max="})
    EXPECT_THAT(seen, HasSubstr(part));
}

TEST_F(PrintTest, FishCompletes) {
  PTXFARM_NEED_PROGRAM("fish");
  const std::string script = Write("sample.fish", FishCompletion(program_));
  Write("k.ptx", "");
  EXPECT_EQ(test::RunShell("fish -n " + script).output, "");
  const auto complete = [&](const std::string& line) {
    return test::RunShell("cd " + dir_.path() + " && HOME=" + dir_.path() + " fish -c " +
                          test::ShellQuote("source " + script + "; complete -C '" + line + "'"))
        .output;
  };
  EXPECT_EQ(complete("sample "),
            "compile\tcompiles PTX modules\nfatbin\treads and writes fat binaries\n");
  EXPECT_EQ(complete("sample --server compile fa"), "fatbin\treads and writes fat binaries\n");
  EXPECT_EQ(complete("sample fatbin l"), "list\tlists the members of a fat binary\n");
  EXPECT_EQ(complete("sample compile --store"), "--store-bytes-max\tRoom for results\n");
  EXPECT_EQ(complete("sample compile --emit "),
            "cubin\tWhat to write; it's \"cubin\" [or] 'fatbin' $HOME `x` \\ | all\n"
            "fatbin\tWhat to write; it's \"cubin\" [or] 'fatbin' $HOME `x` \\ | all\n"
            "ptx\tWhat to write; it's \"cubin\" [or] 'fatbin' $HOME `x` \\ | all\n");
  EXPECT_THAT(complete("sample compile k"), HasSubstr("k.ptx"));
  EXPECT_THAT(complete("sample fatbin k"), Not(HasSubstr("k.ptx")));
}

}  // namespace
}  // namespace ptxfarm::config

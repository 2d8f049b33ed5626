#include "client/dropin/ptxas/command_line.h"

#include <gtest/gtest.h>

#include "base/file.h"
#include "tests/support/temp_dir.h"

namespace ptxfarm::dropin {
namespace {

PtxasCall Read(const std::vector<const char*>& words) { return ReadPtxasCall(words); }

TEST(CommandLineTest, ReadsACall) {
  const PtxasCall call =
      Read({"-arch=sm_90a", "-O2", "--maxrregcount", "32", "in", "--output-file=out", "-v"});
  ASSERT_EQ(call.kind, CallKind::kCompile) << call.why;
  EXPECT_EQ(call.target, "sm_90a");
  EXPECT_EQ(call.output, "out");
  ASSERT_EQ(call.inputs.size(), 1u);
  EXPECT_EQ(call.inputs[0].name, "in");
  EXPECT_EQ(call.words[call.inputs[0].word], "in");
  EXPECT_EQ(call.words[call.output_word], "--output-file=out");
  ASSERT_EQ(call.options.size(), 3u);
  EXPECT_EQ(call.options[0].value, "2");
  EXPECT_TRUE(call.Has("verbose"));
  EXPECT_TRUE(call.makes_object());
  EXPECT_FALSE(Read({"-arch=compute_90", "k.ptx"}).makes_object());
}

TEST(CommandLineTest, NamesOptionsThatAreGivenTwice) {
  const PtxasCall call = Read({"k.ptx", "-O1", "-O2", "-o", "a", "-o", "a", "-e", "x", "-e", "y"});
  ASSERT_EQ(call.kind, CallKind::kCompile);
  EXPECT_EQ(call.redefined, std::vector<std::string>{"opt-level"}) << "lists add up";
}

TEST(CommandLineTest, PutsTheWordsOfAnOptionsFileInPlace) {
  const test::TempDir folder;
  ASSERT_TRUE(WriteFileAtomically(folder / "opts", " -arch sm_80\n\tk.ptx -v\n"));
  const std::string path = folder / "opts";
  const std::string joined = "--options-file=" + path;
  for (const PtxasCall& call : {Read({"-O1", "-optf", path.c_str(), "-o", "out"}),
                                Read({"-O1", joined.c_str(), "-o", "out"})}) {
    ASSERT_EQ(call.kind, CallKind::kCompile) << call.why;
    EXPECT_EQ(call.words,
              (std::vector<std::string>{"-O1", "-arch", "sm_80", "k.ptx", "-v", "-o", "out"}));
    EXPECT_EQ(call.inputs[0].word, 3u);
    EXPECT_EQ(call.output_word, 6u);
  }
}

TEST(CommandLineTest, LeavesToTheToolWhatItDoesNotKnow) {
  for (const std::vector<const char*>& words :
       std::vector<std::vector<const char*>>{{"-foo", "k.ptx"},
                                             {"--arch=sm_80", "k.ptx"},
                                             {"-opt-level", "2", "k.ptx"},
                                             {"-O", "k.ptx"},
                                             {"-Ox", "k.ptx"},
                                             {"-v=true", "k.ptx"},
                                             {"-fmad", "k.ptx"},
                                             {"-", "-v"},
                                             {"", "k.ptx"},
                                             {"-o"},
                                             {"-v"},
                                             {"a.ptx", "b.ptx"},
                                             {"--version", "k.ptx"},
                                             {"-optf", "/nonexistent", "k.ptx"}}) {
    const PtxasCall call = Read(words);
    EXPECT_EQ(call.kind, CallKind::kOther) << words[0];
    EXPECT_FALSE(call.why.empty()) << words[0];
  }
}

TEST(CommandLineTest, KnowsQuestions) {
  EXPECT_EQ(Read({}).query, "help");
  EXPECT_EQ(Read({"-V"}).query, "version");
  EXPECT_EQ(Read({"--version"}).query, "version");
  EXPECT_EQ(Read({"-version-ls"}).query, "list-version");
  EXPECT_EQ(Read({"-h"}).kind, CallKind::kQuery);
}

}  // namespace
}  // namespace ptxfarm::dropin

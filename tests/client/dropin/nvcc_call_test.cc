// What the nvcc launcher reads: command lines, preprocessed texts, manifests. No nvcc is run.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <sstream>

#include "base/file.h"
#include "client/dropin/nvcc/include_scan.h"
#include "client/dropin/nvcc/manifest.h"
#include "client/dropin/nvcc/nvcc_call.h"
#include "client/dropin/nvcc/nvcc_options.h"
#include "client/dropin/tier/sha256_stream.h"
#include "tests/support/temp_dir.h"
#include "tests/support/toolkit.h"

namespace ptxfarm::dropin {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::vector<std::string> Words(const std::string& text) {
  std::istringstream stream(text);
  return {std::istream_iterator<std::string>(stream), {}};
}

NvccCall Read(const std::string& line, std::string_view before = "", std::string_view after = "") {
  return ReadNvccCall(Words(line), before, after);
}

TEST(NvccCallTest, NamesInputAndOutputs) {
  struct Row {
    const char* line;
    const char* output;
    const char* dependencies;
  };
  for (const Row& row : {
           Row{"-c a/k.cu", "k.o", ""},
           Row{"-dc a/k.cu -o b/k.obj", "b/k.obj", ""},
           Row{"--compile a/k.cu --output-file=b.o", "b.o", ""},
           Row{"-ptx a/k.cu", "k.ptx", ""},
           Row{"-cubin -arch=sm_80 a/k.cu", "k.cubin", ""},
           Row{"--fatbin a/k.cu -t 4", "k.fatbin", ""},
           Row{"-x cu -c a/k.cpp -o k.o", "k.o", ""},
           Row{"-MD -MF k.d -MT k.o -c a/k.cu -o k.o", "k.o", "k.d"},
           Row{"--generate-dependencies-with-compile --dependency-output k.d -c a/k.cu", "k.o",
               "k.d"},
           Row{"-MF k.d -c a/k.cu", "k.o", ""},
           // As CMake calls it.
           Row{"-forward-unknown-to-host-compiler "
               "--generate-code=arch=compute_80,code=[compute_80,sm_80] -Wall -fPIC "
               "-rdc=true -MD -MT k.o -MF k.d -x cu -rdc=true -c a/k.cu -o k.o",
               "k.o", "k.d"},
       }) {
    const NvccCall call = Read(row.line);
    EXPECT_EQ(call.why_not, "") << row.line;
    EXPECT_THAT(call.input, HasSubstr("a/k.c")) << row.line;
    EXPECT_EQ(call.output, row.output) << row.line;
    EXPECT_EQ(call.dependency_file, row.dependencies) << row.line;
  }
}

TEST(NvccCallTest, FindsTheFoldersInTheOrderOfTheSearch) {
  const NvccCall call =
      Read("-isystem s1 -Ia -I b,c -c k.cu --include-path=d -isystem=s2", "-Ibefore", "-I after");
  EXPECT_THAT(call.include_folders, ElementsAre("before", "a", "b", "c", "d", "after", "s1", "s2"));
}

TEST(NvccCallTest, SameCallsHaveSameKeysAndOthersDont) {
  const auto key = [](const std::string& line) { return Read(line).key_words; };
  const std::string base = "-c k.cu -O3 -DX=1 -Ia -o k.o";
  for (const char* const same :
       {"-c k.cu -O3 -DX=1 -Ia -o other.o", "-c k.cu -O=3 -D X=1 -I a -o k.o",
        "--compile k.cu --optimize 3 --define-macro X=1 -Ia -o k.o -t8",
        "-c k.cu -O3 -DX=1 -Ia --output-file k.o --threads=2"})
    EXPECT_EQ(key(same), key(base)) << same;
  for (const char* const other :
       {"-c k.cu -O2 -DX=1 -Ia", "-c k.cu -O3 -DX=2 -Ia", "-c k.cu -O3 -DX=1",
        "-dc k.cu -O3 -DX=1 -Ia", "-c l.cu -O3 -DX=1 -Ia", "-c k.cu -O3 -DX=1 -Ia -lineinfo",
        "-c k.cu -DX=1 -O3 -Ia", "-c k.cu -O3 -DX=1 -Ia -Xptxas -v",
        "-c k.cu -O3 -DX=1 -Ia -arch=sm_90", "-c k.cu -O3 -DX=1 -Ia --split-compile 2"})
    EXPECT_NE(key(other), key(base)) << other;
  // Where the rule of the dependency file names it, the output's name counts.
  EXPECT_NE(key("-MD -MF k.d -c k.cu -o a.o"), key("-MD -MF k.d -c k.cu -o b.o"));
  EXPECT_EQ(key("-MD -MF k.d -MT x -c k.cu -o a.o"), key("-MD -MF l.d -MT x -c k.cu -o b.o"));
}

TEST(NvccCallTest, SaysWhyACallIsNvccsOwnBusiness) {
  struct Row {
    const char* line;
    const char* why;
  };
  for (const Row& row : {
           Row{"k.cu -o k", "links"},
           Row{"-c", "no input"},
           Row{"-c a.cu b.cu", "several inputs"},
           Row{"-c k.cpp", "no CUDA source"},
           Row{"-c -", "standard input"},
           Row{"-c @words", "@file"},
           Row{"-E k.cu", "--preprocess"},
           Row{"-M k.cu", "--generate-dependencies"},
           Row{"-c k.cu --keep", "--keep"},
           Row{"-c k.cu -arch=native", "native"},
           Row{"-c k.cu --nonsense", "--nonsense"},
           Row{"-c k.cu -Wall", "-Wall"},
           Row{"-forward-unknown-to-host-compiler -c k.cu --coverage", "--coverage"},
           Row{"-c k.cu -MD", "-MF"},
           Row{"-c -ptx k.cu", "two kinds"},
           Row{"-c k.cu -o", "needs a value"},
           Row{"-c=1 k.cu", "takes no value"},
           Row{"-c k.cu -o a.o -o b.o", "twice"},
           Row{"-c k.cu -Xcompiler -fPIC,-Iinc", "-Iinc"},
           Row{"-c k.cu -Xcompiler --coverage", "--coverage"},
           Row{"-c k.cu -optf /nowhere", "can't be read"},
           Row{"-c k.cu --time=x", "--time"},
           Row{"--version", "--version"},
       })
    EXPECT_THAT(Read(row.line).why_not, HasSubstr(row.why)) << row.line;
  EXPECT_THAT(Read("-c k.cu", "-D'A B'").why_not, HasSubstr("quotes"));
}

TEST(NvccCallTest, ReadsOptionsFiles) {
  const test::TempDir dir;
  ASSERT_TRUE(WriteFileAtomically(dir / "inner", "-DINNER\n"));
  ASSERT_TRUE(
      WriteFileAtomically(dir / "outer", "-c -Iinc --options-file=" + (dir / "inner") + "\n"));
  ASSERT_TRUE(WriteFileAtomically(dir / "loop", "-optf " + (dir / "loop")));
  const NvccCall call = Read("-optf " + (dir / "outer") + " k.cu");
  EXPECT_EQ(call.why_not, "");
  EXPECT_THAT(call.include_folders, ElementsAre("inc"));
  EXPECT_THAT(call.words, ElementsAre("-c", "-Iinc", "-DINNER", "k.cu"));
  EXPECT_THAT(Read("-optf " + (dir / "loop")).why_not, HasSubstr("include each other"));
}

// A toolkit with other options shows up here.
TEST(NvccOptionsTest, AreThoseOfTheToolkit) {
  PTXFARM_NEED_TOOLKIT();
  const test::Ran ran = test::RunShell(test::ToolkitTool("nvcc") + " --help");
  ASSERT_EQ(ran.exit_code, 0);
  std::size_t found = 0;
  std::istringstream lines(ran.output);
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("--")) continue;
    const std::string name = line.substr(2, line.find_first_of(" \t") - 2);
    const bool takes_value =
        line.find_first_of("<{[") < line.find("  ") || line.find(",...") != std::string::npos;
    const auto row = std::ranges::find(NvccOptions(), name, &NvccOption::name);
    ASSERT_NE(row, NvccOptions().end()) << line;
    // It doesn't show that -MF takes a name.
    EXPECT_TRUE(row->value != NvccValue::kNone || !takes_value) << line;
    ++found;
  }
  EXPECT_EQ(found, NvccOptions().size());
}

TEST(IncludeScanTest, FindsEachFileOnce) {
  EXPECT_THAT(FilesOfPreprocessed(
                  "# 0 \"k.cu\"\n# 0 \"<built-in>\"\n# 1 \"/dir//\"\n"
                  "# 1 \"inc/a b.h\" 1 3 4\nint x; # 5 \"no.h\"\n#line 7 \"l.h\"\n"
                  "# 2 \"k.cu\" 2\n# 9 \"q\\\"q.h\" 1\n#pragma once\n# x \"y\"\n# 3 \"k.cu\""),
              ElementsAre("k.cu", "inc/a b.h", "l.h", "q\"q.h"));
  EXPECT_THAT(FilesOfPreprocessed(""), IsEmpty());
}

class ManifestTest : public testing::Test {
 protected:
  std::string Write(const std::string& name, std::string_view text) {
    std::filesystem::create_directories(std::filesystem::path(dir_ / name).parent_path());
    EXPECT_TRUE(WriteFileAtomically(dir_ / name, text));
    return dir_ / name;
  }
  // As if the compiler had begun after all that was written.
  static constexpr i64 kLater = i64{1} << 62;

  const test::TempDir dir_;
};

TEST_F(ManifestTest, ComesBackWholeOrNotAtAll) {
  Variant variant{.files = {{.path = "k.cu", .sha256 = Sha256Of("k"), .stamp = {1, 2, 3, 4, 5}}},
                  .absent = {"inc/k.h", ""},
                  .result = Sha256Of("r")};
  const std::string bytes = PackManifest({variant, {}});
  const std::optional<Manifest> back = UnpackManifest(bytes);
  ASSERT_TRUE(back.has_value());
  ASSERT_EQ(back->size(), 2u);
  EXPECT_EQ(back->at(0).files.at(0).path, "k.cu");
  EXPECT_EQ(back->at(0).files.at(0).stamp, variant.files[0].stamp);
  EXPECT_EQ(back->at(0).absent, variant.absent);
  EXPECT_EQ(back->at(0).result, variant.result);
  for (std::size_t size = 0; size < bytes.size(); ++size)
    EXPECT_FALSE(UnpackManifest(std::string_view(bytes).substr(0, size)).has_value()) << size;
  EXPECT_FALSE(UnpackManifest(bytes + "x").has_value());
}

TEST_F(ManifestTest, MatchesByContentAndSeesWhatComesBefore) {
  const std::string header = Write("two/v.h", "#define V 1\n");
  const std::optional<SeenFiles> seen = ReadSeen({header}, kLater);
  ASSERT_TRUE(seen.has_value());
  Variant variant{.files = seen->files,
                  .absent = AbsentPlaces(*seen, {dir_ / "one", dir_ / "two"})};
  EXPECT_NE(MatchFiles(variant), Match::kNo);
  Write("two/v.h", "#define V 1\n");  // Another file with the same bytes.
  EXPECT_NE(MatchFiles(variant), Match::kNo);
  Write("two/v.h", "#define V 2\n");
  EXPECT_EQ(MatchFiles(variant), Match::kNo);
  Write("two/v.h", "#define V 1\n");
  EXPECT_NE(MatchFiles(variant), Match::kNo);
  Write("one/v.h", "#define V 3\n");
  EXPECT_EQ(MatchFiles(variant), Match::kNo);
}

TEST_F(ManifestTest, ATreeThatIsNotThereIsOnePlace) {
  SeenFiles seen;
  for (const char* const name : {"/usr/include/sys/a.h", "/usr/include/sys/b.h"})
    seen.files.push_back({.path = name});
  const std::vector<std::string> absent = AbsentPlaces(seen, {dir_.path()});
  EXPECT_THAT(absent, testing::Contains(dir_ / "sys"));
  EXPECT_THAT(absent, testing::Contains(dir_ / "a.h"));
  EXPECT_THAT(absent, testing::Not(testing::Contains(dir_ / "sys/a.h")));
}

TEST_F(ManifestTest, KnowsWhatNoKeyCanHold) {
  for (const char* const text : {"int t = __TIME__;", "__DATE__", "asm(\".incbin \\\"x\\\"\");",
                                 "#embed \"x\"", "#if __has_include(NAME)"})
    EXPECT_FALSE(ReadSeen({Write("k.cu", text)}, kLater).has_value()) << text;
  const std::string file =
      Write("k.cu", "#if defined(__has_include) && __has_include( <a/b.h> )\n");
  const std::optional<SeenFiles> seen = ReadSeen({file}, kLater);
  ASSERT_TRUE(seen.has_value());
  EXPECT_THAT(AbsentPlaces(*seen, {dir_ / "inc"}), testing::Contains(dir_ / "inc"));
  std::filesystem::create_directories(dir_ / "inc/a");
  EXPECT_THAT(AbsentPlaces(*seen, {dir_ / "inc"}), testing::Contains(dir_ / "inc/a/b.h"));
  // Changed while the compiler ran, or gone.
  EXPECT_FALSE(ReadSeen({file}, 0).has_value());
  EXPECT_FALSE(ReadSeen({dir_ / "nothing"}, kLater).has_value());
}

}  // namespace
}  // namespace ptxfarm::dropin

#include "config/load.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/file.h"
#include "tests/config/sample_program.h"
#include "tests/support/temp_dir.h"

namespace ptxfarm::config {
namespace {

using testing::ElementsAre;

class LoadTest : public testing::Test {
 protected:
  // The options of "sample compile"; returns the error's message, or nothing.
  std::string LoadFrom(const FlagTexts& flags, std::map<std::string, std::string> environment,
                       const std::string& file_text) {
    std::optional<ConfigFile> file;
    if (!file_text.empty()) {
      EXPECT_TRUE(WriteFileAtomically(dir_ / "c.toml", file_text));
      Result<ConfigFile> read = ReadConfigFile(dir_ / "c.toml", program_);
      if (!read) return WithoutFolder(read.error().message);
      file = *std::move(read);
    }
    const CommandPath path = AllPaths(program_)[1];
    Result<std::vector<Setting>> loaded =
        Load(GroupsOf(path), flags, EnvironmentOf(std::move(environment)), file ? &*file : nullptr);
    if (!loaded) return WithoutFolder(loaded.error().message);
    settings_ = *std::move(loaded);
    return "";
  }

  std::string SourceOf(const std::string& name) const {
    for (const Setting& setting : settings_) {
      if (setting.option->name == name) return WithoutFolder(setting.source);
    }
    return "none";
  }

  std::string WithoutFolder(std::string text) const {
    const std::string folder = dir_.path() + "/";
    for (std::size_t at = text.find(folder); at != std::string::npos; at = text.find(folder))
      text.erase(at, folder.size());
    return text;
  }

  const test::TempDir dir_;
  SampleOptions options_;
  Program program_ = SampleProgram(options_);
  std::vector<Setting> settings_;
};

TEST_F(LoadTest, FlagsWinOverTheEnvironmentThatOverTheFileThatOverTheDefault) {
  const std::string file = "[client]\nlease = \"2s\"\n";
  EXPECT_EQ(LoadFrom({}, {}, ""), "");
  EXPECT_EQ(options_.lease, std::chrono::seconds(10));
  EXPECT_EQ(SourceOf("lease"), "default");
  EXPECT_EQ(LoadFrom({}, {}, file), "");
  EXPECT_EQ(options_.lease, std::chrono::seconds(2));
  EXPECT_EQ(SourceOf("lease"), "c.toml:2: lease");
  EXPECT_EQ(LoadFrom({}, {{"PTXFARM_LEASE", "3s"}}, file), "");
  EXPECT_EQ(options_.lease, std::chrono::seconds(3));
  EXPECT_EQ(SourceOf("lease"), "PTXFARM_LEASE");
  EXPECT_EQ(LoadFrom({{"lease", {"4s"}}}, {{"PTXFARM_LEASE", "3s"}}, file), "");
  EXPECT_EQ(options_.lease, std::chrono::seconds(4));
  EXPECT_EQ(SourceOf("lease"), "--lease");
}

TEST_F(LoadTest, EveryKindComesFromTheFile) {
  EXPECT_EQ(LoadFrom({}, {}, R"(quiet = true
color = "never"
[client]
server = "host:1"
lease = "1500ms"
targets = ["sm_75", "sm_80"]
emit = "ptx"
jobs = 8
share = 0.25
store-bytes-max = 2097152
verify = false
scratch = "/tmp"
[server]
listen = ["anything", 1]
)"),
            "");
  EXPECT_TRUE(options_.quiet);
  EXPECT_EQ(options_.color, Color::kNever);
  EXPECT_EQ(options_.server, "host:1");
  EXPECT_EQ(options_.lease, std::chrono::milliseconds(1500));
  EXPECT_THAT(options_.targets, ElementsAre("sm_75", "sm_80"));
  EXPECT_THAT(options_.emit, ElementsAre("ptx"));
  EXPECT_EQ(options_.jobs, 8u);
  EXPECT_EQ(options_.share, 0.25);
  EXPECT_EQ(options_.store_bytes_max, 2 * kMiB);
  EXPECT_FALSE(options_.verify);
  EXPECT_EQ(options_.scratch, "/tmp");
}

TEST_F(LoadTest, AListIsReplacedWhole) {
  EXPECT_EQ(
      LoadFrom({}, {{"PTXFARM_TARGETS", "sm_100a,sm_120"}}, "[client]\ntargets=[\"sm_75\"]\n"), "");
  EXPECT_THAT(options_.targets, ElementsAre("sm_100a", "sm_120"));
}

TEST_F(LoadTest, FlagsOfTheEnvironmentAreWordsOrDigits) {
  for (const char* yes : {"true", "yes", "on", "1"}) {
    options_.quiet = false;
    EXPECT_EQ(LoadFrom({}, {{"PTXFARM_QUIET", yes}}, ""), "");
    EXPECT_TRUE(options_.quiet) << yes;
  }
  for (const char* no : {"false", "no", "off", "0"}) {
    options_.quiet = true;
    EXPECT_EQ(LoadFrom({}, {{"PTXFARM_QUIET", no}}, ""), "");
    EXPECT_FALSE(options_.quiet) << no;
  }
}

TEST_F(LoadTest, WhatIsForTheCommandLineAloneIsReadFromNowhereElse) {
  EXPECT_EQ(LoadFrom({}, {{"PTXFARM_OUTPUT", "x"}}, ""), "");
  EXPECT_EQ(options_.output, "");
  EXPECT_EQ(LoadFrom({}, {}, "[client]\noutput = \"x\"\n"), "c.toml:2: no option 'output'");
}

struct BadValue {
  const char* name;
  const char* text;
  const char* message;
};
constexpr BadValue kBadValues[] = {
    {"lease", "10",
     "'10' has no unit of ns, us, ms, s, m, h, d; allowed: a duration (10s, 250ms) from 1s to 1h"},
    {"lease", "2h", "'2h' is too large; allowed: a duration (10s, 250ms) from 1s to 1h"},
    {"lease", "1001us", "'1001us' is too small; allowed: a duration (10s, 250ms) from 1s to 1h"},
    {"idle", "1500ms", "'1500ms' isn't a multiple of 1s; allowed: a duration (10s, 250ms)"},
    {"jobs", "0", "'0' is too small; allowed: a whole number from 1 to 1024"},
    {"jobs", "many",
     "'many' doesn't begin with a whole number; allowed: a whole number from 1 to 1024"},
    {"share", "2", "'2' is too large; allowed: a number from 0 to 1"},
    {"share", "nan", "'nan' isn't a number; allowed: a number from 0 to 1"},
    {"store-bytes-max", "1KiB", "'1KiB' is too small; allowed: a size from 1MiB to 1TiB"},
    {"color", "nevr",
     "'nevr' is none of them; did you mean 'never'?; allowed: auto, always, never"},
    {"emit", "elf", "'elf' is none of them; allowed: cubin, fatbin, ptx"},
    {"verify", "maybe", "'maybe' is neither true nor false; allowed: true or false"},
    {"targets", "", "an element of the list is empty"},
};

TEST_F(LoadTest, SaysWhichSourceIsWrongAndWhatIsAllowed) {
  for (const BadValue& bad : kBadValues) {
    EXPECT_EQ(LoadFrom({{bad.name, {bad.text}}}, {}, ""),
              fmt::format("--{}: {}", bad.name, bad.message));
  }
  EXPECT_EQ(LoadFrom({}, {{"PTXFARM_JOBS", "0"}}, ""),
            "PTXFARM_JOBS: '0' is too small; allowed: a whole number from 1 to 1024");
  EXPECT_EQ(LoadFrom({}, {}, "[client]\n\njobs = 0\n"),
            "c.toml:3: jobs: '0' is too small; allowed: a whole number from 1 to 1024");
}

TEST_F(LoadTest, ABadTextDoesNotReachTheField) {
  EXPECT_NE(LoadFrom({{"jobs", {"4294967297"}}}, {}, ""), "");
  EXPECT_EQ(options_.jobs, 4u);
}

struct BadFile {
  const char* text;
  const char* message;
};
constexpr BadFile kBadFiles[] = {
    {"[client]\nleese = \"1s\"\n", "c.toml:2: no option 'leese'; did you mean 'lease'?"},
    {"\nqiet = true\n", "c.toml:2: no option 'qiet'; did you mean 'quiet'?"},
    {"[cleint]\n", "c.toml:1: no table [cleint]; did you mean 'client'?"},
    {"lease = \"1s\"\n", "c.toml:1: 'lease' belongs under [client]"},
    {"[client]\nquiet = true\n",
     "c.toml:2: 'quiet' belongs to the top of the file, before the tables"},
    {"[client]\njobs = [1, 2]\n", "c.toml:2: 'jobs' takes one value, no list"},
    {"[client]\njobs = {a = 1}\n",
     "c.toml:2: 'jobs' takes a text in quotes, a number or true/false"},
    {"[client]\ntargets = [\n\"a\",\n{b = 1}]\n",
     "c.toml:4: 'targets' takes a text in quotes, a number or true/false"},
};

TEST_F(LoadTest, SaysWhichLineOfTheFileIsWrong) {
  for (const BadFile& bad : kBadFiles) EXPECT_EQ(LoadFrom({}, {}, bad.text), bad.message);
  EXPECT_THAT(LoadFrom({}, {}, "[client]\njobs = \n"), testing::StartsWith("c.toml:2: "));
  EXPECT_THAT(LoadFrom({}, {}, std::string("a = \"\0\"", 7)), testing::StartsWith("c.toml:1: "));
}

TEST_F(LoadTest, AHostileFileIsAnErrorNotACrash) {
  EXPECT_NE(LoadFrom({}, {}, "a = " + std::string(100000, '[')), "");
  EXPECT_NE(LoadFrom({}, {}, "[client]\n" + std::string(2 << 20, '#')), "");
}

TEST_F(LoadTest, ProgramsWithoutACommandLineReadTheOtherSources) {
  ASSERT_TRUE(
      WriteFileAtomically(dir_ / "mine.toml", "[client]\nserver = \"filed:1\"\nlease = \"5s\"\n"));
  EXPECT_TRUE(LoadWithoutFlags(
      program_, EnvironmentOf({{"PTXFARM_CONFIG", dir_ / "mine.toml"}, {"PTXFARM_LEASE", "6s"}})));
  EXPECT_EQ(options_.server, "filed:1");
  EXPECT_EQ(options_.lease, std::chrono::seconds(6));
  EXPECT_EQ(
      LoadWithoutFlags(program_, EnvironmentOf({{"PTXFARM_CONFIG", dir_ / "absent"}})).error().code,
      Code::kNotFound);
}

TEST_F(LoadTest, TheFirstConfigFileWins) {
  using testing::Optional;
  const Environment both =
      EnvironmentOf({{"XDG_CONFIG_HOME", dir_.path()}, {"HOME", "/nonexistent"}});
  EXPECT_THAT(FindConfigFile("/named", both), Optional(std::string("/named")));
  EXPECT_NE(FindConfigFile("", both).value_or(""), dir_ / "ptxfarm/config.toml");
}

TEST_F(LoadTest, FindsTheUsersFile) {
  using testing::Optional;
  const std::string xdg = dir_ / "ptxfarm/config.toml";
  const std::string home = dir_ / ".config/ptxfarm/config.toml";
  for (const std::string& path : {xdg, home}) {
    ASSERT_EQ(::system(("mkdir -p $(dirname " + path + ")").c_str()), 0);
    ASSERT_TRUE(WriteFileAtomically(path, "quiet = true\n"));
  }
  EXPECT_THAT(FindConfigFile("", EnvironmentOf({{"XDG_CONFIG_HOME", dir_.path()}, {"HOME", "/x"}})),
              Optional(xdg));
  EXPECT_THAT(FindConfigFile("", EnvironmentOf({{"HOME", dir_.path()}})), Optional(home));
  EXPECT_THAT(
      FindConfigFile("", EnvironmentOf({{"XDG_CONFIG_HOME", "relative"}, {"HOME", dir_.path()}})),
      Optional(home));
}

}  // namespace
}  // namespace ptxfarm::config

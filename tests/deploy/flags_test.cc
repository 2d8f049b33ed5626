// Chart, compose file and images start the programs with flags that these have: the programs
// themselves are asked, by reading each command line as they would at their start.
#include <algorithm>
#include <cstdlib>
#include <sstream>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/file.h"
#include "tests/support/toolkit.h"

namespace ptxfarm::test {
namespace {

const std::string& Source() {
  static const std::string source = std::getenv("PTXFARM_SOURCE");
  return source;
}

std::vector<std::string> LinesOf(const std::string& file) {
  const Result<std::string> text = ReadFile(Source() + "/" + file, 1 << 20);
  EXPECT_TRUE(text.has_value()) << file;
  std::vector<std::string> lines;
  std::istringstream stream(text ? *text : "");
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

std::string Trimmed(std::string text) {
  const auto is_part = [](char c) { return c != ' ' && c != '"' && c != '\''; };
  text.erase(text.begin(), std::ranges::find_if(text, is_part));
  while (!text.empty() && !is_part(text.back())) text.pop_back();
  return text;
}

// "[a, "b"]" or "a" as the values that it stands for.
std::vector<std::string> ValuesOf(const std::string& yaml) {
  std::string text = Trimmed(yaml);
  if (!text.starts_with('[')) return {text};
  std::vector<std::string> values;
  std::istringstream stream(text.substr(1, text.size() - 2));
  for (std::string value; std::getline(stream, value, ',');) values.push_back(Trimmed(value));
  return values;
}

// The keys below "ROLE: … options:" of the chart's values, as the flags that the chart makes.
std::vector<std::string> FlagsOfChart(const std::string& role) {
  std::vector<std::string> flags;
  bool in_role = false;
  bool in_options = false;
  for (const std::string& line : LinesOf("deploy/helm/ptxfarm/values.yaml")) {
    const std::size_t indent = line.find_first_not_of(' ');
    if (indent == std::string::npos || line[indent] == '#') continue;
    if (indent == 0) in_role = line == role + ":";
    if (indent <= 2) in_options = in_role && line == "  options:";
    if (!in_options || indent != 4) continue;
    const std::size_t colon = line.find(": ");
    const std::string name = line.substr(4, colon - 4);
    for (const std::string& value : ValuesOf(line.substr(colon + 2))) {
      const bool is_switch = value == "true" || value == "false";
      flags.push_back(is_switch ? (value == "true" ? "--" : "--no-") + name
                                : fmt::format("--{}={}", name, value));
    }
  }
  return flags;
}

// What a template of the chart writes before the options: "- --tls-cert=…", with template code
// replaced by a value.
std::vector<std::string> FlagsOfTemplate(const std::string& file) {
  std::vector<std::string> flags;
  for (const std::string& line : LinesOf(file)) {
    const std::string text = Trimmed(line);
    if (text.starts_with("- --")) flags.push_back(text.substr(2));
    if (text.starts_with("- {{ printf \"--server=")) flags.push_back("--server=server-0:8980");
  }
  return flags;
}

// The "command:" of a service of the compose file.
std::vector<std::string> FlagsOfCompose(const std::string& service) {
  bool in_service = false;
  for (const std::string& line : LinesOf("deploy/docker/compose.yaml")) {
    if (line.starts_with("  ") && line[2] != ' ') in_service = line == "  " + service + ":";
    if (in_service && line.starts_with("    command: ")) return ValuesOf(line.substr(13));
  }
  return {};
}

// Reads the flags as the program does, and starts nothing.
void ExpectUnderstood(const std::string& program, const std::vector<std::string>& flags) {
  ASSERT_FALSE(flags.empty());
  std::string command = fmt::format("{}/{} --print config", std::getenv("PTXFARM_BIN"), program);
  for (const std::string& flag : flags) command += " " + ShellQuote(flag);
  const Ran ran = RunShell(command);
  EXPECT_EQ(ran.exit_code, 0) << command << "\n" << ran.output;
}

class RoleTest : public testing::TestWithParam<std::string> {
 protected:
  const std::string program_ = "ptxfarm-" + GetParam();
};

TEST_P(RoleTest, ChartsOptionsAreFlags) { ExpectUnderstood(program_, FlagsOfChart(GetParam())); }

TEST_P(RoleTest, ChartsTemplateGivesFlags) {
  const std::string file = fmt::format("deploy/helm/ptxfarm/templates/{}.yaml", GetParam());
  const std::vector<std::string> flags = FlagsOfTemplate(file);
  EXPECT_GE(flags.size(), 4u) << "of " << file << ", which gives TLS, tokens and servers";
  ExpectUnderstood(program_, flags);
}

TEST_P(RoleTest, ComposeGivesFlags) { ExpectUnderstood(program_, FlagsOfCompose(GetParam())); }

TEST_P(RoleTest, UnknownFlagsAreSeen) {
  const Ran ran = RunShell(
      fmt::format("{}/{} --print config --no-such-flag=1", std::getenv("PTXFARM_BIN"), program_));
  EXPECT_EQ(ran.exit_code, 2) << ran.output;
}

INSTANTIATE_TEST_SUITE_P(Roles, RoleTest, testing::Values("server", "worker"),
                         [](const auto& role) { return role.param; });

}  // namespace
}  // namespace ptxfarm::test

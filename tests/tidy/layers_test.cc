// Holds every #include against layers.txt.
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include <gtest/gtest.h>

#include "tests/tidy/source_tree.h"

namespace ptxfarm::test {
namespace {

struct Layers {
  std::map<std::string, std::set<std::string>>
      may_include;  // Folder → folders, headers, libraries.
  std::map<std::string, std::vector<std::string>> library_prefixes;  // "@fmt" → "fmt/".
};

Layers ReadLayers() {
  Layers layers;
  std::ifstream stream(SourceRoot() / "tests/tidy/layers.txt");
  for (std::string line; std::getline(stream, line);) {
    std::istringstream words(line.substr(0, line.find('#')));
    std::string name, separator;
    if (!(words >> name >> separator)) continue;
    for (std::string word; words >> word;) {
      if (separator == "=") layers.library_prefixes[name].push_back(word);
      if (separator == ":") layers.may_include[name].insert(word);
    }
  }
  return layers;
}

// The folder of the table that a path belongs to: the longest one that it lies under.
std::string FolderOf(const Layers& layers, const std::string& path) {
  std::string best;
  for (const auto& [folder, unused] : layers.may_include)
    if (path.starts_with(folder + "/") && folder.size() > best.size()) best = folder;
  return best;
}

bool IsOurs(const std::string& include) {
  return std::filesystem::exists(SourceRoot() / include) || include.starts_with("ptxfarm/v1/");
}

bool Allowed(const Layers& layers, const std::string& folder, const std::string& include) {
  const std::set<std::string>& allowed = layers.may_include.at(folder);
  if (allowed.contains("*") || allowed.contains(include)) return true;
  if (include.starts_with("ptxfarm/v1/")) return allowed.contains("proto");
  if (IsOurs(include)) {
    const std::string target = FolderOf(layers, include);
    return target == folder || target.starts_with(folder + "/") || allowed.contains(target);
  }
  for (const auto& [library, prefixes] : layers.library_prefixes)
    for (const std::string& prefix : prefixes)
      if (include.starts_with(prefix)) return allowed.contains(library);
  // What is left is the standard library or the system; a library that the table doesn't list has a
  // dotted or nested name and no place in the system's list.
  static const std::vector<std::string> kSystem = {"sys/", "linux/", "netinet/", "arpa/", "bits/"};
  if (include.find('/') == std::string::npos) return true;
  for (const std::string& prefix : kSystem)
    if (include.starts_with(prefix)) return true;
  return false;
}

TEST(LayersTest, EveryIncludeIsAnArrowOfTheTable) {
  const Layers layers = ReadLayers();
  ASSERT_GT(layers.may_include.size(), 10u);
  for (const SourceFile& file : SourceFiles()) {
    const std::string folder = FolderOf(layers, file.path);
    ASSERT_FALSE(folder.empty()) << file.path << " lies in no folder of tests/tidy/layers.txt";
    for (std::size_t i = 0; i < file.lines.size(); ++i) {
      const std::string& line = file.lines[i];
      if (!line.starts_with("#include ")) continue;
      const std::string include = line.substr(10, line.find_first_of(">\"", 10) - 10);
      EXPECT_TRUE(Allowed(layers, folder, include))
          << file.path << ":" << i + 1 << ": " << folder << " may not include " << include
          << " (tests/tidy/layers.txt)";
    }
  }
}

}  // namespace
}  // namespace ptxfarm::test

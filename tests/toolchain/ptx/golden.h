// The files of a folder of tests/golden.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "base/file.h"

namespace ptxfarm::test {

struct GoldenFile {
  std::string name;  // Without the folder.
  std::string path;
  std::string text;
};

inline std::string GoldenFolder(const std::string& folder) {
  return std::string(std::getenv("PTXFARM_SOURCE")) + "/tests/golden/" + folder;
}

// Every .ptx file of the folder, by name.
inline std::vector<GoldenFile> PtxFilesOf(const std::string& folder) {
  std::vector<GoldenFile> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() != ".ptx") continue;
    constexpr u64 kBytesMax = 1 << 20;
    files.push_back({entry.path().filename(), entry.path(), *ReadFile(entry.path(), kBytesMax)});
  }
  std::sort(files.begin(), files.end(),
            [](const GoldenFile& a, const GoldenFile& b) { return a.name < b.name; });
  PTXFARM_CHECK(!files.empty(), folder);
  return files;
}

inline std::vector<GoldenFile> GoldenFiles(const std::string& folder) {
  return PtxFilesOf(GoldenFolder(folder));
}

// The targets of a module's first line: "// target: sm_80 sm_90".
inline std::vector<std::string> TargetsOf(const std::string& text) {
  constexpr std::string_view kHead = "// target: ";
  std::vector<std::string> targets;
  const std::size_t head = text.find(kHead);
  if (head == std::string::npos) return targets;
  std::size_t at = head + kHead.size();
  while (at < text.size() && text[at] != '\r' && text[at] != '\n') {
    const std::size_t end = text.find_first_of(" \r\n", at);
    targets.push_back(text.substr(at, end - at));
    at = text[end] == ' ' ? end + 1 : end;
  }
  return targets;
}

}  // namespace ptxfarm::test

// The project's own C++ files, for the tests that check the house.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "base/check.h"

namespace ptxfarm::test {

inline std::filesystem::path SourceRoot() {
  const char* const root = std::getenv("PTXFARM_SOURCE");
  PTXFARM_CHECK(root != nullptr, "run through ctest, or set PTXFARM_SOURCE");
  return root;
}

struct SourceFile {
  std::string path;  // From the root: "base/int.h".
  std::vector<std::string> lines;
};

inline std::vector<SourceFile> SourceFiles() {
  std::vector<SourceFile> files;
  for (const char* const top : {"base", "toolchain", "config", "telemetry", "service", "action", "store",
                                "rpc", "server", "worker", "client", "farm", "tools", "tests"}) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(SourceRoot() / top)) {
      const std::string extension = entry.path().extension();
      if (extension != ".h" && extension != ".cc") continue;
      SourceFile file{.path = std::filesystem::relative(entry.path(), SourceRoot())};
      std::ifstream stream(entry.path());
      for (std::string line; std::getline(stream, line);) file.lines.push_back(line);
      files.push_back(std::move(file));
    }
  }
  PTXFARM_CHECK(files.size() > 10, "the source tree is not where it should be");
  return files;
}

}  // namespace ptxfarm::test

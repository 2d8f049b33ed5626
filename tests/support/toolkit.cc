#include "tests/support/toolkit.h"

#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/check.h"

namespace ptxfarm::test {
namespace {

// The program itself: a folder on the PATH may hold scripts that call a toolkit elsewhere.
bool HoldsPtxas(const std::string& root) {
  const std::string ptxas = root + "/bin/ptxas";
  char magic[4] = {};
  return ::access(ptxas.c_str(), X_OK) == 0 &&
         std::ifstream(ptxas, std::ios::binary).read(magic, sizeof(magic)) &&
         std::string_view(magic, sizeof(magic)) ==
             "\x7f"
             "ELF";
}

std::optional<std::string> FindRoot() {
  for (const char* const name : {"PTXFARM_TEST_CUDA", "CUDA_HOME", "CUDA_PATH"})
    if (const char* const root = std::getenv(name); root != nullptr && HoldsPtxas(root))
      return root;
  if (const char* const path = std::getenv("PATH")) {
    std::istringstream folders(path);
    for (std::string folder; std::getline(folders, folder, ':');)
      if (const std::string root = std::filesystem::path(folder).parent_path(); HoldsPtxas(root))
        return root;
  }
  if (HoldsPtxas("/usr/local/cuda")) return "/usr/local/cuda";
  return std::nullopt;
}

}  // namespace

std::optional<std::string> ToolkitRoot() {
  static const std::optional<std::string> root = FindRoot();
  return root;
}

std::string ToolkitTool(const std::string& name) {
  PTXFARM_CHECK(ToolkitRoot().has_value(), name);
  return *ToolkitRoot() + "/bin/" + name;
}

Ran RunShell(const std::string& command) {
  FILE* const pipe = ::popen(("{ " + command + "\n} 2>&1").c_str(), "r");
  PTXFARM_CHECK(pipe != nullptr, command);
  Ran ran;
  std::array<char, 4096> buffer;
  while (const std::size_t count = std::fread(buffer.data(), 1, buffer.size(), pipe))
    ran.output.append(buffer.data(), count);
  const int status = ::pclose(pipe);
  ran.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return ran;
}

std::string ShellQuote(const std::string& word) {
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

}  // namespace ptxfarm::test

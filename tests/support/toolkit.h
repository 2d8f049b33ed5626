// The CUDA toolkit of this machine, for tests that compare with the real tools.
//
// A test that needs one starts with `PTXFARM_NEED_TOOLKIT();` and is skipped, visibly, where there
// is none.
#pragma once

#include <optional>
#include <string>

#include <gtest/gtest.h>

namespace ptxfarm::test {

// The toolkit's root ("/usr/local/cuda"): of $PTXFARM_TEST_CUDA, $CUDA_HOME, the PATH's ptxas, or
// the usual folder.
std::optional<std::string> ToolkitRoot();

// "<root>/bin/<name>". Only where ToolkitRoot() has a value.
std::string ToolkitTool(const std::string& name);

struct Ran {
  int exit_code = -1;  // 128 + signal where one ended it.
  std::string output;  // Standard output and error together.
};

// Runs a shell command and waits for it.
Ran RunShell(const std::string& command);

// 'it''s' quoted for the shell.
std::string ShellQuote(const std::string& word);

}  // namespace ptxfarm::test

#define PTXFARM_NEED_TOOLKIT()                                            \
  do {                                                                    \
    if (!::ptxfarm::test::ToolkitRoot())                                  \
      GTEST_SKIP() << "no CUDA toolkit here (set CUDA_HOME to name one)"; \
  } while (false)

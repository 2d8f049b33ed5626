#include "tests/support/temp_dir.h"

#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "base/check.h"

namespace ptxfarm::test {

TempDir::TempDir() {
  std::string pattern = std::filesystem::temp_directory_path() / "ptxfarm-test-XXXXXX";
  PTXFARM_CHECK(::mkdtemp(pattern.data()) != nullptr, pattern);
  path_ = pattern;
}

TempDir::~TempDir() {
  std::error_code ignored;  // What is left in the temporary folder harms no later test.
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace ptxfarm::test

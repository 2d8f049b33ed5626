#include "client/dropin/tool/environment.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <iterator>

namespace ptxfarm::dropin {

namespace {

constexpr const char* kNvvmVariables[] = {
    "AS_SECURE_LOG_FILE", "CAN_FINALIZE_DEBUG",     "DUMP_KNOBS_TO_FILE", "LIBNVVM_NVVM_VERSION",
    "NVVM_IR_VER_CHK",    "LLVM_OVERRIDE_PRODUCER", "NV_NVVM_VERSION",
};

}  // namespace

std::string Variable(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

bool HasNvvmVariables() {
  return std::any_of(std::begin(kNvvmVariables), std::end(kNvvmVariables),
                     [](const char* name) { return std::getenv(name) != nullptr; });
}

std::vector<std::string> ColonParts(std::string_view list) {
  std::vector<std::string> parts;
  for (std::size_t from = 0; from <= list.size();) {
    const std::size_t end = std::min(list.find(':', from), list.size());
    parts.emplace_back(list.substr(from, end - from));
    from = end + 1;
  }
  return parts;
}

std::string FindOnPath(const std::string& name) {
  for (const std::string& folder : ColonParts(Variable("PATH")))
    if (std::string program = folder + "/" + name; folder.starts_with('/') && IsProgram(program))
      return program;
  return {};
}

bool IsProgram(const std::string& path) {
  struct stat info {};
  return ::stat(path.c_str(), &info) == 0 && S_ISREG(info.st_mode) &&
         ::access(path.c_str(), X_OK) == 0;
}

}  // namespace ptxfarm::dropin

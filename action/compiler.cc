#include "action/compiler.h"

#include <algorithm>
#include <charconv>

namespace ptxfarm::action {
namespace {

// Takes the number that `version` begins with, and the point after it. Nothing there counts as 0.
u64 TakeNumber(std::string_view& version) {
  u64 number = 0;
  const char* const end = version.data() + version.size();
  const char* const rest = std::from_chars(version.data(), end, number).ptr;
  version.remove_prefix(static_cast<std::size_t>(rest - version.data()));
  if (!version.empty()) version.remove_prefix(1);
  return number;
}

}  // namespace

std::string NameOf(const CompilerIdentity& identity) {
  return identity.backend + " " + identity.version;
}

bool Compiler::HasTarget(const std::string& target) const {
  return std::find(targets.begin(), targets.end(), target) != targets.end();
}

bool VersionLess(std::string_view a, std::string_view b) {
  while (!a.empty() || !b.empty()) {
    const u64 left = TakeNumber(a);
    const u64 right = TakeNumber(b);
    if (left != right) return left < right;
  }
  return false;
}

}  // namespace ptxfarm::action

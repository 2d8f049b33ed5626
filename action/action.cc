#include "action/action.h"

#include <algorithm>

namespace ptxfarm::action {
namespace {

// Raised when equal fields would come to mean other bytes.
constexpr u64 kFormatVersion = 1;

template <typename T>
T TighterOf(T a, T b) {
  if (a == T{}) return b;
  if (b == T{}) return a;
  return std::min(a, b);
}

}  // namespace

std::string_view NameOf(Kind kind) {
  switch (kind) {
    case Kind::kCompilePtx: return "compile_ptx";
    case Kind::kBundleFatbin: return "bundle_fatbin";
  }
  return "unknown";
}

// What enters the key is this list. An option that can't change the output must not be here.
Sha256 ActionDigest(const Action& action) {
  FieldHasher hasher;
  hasher.Add("ptxfarm action").Add(kFormatVersion).Add(NameOf(action.kind));
  hasher.Add(u64{action.inputs.size()});
  for (const Input& input : action.inputs) hasher.Add(input.role).Add(input.digest);
  hasher.Add(action.target);
  hasher.Add(u64{action.options.size()});
  for (const std::string& option : action.options) hasher.Add(option);
  hasher.Add(action.compiler.backend).Add(action.compiler.version);
  hasher.Add(std::string_view(reinterpret_cast<const char*>(action.compiler.sha256.data()),
                              action.compiler.sha256.size()));
  return std::move(hasher).Finish();
}

Limits Tighter(const Limits& a, const Limits& b) {
  return {.wall_time = TighterOf(a.wall_time, b.wall_time),
          .memory_bytes = TighterOf(a.memory_bytes, b.memory_bytes),
          .output_bytes = TighterOf(a.output_bytes, b.output_bytes)};
}

}  // namespace ptxfarm::action

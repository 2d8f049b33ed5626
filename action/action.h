// An action: what is asked of a worker. Equal actions give equal bytes, so an action's digest is
// the key of its result.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "action/compiler.h"
#include "base/digest.h"

namespace ptxfarm::action {

enum class Kind : u8 {
  kCompilePtx,    // PTX text → a cubin for one target.
  kBundleFatbin,  // Cubins and PTX → one fat binary.
};

std::string_view NameOf(Kind kind);  // "compile_ptx"

struct Input {
  std::string
      role;  // "ptx"; in a bundle the member's target: "sm_90a" is a cubin, "compute_75" is PTX.
  Digest digest;

  friend bool operator==(const Input&, const Input&) = default;
};

struct Action {
  Kind kind = Kind::kCompilePtx;
  std::vector<Input> inputs;
  std::string target;  // "sm_90a"; empty for a bundle.
  std::vector<std::string>
      options;  // Canonical (options.h); for a bundle those of BundleOptions().
  CompilerIdentity compiler;

  friend bool operator==(const Action&, const Action&) = default;
};

// SHA-256 over every field of the action and the version of this format; nothing else enters.
Sha256 ActionDigest(const Action& action);

// Bounds of one run. They don't enter the digest: a result within the bounds is the result. Zero
// means unbounded.
struct Limits {
  std::chrono::milliseconds wall_time{0};
  u64 memory_bytes = 0;
  u64 output_bytes = 0;

  friend bool operator==(const Limits&, const Limits&) = default;
};

// The tighter of both bounds, field by field.
Limits Tighter(const Limits& a, const Limits& b);

}  // namespace ptxfarm::action

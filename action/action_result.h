// What came out of an action: one record, written and read whole.
#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "action/compiler.h"
#include "base/clock.h"
#include "base/diagnostic.h"
#include "base/digest.h"

namespace ptxfarm::action {

enum class Outcome : u8 {
  kOk,               // The outputs exist, are whole, and are what was asked.
  kInputError,       // The module, or the request for this target, is wrong.
  kResourceLimit,    // More shared, constant, parameter memory or registers than the target has.
  kToolchainTooOld,  // No compiler here reads this version or knows this target.
  kCrashed,          // The compiler died or gave garbage.
  kServiceLimit,     // Time, memory or output size ran out.
  kCancelled,        // Nobody waits any more.
  kFault,            // Ours: disk full, worker lost.
};

// Which results are kept.
enum class Retention : u8 {
  kStored,   // A verdict on the input: kept like any result.
  kBriefly,  // Kept for minutes: it may be chance, and must not be paid for by every caller
             // meanwhile.
  kNever,
};

struct OutcomeRow {
  Outcome outcome;
  const char* name;  // As shown by the CLI, in metrics and JSON: "input_error".
  Retention retention;
};

const OutcomeRow& RowOf(Outcome outcome);

enum class OutputRole : u8 { kCubin, kFatbin, kReproducer };

struct Output {
  OutputRole role = OutputRole::kCubin;
  Digest digest;

  friend bool operator==(const Output&, const Output&) = default;
};

enum class ObjectKind : u8 { kNone, kExecutable, kRelocatable, kExtensible };

std::string_view NameOf(ObjectKind kind);  // "executable"; "" for kNone.

// What one kernel needs (or, in a relocatable object, a device function).
struct KernelResources {
  std::string name;
  bool is_entry = true;
  u32 registers = 0;
  u32 barriers = 0;
  u64 shared_bytes = 0;  // Static, without what the target reserves.
  u64 frame_bytes = 0;   // Of the function itself.
  u64 stack_bytes = 0;   // Of the deepest chain of calls from it.
  u64 spill_store_bytes = 0;
  u64 spill_load_bytes = 0;
  u64 parameter_bytes = 0;
  std::map<u32, u64> constant_bytes;  // By bank.
  u64 code_bytes = 0;
  u32 threads_max = 0;  // 0 where the module says nothing.

  friend bool operator==(const KernelResources&, const KernelResources&) = default;
};

// Who made a result, when, and what it took; equal actions differ here only.
struct Execution {
  std::string worker;
  WallTime finished{};
  std::chrono::microseconds wall_time{0};
  std::chrono::microseconds cpu_time{0};
  u64 memory_bytes_max = 0;

  friend bool operator==(const Execution&, const Execution&) = default;
};

// The kind of the fault where the compiler of the action isn't there any more, and another may be:
// whoever asks again is served by what is there then.
inline constexpr std::string_view kCompilerChanged = "compiler-changed";

struct ActionResult {
  Outcome outcome = Outcome::kFault;
  std::vector<Output> outputs;
  Diagnostics diagnostics;  // In places of the text that was compiled.
  std::string log;  // The compiler's own words without clocks and paths; at most kLogBytesMax.
  std::vector<KernelResources> kernels;
  std::vector<std::string> undefined_symbols;
  ObjectKind object_kind = ObjectKind::kNone;
  CompilerIdentity compiler;
  Execution execution;

  const Digest* OutputOf(OutputRole role) const;  // Null where there is none.

  friend bool operator==(const ActionResult&, const ActionResult&) = default;
};

inline constexpr std::size_t kLogBytesMax = 1 << 20;

// A result without outputs: one diagnostic without a place.
ActionResult Failed(Outcome outcome, std::string kind, std::string message);

}  // namespace ptxfarm::action

// The calls of the farm as plain structs: what requests ask and responses say, free of gRPC and
// protobuf.
//
// The wire contract is proto/ptxfarm/v1; the comments there hold here too. convert.h turns one into
// the other.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "action/action.h"
#include "action/action_result.h"
#include "action/compiler.h"
#include "base/digest.h"
#include "store/blob.h"

namespace ptxfarm::rpc {

// ---- CompileService

enum class KeyTier : u8 { kDefault, kExact, kLexical, kStructural };
std::string_view NameOf(KeyTier tier);  // "lexical"

enum class FatbinCompression : u8 { kDefault, kNone, kSpeed, kSize };
std::string_view NameOf(FatbinCompression compression);  // "default"

struct CompileRequest {
  std::variant<std::string, Digest> source;  // The text, or the digest of what was uploaded.
  std::vector<std::string> targets;
  std::vector<std::string> options;
  bool want_cubins = false;
  bool want_fatbin = false;
  FatbinCompression fatbin_compression = FatbinCompression::kDefault;
  std::string fatbin_identifier;
  KeyTier key_tier = KeyTier::kDefault;
  std::string compiler;
  i32 priority = 0;
  u64 inline_outputs_bytes_max = 0;
  bool recompile = false;
  action::Limits limits;
  bool unverified = false;
  bool bridge = false;
};

enum class TargetState : u8 { kQueued, kJoined, kRunning };
std::string_view NameOf(TargetState state);  // "queued"

enum class Served : u8 { kHit, kMiss, kJoined };
std::string_view NameOf(Served served);  // "hit"

struct TargetProgress {
  std::string target;
  TargetState state = TargetState::kQueued;
  std::string worker;
};

// What the result of the fat binary has as target.
inline constexpr std::string_view kFatbinTarget = "fatbin";

struct TargetResult {
  std::string target;
  Served served = Served::kMiss;
  action::ActionResult result;
  KeyTier key_tier = KeyTier::kDefault;
  std::optional<Sha256> action_sha256;  // Nothing where no action was made.
  std::chrono::microseconds elapsed{0};
};

struct ModuleInfo {
  PtxVersion version;
  std::string target;
  std::vector<std::string> entries;
  Digest digest;
  Diagnostics diagnostics;
  std::optional<PtxVersion> compiled_as;
};

struct CompileResponse {
  std::optional<ModuleInfo> module;
  std::vector<TargetProgress> progress;
  std::vector<TargetResult> results;
  std::vector<Blob> blobs;
};

struct Capabilities {
  std::string server_version;
  std::vector<action::Compiler> compilers;  // With a worker here.
  u32 workers = 0;
  u32 worker_slots = 0;
  u64 source_bytes_max = 0;
  u64 inline_source_bytes_max = 0;
  action::Limits limits;
  std::vector<action::Compiler> remembered_compilers;  // Met before; no worker here has them.
};

// ---- WorkerService

struct WorkerDescription {
  std::string id;
  std::string name;
  std::string version;
  std::vector<action::Compiler> compilers;
  u32 slots = 0;
  u64 memory_bytes = 0;

  friend bool operator==(const WorkerDescription&, const WorkerDescription&) = default;
};

struct FinishedLease {
  std::string lease_id;
  action::ActionResult result;
  std::vector<Blob> outputs;
};

struct WorkerReport {
  std::optional<WorkerDescription> worker;
  std::vector<std::string> running_lease_ids;
  std::vector<FinishedLease> finished;
  bool draining = false;
};

struct Lease {
  std::string id;
  action::Action action;
  Sha256 action_sha256{};
  std::vector<Blob> inputs;
  action::Limits limits;
  std::string traceparent;
};

struct WorkerOrders {
  std::optional<std::chrono::milliseconds> heartbeat_interval;
  std::vector<Lease> leases;
  std::vector<std::string> cancelled_lease_ids;
  std::vector<std::string> accepted_lease_ids;
  bool drain = false;

  bool Empty() const {
    return !heartbeat_interval && leases.empty() && cancelled_lease_ids.empty() &&
           accepted_lease_ids.empty() && !drain;
  }
};

// ---- AdminService

struct WorkerStatus {
  WorkerDescription worker;
  u32 slots_busy = 0;
  bool draining = false;
  std::chrono::milliseconds connected{0};
  u64 actions_finished = 0;
};

struct QueuedAction {
  Sha256 action_sha256{};
  std::string target;
  std::string tenant;
  i32 priority = 0;
  std::chrono::milliseconds age{0};
  u32 waiters = 0;
  u32 attempts = 0;
  std::string worker;  // Empty while it waits.
};

struct QueueStatus {
  u64 waiting_count = 0;
  u64 running_count = 0;
  std::vector<QueuedAction> waiting;  // At most kQueueListMax each.
  std::vector<QueuedAction> running;
  u64 hits = 0;
  u64 misses = 0;
  u64 joined = 0;
};

inline constexpr std::size_t kQueueListMax = 1000;

struct StoreStatus {
  u64 blobs = 0;
  u64 actions = 0;
  u64 stored_bytes = 0;
  u64 stored_bytes_max = 0;
  u64 evicted_blobs = 0;
  u64 quarantined_blobs = 0;
  u32 format_version = 0;
  std::string path;
};

}  // namespace ptxfarm::rpc

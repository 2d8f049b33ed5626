// The client library: PTX goes in; cubins, a fat binary, diagnostics and resource figures come out.
//
//   PTXFARM_ASSIGN_OR_RETURN(const client::Client farm, client::Client::Connect({.server =
//   "unix:/run/farm.sock"})); PTXFARM_ASSIGN_OR_RETURN(const client::CompileReply reply,
//                            farm.Compile({.text = ptx, .targets = {"sm_90a"}}));
//   if (reply.targets[0].ok()) Load(reply.targets[0].object);
//
// This header is the contract and stays compatible: no type of gRPC or protobuf is in it, fields
// are added at the end of structs and mean what they meant when they are left out. Times are
// std::chrono types, sizes are bytes. Every result owns its bytes; what is handed in as a view must
// live until the call returns. Errors are values (base/result.h); nothing throws.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "action/action.h"
#include "action/action_result.h"
#include "base/digest.h"
#include "base/result.h"
#include "rpc/calls.h"

namespace ptxfarm::client {

using rpc::Capabilities;
using rpc::FatbinCompression;
using rpc::KeyTier;
using rpc::ModuleInfo;
using rpc::QueueStatus;
using rpc::Served;
using rpc::StoreStatus;
using rpc::TargetProgress;
using rpc::TargetState;
using rpc::WorkerStatus;

struct ConnectOptions {
  std::string server;    // "unix:/path", "host:port", "[::1]:port".
  std::string tls_ca;    // PEM file: whom to trust. With this, or `tls`, TCP is encrypted.
  std::string tls_cert;  // PEM files: who we are, for servers that ask (mTLS). Both or none.
  std::string tls_key;
  std::string tls_name;    // The name in the server's certificate, where it isn't that of `server`.
  bool tls = false;        // TLS with the authorities that this system trusts.
  bool plaintext = false;  // Allows TCP without TLS to other hosts than this one.
  std::string token_file;  // One line: the token that says who asks.

  // How long the first answer of a server may take to come about, before it counts as not there.
  std::chrono::milliseconds connect_timeout{10'000};
  // Tries of one call, the first included. Only what a retry can help is tried again: a server that
  // is away, restarting or full. The delay between tries grows, or is what the server asks for.
  u32 attempts_max = 5;
  // Called before a try that follows a lost or unreachable server, and may bring it back (the CLI
  // starts its local farm anew). An error ends the call with it.
  std::function<Status()> revive;
};

// Ends calls early, from any thread or signal-handling thread. One token may serve many calls.
// Copies share one state.
class CancelToken {
 public:
  CancelToken();
  void Cancel() const;
  bool cancelled() const;
  // Becomes readable once it is cancelled, for poll(); the token's own, and never read or closed by
  // others. -1 where the process has no descriptor left for it.
  int descriptor() const;

 private:
  friend class CancelScope;
  struct State;
  std::shared_ptr<State> state_;
};

struct CompileRequest {
  std::string_view text;             // The module.
  std::vector<std::string> targets;  // "sm_90a", "compute_75" (a PTX member; with `fatbin` only).
  std::vector<std::string> options;  // ptxas options in any of its spellings.
  bool cubins = true;                // A cubin for each real target.
  bool fatbin = false;               // One fat binary of all targets.
  FatbinCompression fatbin_compression = FatbinCompression::kDefault;
  std::string fatbin_identifier;  // The name stored with its members; none when empty.
  KeyTier key_tier = KeyTier::kDefault;
  std::string compiler;     // "" (the newest that fits), "ptxas@13.0.88", "ptxas@13.0".
  i32 priority = 0;         // Higher goes first among the work of one tenant.
  bool recompile = false;   // Compile even where a stored result exists.
  bool unverified = false;  // The compiler is the judge of the module, not the server's verifier.
  bool bridge = false;      // An older .version is good, where no compiler reads the module's.
  action::Limits limits;    // Below the server's own; zero fields mean the server's.
  std::chrono::milliseconds deadline{0};  // Of the whole call, retries included; 0: none.
};

// One target's outcome, or the fat binary's (whose target is "fatbin").
struct TargetReply {
  std::string target;
  Served served = Served::kMiss;
  action::ActionResult result;           // Outcome, diagnostics, log, kernels, compiler, timings.
  KeyTier key_tier = KeyTier::kDefault;  // The tier of the key that found or stored it.
  std::optional<Sha256> action_sha256;   // Names the action in logs; nothing where none was made.
  std::chrono::microseconds elapsed{0};  // From the server's receipt of the request to the result.
  std::string
      object;  // The cubin or fat binary, checked against its digest. Empty for PTX members.

  bool ok() const { return result.outcome == action::Outcome::kOk; }
};

struct CompileReply {
  ModuleInfo module;
  std::vector<TargetReply> targets;   // One a target asked, without duplicates, in the order asked.
  std::optional<TargetReply> fatbin;  // Where it was asked.
};

// Called on the thread that called Compile, in order. Results come as soon as they are known,
// objects included.
struct CompileCallbacks {
  std::function<void(const TargetProgress&)> progress;
  std::function<void(const TargetReply&)> result;
  // A try failed and another follows after `delay`.
  std::function<void(const Error& why, std::chrono::milliseconds delay)> retry;
};

// A farm to ask. All methods block, and may be called from many threads at once on one Client; the
// connection is shared.
//
// Errors common to all: UNAVAILABLE (no server, or it went away, and the tries are used up),
// UNAUTHENTICATED and PERMISSION_DENIED (token), RESOURCE_EXHAUSTED (queue or quota full, or a
// bound exceeded), DEADLINE_EXCEEDED, CANCELLED.
class Client {
 public:
  // Reads the TLS and token files; connects with the first call. INVALID_ARGUMENT: an address of no
  // known form, or options that contradict each other. Errors of reading: the files.
  static Result<Client> Connect(const ConnectOptions& options);

  Client(Client&&) noexcept;
  Client& operator=(Client&&) noexcept;
  ~Client();

  // Compiles a module for each target. Small texts ride in the request; of large ones the digest is
  // sent first, and the text only where the server doesn't hold it.
  //
  // A target that fails is a reply with its outcome and diagnostics, never an error, and leaves the
  // others unharmed. If the call breaks after some targets were answered, the unanswered ones are
  // replies too, with the outcome that fits (service limit, cancelled, fault). An error means that
  // no target was answered; INVALID_ARGUMENT that the request itself is wrong.
  Result<CompileReply> Compile(const CompileRequest& request,
                               const CompileCallbacks& callbacks = {},
                               const CancelToken& cancel = {}) const;

  Result<Capabilities> GetCapabilities(const CancelToken& cancel = {}) const;

  // For people who run the farm; tokens need the role `admin`.
  Result<std::vector<WorkerStatus>> ListWorkers() const;
  Result<QueueStatus> GetQueue() const;
  Result<StoreStatus> GetStore() const;
  // Lets a worker, or the server itself where the id is empty, finish what it has and take no more.
  Status Drain(const std::string& worker_id) const;

  // Blobs by digest, whole in memory. NOT_FOUND: the server doesn't hold it (any more).
  Result<std::string> Download(const Digest& digest) const;
  Status Upload(std::string_view bytes) const;

  const std::string& server() const;

 private:
  class Impl;
  explicit Client(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace ptxfarm::client

// The layout /cas/<hash> and /ac/<hash> over HTTP, as Bazel, ccache and others keep a cache in it.
//
// /cas is the farm's own blobs: what a compile put in is found here, and the other way round. /ac
// (and /ccache, for free names) holds claims: bytes that a client vouches for, a blob and a record
// in the action cache. The farm itself never reads a claim: its key is no action's (path.h), and
// its record is none that the farm can read.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "store/stores.h"
#include "telemetry/http.h"

namespace ptxfarm::http_cache {

enum class Layout : u8 { kBlob, kClaim };
enum class Operation : u8 { kGet, kHead, kPut, kDelete };
enum class Outcome : u8 {
  kOk,
  kAbsent,
  kRefused,  // The body isn't what its digest says, or is too long, or ended early.
  kFailed,   // The store.
};

struct Event {
  Layout layout = Layout::kBlob;
  Operation operation = Operation::kGet;
  Outcome outcome = Outcome::kOk;
  u64 bytes = 0;  // Of the body, where it is kOk.
};

struct Options {
  Store& store;
  std::string spool_folder;  // For bodies whose digest isn't known before their end.
  u64 body_bytes_max = 0;
  // Whose claims a request reads and writes; asked after the request was admitted.
  std::function<Result<std::string>(const telemetry::HttpRequest& request)> tenant_of;
  std::function<void(const Event& event)> observe;  // Called from any thread; must not block.
};

// What the store refers to outlives the routes. A PUT or DELETE changes the store; whoever admits
// requests asks for another role than for a GET.
std::vector<telemetry::HttpRoute> MakeRoutes(Options options);

}  // namespace ptxfarm::http_cache

#include "rpc/policies.h"

#include "base/check.h"

namespace ptxfarm::rpc {
namespace {

using std::chrono::seconds;

// clang-format off
constexpr Policy kPolicies[] = {
    // method                             deadline  attempts  role
    {"CompileService/Compile",            seconds(0),       3,        "compile"},
    {"CompileService/FindResults",        seconds(30),      3,        "read"},
    {"CompileService/GetCapabilities",    seconds(10),      3,        "read"},
    {"BlobService/FindMissingBlobs",      seconds(30),      3,        "read"},
    {"BlobService/UploadBlob",            seconds(0),       3,        "compile"},
    {"BlobService/DownloadBlob",          seconds(0),       3,        "read"},
    {"WorkerService/Synchronize",         seconds(0),       1,        "worker"},  // The worker's loop calls again by itself.
    {"AdminService/ListWorkers",          seconds(10),      3,        "admin"},
    {"AdminService/GetQueue",             seconds(10),      3,        "admin"},
    {"AdminService/Drain",                seconds(10),      1,        "admin"},
    {"AdminService/GetStore",             seconds(10),      3,        "admin"},
};
// clang-format on

}  // namespace

std::span<const Policy> Policies() { return kPolicies; }

const Policy& PolicyOf(std::string_view method) {
  for (const Policy& policy : kPolicies)
    if (policy.method == method) return policy;
  PTXFARM_CHECK(false, method);
}

}  // namespace ptxfarm::rpc

#include "rpc/policies.h"

#include "base/check.h"

namespace ptxfarm::rpc {
namespace {

using namespace std::chrono_literals;

// clang-format off
constexpr Policy kPolicies[] = {
    // method                             deadline  attempts  role
    {"CompileService/Compile",            0s,       3,        "compile"},
    {"CompileService/GetCapabilities",    10s,      3,        "read"},
    {"BlobService/FindMissingBlobs",      30s,      3,        "read"},
    {"BlobService/UploadBlob",            0s,       3,        "compile"},
    {"BlobService/DownloadBlob",          0s,       3,        "read"},
    {"WorkerService/Synchronize",         0s,       1,        "worker"},  // The worker's loop calls again by itself.
    {"AdminService/ListWorkers",          10s,      3,        "admin"},
    {"AdminService/GetQueue",             10s,      3,        "admin"},
    {"AdminService/Drain",                10s,      1,        "admin"},
    {"AdminService/GetStore",             10s,      3,        "admin"},
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

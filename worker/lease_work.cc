#include "worker/lease_work.h"

#include <algorithm>
#include <chrono>

#include "base/limits.h"
#include "rpc/policies.h"
#include "worker/cancellation.h"
#include "worker/scratch.h"

namespace ptxfarm::worker {
namespace {

using action::Outcome;

constexpr Limit kInputBytesMax{"lease_input_bytes_max", u64{1} << 30,
                               "inputs of one action, which a worker holds in memory"};

action::ActionResult NotDone(const rpc::Lease& lease, Outcome outcome, std::string kind,
                             std::string message) {
  action::ActionResult result = action::Failed(outcome, std::move(kind), std::move(message));
  result.compiler = lease.action.compiler;
  return result;
}

// The blob that rides in the lease, or the server's.
Result<Blob> FetchInput(const rpc::Lease& lease, const Digest& digest, BlobStore* blobs) {
  const auto inlined = std::find_if(lease.inputs.begin(), lease.inputs.end(),
                                    [&](const Blob& blob) { return blob.digest == digest; });
  if (inlined != lease.inputs.end()) return *inlined;
  if (blobs == nullptr) return Error{Code::kUnavailable, "the server can't be reached"};
  return blobs->Get(digest);
}

Result<std::vector<std::string>> Gather(const rpc::Lease& lease, BlobStore* blobs,
                                        const Cancellation& cancellation, LeaseTraffic& traffic) {
  u64 bytes = 0;
  std::vector<std::string> inputs;
  for (const action::Input& input : lease.action.inputs) {
    bytes += std::min(input.digest.size_bytes, kInputBytesMax.value + 1);
    if (bytes > kInputBytesMax.value) return kInputBytesMax.Exceeded("the action's input", bytes);
    if (cancellation.cancelled()) return Error{Code::kCancelled, "nobody waits for this any more"};
    Result<Blob> blob = FetchInput(lease, input.digest, blobs);
    if (!blob) return std::move(blob).error().Wrap("input {}", input.digest);
    traffic.input_bytes += blob->stored_bytes();
    Result<std::string> plain = blob->Plain();
    if (!plain) return std::move(plain).error().Wrap("input {}", input.digest);
    // What compiles is what the action names, whoever brought it.
    if (DigestOf(*plain) != input.digest)
      return MakeError(Code::kDataLoss, "input {} arrived as other bytes", input.digest);
    inputs.push_back(*std::move(plain));
  }
  return inputs;
}

// Small outputs ride in the report; the others are uploaded before it, so that the server can rely
// on them.
Status HandOver(std::vector<Blob> outputs, BlobStore* blobs, rpc::FinishedLease& finished,
                LeaseTraffic& traffic) {
  u64 riding_bytes = 0;
  for (Blob& output : outputs) {
    traffic.output_bytes += output.stored_bytes();
    if (riding_bytes + output.stored_bytes() <= rpc::kLeaseOutputInlineBytesMax) {
      riding_bytes += output.stored_bytes();
      finished.outputs.push_back(std::move(output));
      continue;
    }
    if (blobs == nullptr) return Error{Code::kUnavailable, "the server can't be reached"};
    if (Status put = blobs->Put(output); !put)
      return std::move(put).error().Wrap("upload output {}", output.digest);
  }
  return Ok{};
}

Executed ExecuteInScratch(const LeaseSetting& setting, const rpc::Lease& lease,
                          const std::vector<std::string>& inputs, ControlGroup* group,
                          const Cancellation& cancellation) {
  const Result<std::string> folder = setting.scratch.MakeFolder();
  if (!folder)
    return {.result = NotDone(lease, Outcome::kFault, "scratch", folder.error().ToString())};
  Executed executed = Execute(setting.workshop,
                              {.action = lease.action,
                               .inputs = inputs,
                               .limits = action::Tighter(lease.limits, setting.limits),
                               .scratch = *folder,
                               .group = group},
                              cancellation);
  setting.scratch.RemoveFolder(*folder);
  return executed;
}

}  // namespace

rpc::FinishedLease DoLease(const LeaseSetting& setting, const rpc::Lease& lease, BlobStore* blobs,
                           ControlGroup* group, const Cancellation& cancellation,
                           LeaseTraffic& traffic) {
  rpc::FinishedLease finished{.lease_id = lease.id};
  const Result<std::vector<std::string>> inputs = Gather(lease, blobs, cancellation, traffic);
  if (!inputs) {
    const bool cancelled = cancellation.cancelled();
    finished.result = NotDone(lease, cancelled ? Outcome::kCancelled : Outcome::kFault,
                              cancelled ? "cancelled" : "input", inputs.error().ToString());
  } else {
    Executed executed = ExecuteInScratch(setting, lease, *inputs, group, cancellation);
    finished.result = std::move(executed.result);
    if (const Status handed = HandOver(std::move(executed.outputs), blobs, finished, traffic);
        !handed) {
      finished.outputs.clear();
      finished.result = NotDone(lease, Outcome::kFault, "upload", handed.error().ToString());
    }
  }
  finished.result.execution.worker = setting.worker_name;
  finished.result.execution.finished = std::chrono::system_clock::now();
  return finished;
}

}  // namespace ptxfarm::worker

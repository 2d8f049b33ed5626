// One lease from its inputs to its report: gather, execute, hand over.
#pragma once

#include <string>

#include "rpc/calls.h"
#include "store/blob_store.h"
#include "worker/executors.h"

namespace ptxfarm::worker {

class Cancellation;
class ControlGroup;
class Scratch;

// What all leases of a worker share.
struct LeaseSetting {
  const Workshop& workshop;
  Scratch& scratch;
  std::string worker_name;
  action::Limits limits;  // The worker's own; a lease's may be tighter.
};

// What went over the wire for a lease, for metrics.
struct LeaseTraffic {
  u64 input_bytes = 0;
  u64 output_bytes = 0;
};

// Blocks until the action is done and its large outputs are uploaded. Always a report: inputs that
// can't be had and outputs that can't be handed over are faults. `blobs` is the lease's server's;
// null where it can't be reached.
rpc::FinishedLease DoLease(const LeaseSetting& setting, const rpc::Lease& lease, BlobStore* blobs,
                           ControlGroup* group, const Cancellation& cancellation,
                           LeaseTraffic& traffic);

}  // namespace ptxfarm::worker

#include "rpc/convert.h"
#include "rpc/convert_fields.h"

namespace ptxfarm::rpc {
namespace {

v1::WorkerDescription ToProto(const WorkerDescription& worker) {
  v1::WorkerDescription message;
  message.set_id(worker.id);
  message.set_name(worker.name);
  message.set_version(worker.version);
  for (const action::Compiler& compiler : worker.compilers)
    *message.add_compilers() = rpc::ToProto(compiler);
  message.set_slots(worker.slots);
  message.set_memory_bytes(worker.memory_bytes);
  return message;
}

Result<WorkerDescription> FromProto(const v1::WorkerDescription& message) {
  if (message.id().empty()) return MakeError(Code::kInvalidArgument, "worker.id is empty");
  WorkerDescription worker{.id = message.id(),
                           .name = message.name(),
                           .version = message.version(),
                           .slots = message.slots(),
                           .memory_bytes = message.memory_bytes()};
  PTXFARM_RETURN_IF_ERROR(
      ReadList(message.compilers(), worker.compilers,
               [](const v1::Compiler& compiler) { return rpc::FromProto(compiler); }));
  return worker;
}

v1::FinishedLease ToProto(const FinishedLease& finished) {
  v1::FinishedLease message;
  message.set_lease_id(finished.lease_id);
  *message.mutable_result() = rpc::ToProto(finished.result);
  for (const Blob& blob : finished.outputs) *message.add_outputs() = rpc::ToProto(blob);
  return message;
}

Result<FinishedLease> FromProto(v1::FinishedLease&& message) {
  FinishedLease finished{.lease_id = message.lease_id()};
  PTXFARM_ASSIGN_OR_RETURN(finished.result, rpc::FromProto(message.result()));
  PTXFARM_RETURN_IF_ERROR(
      ReadList(*message.mutable_outputs(), finished.outputs,
               [](v1::InlineBlob&& blob) { return rpc::FromProto(std::move(blob)); }));
  return finished;
}

v1::Lease ToProto(const Lease& lease) {
  v1::Lease message;
  message.set_id(lease.id);
  *message.mutable_action() = rpc::ToProto(lease.action);
  message.set_action_sha256(Sha256ToProto(lease.action_sha256));
  for (const Blob& blob : lease.inputs) *message.add_inputs() = rpc::ToProto(blob);
  *message.mutable_limits() = rpc::ToProto(lease.limits);
  message.set_traceparent(lease.traceparent);
  return message;
}

Result<Lease> FromProto(v1::Lease&& message) {
  Lease lease{.id = message.id(), .traceparent = message.traceparent()};
  PTXFARM_ASSIGN_OR_RETURN(lease.action, rpc::FromProto(message.action()));
  PTXFARM_ASSIGN_OR_RETURN(lease.action_sha256,
                           Sha256FromProto(message.action_sha256(), "lease.action_sha256"));
  PTXFARM_RETURN_IF_ERROR(
      ReadList(*message.mutable_inputs(), lease.inputs,
               [](v1::InlineBlob&& blob) { return rpc::FromProto(std::move(blob)); }));
  PTXFARM_ASSIGN_OR_RETURN(lease.limits, rpc::FromProto(message.limits()));
  return lease;
}

}  // namespace

v1::SynchronizeRequest ToProto(const WorkerReport& report) {
  v1::SynchronizeRequest message;
  if (report.worker) *message.mutable_worker() = ToProto(*report.worker);
  for (const std::string& id : report.running_lease_ids) message.add_running_lease_ids(id);
  for (const FinishedLease& finished : report.finished) *message.add_finished() = ToProto(finished);
  message.set_draining(report.draining);
  return message;
}

Result<WorkerReport> FromProto(v1::SynchronizeRequest&& message) {
  WorkerReport report{.draining = message.draining()};
  if (message.has_worker()) {
    PTXFARM_ASSIGN_OR_RETURN(report.worker, FromProto(message.worker()));
  }
  report.running_lease_ids = {message.running_lease_ids().begin(),
                              message.running_lease_ids().end()};
  PTXFARM_RETURN_IF_ERROR(
      ReadList(*message.mutable_finished(), report.finished,
               [](v1::FinishedLease&& finished) { return FromProto(std::move(finished)); }));
  return report;
}

v1::SynchronizeResponse ToProto(const WorkerOrders& orders) {
  v1::SynchronizeResponse message;
  if (orders.heartbeat_interval)
    SetDuration(message.mutable_heartbeat_interval(), *orders.heartbeat_interval);
  for (const Lease& lease : orders.leases) *message.add_leases() = ToProto(lease);
  for (const std::string& id : orders.cancelled_lease_ids) message.add_cancelled_lease_ids(id);
  for (const std::string& id : orders.accepted_lease_ids) message.add_accepted_lease_ids(id);
  message.set_drain(orders.drain);
  return message;
}

Result<WorkerOrders> FromProto(v1::SynchronizeResponse&& message) {
  WorkerOrders orders{.drain = message.drain()};
  if (message.has_heartbeat_interval()) {
    PTXFARM_ASSIGN_OR_RETURN(const std::chrono::microseconds interval,
                             ReadDuration(message.heartbeat_interval(), "heartbeat_interval"));
    orders.heartbeat_interval = std::chrono::duration_cast<std::chrono::milliseconds>(interval);
  }
  PTXFARM_RETURN_IF_ERROR(ReadList(*message.mutable_leases(), orders.leases,
                                   [](v1::Lease&& lease) { return FromProto(std::move(lease)); }));
  orders.cancelled_lease_ids = {message.cancelled_lease_ids().begin(),
                                message.cancelled_lease_ids().end()};
  orders.accepted_lease_ids = {message.accepted_lease_ids().begin(),
                               message.accepted_lease_ids().end()};
  return orders;
}

}  // namespace ptxfarm::rpc

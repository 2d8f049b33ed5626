#include "rpc/convert.h"
#include "rpc/convert_fields.h"

namespace ptxfarm::rpc {
namespace {

void AddTo(google::protobuf::RepeatedPtrField<v1::QueuedAction>* list, const QueuedAction& action) {
  v1::QueuedAction& message = *list->Add();
  message.set_action_sha256(Sha256ToProto(action.action_sha256));
  message.set_target(action.target);
  message.set_tenant(action.tenant);
  message.set_priority(action.priority);
  SetDuration(message.mutable_age(), action.age);
  message.set_waiters(action.waiters);
  message.set_attempts(action.attempts);
  message.set_worker(action.worker);
}

Result<QueuedAction> FromProto(const v1::QueuedAction& message) {
  QueuedAction action{.target = message.target(),
                      .tenant = message.tenant(),
                      .priority = message.priority(),
                      .waiters = message.waiters(),
                      .attempts = message.attempts(),
                      .worker = message.worker()};
  PTXFARM_ASSIGN_OR_RETURN(action.action_sha256,
                           Sha256FromProto(message.action_sha256(), "action_sha256"));
  PTXFARM_ASSIGN_OR_RETURN(const std::chrono::microseconds age, ReadDuration(message.age(), "age"));
  action.age = std::chrono::duration_cast<std::chrono::milliseconds>(age);
  return action;
}

}  // namespace

v1::ListWorkersResponse ToProto(const std::vector<WorkerStatus>& workers) {
  v1::ListWorkersResponse response;
  for (const WorkerStatus& status : workers) {
    v1::WorkerStatus& message = *response.add_workers();
    message.set_id(status.worker.id);
    message.set_name(status.worker.name);
    message.set_version(status.worker.version);
    for (const action::Compiler& compiler : status.worker.compilers)
      *message.add_compilers() = ToProto(compiler);
    message.set_slots(status.worker.slots);
    message.set_slots_busy(status.slots_busy);
    message.set_draining(status.draining);
    SetDuration(message.mutable_connected(), status.connected);
    message.set_actions_finished(status.actions_finished);
  }
  return response;
}

Result<std::vector<WorkerStatus>> FromProto(const v1::ListWorkersResponse& response) {
  std::vector<WorkerStatus> workers;
  for (const v1::WorkerStatus& message : response.workers()) {
    WorkerStatus status{.worker = {.id = message.id(),
                                   .name = message.name(),
                                   .version = message.version(),
                                   .slots = message.slots()},
                        .slots_busy = message.slots_busy(),
                        .draining = message.draining(),
                        .actions_finished = message.actions_finished()};
    PTXFARM_RETURN_IF_ERROR(
        ReadList(message.compilers(), status.worker.compilers,
                 [](const v1::Compiler& compiler) { return FromProto(compiler); }));
    PTXFARM_ASSIGN_OR_RETURN(const std::chrono::microseconds connected,
                             ReadDuration(message.connected(), "connected"));
    status.connected = std::chrono::duration_cast<std::chrono::milliseconds>(connected);
    workers.push_back(std::move(status));
  }
  return workers;
}

v1::GetQueueResponse ToProto(const QueueStatus& queue) {
  v1::GetQueueResponse message;
  message.set_waiting_count(queue.waiting_count);
  message.set_running_count(queue.running_count);
  for (const QueuedAction& action : queue.waiting) AddTo(message.mutable_waiting(), action);
  for (const QueuedAction& action : queue.running) AddTo(message.mutable_running(), action);
  message.set_hits(queue.hits);
  message.set_misses(queue.misses);
  message.set_joined(queue.joined);
  return message;
}

Result<QueueStatus> FromProto(const v1::GetQueueResponse& message) {
  QueueStatus queue{.waiting_count = message.waiting_count(),
                    .running_count = message.running_count(),
                    .hits = message.hits(),
                    .misses = message.misses(),
                    .joined = message.joined()};
  const auto convert = [](const v1::QueuedAction& action) { return FromProto(action); };
  PTXFARM_RETURN_IF_ERROR(ReadList(message.waiting(), queue.waiting, convert));
  PTXFARM_RETURN_IF_ERROR(ReadList(message.running(), queue.running, convert));
  return queue;
}

v1::GetStoreResponse ToProto(const StoreStatus& store) {
  v1::GetStoreResponse message;
  message.set_blobs(store.blobs);
  message.set_actions(store.actions);
  message.set_stored_bytes(store.stored_bytes);
  message.set_stored_bytes_max(store.stored_bytes_max);
  message.set_evicted_blobs(store.evicted_blobs);
  message.set_quarantined_blobs(store.quarantined_blobs);
  message.set_format_version(store.format_version);
  message.set_path(store.path);
  return message;
}

Result<StoreStatus> FromProto(const v1::GetStoreResponse& message) {
  return StoreStatus{.blobs = message.blobs(),
                     .actions = message.actions(),
                     .stored_bytes = message.stored_bytes(),
                     .stored_bytes_max = message.stored_bytes_max(),
                     .evicted_blobs = message.evicted_blobs(),
                     .quarantined_blobs = message.quarantined_blobs(),
                     .format_version = message.format_version(),
                     .path = message.path()};
}

}  // namespace ptxfarm::rpc

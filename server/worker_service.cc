#include "server/worker_service.h"

#include <memory>
#include <mutex>
#include <utility>

#include "rpc/convert.h"
#include "rpc/status.h"
#include "server/call_context.h"

namespace ptxfarm::server {
namespace {

// Reads reports and writes orders, one of each at a time. Lives until gRPC is done with it and no
// result is being stored.
class WorkerReactor final
    : public grpc::ServerBidiReactor<v1::SynchronizeRequest, v1::SynchronizeResponse>,
      public WorkerLink,
      public std::enable_shared_from_this<WorkerReactor> {
 public:
  static std::shared_ptr<WorkerReactor> Make(Core& core) {
    std::shared_ptr<WorkerReactor> reactor(new WorkerReactor(core));
    reactor->self_ = reactor;
    return reactor;
  }

  void Begin() { StartRead(&request_); }
  void Refuse(const Error& error) { End(rpc::ToStatus(error)); }

  void OnReadDone(bool ok) override {
    if (!ok) return End(grpc::Status::OK);  // The worker has said its last word.
    if (const Status taken = TakeReport(); !taken) return Refuse(taken.error());
    StartRead(&request_);
  }

  void OnOrders() override {
    const std::lock_guard lock(mutex_);
    WriteNext();
  }

  void OnWriteDone(bool ok) override {
    const std::lock_guard lock(mutex_);
    writing_ = false;
    if (ok) WriteNext();
  }

  void OnCancel() override {
    End(grpc::Status(grpc::StatusCode::CANCELLED, "the worker has gone"));
  }

  void OnDone() override {
    if (session_ != 0) {
      core_.queue.Disconnect(session_);
      core_.compilers.Leave(compilers_);
    }
    const std::shared_ptr<WorkerReactor> self = std::move(self_);
  }

 private:
  explicit WorkerReactor(Core& core) : core_(core) {}

  Status TakeReport() {
    PTXFARM_ASSIGN_OR_RETURN(rpc::WorkerReport report, rpc::FromProto(std::exchange(request_, {})));
    if (session_ == 0) {
      if (!report.worker)
        return MakeError(Code::kInvalidArgument, "the first message of a worker describes it");
      compilers_ = report.worker->compilers;
      core_.compilers.Join(compilers_);
      const ActionQueue::SessionId session =
          core_.queue.Connect(*report.worker, shared_from_this());
      const std::lock_guard lock(mutex_);
      session_ = session;
    }
    // Finished before renewed: what is reported as finished is not listed as running, and isn't
    // lost for that.
    for (rpc::FinishedLease& finished : report.finished) TakeFinished(std::move(finished));
    core_.queue.Renew(session_, report.running_lease_ids, report.draining);
    // What takes no more work must not be chosen for any: another may have the same version.
    if (report.draining) core_.compilers.Leave(std::exchange(compilers_, {}));
    OnOrders();  // Those that came before the session's number was known here.
    return Ok{};
  }

  // Storing waits for the disk, so it is done on the pool; the lease stays the worker's meanwhile.
  void TakeFinished(rpc::FinishedLease finished) {
    std::optional<Task> task = core_.queue.BeginFinish(session_, finished.lease_id);
    core_.pool.Run([self = shared_from_this(), task = std::move(task),
                    finished = std::move(finished)]() mutable {
      Core& core = self->core_;
      Finished result{.result = std::move(finished.result), .outputs = std::move(finished.outputs)};
      if (!task) {
        // Lost or cancelled meanwhile: only acknowledged.
        core.queue.Finish(self->session_, finished.lease_id,
                          std::make_shared<const Finished>(std::move(result)));
        return;
      }
      ResultKeeper::Kept kept = core.keeper.Keep(task->digest, std::move(result));
      core.observer.OnActionFinished(*task, kept.finished->result, kept.stored);
      core.queue.Finish(self->session_, finished.lease_id, std::move(kept.finished));
    });
  }

  // mutex_ is held.
  void WriteNext() {
    if (writing_ || ended_ || session_ == 0) return;
    const rpc::WorkerOrders orders = core_.queue.TakeOrders(session_);
    if (orders.Empty()) return;
    writing_ = true;
    response_ = rpc::ToProto(orders);
    StartWrite(&response_);
  }

  void End(const grpc::Status& status) {
    const std::lock_guard lock(mutex_);
    if (std::exchange(ended_, true)) return;
    Finish(status);
  }

  Core& core_;
  std::shared_ptr<WorkerReactor> self_;
  v1::SynchronizeRequest request_;
  std::vector<action::Compiler> compilers_;  // Those that the registry counts on.

  std::mutex mutex_;
  ActionQueue::SessionId session_ =
      0;  // Written once, by the reading side; 0 before the first message.
  v1::SynchronizeResponse response_;
  bool writing_ = false;
  bool ended_ = false;
};

}  // namespace

grpc::ServerBidiReactor<v1::SynchronizeRequest, v1::SynchronizeResponse>*
WorkerService::Synchronize(grpc::CallbackServerContext* context) {
  const std::shared_ptr<WorkerReactor> reactor = WorkerReactor::Make(core_);
  const Result<Caller> caller = CallerOf(*context, authenticator_, "WorkerService/Synchronize");
  if (caller)
    reactor->Begin();
  else
    reactor->Refuse(caller.error());
  return reactor.get();
}

}  // namespace ptxfarm::server

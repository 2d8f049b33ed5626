#include "server/compile_service.h"

#include <deque>
#include <memory>
#include <mutex>
#include <utility>

#include "base/version.h"
#include "rpc/convert.h"
#include "rpc/policies.h"
#include "rpc/status.h"
#include "server/call_context.h"
#include "server/compile_call.h"

namespace ptxfarm::server {
namespace {

// Writes a call's answers in order, one at a time as gRPC wants it. Lives until gRPC and the call
// are both done with it.
class CompileReactor final : public grpc::ServerWriteReactor<v1::CompileResponse>,
                             public CompileSink {
 public:
  static std::shared_ptr<CompileReactor> Make() {
    std::shared_ptr<CompileReactor> reactor(new CompileReactor);
    reactor->self_ = reactor;
    return reactor;
  }

  // The call that answers here; null if it has ended already.
  void Attach(std::shared_ptr<CompileCall> call) {
    bool cancelled = false;
    {
      const std::lock_guard lock(mutex_);
      cancelled = cancelled_;
      call_ = call;
    }
    if (cancelled && call != nullptr) Abandon(*call);
  }

  void Send(rpc::CompileResponse response) override {
    const std::lock_guard lock(mutex_);
    line_.push_back(rpc::ToProto(response));
    WriteNext();
  }

  void Finish(rpc::CompileResponse response) override {
    const std::lock_guard lock(mutex_);
    line_.push_back(rpc::ToProto(response));
    end_ = grpc::Status::OK;
    WriteNext();
  }

  void Fail(const Error& error, std::optional<std::chrono::milliseconds> retry_after) override {
    const std::lock_guard lock(mutex_);
    end_ = rpc::ToStatus(error, retry_after);
    WriteNext();
  }

  void OnWriteDone(bool ok) override {
    const std::lock_guard lock(mutex_);
    writing_ = false;
    if (ok)
      WriteNext();
    else if (end_ && !finished_)  // The client is gone, and the call has nothing to add.
      EndWith(*end_);
  }

  void OnCancel() override {
    std::shared_ptr<CompileCall> call;
    {
      const std::lock_guard lock(mutex_);
      cancelled_ = true;
      call = call_;
    }
    if (call != nullptr) Abandon(*call);
  }

  void OnDone() override {
    std::shared_ptr<CompileReactor>
        self;  // Declared first, so that it goes after the lock on its mutex.
    const std::lock_guard lock(mutex_);
    call_ = nullptr;
    self = std::move(self_);
  }

 private:
  CompileReactor() = default;

  void Abandon(CompileCall& call) {
    call.Cancel();
    // The call sends nothing from here on; if it hadn't ended, the stream has to be ended for it.
    const std::lock_guard lock(mutex_);
    if (!finished_ && !end_)
      EndWith(grpc::Status(grpc::StatusCode::CANCELLED, "the caller has gone"));
  }

  void WriteNext() {
    if (writing_ || finished_) return;
    if (line_.empty()) {
      if (end_) EndWith(*end_);
      return;
    }
    writing_ = true;
    current_ = std::move(line_.front());
    line_.pop_front();
    if (line_.empty() && end_ && end_->ok()) {
      finished_ = true;
      StartWriteAndFinish(&current_, {}, *end_);
    } else {
      StartWrite(&current_);
    }
  }

  void EndWith(const grpc::Status& status) {
    finished_ = true;
    grpc::ServerWriteReactor<v1::CompileResponse>::Finish(status);
  }

  std::mutex mutex_;
  std::shared_ptr<CompileReactor> self_;
  std::shared_ptr<CompileCall> call_;
  std::deque<v1::CompileResponse> line_;
  v1::CompileResponse current_;
  std::optional<grpc::Status> end_;
  bool writing_ = false;
  bool finished_ = false;
  bool cancelled_ = false;
};

}  // namespace

grpc::ServerWriteReactor<v1::CompileResponse>* CompileService::Compile(
    grpc::CallbackServerContext* context, const v1::CompileRequest* message) {
  const std::shared_ptr<CompileReactor> reactor = CompileReactor::Make();
  Result<Caller> caller = CallerOf(*context, authenticator_, "CompileService/Compile");
  Result<rpc::CompileRequest> request = rpc::FromProto(v1::CompileRequest(*message));
  if (!caller)
    reactor->Fail(caller.error(), std::nullopt);
  else if (!request)
    reactor->Fail(request.error(), std::nullopt);
  else
    reactor->Attach(CompileCall::Start(core_, *std::move(request), *std::move(caller), reactor));
  return reactor.get();
}

grpc::ServerUnaryReactor* CompileService::GetCapabilities(grpc::CallbackServerContext* context,
                                                          const v1::GetCapabilitiesRequest*,
                                                          v1::GetCapabilitiesResponse* response) {
  const Result<Caller> caller =
      CallerOf(*context, authenticator_, "CompileService/GetCapabilities");
  if (!caller) return Refuse(*context, caller.error());
  const QueueCounts counts = core_.queue.Counts();
  *response = rpc::ToProto(rpc::Capabilities{.server_version = std::string(kVersion),
                                             .compilers = core_.compilers.Here(),
                                             .workers = static_cast<u32>(counts.workers),
                                             .worker_slots = counts.slots,
                                             .source_bytes_max = core_.options.source_bytes_max,
                                             .inline_source_bytes_max = rpc::kInlineSourceBytesMax,
                                             .limits = core_.options.limits,
                                             .remembered_compilers = core_.compilers.Remembered()});
  grpc::ServerUnaryReactor* const reactor = context->DefaultReactor();
  reactor->Finish(grpc::Status::OK);
  return reactor;
}

}  // namespace ptxfarm::server

#include "server/compile_service.h"

#include <deque>
#include <memory>
#include <mutex>
#include <utility>

#include "base/check.h"
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

// Answers a look-up, and keeps the answer for the next who asks the same.
class LookUpSink final : public CompileSink {
 public:
  LookUpSink(AnswerCache& answers, std::string request, u64 generation,
             grpc::ServerUnaryReactor& reactor, grpc::ByteBuffer& response)
      : answers_(answers),
        request_(std::move(request)),
        generation_(generation),
        reactor_(reactor),
        response_(response) {}

  void Send(rpc::CompileResponse) override { PTXFARM_CHECK(false, "a look-up has one answer"); }

  void Finish(rpc::CompileResponse response) override {
    // How long it took isn't the same when it is sent again; who asks can tell.
    for (rpc::TargetResult& result : response.results) result.elapsed = {};
    Result<grpc::ByteBuffer> bytes = rpc::FindResultsResponseBytes(response);
    if (!bytes) return Fail(bytes.error(), std::nullopt);
    response_ = *bytes;
    if (IsWhole(response)) answers_.Keep(request_, generation_, ToKeep(*bytes, response));
    reactor_.Finish(grpc::Status::OK);
  }

  void Fail(const Error& error, std::optional<std::chrono::milliseconds> retry_after) override {
    reactor_.Finish(rpc::ToStatus(error, retry_after));
  }

 private:
  // All outputs ride along, and no result is one that is forgotten before long.
  static bool IsWhole(const rpc::CompileResponse& response) {
    std::size_t outputs = 0;
    for (const rpc::TargetResult& target : response.results) {
      if (action::RowOf(target.result.outcome).retention != action::Retention::kStored)
        return false;
      outputs += target.result.outputs.size();
    }
    return outputs == response.blobs.size();
  }

  static Answer ToKeep(const grpc::ByteBuffer& bytes, const rpc::CompileResponse& response) {
    Answer answer{.bytes = bytes};
    if (response.module) answer.source = response.module->digest;
    for (const Blob& blob : response.blobs) answer.output_bytes += blob.stored_bytes();
    for (const rpc::TargetResult& target : response.results)
      answer.counted.push_back({.target = target.target,
                                .served = target.served,
                                .result = {.outcome = target.result.outcome},
                                .action_sha256 = target.action_sha256});
    return answer;
  }

  AnswerCache& answers_;
  const std::string request_;
  const u64 generation_;
  grpc::ServerUnaryReactor& reactor_;
  grpc::ByteBuffer& response_;
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

grpc::ServerUnaryReactor* CompileService::FindResults(grpc::CallbackServerContext* context,
                                                      const grpc::ByteBuffer* message,
                                                      grpc::ByteBuffer* response) {
  Result<Caller> caller = CallerOf(*context, authenticator_, "CompileService/FindResults");
  if (!caller) return Refuse(*context, caller.error());
  std::string bytes = rpc::BytesOf(*message);
  const u64 generation = core_.compilers.generation();
  grpc::ServerUnaryReactor* const reactor = context->DefaultReactor();
  if (const std::shared_ptr<const Answer> answer = answers_.Find(bytes, generation)) {
    for (const rpc::TargetResult& result : answer->counted) core_.Count(result, *caller);
    core_.observer.OnCallEnd({.source = answer->source, .output_bytes = answer->output_bytes},
                             *caller);
    *response = answer->bytes;
    reactor->Finish(grpc::Status::OK);
    return reactor;
  }
  Result<rpc::CompileRequest> request = rpc::ParseFindResultsRequest(bytes);
  if (!request) return Refuse(*context, request.error());
  request->recompile = false;
  CompileCall::Start(
      core_, *std::move(request), *std::move(caller),
      std::make_shared<LookUpSink>(answers_, std::move(bytes), generation, *reactor, *response),
      Effort::kLookUp);
  return reactor;
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

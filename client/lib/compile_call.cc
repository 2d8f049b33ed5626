// Each try sends the same request. What earlier tries brought is kept: equal requests give equal
// results, so a later try only adds what is missing.
#include "client/lib/compile_call.h"

#include <algorithm>
#include <set>

#include <google/protobuf/arena.h>
#include <grpcpp/client_context.h>

#include "client/lib/blobs.h"
#include "client/lib/cancel.h"
#include "client/lib/explain.h"
#include "ptxfarm/v1/compile_service.grpc.pb.h"
#include "rpc/convert.h"
#include "rpc/policies.h"

namespace ptxfarm::client {
namespace {

using Steady = std::chrono::steady_clock;

// Outputs of one response together; well below a message's bound, so that larger ones stream.
constexpr u64 kInlineOutputsBytesMax = 16 << 20;

std::optional<Steady::time_point> DeadlineOf(const CompileRequest& request) {
  if (request.deadline.count() <= 0) return std::nullopt;
  return Steady::now() + request.deadline;
}

const Diagnostic* CompilerChanged(const action::ActionResult& result) {
  if (result.outcome != action::Outcome::kFault) return nullptr;
  const auto found =
      std::ranges::find(result.diagnostics, action::kCompilerChanged, &Diagnostic::kind);
  return found == result.diagnostics.end() ? nullptr : &*found;
}

// The outcome of targets that a broken call left unanswered.
action::Outcome OutcomeOf(Code code) {
  switch (code) {
    case Code::kCancelled: return action::Outcome::kCancelled;
    case Code::kDeadlineExceeded: return action::Outcome::kServiceLimit;
    default: return action::Outcome::kFault;
  }
}

}  // namespace

CompileCall::CompileCall(Connection& connection, const CompileRequest& request,
                         const CompileCallbacks& callbacks, const CancelToken& cancel)
    : connection_(connection),
      request_(request),
      callbacks_(callbacks),
      cancel_(cancel),
      deadline_(DeadlineOf(request)),
      digest_(DigestOf(request.text)) {}

Result<CompileReply> CompileCall::Run() && {
  Status ended =
      connection_.WithRetries([this](const rpc::Channel& channel) { return Try(channel); }, cancel_,
                              deadline_, callbacks_.retry);
  return std::move(*this).Assemble(std::move(ended));
}

std::optional<Failure> CompileCall::Try(const rpc::Channel& channel) {
  if (!request_.recompile) {
    std::optional<Failure> failure = LookUp(channel);
    // Not stored, or asked of an older server.
    if (!failure ||
        (failure->error.code != Code::kNotFound && failure->error.code != Code::kUnimplemented))
      return failure;
  }
  const bool by_digest = request_.text.size() > rpc::kInlineSourceBytesMax;
  std::optional<Failure> failure = Stream(channel, by_digest);
  if (!by_digest || !failure || failure->error.code != Code::kFailedPrecondition) return failure;
  // The server doesn't hold the text: now it gets it.
  if (Status uploaded = UploadBlob(channel, request_.text, digest_, cancel_); !uploaded)
    return Failure{
        Explain(std::move(uploaded).error().Wrap("upload the module"), channel.address()),
        std::nullopt};
  return Stream(channel, by_digest);
}

std::optional<Failure> CompileCall::LookUp(const rpc::Channel& channel) {
  grpc::ClientContext context;
  const CancelScope scope(cancel_, context);
  channel.Prepare(context, "CompileService/FindResults", TimeLeft());
  v1::FindResultsRequest request;
  *request.mutable_compile() = rpc::ToProto(WireRequest(/*by_digest=*/true));
  // A message for each kernel: the arena makes and drops all of them at once.
  google::protobuf::Arena arena;
  auto& response = *google::protobuf::Arena::CreateMessage<v1::FindResultsResponse>(&arena);
  const Steady::time_point begin = Steady::now();
  const grpc::Status status =
      v1::CompileService::NewStub(channel.grpc())->FindResults(&context, request, &response);
  if (!status.ok()) return FailureOf(status, channel.address());
  Result<rpc::CompileResponse> found = rpc::FromProto(std::move(*response.mutable_compile()));
  if (!found) return Failure{std::move(found).error(), std::nullopt};
  for (rpc::TargetResult& result : found->results)
    result.elapsed = std::chrono::duration_cast<std::chrono::microseconds>(Steady::now() - begin);
  if (std::optional<Failure> failure = Take(channel, *std::move(found))) return failure;
  return CheckComplete(channel);
}

std::optional<Failure> CompileCall::Stream(const rpc::Channel& channel, bool by_digest) {
  grpc::ClientContext context;
  const CancelScope scope(cancel_, context);
  channel.Prepare(context, "CompileService/Compile", TimeLeft());
  const std::unique_ptr<v1::CompileService::Stub> stub =
      v1::CompileService::NewStub(channel.grpc());
  const auto stream = stub->Compile(&context, rpc::ToProto(WireRequest(by_digest)));

  std::optional<Failure> failure;
  v1::CompileResponse message;
  while (!failure && stream->Read(&message)) {
    Result<rpc::CompileResponse> response = rpc::FromProto(std::move(message));
    failure = response ? Take(channel, *std::move(response))
                       : Failure{std::move(response).error(), std::nullopt};
  }
  if (failure) context.TryCancel();
  const grpc::Status status = stream->Finish();
  if (failure) return failure;
  if (!status.ok()) return FailureOf(status, channel.address());
  return CheckComplete(channel);
}

std::optional<Failure> CompileCall::CheckComplete(const rpc::Channel& channel) const {
  for (const std::string& name : Wanted())
    if (!replies_.contains(name))
      return Failure{MakeError(Code::kInternal, "{} ended the call without a result for {}",
                               channel.address(), name),
                     std::nullopt};
  return std::nullopt;
}

std::optional<Failure> CompileCall::Take(const rpc::Channel& channel,
                                         rpc::CompileResponse&& response) {
  if (response.module) module_ = std::move(response.module);
  if (callbacks_.progress)
    for (const TargetProgress& progress : response.progress) callbacks_.progress(progress);
  std::map<Digest, Blob> blobs;
  for (Blob& blob : response.blobs) blobs.emplace(blob.digest, std::move(blob));
  for (rpc::TargetResult& result : response.results)
    if (std::optional<Failure> failure = TakeResult(channel, std::move(result), blobs))
      return failure;
  return std::nullopt;
}

std::optional<Failure> CompileCall::TakeResult(const rpc::Channel& channel,
                                               rpc::TargetResult&& result,
                                               const std::map<Digest, Blob>& blobs) {
  if (replies_.contains(result.target)) return std::nullopt;
  // The compiler was replaced under the farm. Asked again, the farm has another, or says why not.
  if (const Diagnostic* const changed = CompilerChanged(result.result))
    return Failure{Error{Code::kUnavailable, changed->message}, std::nullopt};
  Result<std::string> object = ObjectOf(channel, result, blobs);
  if (!object) {
    Error error = Explain(std::move(object).error().Wrap("get the output for {}", result.target),
                          channel.address());
    // Evicted or damaged between the result and the download: asked again, it is made again.
    if (error.code == Code::kNotFound || error.code == Code::kDataLoss)
      error.code = Code::kUnavailable;
    return Failure{std::move(error), std::nullopt};
  }
  TargetReply reply{.target = result.target,
                    .served = result.served,
                    .result = std::move(result.result),
                    .key_tier = result.key_tier,
                    .action_sha256 = result.action_sha256,
                    .elapsed = result.elapsed,
                    .object = *std::move(object)};
  const auto at = replies_.emplace(result.target, std::move(reply)).first;
  if (callbacks_.result) callbacks_.result(at->second);
  return std::nullopt;
}

Result<std::string> CompileCall::ObjectOf(const rpc::Channel& channel,
                                          const rpc::TargetResult& result,
                                          const std::map<Digest, Blob>& blobs) const {
  const auto role = result.target == rpc::kFatbinTarget ? action::OutputRole::kFatbin
                                                        : action::OutputRole::kCubin;
  const Digest* digest = result.result.OutputOf(role);
  const bool wanted = role == action::OutputRole::kFatbin ? request_.fatbin : request_.cubins;
  if (digest == nullptr || !wanted) return std::string();
  const auto inlined = blobs.find(*digest);
  if (inlined != blobs.end()) return CheckedPlain(inlined->second);
  return DownloadBlob(channel, *digest, cancel_);
}

rpc::CompileRequest CompileCall::WireRequest(bool by_digest) const {
  rpc::CompileRequest wire;
  if (by_digest)
    wire.source = digest_;
  else
    wire.source = std::string(request_.text);
  wire.targets = request_.targets;
  wire.options = request_.options;
  wire.want_cubins = request_.cubins;
  wire.want_fatbin = request_.fatbin;
  wire.fatbin_compression = request_.fatbin_compression;
  wire.fatbin_identifier = request_.fatbin_identifier;
  wire.key_tier = request_.key_tier;
  wire.compiler = request_.compiler;
  wire.priority = request_.priority;
  wire.inline_outputs_bytes_max = kInlineOutputsBytesMax;
  wire.recompile = request_.recompile;
  wire.unverified = request_.unverified;
  wire.bridge = request_.bridge;
  wire.limits = request_.limits;
  return wire;
}

std::optional<std::chrono::milliseconds> CompileCall::TimeLeft() const {
  if (!deadline_) return std::nullopt;
  const auto left =
      std::chrono::duration_cast<std::chrono::milliseconds>(*deadline_ - Steady::now());
  // Zero would mean no deadline at all.
  return std::max(left, std::chrono::milliseconds(1));
}

std::vector<std::string> CompileCall::Wanted() const {
  std::vector<std::string> wanted;
  std::set<std::string> seen;
  for (const std::string& target : request_.targets)
    if (seen.insert(target).second) wanted.push_back(target);
  if (request_.fatbin) wanted.emplace_back(rpc::kFatbinTarget);
  return wanted;
}

Result<CompileReply> CompileCall::Assemble(Status ended) && {
  if (!ended && replies_.empty()) return std::move(ended).error();
  CompileReply reply;
  if (module_) reply.module = *std::move(module_);
  for (const std::string& name : Wanted()) {
    const auto found = replies_.find(name);
    TargetReply target{.target = name};
    if (found != replies_.end())
      target = std::move(found->second);
    else
      target.result =
          action::Failed(OutcomeOf(ended.error().code), "call-broken", ended.error().message);
    if (name == rpc::kFatbinTarget)
      reply.fatbin = std::move(target);
    else
      reply.targets.push_back(std::move(target));
  }
  return reply;
}

}  // namespace ptxfarm::client

#include <grpcpp/impl/codegen/proto_utils.h>

#include "rpc/convert.h"
#include "rpc/convert_fields.h"
#include "rpc/status.h"

namespace ptxfarm::rpc {
namespace {

// A field left out (UNSPECIFIED) means the default, which is the first of our enumerators, for
// tiers and compressions.
Result<KeyTier> ReadTier(v1::KeyTier tier) {
  if (!v1::KeyTier_IsValid(tier))
    return MakeError(Code::kInvalidArgument, "key_tier has no value {}", static_cast<int>(tier));
  return static_cast<KeyTier>(tier);
}

v1::ModuleInfo ToProto(const ModuleInfo& module) {
  v1::ModuleInfo message;
  *message.mutable_version() = rpc::ToProto(module.version);
  message.set_target(module.target);
  for (const std::string& entry : module.entries) message.add_entries(entry);
  *message.mutable_digest() = rpc::ToProto(module.digest);
  for (const Diagnostic& diagnostic : module.diagnostics)
    *message.add_diagnostics() = rpc::ToProto(diagnostic);
  if (module.compiled_as) *message.mutable_compiled_as() = rpc::ToProto(*module.compiled_as);
  return message;
}

Result<ModuleInfo> FromProto(const v1::ModuleInfo& message) {
  ModuleInfo module{.version = rpc::FromProto(message.version()),
                    .target = message.target(),
                    .entries = {message.entries().begin(), message.entries().end()}};
  PTXFARM_ASSIGN_OR_RETURN(module.digest, rpc::FromProto(message.digest()));
  if (message.has_compiled_as()) module.compiled_as = rpc::FromProto(message.compiled_as());
  PTXFARM_RETURN_IF_ERROR(
      ReadList(message.diagnostics(), module.diagnostics,
               [](const v1::Diagnostic& diagnostic) { return rpc::FromProto(diagnostic); }));
  return module;
}

v1::TargetProgress ToProto(const TargetProgress& progress) {
  v1::TargetProgress message;
  message.set_target(progress.target);
  message.set_state(EnumToProto<v1::TargetState>(progress.state));
  message.set_worker(progress.worker);
  return message;
}

Result<TargetProgress> FromProto(const v1::TargetProgress& message) {
  PTXFARM_ASSIGN_OR_RETURN(const TargetState state,
                           EnumFromProto(message.state(), TargetState::kRunning, "progress.state"));
  return TargetProgress{message.target(), state, message.worker()};
}

v1::TargetResult ToProto(const TargetResult& result) {
  v1::TargetResult message;
  message.set_target(result.target);
  message.set_served(EnumToProto<v1::Served>(result.served));
  *message.mutable_result() = rpc::ToProto(result.result);
  message.set_key_tier(static_cast<v1::KeyTier>(result.key_tier));
  if (result.action_sha256) message.set_action_sha256(Sha256ToProto(*result.action_sha256));
  SetDuration(message.mutable_elapsed(), result.elapsed);
  return message;
}

Result<TargetResult> FromProto(const v1::TargetResult& message) {
  TargetResult result{.target = message.target()};
  PTXFARM_ASSIGN_OR_RETURN(result.served,
                           EnumFromProto(message.served(), Served::kJoined, "result.served"));
  PTXFARM_ASSIGN_OR_RETURN(result.result, rpc::FromProto(message.result()));
  PTXFARM_ASSIGN_OR_RETURN(result.key_tier, ReadTier(message.key_tier()));
  if (!message.action_sha256().empty()) {
    PTXFARM_ASSIGN_OR_RETURN(result.action_sha256,
                             Sha256FromProto(message.action_sha256(), "result.action_sha256"));
  }
  PTXFARM_ASSIGN_OR_RETURN(result.elapsed, ReadDuration(message.elapsed(), "result.elapsed"));
  return result;
}

}  // namespace

v1::CompileRequest ToProto(const CompileRequest& request) {
  v1::CompileRequest message;
  if (const std::string* const text = std::get_if<std::string>(&request.source))
    message.set_text(*text);
  else
    *message.mutable_digest() = ToProto(std::get<Digest>(request.source));
  for (const std::string& target : request.targets) message.add_targets(target);
  for (const std::string& option : request.options) message.add_options(option);
  if (request.want_cubins) message.add_outputs(v1::OUTPUT_KIND_CUBIN);
  if (request.want_fatbin) message.add_outputs(v1::OUTPUT_KIND_FATBIN);
  message.set_fatbin_compression(EnumToProto<v1::FatbinCompression>(request.fatbin_compression));
  message.set_fatbin_identifier(request.fatbin_identifier);
  message.set_key_tier(static_cast<v1::KeyTier>(request.key_tier));
  message.set_compiler(request.compiler);
  message.set_priority(request.priority);
  message.set_inline_outputs_bytes_max(request.inline_outputs_bytes_max);
  message.set_recompile(request.recompile);
  message.set_unverified(request.unverified);
  message.set_bridge(request.bridge);
  *message.mutable_limits() = ToProto(request.limits);
  return message;
}

Result<CompileRequest> FromProto(v1::CompileRequest&& message) {
  CompileRequest request;
  switch (message.source_case()) {
    case v1::CompileRequest::kText: request.source = std::move(*message.mutable_text()); break;
    case v1::CompileRequest::kDigest: {
      PTXFARM_ASSIGN_OR_RETURN(request.source, FromProto(message.digest()));
      break;
    }
    case v1::CompileRequest::SOURCE_NOT_SET:
      return MakeError(Code::kInvalidArgument, "the request has no source: set text or digest");
  }
  request.targets = {message.targets().begin(), message.targets().end()};
  request.options = {message.options().begin(), message.options().end()};
  for (const int output : message.outputs()) {
    if (output == v1::OUTPUT_KIND_CUBIN)
      request.want_cubins = true;
    else if (output == v1::OUTPUT_KIND_FATBIN)
      request.want_fatbin = true;
    else
      return MakeError(Code::kInvalidArgument, "outputs has no value {}", output);
  }
  if (message.fatbin_compression() != v1::FATBIN_COMPRESSION_UNSPECIFIED) {
    PTXFARM_ASSIGN_OR_RETURN(request.fatbin_compression,
                             EnumFromProto(message.fatbin_compression(), FatbinCompression::kSize,
                                           "fatbin_compression"));
  }
  request.fatbin_identifier = message.fatbin_identifier();
  PTXFARM_ASSIGN_OR_RETURN(request.key_tier, ReadTier(message.key_tier()));
  request.compiler = message.compiler();
  request.priority = message.priority();
  request.inline_outputs_bytes_max = message.inline_outputs_bytes_max();
  request.recompile = message.recompile();
  request.unverified = message.unverified();
  request.bridge = message.bridge();
  PTXFARM_ASSIGN_OR_RETURN(request.limits, FromProto(message.limits()));
  return request;
}

v1::CompileResponse ToProto(const CompileResponse& response) {
  v1::CompileResponse message;
  if (response.module) *message.mutable_module() = ToProto(*response.module);
  for (const TargetProgress& progress : response.progress)
    *message.add_progress() = ToProto(progress);
  for (const TargetResult& result : response.results) *message.add_results() = ToProto(result);
  for (const Blob& blob : response.blobs) *message.add_blobs() = ToProto(blob);
  return message;
}

Result<CompileResponse> FromProto(v1::CompileResponse&& message) {
  CompileResponse response;
  if (message.has_module()) {
    PTXFARM_ASSIGN_OR_RETURN(response.module, FromProto(message.module()));
  }
  PTXFARM_RETURN_IF_ERROR(
      ReadList(message.progress(), response.progress,
               [](const v1::TargetProgress& progress) { return FromProto(progress); }));
  PTXFARM_RETURN_IF_ERROR(
      ReadList(message.results(), response.results,
               [](const v1::TargetResult& result) { return FromProto(result); }));
  PTXFARM_RETURN_IF_ERROR(
      ReadList(*message.mutable_blobs(), response.blobs,
               [](v1::InlineBlob&& blob) { return FromProto(std::move(blob)); }));
  return response;
}

Result<CompileRequest> ParseFindResultsRequest(const std::string& bytes) {
  v1::FindResultsRequest message;
  if (!message.ParseFromString(bytes))
    return MakeError(Code::kInvalidArgument, "the request is no FindResultsRequest");
  return FromProto(std::move(*message.mutable_compile()));
}

Result<grpc::ByteBuffer> FindResultsResponseBytes(const CompileResponse& response) {
  v1::FindResultsResponse message;
  *message.mutable_compile() = ToProto(response);
  grpc::ByteBuffer bytes;
  bool own = false;  // The buffer frees itself either way.
  const grpc::Status written =
      grpc::SerializationTraits<v1::FindResultsResponse>::Serialize(message, &bytes, &own);
  if (!written.ok()) return FromStatus(written);
  return bytes;
}

v1::GetCapabilitiesResponse ToProto(const Capabilities& capabilities) {
  v1::GetCapabilitiesResponse message;
  message.set_server_version(capabilities.server_version);
  for (const action::Compiler& compiler : capabilities.compilers)
    *message.add_compilers() = ToProto(compiler);
  for (const action::Compiler& compiler : capabilities.remembered_compilers)
    *message.add_remembered_compilers() = ToProto(compiler);
  message.set_workers(capabilities.workers);
  message.set_worker_slots(capabilities.worker_slots);
  message.set_source_bytes_max(capabilities.source_bytes_max);
  message.set_inline_source_bytes_max(capabilities.inline_source_bytes_max);
  *message.mutable_limits() = ToProto(capabilities.limits);
  return message;
}

Result<Capabilities> FromProto(const v1::GetCapabilitiesResponse& message) {
  Capabilities capabilities{.server_version = message.server_version(),
                            .workers = message.workers(),
                            .worker_slots = message.worker_slots(),
                            .source_bytes_max = message.source_bytes_max(),
                            .inline_source_bytes_max = message.inline_source_bytes_max()};
  const auto read = [](const v1::Compiler& compiler) { return FromProto(compiler); };
  PTXFARM_RETURN_IF_ERROR(ReadList(message.compilers(), capabilities.compilers, read));
  PTXFARM_RETURN_IF_ERROR(
      ReadList(message.remembered_compilers(), capabilities.remembered_compilers, read));
  PTXFARM_ASSIGN_OR_RETURN(capabilities.limits, FromProto(message.limits()));
  return capabilities;
}

}  // namespace ptxfarm::rpc

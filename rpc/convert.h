// Messages ↔ structs. Nothing behind this header sees a message, nothing before it a struct.
//
// ToProto never fails. FromProto judges what came from outside: a malformed digest, an enum without
// a value, a negative duration, a chunk over its bound is INVALID_ARGUMENT with the field's name.
// Strings are taken as they are.
#pragma once

#include <grpcpp/support/byte_buffer.h>

#include "ptxfarm/v1/action.pb.h"
#include "ptxfarm/v1/admin_service.pb.h"
#include "ptxfarm/v1/blob_service.pb.h"
#include "ptxfarm/v1/compile_service.pb.h"
#include "ptxfarm/v1/worker_service.pb.h"
#include "rpc/calls.h"

namespace ptxfarm::rpc {

// ---- Digests, chunks, blobs (convert_blob.cc)
v1::Digest ToProto(const Digest& digest);
Result<Digest> FromProto(const v1::Digest& digest);
v1::Chunk ToProto(const Chunk& chunk);
void FillProto(v1::Chunk& message, const Chunk& chunk);  // Overwrites it.
Result<Chunk> FromProto(v1::Chunk&& chunk);              // Takes the bytes without a copy.
v1::InlineBlob ToProto(const Blob& blob);
Result<Blob> FromProto(v1::InlineBlob&& blob);

// DownloadBlob, of and to the bytes on the wire. The response shares the chunk's bytes.
std::string BytesOf(const grpc::ByteBuffer& buffer);
Result<Digest> ParseDownloadBlobRequest(const std::string& bytes);
grpc::ByteBuffer DownloadBlobResponseBytes(const Chunk& chunk);

// ---- Actions (convert_action.cc)
v1::Diagnostic ToProto(const Diagnostic& diagnostic);
Result<Diagnostic> FromProto(const v1::Diagnostic& diagnostic);
v1::CompilerIdentity ToProto(const action::CompilerIdentity& identity);
Result<action::CompilerIdentity> FromProto(const v1::CompilerIdentity& identity);
v1::PtxVersion ToProto(PtxVersion version);
PtxVersion FromProto(const v1::PtxVersion& message);
v1::Compiler ToProto(const action::Compiler& compiler);
Result<action::Compiler> FromProto(const v1::Compiler& compiler);
v1::Action ToProto(const action::Action& action);
Result<action::Action> FromProto(const v1::Action& action);
v1::ActionLimits ToProto(const action::Limits& limits);
Result<action::Limits> FromProto(const v1::ActionLimits& limits);
v1::ActionResult ToProto(const action::ActionResult& result);
Result<action::ActionResult> FromProto(const v1::ActionResult& result);
Result<Sha256> Sha256FromProto(const std::string& bytes, std::string_view field);
std::string Sha256ToProto(const Sha256& sha256);

// The record that the action cache keeps: the message, serialized.
std::string Serialize(const action::ActionResult& result);
Result<action::ActionResult> ParseActionResult(const std::string& bytes);
std::string Serialize(const action::Compiler& compiler);
Result<action::Compiler> ParseCompiler(const std::string& bytes);

// ---- CompileService (convert_compile.cc)
v1::CompileRequest ToProto(const CompileRequest& request);
Result<CompileRequest> FromProto(v1::CompileRequest&& request);
v1::CompileResponse ToProto(const CompileResponse& response);
Result<CompileResponse> FromProto(v1::CompileResponse&& response);
// FindResults, of and to the bytes on the wire.
Result<CompileRequest> ParseFindResultsRequest(const std::string& bytes);
Result<grpc::ByteBuffer> FindResultsResponseBytes(const CompileResponse& response);
v1::GetCapabilitiesResponse ToProto(const Capabilities& capabilities);
Result<Capabilities> FromProto(const v1::GetCapabilitiesResponse& response);

// ---- WorkerService (convert_worker.cc)
v1::SynchronizeRequest ToProto(const WorkerReport& report);
Result<WorkerReport> FromProto(v1::SynchronizeRequest&& request);
v1::SynchronizeResponse ToProto(const WorkerOrders& orders);
Result<WorkerOrders> FromProto(v1::SynchronizeResponse&& response);

// ---- AdminService (convert_admin.cc)
v1::ListWorkersResponse ToProto(const std::vector<WorkerStatus>& workers);
Result<std::vector<WorkerStatus>> FromProto(const v1::ListWorkersResponse& response);
v1::GetQueueResponse ToProto(const QueueStatus& queue);
Result<QueueStatus> FromProto(const v1::GetQueueResponse& response);
v1::GetStoreResponse ToProto(const StoreStatus& store);
Result<StoreStatus> FromProto(const v1::GetStoreResponse& response);

}  // namespace ptxfarm::rpc

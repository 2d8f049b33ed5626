#include "server/call_context.h"

#include <grpcpp/security/auth_context.h>

#include "rpc/policies.h"
#include "rpc/status.h"

namespace ptxfarm::server {
namespace {

std::string_view MetadataOf(const grpc::CallbackServerContext& context, const char* key) {
  const auto found = context.client_metadata().find(key);
  if (found == context.client_metadata().end()) return {};
  return {found->second.data(), found->second.size()};
}

std::string PeerOf(const grpc::CallbackServerContext& context) {
  const std::shared_ptr<const grpc::AuthContext> auth = context.auth_context();
  if (auth == nullptr || !auth->IsPeerAuthenticated()) return {};
  const std::vector<grpc::string_ref> names = auth->GetPeerIdentity();
  if (names.empty()) return {};
  return std::string(names.front().data(), names.front().size());
}

}  // namespace

Result<Caller> CallerOf(const grpc::CallbackServerContext& context,
                        const Authenticator& authenticator, std::string_view method) {
  PTXFARM_ASSIGN_OR_RETURN(std::string tenant,
                           authenticator.Authorize(MetadataOf(context, "authorization"),
                                                   PeerOf(context), rpc::PolicyOf(method).role));
  return Caller{.tenant = std::move(tenant),
                .traceparent = std::string(MetadataOf(context, "traceparent"))};
}

grpc::ServerUnaryReactor* Refuse(grpc::CallbackServerContext& context, const Error& error) {
  grpc::ServerUnaryReactor* const reactor = context.DefaultReactor();
  reactor->Finish(rpc::ToStatus(error));
  return reactor;
}

}  // namespace ptxfarm::server

// One Compile call, over as many tries as it takes.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "client/lib/client.h"
#include "client/lib/connection.h"

namespace ptxfarm::client {

class CompileCall {
 public:
  CompileCall(Connection& connection, const CompileRequest& request,
              const CompileCallbacks& callbacks, const CancelToken& cancel);

  Result<CompileReply> Run() &&;

 private:
  std::optional<Failure> Try(const rpc::Channel& channel);
  // Asks for what is stored, by the text's digest alone.
  std::optional<Failure> LookUp(const rpc::Channel& channel);
  // The stream of one request; by digest, or with the text inside.
  std::optional<Failure> Stream(const rpc::Channel& channel, bool by_digest);
  std::optional<Failure> Take(const rpc::Channel& channel, rpc::CompileResponse&& response);
  std::optional<Failure> TakeResult(const rpc::Channel& channel, rpc::TargetResult&& result,
                                    const std::map<Digest, Blob>& blobs);
  std::optional<Failure> CheckComplete(const rpc::Channel& channel) const;
  Result<std::string> ObjectOf(const rpc::Channel& channel, const rpc::TargetResult& result,
                               const std::map<Digest, Blob>& blobs) const;
  rpc::CompileRequest WireRequest(bool by_digest) const;
  std::optional<std::chrono::milliseconds> TimeLeft() const;
  // All targets asked and, as "fatbin", the fat binary.
  std::vector<std::string> Wanted() const;
  Result<CompileReply> Assemble(Status ended) &&;

  Connection& connection_;
  const CompileRequest& request_;
  const CompileCallbacks& callbacks_;
  const CancelToken& cancel_;
  const std::optional<std::chrono::steady_clock::time_point> deadline_;
  const Digest digest_;
  std::optional<ModuleInfo> module_;
  std::map<std::string, TargetReply> replies_;
};

}  // namespace ptxfarm::client

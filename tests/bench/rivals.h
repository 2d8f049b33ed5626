// What the measures run against: a farm of real processes on Unix sockets, and the bare gRPC server
// beside it.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "ptxfarm/v1/compile_service.grpc.pb.h"
#include "rpc/channel.h"
#include "tests/bench/echo.grpc.pb.h"
#include "tests/support/program.h"
#include "tests/support/temp_dir.h"

namespace ptxfarm::bench {

// A ptxfarm-server with its store on disk, unless `options` names another.
class FarmServer {
 public:
  // `options` are added to the command line.
  explicit FarmServer(const std::string& folder, std::vector<std::string> options = {});

  const std::string& address() const { return address_; }
  pid_t pid() const { return program_.pid(); }

 private:
  const std::string address_;
  test::Program program_;
};

class Rivals {
 public:
  // `self` is this program, which is the echo server when it is told so.
  explicit Rivals(const std::string& self);

  // Each has a connection of its own.
  rpc::Channel Farm() const;
  rpc::Channel Echo() const;

  // Starts a worker with the toolkit at `cuda`, and returns when it works for the farm.
  void StartWorker(const std::string& cuda);

  std::string Folder(const std::string& name) const { return folder_ / name; }

 private:
  const test::TempDir folder_;
  const std::string echo_address_;
  FarmServer server_;
  test::Program echo_;
  std::unique_ptr<test::Program> worker_;
};

rpc::Channel Connect(const std::string& address);

// PTX of so many small kernels, about 0.7 KB each; each `salt` gives another text of the same
// shape.
std::string MakeModule(std::size_t kernels, std::size_t salt);

// Asks for the cubin of `text` for one target, which rides in the answer.
v1::CompileRequest RequestFor(std::string text);

// The messages of one whole call, which must have succeeded for every target.
std::vector<v1::CompileResponse> Compile(v1::CompileService::Stub& stub,
                                         const v1::CompileRequest& request);

// How the one target of the call was served.
v1::Served ServedOf(const std::vector<v1::CompileResponse>& messages);

}  // namespace ptxfarm::bench

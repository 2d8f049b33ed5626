#include "tests/bench/rivals.h"

#include <algorithm>
#include <filesystem>

#include "base/check.h"
#include "tests/bench/echo_server.h"

namespace ptxfarm::bench {
namespace {

std::vector<std::string> ServerWords(const std::string& address, const std::string& folder,
                                     std::vector<std::string> options) {
  std::vector<std::string> words = {"ptxfarm-server", "--listen", address, "--http", ""};
  if (std::find(options.begin(), options.end(), "--store") == options.end())
    words.insert(words.end(), {"--store", folder + "/store"});
  words.insert(words.end(), options.begin(), options.end());
  return words;
}

}  // namespace

FarmServer::FarmServer(const std::string& folder, std::vector<std::string> options)
    : address_("unix:" + folder + "/farm.sock"),
      program_(ServerWords(address_, folder, std::move(options))) {
  PTXFARM_CHECK(program_.WaitForLine("server_listening").has_value(), program_.output());
}

Rivals::Rivals(const std::string& self)
    : echo_address_("unix:" + (folder_ / "echo.sock")),
      server_(folder_.path()),
      echo_({self, "--echo", echo_address_}) {
  PTXFARM_CHECK(echo_.WaitForLine(kEchoListening).has_value(), echo_.output());
}

rpc::Channel Rivals::Farm() const { return Connect(server_.address()); }
rpc::Channel Rivals::Echo() const { return Connect(echo_address_); }

void Rivals::StartWorker(const std::string& cuda) {
  if (worker_ != nullptr) return;
  std::filesystem::create_directory(Folder("scratch"));
  worker_ = std::make_unique<test::Program>(std::vector<std::string>{
      "ptxfarm-worker", "--server", server_.address(), "--http", "", "--cuda", cuda, "--scratch",
      Folder("scratch"), "--confinement", "best-effort"});
  PTXFARM_CHECK(worker_->WaitForLine("server_connected").has_value(), worker_->output());
}

rpc::Channel Connect(const std::string& address) {
  Result<rpc::Channel> channel = rpc::Channel::Make({.address = address});
  PTXFARM_CHECK(channel.has_value(), channel.error().ToString());
  return *std::move(channel);
}

std::string MakeModule(std::size_t kernels, std::size_t salt) {
  std::string text = fmt::format(
      "// Made for measuring, {}\n.version 8.0\n.target sm_80\n.address_size 64\n", salt);
  for (std::size_t kernel = 0; kernel < kernels; ++kernel) {
    text += fmt::format(
        "\n.visible .entry scale_{0}(.param .u64 scale_{0}_data, .param .u32 scale_{0}_count)\n{{\n"
        "\t.reg .pred %p<2>;\n\t.reg .b32 %r<6>;\n\t.reg .f32 %f<8>;\n\t.reg .b64 %rd<5>;\n"
        "\tld.param.u64 %rd1, [scale_{0}_data];\n\tld.param.u32 %r1, [scale_{0}_count];\n"
        "\tmov.u32 %r2, %ctaid.x;\n\tmov.u32 %r3, %ntid.x;\n\tmov.u32 %r4, %tid.x;\n"
        "\tmad.lo.s32 %r5, %r2, %r3, %r4;\n\tsetp.ge.u32 %p1, %r5, %r1;\n\t@%p1 bra $done;\n"
        "\tcvta.to.global.u64 %rd2, %rd1;\n\tmul.wide.u32 %rd3, %r5, 4;\n"
        "\tadd.s64 %rd4, %rd2, %rd3;\n\tld.global.f32 %f1, [%rd4];\n"
        "\tfma.rn.f32 %f2, %f1, 0f{1:08X}, 0f3F800000;\n\tst.global.f32 [%rd4], %f2;\n"
        "$done:\n\tret;\n}}\n",
        kernel, 0x3F000000 + (salt * 100'003 + kernel) % 0x800000);
  }
  return text;
}

v1::CompileRequest RequestFor(std::string text) {
  v1::CompileRequest request;
  request.set_text(std::move(text));
  request.add_targets("sm_80");
  request.add_outputs(v1::OUTPUT_KIND_CUBIN);
  request.set_inline_outputs_bytes_max(16 << 20);
  return request;
}

std::vector<v1::CompileResponse> Compile(v1::CompileService::Stub& stub,
                                         const v1::CompileRequest& request) {
  grpc::ClientContext context;
  const std::unique_ptr<grpc::ClientReader<v1::CompileResponse>> stream =
      stub.Compile(&context, request);
  std::vector<v1::CompileResponse> messages(1);
  while (stream->Read(&messages.back())) messages.emplace_back();
  messages.pop_back();
  const grpc::Status status = stream->Finish();
  PTXFARM_CHECK(status.ok(), status.error_message());
  for (const v1::CompileResponse& message : messages)
    for (const v1::TargetResult& result : message.results())
      PTXFARM_CHECK(result.result().outcome() == v1::OUTCOME_OK, result.ShortDebugString());
  return messages;
}

v1::Served ServedOf(const std::vector<v1::CompileResponse>& messages) {
  for (const v1::CompileResponse& message : messages)
    if (message.results_size() > 0) return message.results(0).served();
  return v1::SERVED_UNSPECIFIED;
}

}  // namespace ptxfarm::bench

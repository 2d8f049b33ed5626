#include "client/dropin/miss/farm_call.h"

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "client/dropin/miss/farm_log.h"
#include "client/dropin/ptxas/key.h"
#include "client/session.h"
#include "toolchain/object/cubin/tool_options.h"

namespace ptxfarm::dropin {
namespace {

using action::ActionResult;
using action::Outcome;

// What ptxas 13 takes where no target is given.
constexpr std::string_view kDefaultTarget = "sm_75";

std::string TargetOf(const PtxasCall& call) {
  return call.target.empty() ? std::string(kDefaultTarget) : call.target;
}

// Ends a call that nobody begins with. Where a compile runs it may take its time.
class Watchdog {
 public:
  Watchdog(std::chrono::milliseconds patience, client::CancelToken cancel)
      : thread_([this, patience, cancel] {
          std::unique_lock lock(mutex_);
          if (!changed_.wait_for(lock, patience, [this] { return calm_; })) cancel.Cancel();
        }) {}
  ~Watchdog() {
    Calm();
    thread_.join();
  }
  Watchdog(const Watchdog&) = delete;
  Watchdog& operator=(const Watchdog&) = delete;

  void Calm() {
    const std::lock_guard lock(mutex_);
    calm_ = true;
    changed_.notify_all();
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool calm_ = false;
  std::thread thread_;
};

// The words of a request: all options of the call but those that only its report needs.
std::vector<std::string> OptionsOf(const PtxasCall& call) {
  std::vector<std::string> words;
  for (const action::GivenOption& given : call.options) {
    // The last of several values counts.
    const bool is_last = std::ranges::none_of(
        std::span(&given + 1, call.options.data() + call.options.size()),
        [&given](const action::GivenOption& later) { return later.row == given.row; });
    if (!is_last) continue;
    std::string word = "--" + std::string(given.row->name);
    if (given.row->value != action::OptionValue::kNone) word += "=" + given.value;
    words.push_back(std::move(word));
  }
  return words;
}

Result<client::TargetReply> Ask(const client::Client& farm, const client::CompileRequest& request,
                                std::optional<std::chrono::milliseconds> patience) {
  const client::CancelToken cancel;
  std::optional<Watchdog> watchdog;
  if (patience) watchdog.emplace(*patience, cancel);
  const client::CompileCallbacks callbacks{.progress = [&](const client::TargetProgress& at) {
    if (watchdog && at.state == client::TargetState::kRunning) watchdog->Calm();
  }};
  Result<client::CompileReply> reply = farm.Compile(request, callbacks, cancel);
  if (cancel.cancelled())
    return MakeError(Code::kUnavailable, "{} doesn't begin with the compile", farm.server());
  if (!reply) return std::move(reply).error();
  if (reply->targets.empty()) return MakeError(Code::kInternal, "the farm answers nothing");
  return std::move(reply->targets.front());
}

client::CliOptions CliOptionsFor(const Asked& asked, const client::AllOptions& options) {
  client::CliOptions cli = options.cli;
  // Without a toolkit there is nothing to do but to wait for the farm, as long as the CLI does.
  if (asked.tool) {
    cli.connect.connect_timeout =
        std::min(cli.connect.connect_timeout, options.drop_in.connect_timeout);
    cli.connect.attempts_max = 1;
  }
  return cli;
}

Status CheckCompiler(const Asked& asked, const ActionResult& result) {
  if (!asked.tool || result.compiler.sha256 == asked.tool->sha256) return Ok{};
  return MakeError(Code::kUnimplemented, "the farm's {} isn't the ptxas of this machine",
                   action::NameOf(result.compiler));
}

// As the server's plan says it (server/compilers.cc).
bool LacksCompiler(const ActionResult& result) {
  return result.outcome == Outcome::kToolchainTooOld && !result.diagnostics.empty() &&
         result.diagnostics.front().kind == "no-compiler";
}

Result<FarmResult> ResultOf(const Asked& asked, client::TargetReply reply) {
  const ActionResult& result = reply.result;
  PTXFARM_RETURN_IF_ERROR(CheckCompiler(asked, result));
  FarmResult answer{
      .maker = fmt::format("{} {}", action::NameOf(result.compiler), HexOf(result.compiler.sha256)),
      .compiler = {result.compiler.sha256, result.compiler.version}};
  if (!reply.ok()) {
    answer.exit_code = 255;
    answer.err = FailureText(asked.call, result);
    return answer;
  }
  PTXFARM_ASSIGN_OR_RETURN(answer.object,
                           object::cubin::WithToolOptions(reply.object, OptionLineOf(asked.call)));
  answer.err = LogText(asked.call, result.log);
  answer.is_verdict = true;
  return answer;
}

}  // namespace

bool IsForFarm(const Asked& asked) {
  const PtxasCall& call = asked.call;
  if (call.kind != CallKind::kCompile || !call.makes_object() || call.lists_repeated) return false;
  if (!asked.tool) return true;
  // With -g the object has the names of files, of which the farm has its own. The warnings below
  // aren't in the farm's log.
  return call.redefined.empty() && !call.Has("device-debug") &&
         !call.Has("warn-on-double-precision-use") && !call.Has("warn-on-local-memory-usage") &&
         !call.Has("warning-as-error");
}

Result<FarmResult> CompileOnFarm(const Asked& asked, std::string_view text,
                                 const std::string& version, const client::AllOptions& options) {
  const client::CliOptions cli = CliOptionsFor(asked, options);
  const client::Session session(cli);
  PTXFARM_ASSIGN_OR_RETURN(const client::Client farm, session.Connect(nullptr));
  client::CompileRequest request{
      .text = text, .targets = {TargetOf(asked.call)}, .options = OptionsOf(asked.call)};
  if (!version.empty()) request.compiler = "ptxas@" + version;
  std::optional<std::chrono::milliseconds> patience;
  if (asked.tool) patience = options.drop_in.patience;
  PTXFARM_ASSIGN_OR_RETURN(client::TargetReply reply, Ask(farm, request, patience));
  if (!reply.ok() && asked.tool && LacksCompiler(reply.result))
    return MakeError(Code::kUnimplemented, "the farm has no {}", request.compiler);
  if (!reply.ok() && asked.tool)
    return MakeError(Code::kFailedPrecondition, "the farm has no object for this call");
  if (HasPlaces(reply.result.log) && reply.ok()) {
    // The places in the log are those of the text that was compiled, so it has to be this very one.
    request.key_tier = client::KeyTier::kExact;
    PTXFARM_ASSIGN_OR_RETURN(reply, Ask(farm, request, patience));
  }
  return ResultOf(asked, std::move(reply));
}

Result<FarmCompiler> CompilerOfFarm(const client::AllOptions& options) {
  const client::Session session(options.cli);
  PTXFARM_ASSIGN_OR_RETURN(const client::Client farm, session.Connect(nullptr));
  PTXFARM_ASSIGN_OR_RETURN(const client::Capabilities capabilities, farm.GetCapabilities());
  const action::CompilerIdentity* newest = nullptr;
  for (const action::Compiler& compiler : capabilities.compilers)
    if (compiler.identity.backend == "ptxas" &&
        (newest == nullptr || action::VersionLess(newest->version, compiler.identity.version)))
      newest = &compiler.identity;
  if (newest == nullptr)
    return MakeError(Code::kFailedPrecondition, "no worker of the farm has a ptxas");
  return FarmCompiler{newest->sha256, newest->version};
}

}  // namespace ptxfarm::dropin

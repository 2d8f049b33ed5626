#include "client/dropin/miss/miss.h"

#include <sys/wait.h>
#include <unistd.h>

#include <cstring>

#include "base/file.h"
#include "client/dropin/miss/farm_call.h"
#include "client/dropin/miss/farm_log.h"
#include "client/dropin/miss/settings.h"
#include "client/dropin/miss/tool_run.h"
#include "client/dropin/ptxas/answer.h"
#include "client/dropin/ptxas/key.h"
#include "client/dropin/ptxas/names_in_text.h"
#include "client/dropin/tier/key_lock.h"
#include "client/dropin/tier/sha256_stream.h"
#include "client/dropin/tier/trim.h"
#include "client/dropin/tool/output_file.h"
#include "toolchain/ptx/check.h"

namespace ptxfarm::dropin {
namespace {

// No farm takes more; larger ones are the toolkit's.
constexpr u64 kInputBytesMax = u64{1} << 30;

// The one line that we may say.
void Say(std::string_view what) { PrintTo(STDERR_FILENO, fmt::format("ptxfarm: {}\n", what)); }

int Fatal(std::string_view what) {
  PrintTo(STDERR_FILENO, fmt::format("ptxas fatal   : {}\n", what));
  return kPtxasFailed;
}

// "Cuda compilation tools, release 13.0, V13.0.88" → "13.0.88"
std::string VersionIn(std::string_view text) {
  const std::size_t at = text.find(", V");
  if (at == std::string_view::npos) return "";
  const std::size_t end = text.find_first_not_of("0123456789.", at + 3);
  return std::string(text.substr(at + 3, end == std::string_view::npos ? end : end - at - 3));
}

class MissRun {
 public:
  MissRun(Asked asked, char** argv) : asked_(std::move(asked)), argv_(argv) {}

  int Run() {
    if (const Status loaded = LoadSettings(options_); !loaded) return Unloadable(loaded.error());
    if (!asked_.tool && asked_.call.kind != CallKind::kOther) LearnCompiler();
    switch (asked_.call.kind) {
      case CallKind::kCompile: return Compile();
      case CallKind::kQuery: return Query();
      case CallKind::kOther: break;
    }
    if (asked_.tool) return Pass();
    if (!asked_.call.said.empty()) return Fatal(asked_.call.said);
    return Fatal(fmt::format("ptxfarm: no ptxas is on this machine, and a farm doesn't take {}",
                             asked_.call.why));
  }

 private:
  // ---- Ways out

  // The real tool as it would have been called.
  int Pass() {
    Count(Counter::kPassed);
    const int error = ExecTool(*asked_.tool, argv_);
    return Fatal(fmt::format("ptxfarm: {}: {}", asked_.tool->path, std::strerror(error)));
  }

  int Unloadable(const Error& error) {
    Say(error.message);
    return asked_.tool ? Pass() : kPtxasFailed;
  }

  void Count(Counter counter) const {
    if (asked_.tier) asked_.tier->Count(counter);
  }

  // ---- Machines without a toolkit

  // Whose results are asked for: the farm's compiler, as it says or said.
  void LearnCompiler() {
    const std::optional<FarmCompiler> remembered =
        asked_.tier ? RememberedCompiler(*asked_.tier) : std::nullopt;
    if (remembered) compiler_ = *remembered;
    if (!remembered || remembered->is_old) {
      Result<FarmCompiler> told = CompilerOfFarm(options_);
      if (told) {
        compiler_ = *told;
        if (asked_.tier) RememberCompiler(*asked_.tier, *told);
      } else {
        unreachable_ = std::move(told).error();
      }
    }
    if (!compiler_) return;
    asked_.compiler = compiler_->sha256;
    asked_.key = asked_.call.kind == CallKind::kQuery ? KeyOfQuery(asked_.call, *asked_.compiler)
                                                      : KeyOfCompile(asked_.call, *asked_.compiler);
  }

  int Query() {
    if (asked_.tool) {
      Result<ToolRan> ran = AskTool(*asked_.tool, asked_.call.words, "ptxas");
      if (!ran || !ran->ok()) return Pass();
      return Finish({.out = ran->out, .err = ran->err, .maker = MakerOfTool()});
    }
    if (!compiler_) return NoCompiler();
    if (asked_.call.query == "version")
      return Finish({.out = VersionText(compiler_->version, compiler_->sha256)});
    return Fatal(
        fmt::format("ptxfarm: no ptxas is on this machine to print its --{}", asked_.call.query));
  }

  int NoCompiler() {
    return Fatal(fmt::format("ptxfarm: no ptxas is on this machine, and no farm answers: {}",
                             unreachable_ ? unreachable_->message : "none is to be asked"));
  }

  // ---- Compiles

  int Compile() {
    if (!asked_.key && asked_.tool) return Pass();
    const CallInput& input = asked_.call.inputs.front();
    Result<std::string> text =
        input.is_text ? Result<std::string>(input.text) : ReadFile(input.name, kInputBytesMax);
    if (!text) {
      if (asked_.tool) return Pass();
      return Fatal(
          fmt::format("Input file '{}' could not be opened\nptxas fatal   : Ptx assembly "
                      "aborted due to errors",
                      input.name));
    }
    text_ = *std::move(text);
    if (!asked_.tool && !asked_.call.makes_object()) return CheckOnly();
    if (!asked_.tool && !compiler_) return NoCompiler();
    // The file may have changed since it was keyed: what counts is the text that is compiled.
    if (asked_.key) asked_.key = KeyOfText(asked_.call, *asked_.compiler, text_);
    const std::optional<KeyLock> lock = TakeLock();
    // Somebody else may have made it since we looked.
    if (lock)
      if (const std::optional<int> made = AnswerFromTier(asked_, Counter::kJoined)) return *made;
    if (const std::optional<int> answered = CompileOnFarm()) return *answered;
    if (asked_.tool) return CompileWithTool();
    return Fatal("ptxfarm: " + farm_error_);
  }

  // For a virtual target ptxas only reads the text, which our own parser does too.
  int CheckOnly() const {
    const std::string& name = asked_.call.inputs.front().name;
    const ptx::CheckResult checked = ptx::Check({.name = name, .text = text_});
    if (checked.is_accepted) return 0;
    PrintTo(STDERR_FILENO, WithName(DiagnosticsText(checked.diagnostics), name));
    return kPtxasFailed;
  }

  // That of the program we were, if it is of this key.
  std::optional<KeyLock> TakeLock() const {
    if (!asked_.tier || !asked_.key) return std::nullopt;
    if (std::optional<KeyLock> lock = KeyLock::Inherit(asked_.tier->locks(), *asked_.key))
      return lock;
    return KeyLock::Take(asked_.tier->locks(), *asked_.key, kLockPatience);
  }

  std::optional<int> CompileOnFarm() {
    if (!options_.drop_in.ask_farm || !IsForFarm(asked_)) {
      farm_error_ = "no ptxas is on this machine, and a farm doesn't take this call";
      return std::nullopt;
    }
    if (asked_.tool && asked_.tier &&
        (IsFarmAway(*asked_.tier) || FarmLacks(*asked_.tier, asked_.tool->sha256)))
      return std::nullopt;
    const std::string version = asked_.tool ? VersionOfTool() : "";
    if (asked_.tool && version.empty()) return std::nullopt;
    Result<FarmResult> result = dropin::CompileOnFarm(asked_, text_, version, options_);
    if (!result) {
      NoteFarmError(result.error());
      return std::nullopt;
    }
    if (!asked_.tool) TakeCompiler(result->compiler);
    Count(Counter::kFarm);
    const RecordParts parts{.exit_code = result->exit_code,
                            .has_object = result->exit_code == 0,
                            .err = result->err,
                            .maker = result->maker,
                            .object = result->object};
    return result->is_verdict ? Finish(parts) : Answer(asked_.call, parts);
  }

  void NoteFarmError(const Error& error) {
    farm_error_ = error.message;
    if (error.code == Code::kUnimplemented && asked_.tool && asked_.tier)
      RememberLacking(*asked_.tier, asked_.tool->sha256);
    const bool is_away = error.code == Code::kUnavailable || error.code == Code::kUnauthenticated ||
                         error.code == Code::kPermissionDenied ||
                         error.code == Code::kDeadlineExceeded || error.code == Code::kNotFound;
    if (!is_away || !asked_.tool) return;
    // Whoever comes in the next half minute neither waits nor says it again.
    if (asked_.tier) RememberAway(*asked_.tier, true);
    Say(fmt::format("{}; compiling with {}", error.message, asked_.tool->path));
  }

  // The farm may have a newer compiler since it was asked: its result is kept under that one's key.
  void TakeCompiler(const FarmCompiler& compiler) {
    if (asked_.compiler == compiler.sha256) return;
    asked_.compiler = compiler.sha256;
    asked_.key = KeyOfText(asked_.call, compiler.sha256, text_);
    if (asked_.tier) RememberCompiler(*asked_.tier, compiler);
  }

  int CompileWithTool() {
    const std::string scratch = asked_.tier ? asked_.tier->scratch() : "/tmp";
    Result<ToolRan> ran = RunTool(*asked_.tool, asked_.call, text_, scratch);
    // No room for copies: as it would have been without us.
    if (!ran) return Pass();
    if (WIFSIGNALED(ran->wait_status)) return EndAs(*ran);
    Count(Counter::kTool);
    const RecordParts parts{.exit_code = WEXITSTATUS(ran->wait_status),
                            .has_object = ran->has_object,
                            .out = ran->out,
                            .err = ran->err,
                            .maker = MakerOfTool(),
                            .object = ran->object};
    // A failure may be the machine's, and a tool that changed meanwhile isn't the key's.
    const bool is_kept = ran->ok() && StampOf(asked_.tool->path) == asked_.tool->stamp &&
                         ran->has_object == asked_.call.makes_object();
    return is_kept ? Finish(parts) : Answer(asked_.call, parts);
  }

  // Ends by the signal that ended the tool: callers tell a crash by it.
  int EndAs(const ToolRan& ran) {
    PrintTo(STDOUT_FILENO, WithName(ran.out, asked_.call.inputs[0].name));
    PrintTo(STDERR_FILENO, WithName(ran.err, asked_.call.inputs[0].name));
    const int number = WTERMSIG(ran.wait_status);
    EndBySignal(number);
    return 128 + number;
  }

  // ---- The end of all that is kept

  int Finish(const RecordParts& parts) {
    if (asked_.tier && asked_.key) {
      // A full disk or an unwritable folder costs the next caller a compile, and this one nothing.
      static_cast<void>(asked_.tier->Put(*asked_.key, parts));
      TrimInBackground(*asked_.tier, options_.drop_in.local_results_bytes_max);
    }
    return Answer(asked_.call, parts);
  }

  const std::string& MakerOfTool() {
    if (maker_.empty())
      maker_ = fmt::format("ptxas {} {}", VersionOfTool(), NameOf(asked_.tool->sha256));
    return maker_;
  }

  // "13.0.88": behind the V of what it says of itself, which is kept as any answer.
  std::string VersionOfTool() {
    PtxasCall call;
    call.kind = CallKind::kQuery;
    call.query = "version";
    call.words = {"--version"};
    const Sha256 key = KeyOfQuery(call, asked_.tool->sha256);
    if (const std::optional<Record> record = asked_.tier ? asked_.tier->Get(key) : std::nullopt)
      return VersionIn(record->out());
    const Result<ToolRan> ran = AskTool(*asked_.tool, call.words, "ptxas");
    if (!ran || !ran->ok()) return "";
    const std::string version = VersionIn(ran->out);
    const std::string maker = fmt::format("ptxas {} {}", version, NameOf(asked_.tool->sha256));
    if (asked_.tier)
      static_cast<void>(asked_.tier->Put(key, {.out = ran->out, .err = ran->err, .maker = maker}));
    return version;
  }

  Asked asked_;
  char** const argv_;
  client::AllOptions options_;
  std::string text_;
  std::string maker_;
  std::string farm_error_;
  std::optional<FarmCompiler> compiler_;  // Of the farm, where there is no tool.
  std::optional<Error> unreachable_;
};

}  // namespace

int Miss(int argc, char** argv) { return MissRun(LookAt(argc, argv), argv).Run(); }

}  // namespace ptxfarm::dropin

#include "client/dropin/miss/nvlink_miss.h"

#include <sys/wait.h>
#include <unistd.h>

#include <cstring>

#include "base/file.h"
#include "client/dropin/miss/settings.h"
#include "client/dropin/miss/tool_run.h"
#include "client/dropin/nvlink/asked.h"
#include "client/dropin/tier/key_lock.h"
#include "client/dropin/tier/trim.h"
#include "client/dropin/tool/output_file.h"

namespace ptxfarm::dropin {
namespace {

constexpr u64 kOutputBytesMax = u64{2} << 30;

int Fatal(std::string_view what) {
  PrintTo(STDERR_FILENO, fmt::format("nvlink fatal   : {}\n", what));
  return kNvlinkFailed;
}

std::string BaseNameOf(const std::string& path) { return path.substr(path.rfind('/') + 1); }

class LinkMiss {
 public:
  LinkMiss(AskedLink asked, char** argv) : asked_(std::move(asked)), argv_(argv) {}

  int Run() {
    if (const Status loaded = LoadSettings(options_); !loaded) {
      PrintTo(STDERR_FILENO, fmt::format("ptxfarm: {}\n", loaded.error().message));
      return asked_.tool ? Pass() : kNvlinkFailed;
    }
    if (!asked_.tool) return Fatal("ptxfarm: no nvlink is on this machine");
    if (!asked_.key) return Pass();
    const std::optional<KeyLock> lock = TakeLock();
    // Somebody else may have made it since we looked.
    if (lock)
      if (const std::optional<int> made = AnswerLinkFromTier(asked_, Counter::kJoined))
        return *made;
    return LinkWithTool();
  }

 private:
  // The real tool as it would have been called.
  int Pass() {
    if (asked_.tier) asked_.tier->Count(Counter::kPassed);
    std::string name = "nvlink";  // As it calls itself in what it says.
    argv_[0] = name.data();
    const int error = ExecTool(*asked_.tool, argv_);
    return Fatal(fmt::format("ptxfarm: {}: {}", asked_.tool->path, std::strerror(error)));
  }

  // That of the program we were, if it is of this key.
  std::optional<KeyLock> TakeLock() const {
    if (!asked_.tier) return std::nullopt;
    if (std::optional<KeyLock> lock = KeyLock::Inherit(asked_.tier->locks(), *asked_.key))
      return lock;
    return KeyLock::Take(asked_.tier->locks(), *asked_.key, kLockPatience);
  }

  // It reads the caller's own files, which may be large, and writes to a folder of ours.
  int LinkWithTool() {
    const Result<ScratchFolder> folder =
        ScratchFolder::Make(asked_.tier ? asked_.tier->scratch() : "/tmp");
    if (!folder) return Pass();
    const std::string object = OutputPath(*folder, "object", asked_.call.output);
    const std::string registered = asked_.call.register_file
                                       ? OutputPath(*folder, "register", *asked_.call.register_file)
                                       : std::string();
    if (object.empty() || (asked_.call.register_file && registered.empty())) return Pass();
    const Result<ToolRan> ran =
        AskTool(*asked_.tool, WordsWithOutputs(asked_.call, object, registered), "nvlink");
    // Words about an output have to name the caller's.
    if (!ran || NamesFolder(*ran, folder->path())) return Pass();
    if (WIFSIGNALED(ran->wait_status)) {
      PrintTo(STDOUT_FILENO, ran->out);
      PrintTo(STDERR_FILENO, ran->err);
      EndBySignal(WTERMSIG(ran->wait_status));
      return 128 + WTERMSIG(ran->wait_status);
    }
    if (asked_.tier) asked_.tier->Count(Counter::kTool);
    const Files outputs = {ReadIfThere(object), ReadIfThere(registered)};
    if (ran->ok() && outputs[0]) Keep(*ran, outputs);
    return AnswerLink(asked_.call, WEXITSTATUS(ran->wait_status), ran->out, ran->err, outputs);
  }

  // Of the same last part, which -g records; empty where its folder can't be made.
  static std::string OutputPath(const ScratchFolder& folder, std::string_view kind,
                                const NamedOutput& output) {
    const std::string within = fmt::format("{}/{}", folder.path(), kind);
    return MakeFolder(within) ? within + "/" + BaseNameOf(output.name) : std::string();
  }

  static std::optional<std::string> ReadIfThere(const std::string& path) {
    if (path.empty()) return std::nullopt;
    Result<std::string> bytes = ReadFile(path, kOutputBytesMax);
    return bytes ? std::optional(*std::move(bytes)) : std::nullopt;
  }

  static bool NamesFolder(const ToolRan& ran, const std::string& folder) {
    return ran.out.find(folder) != std::string::npos || ran.err.find(folder) != std::string::npos;
  }

  void Keep(const ToolRan& ran, const Files& outputs) {
    if (!asked_.tier || StampOf(asked_.tool->path) != asked_.tool->stamp) return;
    // A file that changed under the linker's eyes: nobody knows which bytes it saw.
    const std::optional<LinkFiles> now = ReadLinkFiles(asked_.call, &*asked_.tier);
    if (!now || KeyOfLink(asked_.call, *now, asked_.tool->sha256) != *asked_.key) return;
    // A full disk or an unwritable folder costs the next caller a link, and this one nothing.
    static_cast<void>(asked_.tier->Put(
        *asked_.key, {.has_object = true,
                      .out = ran.out,
                      .err = ran.err,
                      .maker = fmt::format("nvlink {}", HexOf(asked_.tool->sha256)),
                      .object = PackFiles(outputs)}));
    TrimInBackground(*asked_.tier, options_.drop_in.local_results_bytes_max);
  }

  AskedLink asked_;
  char** const argv_;
  client::AllOptions options_;
};

}  // namespace

int MissLink(int argc, char** argv) { return LinkMiss(LookAtLink(argc, argv), argv).Run(); }

}  // namespace ptxfarm::dropin

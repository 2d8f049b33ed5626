#include "client/commands/compile_run.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <thread>

#include "client/files/input_file.h"
#include "client/files/output_file.h"
#include "client/files/ptx_member.h"
#include "toolchain/ptx/token.h"

namespace ptxfarm::client {
namespace {

// One module from its file to its outputs.
class ModuleRun {
 public:
  ModuleRun(const Client& farm, const CompileTask& task, const PlannedModule& module,
            Progress& progress, const CancelToken& cancel)
      : farm_(farm), task_(task), progress_(progress), cancel_(cancel) {
    report_.planned = module;
  }

  ModuleReport Run() && {
    if (Read()) Compile();
    Write();
    return std::move(report_);
  }

  // For a module that isn't worth trying.
  ModuleReport Fail(const Error& error) && {
    report_.Add(error, ExitCodeOfCall(error));
    Write();
    return std::move(report_);
  }

 private:
  bool Read() {
    // What no server can take isn't read to its end. A server may be stricter, and says so.
    constexpr u64 kBytesMax = ptx::kSourceBytesMax.value;
    Result<std::string> text = ReadInput(report_.planned.input, kBytesMax, cancel_);
    if (text) {
      report_.text = *std::move(text);
      return true;
    }
    Error error = std::move(text).error();
    const bool is_too_large = error.code == Code::kResourceExhausted;
    if (is_too_large) error.message += ", the most that a module may have";
    report_.Add(std::move(error), is_too_large ? ExitCode::kService : ExitCode::kFile);
    return false;
  }

  void Compile() {
    CompileRequest request = task_.request;
    request.text = report_.text;
    const std::string& name = report_.planned.name;
    const CompileCallbacks callbacks{
        .progress = [&](const TargetProgress& at) { progress_.Update(name, at); },
        .result = [&](const TargetReply& reply) { progress_.Finished(name, reply.target); },
        .retry = [&](const Error& why,
                     std::chrono::milliseconds) { progress_.Note("again: " + why.message); }};
    Result<CompileReply> reply = farm_.Compile(request, callbacks, cancel_);
    if (!reply) {
      const ExitCode code = ExitCodeOfCall(reply.error());
      report_.Add(std::move(reply).error(), code);
      return;
    }
    report_.reply = *std::move(reply);
    for (const TargetReply* target : RepliesOf(report_))
      report_.exit_code = Worse(report_.exit_code, ExitCodeOf(target->result.outcome));
  }

  void Write() {
    for (const PlannedFile& file : report_.planned.files) {
      const Result<std::string> bytes = BytesOf(file);
      if (!bytes) {
        // Its reason was reported with the target's.
        RemoveStaleOutput(file.path);
        continue;
      }
      if (Status written = WriteOutput(file.path, *bytes); !written) {
        RemoveStaleOutput(file.path);
        report_.Add(std::move(written).error(), ExitCode::kFile);
        continue;
      }
      report_.written.push_back({file, bytes->size()});
    }
  }

  // What belongs into a planned file; an error where there is nothing.
  Result<std::string> BytesOf(const PlannedFile& file) {
    const std::string& source =
        file.kind == OutputKind::kCubin ? file.target : std::string(rpc::kFatbinTarget);
    for (const TargetReply* reply : RepliesOf(report_)) {
      if (reply->target != source || !reply->ok()) continue;
      if (file.kind != OutputKind::kPtx) return reply->object;
      Result<std::string> ptx = PtxMember(reply->object, file.target);
      if (!ptx) report_.Add(ptx.error(), ExitCode::kService);
      return ptx;
    }
    return MakeError(Code::kNotFound, "no output for {}", source);
  }

  const Client& farm_;
  const CompileTask& task_;
  Progress& progress_;
  const CancelToken& cancel_;
  ModuleReport report_;
};

// The error after which no other module fares better: the tries to reach the farm are used up, or
// it refuses us.
std::optional<Error> HopelessError(const ModuleReport& report) {
  if (report.reply) return std::nullopt;
  for (const Error& error : report.errors)
    if (error.code == Code::kUnavailable || error.code == Code::kUnauthenticated ||
        error.code == Code::kPermissionDenied || error.code == Code::kCancelled)
      return error;
  return std::nullopt;
}

}  // namespace

std::vector<ModuleReport> RunCompiles(const Client& farm, const CompileTask& task,
                                      Progress& progress, const CancelToken& cancel,
                                      const ModuleDone& done) {
  const std::vector<PlannedModule>& modules = task.plan.modules;
  std::vector<ModuleReport> reports(modules.size());
  std::atomic<std::size_t> next = 0;
  std::mutex mutex;
  std::optional<Error> hopeless;
  const auto work = [&] {
    for (std::size_t i = next++; i < modules.size(); i = next++) {
      ModuleRun run(farm, task, modules[i], progress, cancel);
      std::unique_lock lock(mutex);
      const std::optional<Error> skip = hopeless;
      lock.unlock();
      reports[i] = skip ? std::move(run).Fail(*skip) : std::move(run).Run();
      lock.lock();
      if (!hopeless) hopeless = HopelessError(reports[i]);
      done(reports[i]);
    }
  };
  std::vector<std::thread> threads;
  for (std::size_t i = 1; i < std::min<std::size_t>(task.jobs, modules.size()); ++i)
    threads.emplace_back(work);
  work();
  for (std::thread& thread : threads) thread.join();
  return reports;
}

std::vector<ModuleReport> FailAll(const OutputPlan& plan, const Error& error, ExitCode code) {
  std::vector<ModuleReport> reports;
  for (const PlannedModule& module : plan.modules) {
    for (const PlannedFile& file : module.files) RemoveStaleOutput(file.path);
    ModuleReport& report = reports.emplace_back();
    report.planned = module;
    report.Add(error, code);
  }
  return reports;
}

}  // namespace ptxfarm::client

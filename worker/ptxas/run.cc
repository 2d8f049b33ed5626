#include "worker/ptxas/run.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>

#include "base/file.h"
#include "toolchain/object/cubin/check.h"
#include "toolchain/object/cubin/cubin.h"
#include "toolchain/object/cubin/tool_options.h"
#include "toolchain/target/target.h"
#include "worker/cancellation.h"
#include "worker/descriptor.h"
#include "worker/process.h"
#include "worker/ptxas/log.h"
#include "worker/ptxas/places.h"
#include "worker/ptxas/resources.h"

namespace ptxfarm::worker {
namespace {

using action::Outcome;
using object::cubin::CubinKind;

// The same names for every compile: with -g they are part of the object.
constexpr std::string_view kInputName = "input.ptx";
constexpr std::string_view kOutputName = "output.cubin";

constexpr u64 kObjectBytesMax = u64{1} << 30;
// ptxas starts a handful of threads at most (it isn't asked to split a compile).
constexpr u64 kThreadsMax = 64;

std::vector<std::string> CommandLine(const PtxasRun& run) {
  // -v first: taken out of the object's option text again, nothing else has moved.
  std::vector<std::string> words = {run.toolkit.ptxas, "-v", "-arch=" + run.action.target};
  words.insert(words.end(), run.action.options.begin(), run.action.options.end());
  words.insert(words.end(), {std::string(kInputName), "-o", std::string(kOutputName)});
  return words;
}

// The command line without the program's path, for people who want to run it again.
std::string ShownCommandLine(const PtxasRun& run) {
  std::string shown = "ptxas";
  const std::vector<std::string> words = CommandLine(run);
  for (std::size_t i = 1; i < words.size(); ++i) shown += " " + words[i];
  return shown;
}

Command CommandOf(const PtxasSetting& setting, const PtxasRun& run) {
  Command command{.arguments = CommandLine(run),
                  .folder = run.scratch,
                  .confinement = setting.confinement,
                  .read_paths = SystemReadPaths(),
                  .limits = {.wall_time = run.limits.wall_time,
                             .memory_bytes = run.limits.memory_bytes,
                             .file_bytes = run.limits.output_bytes,
                             .threads = kThreadsMax},
                  .group = run.group};
  command.read_paths.insert(command.read_paths.end(), setting.read_paths.begin(),
                            setting.read_paths.end());
  return command;
}

void Fail(PtxasOutcome& out, Outcome outcome, std::string_view kind, std::string message) {
  out.result.outcome = outcome;
  out.result.diagnostics.push_back(
      {Severity::kError, std::string(kind), std::move(message), Place{}});
}

// The input as a file: not synced, as it is gone in a moment.
Status WriteInput(const PtxasRun& run) {
  const std::string path = fmt::format("{}/{}", run.scratch, kInputName);
  const Descriptor file(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
  if (!file) return ErrnoError(errno, fmt::format("make {}", kInputName));
  return WriteDescriptor(file.get(), run.text, std::string(kInputName));
}

// Whether the scratch folder's file system has no room for an object: ptxas writes an empty one
// there, and says that all is well.
bool IsFull(const PtxasRun& run) {
  const std::string path = run.scratch + "/room";
  const Descriptor file(::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
  const auto room = static_cast<off_t>(std::max<std::size_t>(run.text.size(), 1 << 16));
  const int failed = file ? ::posix_fallocate(file.get(), 0, room) : errno;
  ::unlink(path.c_str());
  return failed == ENOSPC || failed == EDQUOT;
}

void FailForSpace(PtxasOutcome& out) {
  Fail(out, Outcome::kFault, "no-space",
       "the worker's scratch folder is full: nothing was compiled; free space there, or name "
       "another "
       "folder");
}

CubinKind KindOf(const action::Action& action) {
  CubinKind kind = CubinKind::kExecutable;
  for (const std::string& option : action.options) {
    if (option == "--compile-only") kind = CubinKind::kRelocatable;
    if (option == "--extensible-whole-program") kind = CubinKind::kExtensible;
  }
  return kind;
}

// ---- How the process ended, other than by exiting

void JudgeSignal(const PtxasRun& run, const ProcessResult& ran, PtxasOutcome& out) {
  const std::string& version = run.toolkit.compiler.identity.version;
  if (ran.signal == SIGKILL)
    return Fail(out, Outcome::kFault, "killed",
                "the compiler was killed from outside, maybe because the machine's memory ran out");
  // A program that is refused memory dies in its own way.
  const u64 memory_max = run.limits.memory_bytes;
  if (memory_max != 0 && ran.memory_bytes_max > memory_max - memory_max / 8)
    return Fail(out, Outcome::kServiceLimit, "memory-limit",
                fmt::format("compiling took all {} MiB of memory that one compile may take",
                            memory_max >> 20));
  Fail(out, Outcome::kCrashed, "compiler-crashed",
       fmt::format("ptxas {} was ended by signal {} ({}) at: {}", version, ran.signal,
                   ::strsignal(ran.signal), ShownCommandLine(run)));
}

// True where there is nothing more to look at.
bool JudgeEnding(const PtxasRun& run, const ProcessResult& ran, PtxasOutcome& out) {
  switch (ran.ending) {
    case Ending::kExited: return false;
    case Ending::kSignalled: JudgeSignal(run, ran, out); return true;
    case Ending::kTimedOut:
      Fail(out, Outcome::kServiceLimit, "time-limit",
           fmt::format("compiling was stopped after {:.1f} s; one compile may take {:.1f} s",
                       std::chrono::duration<double>(ran.wall_time).count(),
                       std::chrono::duration<double>(run.limits.wall_time).count()));
      return true;
    case Ending::kCancelled:
      Fail(out, Outcome::kCancelled, "cancelled", "nobody waits for this any more");
      return true;
    case Ending::kOverMemory:
      Fail(out, Outcome::kServiceLimit, "memory-limit",
           fmt::format("compiling took more than the {} MiB of memory that one compile may take",
                       run.limits.memory_bytes >> 20));
      return true;
    case Ending::kOverOutput:
      Fail(out, Outcome::kServiceLimit, "output-limit",
           fmt::format("the compiler wrote more than the {} bytes that one output may have",
                       run.limits.output_bytes));
      return true;
  }
  PTXFARM_CHECK(false, "no such ending");
}

// ---- What it said and left behind

void JudgeRefusal(const PtxasRun& run, const ProcessResult& ran, const CompilerLog& log,
                  PtxasOutcome& out) {
  if (log.write_failed || IsFull(run)) return FailForSpace(out);
  if (log.out_of_memory)
    return Fail(out, Outcome::kServiceLimit, "memory-limit",
                run.limits.memory_bytes == 0
                    ? std::string("the machine has no memory left for this compile")
                    : fmt::format("compiling asked for more than the {} MiB of memory that one "
                                  "compile may take",
                                  run.limits.memory_bytes >> 20));
  if (log.outcome == Outcome::kOk)
    return Fail(
        out, Outcome::kCrashed, "compiler-crashed",
        fmt::format("ptxas {} ended with exit code {} and no reason at: {}",
                    run.toolkit.compiler.identity.version, ran.exit_code, ShownCommandLine(run)));
  out.result.outcome = log.outcome;
}

// The object as a call without -v writes it. Where the object isn't of a form that can be brought
// there, it stays as it is and says so: the code is the same.
void DropVerboseFlag(std::string& object, Diagnostics& diagnostics) {
  Result<std::string> plain = object::cubin::WithoutToolFlag(object, "-v");
  if (plain) {
    object = *std::move(plain);
  } else {
    diagnostics.push_back(
        {Severity::kNote, "verbose-flag",
         "the object records the option -v, which the farm added: " + plain.error().message,
         Place{}});
  }
}

void JudgeObject(const PtxasRun& run, const CompilerLog& log, PtxasOutcome& out) {
  const std::string path = fmt::format("{}/{}", run.scratch, kOutputName);
  Result<std::string> object = ReadFile(path, kObjectBytesMax);
  const Result<Target> target = ParseTarget(run.action.target);
  PTXFARM_CHECK(target.has_value(), run.action.target);  // RunPtxas() looked at it.
  const std::string name = target->ToString();
  const char last = name.back();
  const Status whole = object ? object::cubin::CheckObject(
                                    *object, target->number(),
                                    last == 'a' || last == 'f' ? last : char{0}, KindOf(run.action))
                              : Status(std::move(object).error());
  if (!whole) {
    if (log.write_failed || IsFull(run)) return FailForSpace(out);
    return Fail(out, Outcome::kCrashed, "no-object",
                fmt::format("ptxas {} reported success and left no good object ({}) at: {}",
                            run.toolkit.compiler.identity.version, whole.error().message,
                            ShownCommandLine(run)));
  }
  out.object = *std::move(object);
  DropVerboseFlag(out.object, out.result.diagnostics);
  const Result<object::cubin::Cubin> cubin = object::cubin::ReadCubin(out.object);
  PTXFARM_CHECK(cubin.has_value(), cubin ? "" : cubin.error().message);  // CheckObject read it.
  out.result.outcome = Outcome::kOk;
  out.result.kernels = ResourcesOf(*cubin, log.functions);
  out.result.undefined_symbols = UndefinedSymbolsOf(*cubin);
  out.result.object_kind = ObjectKindOf(cubin->kind);
}

// A target that ptxas takes and compiles nothing for (compute_90), or no target at all, ends here.
bool TargetIsReal(const PtxasRun& run, PtxasOutcome& out) {
  const Result<Target> target = ParseTarget(run.action.target);
  if (target && target->kind() == TargetKind::kReal) return true;
  Fail(out, Outcome::kInputError, "unknown-target",
       target ? fmt::format("{} is no target with machine code: ask for sm_{}", run.action.target,
                            target->number())
              : target.error().message);
  return false;
}

}  // namespace

PtxasOutcome RunPtxas(const PtxasSetting& setting, const PtxasRun& run,
                      const Cancellation& cancellation) {
  PtxasOutcome out;
  out.result.compiler = run.toolkit.compiler.identity;
  if (!TargetIsReal(run, out)) return out;
  if (const Status written = WriteInput(run); !written) {
    if (IsFull(run)) {
      FailForSpace(out);
    } else {
      Fail(out, Outcome::kFault, "scratch", written.error().ToString());
    }
    return out;
  }
  // The bytes that compile are those that the action names, or nothing is compiled: a toolkit may
  // be upgraded in place.
  const Result<FileStamp> stamp = StampOf(run.toolkit.ptxas);
  if (!stamp || *stamp != run.toolkit.stamp) {
    Fail(out, Outcome::kFault, action::kCompilerChanged,
         fmt::format("{} was replaced since the worker started; the worker has to start anew",
                     run.toolkit.ptxas));
    return out;
  }
  const Result<ProcessResult> ran =
      RunProcess(setting.helper, CommandOf(setting, run), cancellation);
  if (!ran) {
    Fail(out, Outcome::kFault, "not-started", ran.error().ToString());
    return out;
  }
  out.result.execution.wall_time = ran->wall_time;
  out.result.execution.cpu_time = ran->cpu_time;
  out.result.execution.memory_bytes_max = ran->memory_bytes_max;
  if (JudgeEnding(run, *ran, out)) return out;

  CompilerLog log = ReadLog(ran->output);
  out.result.log = std::move(log.text);
  if (ran->output_cut) out.result.log += "(the compiler said more than is kept)\n";
  out.result.diagnostics = DiagnosticsOf(std::move(log.diagnostics), run.text);
  if (ran->exit_code != 0) {
    JudgeRefusal(run, *ran, log, out);
  } else {
    JudgeObject(run, log, out);
  }
  return out;
}

}  // namespace ptxfarm::worker

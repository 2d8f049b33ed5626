#include "worker/executors.h"

#include <algorithm>
#include <chrono>
#include <optional>

#include "base/text.h"
#include "toolchain/object/fatbin/write.h"
#include "toolchain/target/target.h"
#include "worker/cancellation.h"

namespace ptxfarm::worker {
namespace {

using action::Outcome;

// Counted up whenever a fat binary's bytes change for equal members and options.
constexpr std::string_view kBundlerVersion = "1";

Executed NotDone(Outcome outcome, std::string kind, std::string message) {
  return {.result = action::Failed(outcome, std::move(kind), std::move(message))};
}

void AddOutput(Executed& executed, action::OutputRole role, std::string_view bytes) {
  Blob blob = MakeBlob(bytes);
  executed.result.outputs.push_back({role, blob.digest});
  executed.outputs.push_back(std::move(blob));
}

// ---- PTX → cubin

Executed CompilePtx(const Workshop& workshop, const Task& task, const Cancellation& cancellation) {
  const auto toolkit = std::find_if(workshop.toolkits.begin(), workshop.toolkits.end(),
                                    [&](const Toolkit& candidate) {
                                      return candidate.compiler.identity == task.action.compiler;
                                    });
  if (toolkit == workshop.toolkits.end())
    return NotDone(Outcome::kFault, "no-compiler",
                   fmt::format("this worker has no {} with SHA-256 {}",
                               NameOf(task.action.compiler), HexOf(task.action.compiler.sha256)));
  if (task.inputs.size() != 1)
    return NotDone(Outcome::kFault, "malformed-action", "a compile has one input, the module");
  PtxasOutcome compiled = RunPtxas(workshop.ptxas,
                                   {.toolkit = *toolkit,
                                    .action = task.action,
                                    .text = task.inputs.front(),
                                    .limits = task.limits,
                                    .scratch = task.scratch,
                                    .group = task.group},
                                   cancellation);
  Executed executed{.result = std::move(compiled.result)};
  if (executed.result.outcome == Outcome::kOk)
    AddOutput(executed, action::OutputRole::kCubin, compiled.object);
  if (executed.result.outcome == Outcome::kCrashed)
    AddOutput(executed, action::OutputRole::kReproducer, task.inputs.front());
  return executed;
}

// ---- Cubins and PTX → fat binary

struct BundleOptionRow {
  std::string_view name;  // "--compress=" takes what follows.
  bool (*set)(object::fatbin::WriteOptions& options, std::string_view value);
};

bool SetCompress(object::fatbin::WriteOptions& options, std::string_view value) {
  using object::fatbin::CompressMode;
  struct Row {
    std::string_view name;
    CompressMode mode;
  };
  static constexpr Row kRows[] = {{"default", CompressMode::kDefault},
                                  {"none", CompressMode::kNone},
                                  {"speed", CompressMode::kSpeed},
                                  {"size", CompressMode::kSize}};
  for (const Row& row : kRows)
    if (row.name == value) {
      options.compress = row.mode;
      return true;
    }
  return false;
}

// clang-format off
constexpr BundleOptionRow kBundleOptions[] = {
    {"--compress=",   SetCompress},
    {"--identifier=", [](object::fatbin::WriteOptions& o, std::string_view v) { o.identifier = v; return true; }},
    {"--cmdline=",    [](object::fatbin::WriteOptions& o, std::string_view v) { o.ptx_options = v; return true; }},
    {"--debug",       [](object::fatbin::WriteOptions& o, std::string_view)   { o.debug = true; return true; }},
    {"--relocatable", [](object::fatbin::WriteOptions& o, std::string_view)   { o.relocatable = true; return true; }},
};
// clang-format on

// The options' texts stay in the action, which outlives the result.
Result<object::fatbin::WriteOptions> ReadBundleOptions(const std::vector<std::string>& words) {
  object::fatbin::WriteOptions options;
  for (const std::string& word : words) {
    const auto fits = [&](const BundleOptionRow& row) {
      return row.name.back() == '=' ? word.starts_with(row.name) : word == row.name;
    };
    const auto row = std::find_if(std::begin(kBundleOptions), std::end(kBundleOptions), fits);
    if (row == std::end(kBundleOptions) ||
        !row->set(options, std::string_view(word).substr(row->name.size())))
      return MakeError(Code::kInvalidArgument, "unknown bundle option '{}'", Shortened(word));
  }
  return options;
}

// "sm_90a" is a cubin, "compute_75" PTX.
Result<object::fatbin::Member> MemberOf(const action::Input& input, const std::string& image) {
  PTXFARM_ASSIGN_OR_RETURN(const Target target, ParseTarget(input.role));
  if (target.kind() == TargetKind::kLinkTime)
    return MakeError(Code::kInvalidArgument, "no member is made for {}", input.role);
  const char last = input.role.back();
  return object::fatbin::Member{
      .kind = target.kind() == TargetKind::kVirtual ? object::fatbin::MemberKind::kPtx
                                                    : object::fatbin::MemberKind::kCubin,
      .target = {.sm = target.number(), .suffix = last == 'a' || last == 'f' ? last : char{0}},
      .image = image};
}

Result<std::string> WriteBundle(const Task& task) {
  PTXFARM_ASSIGN_OR_RETURN(const object::fatbin::WriteOptions options,
                           ReadBundleOptions(task.action.options));
  std::vector<object::fatbin::Member> members;
  for (std::size_t i = 0; i < task.inputs.size(); ++i) {
    PTXFARM_ASSIGN_OR_RETURN(const object::fatbin::Member member,
                             MemberOf(task.action.inputs[i], task.inputs[i]));
    members.push_back(member);
  }
  return object::fatbin::WriteFatbin(members, options);
}

// Runs in this process: it is our own code, with bounds of its own, and takes no time to speak of.
Executed BundleFatbin(const Workshop&, const Task& task, const Cancellation&) {
  if (task.action.compiler != BundlerIdentity())
    return NotDone(Outcome::kFault, "no-compiler",
                   fmt::format("this worker bundles as {}, not as {}", NameOf(BundlerIdentity()),
                               NameOf(task.action.compiler)));
  Executed executed;
  executed.result.compiler = BundlerIdentity();
  const Result<std::string> bundle = WriteBundle(task);
  if (!bundle) return NotDone(Outcome::kInputError, "bundle", bundle.error().message);
  if (task.limits.output_bytes != 0 && bundle->size() > task.limits.output_bytes)
    return NotDone(Outcome::kServiceLimit, "output-limit",
                   fmt::format("the fat binary has {} bytes; one output may have {}",
                               bundle->size(), task.limits.output_bytes));
  executed.result.outcome = Outcome::kOk;
  AddOutput(executed, action::OutputRole::kFatbin, *bundle);
  return executed;
}

struct ExecutorRow {
  action::Kind kind;
  Executed (*run)(const Workshop& workshop, const Task& task, const Cancellation& cancellation);
};

// clang-format off
constexpr ExecutorRow kExecutors[] = {
    {action::Kind::kCompilePtx,   CompilePtx},
    {action::Kind::kBundleFatbin, BundleFatbin},
};
// clang-format on

}  // namespace

Executed Execute(const Workshop& workshop, const Task& task, const Cancellation& cancellation) {
  PTXFARM_CHECK(task.inputs.size() == task.action.inputs.size());
  const auto row = std::find_if(std::begin(kExecutors), std::end(kExecutors),
                                [&](const ExecutorRow& r) { return r.kind == task.action.kind; });
  if (row == std::end(kExecutors))
    return NotDone(Outcome::kFault, "no-executor",
                   "this worker is too old for this kind of action");
  const auto started = std::chrono::steady_clock::now();
  Executed executed = row->run(workshop, task, cancellation);
  action::Execution& execution = executed.result.execution;
  if (execution.wall_time.count() == 0)
    execution.wall_time =
        std::chrono::ceil<std::chrono::microseconds>(std::chrono::steady_clock::now() - started);
  return executed;
}

std::vector<action::Compiler> CompilersOf(const Workshop& workshop) {
  std::vector<action::Compiler> compilers;
  for (const Toolkit& toolkit : workshop.toolkits) compilers.push_back(toolkit.compiler);
  compilers.push_back({.identity = BundlerIdentity()});
  return compilers;
}

action::CompilerIdentity BundlerIdentity() {
  return {.backend = "ptxfarm",
          .version = std::string(kBundlerVersion),
          .sha256 = DigestOf(fmt::format("ptxfarm fat binary writer {}", kBundlerVersion)).sha256};
}

}  // namespace ptxfarm::worker

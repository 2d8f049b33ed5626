#include "client/commands/compile_command.h"

#include <unistd.h>

#include <algorithm>
#include <set>

#include <fmt/ranges.h>

#include "action/options.h"
#include "client/commands/compile_run.h"
#include "client/files/output_file.h"
#include "client/report/compile_report.h"
#include "client/report/diagnostics.h"
#include "client/report/json.h"
#include "client/report/sarif.h"
#include "client/signals.h"
#include "toolchain/target/target.h"

namespace ptxfarm::client {
namespace {

using Steady = std::chrono::steady_clock;

Result<std::vector<PlannedTarget>> ReadTargets(const Session& session,
                                               const CompileOptions& options) {
  if (options.targets.empty())
    return MakeError(Code::kInvalidArgument,
                     "nothing to compile for: name targets, like --targets sm_80,sm_90a ('ptxfarm "
                     "targets' lists them)");
  PTXFARM_ASSIGN_OR_RETURN(const TargetList list,
                           ParseTargetList(fmt::format("{}", fmt::join(options.targets, ","))));
  for (const Target& repeated : list.repeated)
    session.PrintNote(fmt::format("note: {} is named twice in --targets", repeated));
  std::vector<PlannedTarget> targets;
  for (const Target& target : list.targets) {
    if (target.kind() == TargetKind::kLinkTime)
      return MakeError(Code::kInvalidArgument,
                       "{}: nothing makes that form from PTX; ask for {} or {}", target,
                       target.As(TargetKind::kReal), target.As(TargetKind::kVirtual));
    targets.push_back({target.ToString(), target.kind() == TargetKind::kVirtual});
  }
  return targets;
}

std::optional<std::vector<OutputKind>> ReadEmit(const CompileOptions& options) {
  if (options.emit.empty()) return std::nullopt;
  std::vector<OutputKind> emit;
  for (const OutputKind kind : {OutputKind::kCubin, OutputKind::kFatbin, OutputKind::kPtx})
    if (std::ranges::find(options.emit, NameOf(kind)) != options.emit.end()) emit.push_back(kind);
  return emit;
}

// All that can be judged without a farm.
Result<CompileTask> Prepare(const Session& session, const CompileOptions& options) {
  PTXFARM_ASSIGN_OR_RETURN(const std::vector<PlannedTarget> targets, ReadTargets(session, options));
  CompileTask task;
  task.request.options = options.ptxas_options;
  task.request.options.insert(task.request.options.end(), options.ptxas_options_behind.begin(),
                              options.ptxas_options_behind.end());
  PTXFARM_RETURN_IF_ERROR(action::NormalizeOptions(task.request.options));
  PTXFARM_ASSIGN_OR_RETURN(task.plan, PlanOutputs({.inputs = options.files,
                                                   .targets = targets,
                                                   .emit = ReadEmit(options),
                                                   .output = options.output}));
  if (task.plan.ToStandardOutput() && session.options().json)
    return MakeError(Code::kInvalidArgument, "-o - and --json both want the standard output");
  if (options.sarif == "-" && (task.plan.ToStandardOutput() || session.options().json))
    return MakeError(Code::kInvalidArgument, "--sarif - and {} both want the standard output",
                     session.options().json ? "--json" : "-o -");
  task.jobs = options.jobs;
  CompileRequest& request = task.request;
  for (const PlannedTarget& target : targets) request.targets.push_back(target.name);
  request.cubins = task.plan.Writes(OutputKind::kCubin);
  // PTX comes out of the fat binary, as its member.
  request.fatbin = task.plan.Writes(OutputKind::kFatbin) || task.plan.Writes(OutputKind::kPtx);
  request.fatbin_compression = options.fatbin_compression;
  request.fatbin_identifier = options.fatbin_identifier;
  request.key_tier = options.key_tier;
  request.compiler = options.compiler;
  request.priority = static_cast<i32>(options.priority);
  request.recompile = options.recompile;
  request.unverified = options.unverified;
  request.bridge = options.bridge;
  request.deadline = options.deadline;
  request.limits = {options.time_limit, options.memory_limit, options.output_limit};
  return task;
}

// Makes the folder, and finds out what can't be written before anything is compiled for it.
Status PrepareOutputs(const OutputPlan& plan) {
  if (!plan.folder.empty()) PTXFARM_RETURN_IF_ERROR(MakeFolders(plan.folder));
  for (const PlannedModule& module : plan.modules)
    for (const PlannedFile& file : module.files) PTXFARM_RETURN_IF_ERROR(CheckOutput(file.path));
  return Ok{};
}

// What a person reads on standard error about one module. An error of the farm that was said before
// (it is in `said`) isn't said at length again: with a hundred files it would hide all else.
std::string Complaints(const ModuleReport& report, const Session& session,
                       std::set<std::string>& said) {
  const std::string file = report.planned.input == "-" ? "<stdin>" : report.planned.input;
  std::string out;
  if (report.reply)
    out += RenderDiagnostics(CollectDiagnostics(*report.reply), Printable(file), report.text,
                             session.err().interactive || session.err().color, session.err().color);
  for (const Error& error : report.errors) {
    const bool is_new = said.insert(error.message).second;
    out += fmt::format(
        "{}: {} {}\n", Printable(file), Styled("error:", Style::kRed, session.err().color),
        is_new ? PrintableLines(error.message) : "not compiled, for the reason above");
  }
  return out;
}

// The compilers' own words, for --log.
std::string Logs(const ModuleReport& report) {
  std::string out;
  for (const TargetReply* reply : RepliesOf(report))
    if (!reply->result.log.empty())
      out += fmt::format("{} {}:\n{}", report.planned.name, reply->target,
                         PrintableLines(reply->result.log));
  return out;
}

class CompileRun {
 public:
  CompileRun(const Session& session, const CompileOptions& options)
      : session_(session), options_(options) {}

  ExitCode Run() {
    Result<CompileTask> task = Prepare(session_, options_);
    if (!task) return session_.Fail("compile", task.error(), ExitCode::kUsage);
    // A table on the standard output would end up inside of the object.
    text_to_stderr_ = task->plan.ToStandardOutput();
    if (const Status ready = PrepareOutputs(task->plan); !ready)
      return session_.Fail("compile", ready.error(), ExitCode::kFile);
    return RunTask(*task);
  }

 private:
  ExitCode RunTask(const CompileTask& task) {
    const Steady::time_point start = Steady::now();
    const CancelToken cancel;
    SignalWatcher signals(cancel);
    const std::size_t outputs =
        task.plan.modules.size() * (task.request.targets.size() + task.request.fatbin);
    std::vector<ModuleReport> reports;
    std::string server;
    {
      Terminal terminal = session_.err();
      if (session_.options().quiet || session_.options().json) terminal.interactive = false;
      Progress progress(STDERR_FILENO, terminal, outputs);
      const auto done = [&](const ModuleReport& report) { Say(report, progress); };
      const Result<Client> farm =
          session_.Connect([&](const std::string& what) { progress.Note(what); });
      signals.Defer();
      if (farm) {
        server = farm->server();
        reports = RunCompiles(*farm, task, progress, cancel, done);
      } else {
        reports = FailAll(task.plan, farm.error(), ExitCodeOfCall(farm.error()));
        if (!session_.options().json) session_.PrintError(farm.error().message);
      }
    }
    signals.Resume();
    const auto wall_time =
        std::chrono::duration_cast<std::chrono::microseconds>(Steady::now() - start);
    return Conclude(reports, server, wall_time);
  }

  bool WantsTable() const {
    if (options_.report == ReportForm::kAuto) return session_.out().interactive;
    return options_.report == ReportForm::kTable;
  }

  // As soon as a module is done.
  void Say(const ModuleReport& report, Progress& progress) {
    if (session_.options().json) return;
    std::string text = Complaints(report, session_, said_);
    if (options_.log) text += Logs(report);
    if (!text.empty()) progress.Print(text);
    if (session_.options().quiet || WantsTable() || options_.sarif == "-") return;
    const std::string lines =
        RenderLines(report, text_to_stderr_ ? session_.err().color : session_.out().color);
    if (text_to_stderr_)
      progress.Print(lines);
    else
      session_.Print(lines);
  }

  ExitCode Conclude(const std::vector<ModuleReport>& reports, const std::string& server,
                    std::chrono::microseconds wall_time) const {
    ExitCode code = ExitCode::kOk;
    for (const ModuleReport& report : reports) code = Worse(code, report.exit_code);
    if (!options_.sarif.empty()) code = Worse(code, WriteSarif(reports, code));
    if (options_.sarif == "-") return code;
    if (session_.options().json)
      return session_.Print(client::Print(CompileDocument(reports, code, server, wall_time)), code);
    if (session_.options().quiet || !WantsTable() || server.empty()) return code;
    const Terminal& terminal = text_to_stderr_ ? session_.err() : session_.out();
    const std::string text = RenderTable(reports, options_.kernels_max, terminal.color) +
                             RenderSummary(reports, wall_time);
    if (!text_to_stderr_) return session_.Print(text, code);
    fmt::print(stderr, "{}", text);
    return code;
  }

  ExitCode WriteSarif(const std::vector<ModuleReport>& reports, ExitCode code) const {
    SarifLog log;
    for (const ModuleReport& report : reports) {
      Diagnostics diagnostics;
      if (report.reply)
        for (ShownDiagnostic& shown : CollectDiagnostics(*report.reply))
          diagnostics.push_back(std::move(shown.diagnostic));
      log.Add(report.planned.input, report.text, diagnostics);
      for (const Error& error : report.errors) log.AddFailure(error);
    }
    return session_.PrintTo(options_.sarif, log.Finish(code));
  }

  const Session& session_;
  const CompileOptions& options_;
  bool text_to_stderr_ = false;
  std::set<std::string> said_;
};

}  // namespace

config::Command CompileCommand(const CliOptions& cli, CompileOptions& o) {
  using config::Reach;
  using namespace std::chrono_literals;
  config::Command command{
      .name = "compile",
      .summary = "compiles PTX modules for GPU targets",
      .description =
          "Has each module compiled for each target, and writes NAME.TARGET.cubin for each real "
          "target (sm_90a) and one "
          "NAME.fatbin of all of them, in which virtual targets (compute_90) are PTX for the "
          "driver's own compiler. NAME "
          "is the file's name without .ptx.\n\n"
          "Each target has an outcome: hit (a stored result), miss (compiled now), joined (another "
          "caller's equal compile "
          "was under way), or what went wrong. A target or a file that fails leaves the others "
          "unharmed.\n\n"
          "Outputs are written beside their names and renamed: nobody sees a partial file. When an "
          "output can't be made, a file that an earlier call left under its name is removed, so "
          "that nobody links what is stale. Outputs that would clash, or can't be written, are "
          "refused before anything runs.\n\n"
          "Ctrl-C and SIGTERM cancel what is under way, and end the call as shells expect it "
          "(status 130 and 143); what was written by then stays.\n\n"
          "What stands behind -- goes to the compiler: ptxfarm compile k.ptx -t sm_90 -- -O2 "
          "--maxrregcount=64",
  };
  // clang-format off
  command.options.push_back({"Compile", "client", {
      {"targets",            "LIST",     "What to compile for: sm_90, sm_90a, compute_90, ….", config::List(&o.targets), {.letter = 't'}},
      {"output",             "PATH",     "The folder for the outputs, or the file, where there is one output; folders are made where "
                                         "they aren't. - is the standard output. Without it this folder is used.",
                                          config::File(&o.output), {.letter = 'o', .reach = Reach::kFlag}},
      {"emit",               "LIST",     "What to write. Without it cubin,fatbin, or what the extension of the output says. ptx "
                                         "is NAME.compute_90.ptx: the text as the fat binary carries it.",
                                          config::ListOf(&o.emit, {"cubin", "fatbin", "ptx"}), {.reach = Reach::kFlag}},
      {"ptxas-option",       "OPTION",   "An option for the compiler, in any spelling of ptxas: -X -O2, -X --maxrregcount=64.",
                                          config::List(&o.ptxas_options), {.letter = 'X', .reach = Reach::kFlag}},
      {"compiler",           "NAME",     "Which compiler, where several stand side by side: ptxas@13.0 or ptxas@13.0.88. "
                                         "Without it the newest that fits.", config::Text(&o.compiler)},
      {"fatbin-compression", "HOW",      "How the fat binary's members are compressed.",
                                          config::Choice<FatbinCompression>(&o.fatbin_compression,
                                              {{"default", FatbinCompression::kDefault}, {"none", FatbinCompression::kNone},
                                               {"speed", FatbinCompression::kSpeed}, {"size", FatbinCompression::kSize}})},
      {"fatbin-identifier",  "TEXT",     "The name stored with each member of the fat binary.", config::Text(&o.fatbin_identifier), {.reach = Reach::kFlag}},
      {"key-tier",           "TIER",     "How much of a module's form is ignored when a result is looked for: nothing (exact), "
                                         "comments and blanks (lexical), or also names of registers and labels and unused "
                                         "declarations (structural).",
                                          config::Choice<KeyTier>(&o.key_tier, {{"default", KeyTier::kDefault},
                                              {"exact", KeyTier::kExact}, {"lexical", KeyTier::kLexical},
                                               {"structural", KeyTier::kStructural}})},
      {"unverified",         "",         "Leaves the verdict on the module to the compiler: for PTX that it takes and the server refuses.", config::Flag(&o.unverified), {.reach = Reach::kFlag}},
      {"bridge",             "",         "Where no compiler reads a module's .version and its contents need less: compiles it as the newest version that one reads, and says so.", config::Flag(&o.bridge), {.reach = Reach::kFlag}},
      {"recompile",          "",         "Compiles even where a stored result exists.", config::Flag(&o.recompile), {.reach = Reach::kFlag}},
      {"priority",           "N",        "Higher goes first among the work of one tenant.", config::Count(&o.priority, {0, 1000})},
      {"jobs",               "N",        "Modules under way at once.",           config::Count(&o.jobs, {1, 256}), {.letter = 'j', .reach = Reach::kFlag}},
  }});
  command.options.push_back({"Limits", "client", {
      {"deadline",           "DURATION", "How long one module may take in all; 0: as long as it takes.", config::Duration(&o.deadline, {0ms, 24h})},
      {"time-limit",         "DURATION", "How long one compile may run; 0: what the server allows.",     config::Duration(&o.time_limit, {0ms, 24h})},
      {"memory-limit",       "SIZE",     "Memory of one compile; 0: what the server allows.",            config::Bytes(&o.memory_limit)},
      {"output-limit",       "SIZE",     "Size of one output; 0: what the server allows.",               config::Bytes(&o.output_limit)},
  }});
  command.options.push_back({"Report", "client", {
      {"report",             "FORM",     "A table at the end, or a line a target as it is done; auto is the table on a terminal.",
                                          config::Choice<ReportForm>(&o.report, {{"auto", ReportForm::kAuto},
                                              {"table", ReportForm::kTable}, {"lines", ReportForm::kLines}})},
      {"kernels-max",        "N",        "Kernels of one object that the table lists.", config::Count(&o.kernels_max, {0, 100000})},
      {"sarif",              "FILE",     "Writes the diagnostics as SARIF 2.1.0; - is standard output, which then holds no more.", config::File(&o.sarif), {.reach = Reach::kFlag}},
      {"log",                "",         "Shows what the compilers said, as with ptxas -v.", config::Flag(&o.log), {.reach = Reach::kFlag}},
  }});
  // clang-format on
  command.arguments = {
      {"FILE", "PTX modules; - is the standard input.", config::ListOfFiles(&o.files)}};
  command.examples = {
      {"ptxfarm compile k.ptx -t sm_80,sm_90a,compute_90 -o out/",
       "Writes out/k.sm_80.cubin, out/k.sm_90a.cubin and out/k.fatbin."},
      {"ptxfarm compile k.ptx -t sm_90 -o k.cubin", "Writes one cubin."},
      {"generate | ptxfarm compile - -t sm_90 -o - > k.cubin", "Reads and writes pipes."}};
  command.run = [&cli, &o] {
    const Session session(cli);
    return static_cast<int>(CompileRun(session, o).Run());
  };
  return command;
}

}  // namespace ptxfarm::client

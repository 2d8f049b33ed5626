#include "client/commands/plan_command.h"

#include <fmt/ranges.h>

#include "client/files/input_file.h"
#include "client/report/diagnostics.h"
#include "client/report/json.h"
#include "client/report/plan_report.h"
#include "toolchain/ptx/check.h"
#include "toolchain/ptx/token.h"

namespace ptxfarm::client {
namespace {

class Plans {
 public:
  Plans(const Session& session, const PlanOptions& options) : session_(session), options_(options) {
    document_ = Document("plan");
    document_["modules"] = Json::array();
    document_["errors"] = Json::array();
  }

  ExitCode Run() {
    if (!options_.gpus.empty()) {
      const Result<TargetList> gpus =
          ParseTargetList(fmt::format("{}", fmt::join(options_.gpus, ",")));
      if (!gpus) return session_.Fail("plan", gpus.error(), ExitCode::kUsage);
      for (const Target& gpu : gpus->targets)
        if (gpu.kind() != TargetKind::kReal)
          return session_.Fail("plan",
                               MakeError(Code::kInvalidArgument, "{} is no GPU; name it {}", gpu,
                                         gpu.As(TargetKind::kReal)),
                               ExitCode::kUsage);
      gpus_ = gpus->targets;
    }
    for (const std::string& path : options_.files) OneFile(path);
    document_["exit_code"] = static_cast<int>(code_);
    if (session_.options().json) return session_.Print(Print(document_), code_);
    return session_.Print(text_, code_);
  }

 private:
  void OneFile(const std::string& path) {
    const Result<std::string> text = ReadInput(path, ptx::kSourceBytesMax.value);
    if (!text) return Complain(text.error());
    const ptx::Source source{.name = path, .text = *text};
    const ptx::CheckResult checked =
        ptx::Check(source, {.gpus = {}, .is_relocatable = options_.relocatable});
    Json module = {{"file", path}, {"is_accepted", checked.is_accepted}};
    if (!checked.is_accepted) {
      code_ = Worse(code_, ExitCode::kInput);
      module["diagnostics"] = Refuse(source, checked.diagnostics);
    } else {
      const ModulePlan plan = PlanOf(source, checked, gpus_);
      if (!plan.cover.uncovered.empty()) code_ = Worse(code_, ExitCode::kInput);
      module.update(client::ToJson(plan));
      text_ += RenderPlan(plan, path, session_.out().color);
    }
    document_["modules"].push_back(std::move(module));
  }

  // A wrong module needs nothing that could be told.
  Json Refuse(const ptx::Source& source, const Diagnostics& diagnostics) const {
    std::vector<ShownDiagnostic> shown;
    Json json = Json::array();
    for (const Diagnostic& diagnostic : diagnostics) {
      shown.push_back({diagnostic, {}});
      json.push_back(client::ToJson(shown.back()));
    }
    const Terminal& err = session_.err();
    if (!session_.options().json)
      fmt::print(stderr, "{}",
                 RenderDiagnostics(shown, source.name, source.text, err.interactive, err.color));
    return json;
  }

  void Complain(const Error& error) {
    code_ = Worse(code_, ExitCode::kFile);
    document_["errors"].push_back(client::ToJson(error));
    if (!session_.options().json) session_.PrintError(error.message);
  }

  const Session& session_;
  const PlanOptions& options_;
  std::vector<Target> gpus_;
  Json document_;
  std::string text_;
  ExitCode code_ = ExitCode::kOk;
};

}  // namespace

config::Command PlanCommand(const CliOptions& cli, PlanOptions& o) {
  config::Command command{
      .name = "plan",
      .summary = "says what PTX needs, and the fewest objects with which it runs on a list of GPUs",
      .description =
          "Of each FILE: the lowest .version and .target that its contents need and what in them "
          "asks for it, the GPUs that it can be compiled for, and the fewest cubins, with the PTX "
          "that goes along, with which each GPU of the list has a cubin that runs on it. A cubin "
          "runs on later minor revisions of its major, but not to or from embedded GPUs; with f "
          "on later GPUs of its family, with a on its own GPU. Needs no farm and no toolkit. The "
          "exit status is 1 where a module is wrong or a GPU can't be covered.",
  };
  // clang-format off
  command.options.push_back({"Plan", "client", {
      {"gpus",        "LIST", "GPUs to cover: sm_80,sm_86. Without it all of today that the module can be compiled for.", config::List(&o.gpus), {.letter = 'g', .reach = config::Reach::kFlag}},
      {"relocatable", "",     "As for ptxas -c: what is declared only may be defined in other modules.", config::Flag(&o.relocatable), {.letter = 'c', .reach = config::Reach::kFlag}},
  }});
  // clang-format on
  command.arguments = {
      {"FILE", "PTX to plan for; - is standard input.", config::ListOfFiles(&o.files)}};
  command.examples = {{"ptxfarm plan k.ptx --gpus sm_80,sm_86,sm_90",
                       "What to compile so that it runs on these three."}};
  command.run = [&cli, &o] { return static_cast<int>(Plans(Session(cli), o).Run()); };
  return command;
}

}  // namespace ptxfarm::client

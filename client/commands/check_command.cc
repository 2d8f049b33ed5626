#include "client/commands/check_command.h"

#include <fmt/ranges.h>

#include "client/files/input_file.h"
#include "client/report/diagnostics.h"
#include "client/report/json.h"
#include "toolchain/ptx/check.h"
#include "toolchain/ptx/token.h"

namespace ptxfarm::client {
namespace {

class Checks {
 public:
  Checks(const Session& session, const CheckOptions& options)
      : session_(session), options_(options) {
    document_ = Document("check");
    document_["modules"] = Json::array();
    document_["errors"] = Json::array();
  }

  ExitCode Run() {
    Result<TargetList> gpus = ParseTargetList(fmt::format("{}", fmt::join(options_.targets, ",")));
    if (!options_.targets.empty() && !gpus)
      return session_.Fail("check", gpus.error(), ExitCode::kUsage);
    ptx::VerifyOptions verify{.is_relocatable = options_.relocatable};
    if (!options_.targets.empty()) verify.gpus = std::move(gpus->targets);
    for (const std::string& path : options_.files) OneFile(path, verify);
    document_["exit_code"] = static_cast<int>(code_);
    if (!session_.options().json) return code_;
    return session_.Print(Print(document_), code_);
  }

 private:
  void OneFile(const std::string& path, const ptx::VerifyOptions& verify) {
    const Result<std::string> text = ReadInput(path, ptx::kSourceBytesMax.value);
    if (!text) return Complain(text.error());
    const ptx::CheckResult checked = ptx::Check({.name = path, .text = *text}, verify);
    if (!checked.is_accepted) code_ = Worse(code_, ExitCode::kInput);
    if (session_.options().json)
      document_["modules"].push_back(ModuleJson(path, checked));
    else
      Say(path, *text, checked);
  }

  void Say(const std::string& path, const std::string& text, const ptx::CheckResult& checked) {
    std::vector<ShownDiagnostic> shown;
    for (const Diagnostic& diagnostic : checked.diagnostics) shown.push_back({diagnostic, {}});
    const Terminal& err = session_.err();
    fmt::print(stderr, "{}", RenderDiagnostics(shown, path, text, err.interactive, err.color));
    if (checked.is_accepted && !session_.options().quiet)
      code_ = Worse(code_, session_.Print(Printable(path) + ": " + NeedsOf(checked.needs) + '\n'));
  }

  // "accepted; needs PTX 7.8 for 'wgmma.fence' and sm_90a for …"
  static std::string NeedsOf(const ptx::Needs& needs) {
    const ptx::VersionNeed& version = needs.version();
    std::string text = fmt::format("accepted; its contents need PTX {}", version.version);
    if (!version.what.empty()) text += fmt::format(" for {}", version.what);
    const std::vector<Target> targets = needs.Targets();
    if (!targets.empty()) text += fmt::format(", {}", targets.front());
    if (!needs.target_needs().empty())
      text += fmt::format(" for {}", needs.target_needs().back().what);
    return text;
  }

  Json ModuleJson(const std::string& path, const ptx::CheckResult& checked) const {
    Json diagnostics = Json::array(), targets = Json::array();
    for (const Diagnostic& diagnostic : checked.diagnostics)
      diagnostics.push_back(client::ToJson(ShownDiagnostic{diagnostic, {}}));
    Json json = {{"file", path},
                 {"is_accepted", checked.is_accepted},
                 {"diagnostics", std::move(diagnostics)}};
    if (!checked.is_accepted) return json;
    const ptx::VersionNeed& version = checked.needs.version();
    for (const Target& target : checked.needs.Targets()) targets.push_back(target.ToString());
    json["needs"] = {{"ptx_version", fmt::format("{}", version.version)},
                     {"ptx_version_for", version.what},
                     {"targets", std::move(targets)}};
    json["undefined_symbols"] = checked.undefined_symbols;
    return json;
  }

  void Complain(const Error& error) {
    code_ = Worse(code_, ExitCode::kFile);
    document_["errors"].push_back(client::ToJson(error));
    if (!session_.options().json) session_.PrintError(error.message);
  }

  const Session& session_;
  const CheckOptions& options_;
  Json document_;
  ExitCode code_ = ExitCode::kOk;
};

}  // namespace

config::Command CheckCommand(const CliOptions& cli, CheckOptions& o) {
  config::Command command{
      .name = "check",
      .summary = "says what is wrong with PTX, without a farm and without a toolkit",
      .description =
          "Parses and verifies each FILE by the rules of PTX ISA 1.0 to 9.4: all errors, each at "
          "its place, with the manual's section. Of what is right it says the lowest version and "
          "target that its contents need.",
  };
  // clang-format off
  command.options.push_back({"Check", "client", {
      {"targets",     "LIST", "GPUs that each module must be able to be compiled for.",                  config::List(&o.targets), {.letter = 't', .reach = config::Reach::kFlag}},
      {"relocatable", "",     "As for ptxas -c: what is declared only may be defined in other modules.", config::Flag(&o.relocatable), {.letter = 'c', .reach = config::Reach::kFlag}},
  }});
  // clang-format on
  command.arguments = {
      {"FILE", "PTX to check; - is standard input.", config::ListOfFiles(&o.files)}};
  command.examples = {{"ptxfarm check k.ptx --targets sm_90a", "Checks one module for one GPU."}};
  command.run = [&cli, &o] { return static_cast<int>(Checks(Session(cli), o).Run()); };
  return command;
}

}  // namespace ptxfarm::client

#include "client/commands/check_command.h"

#include <fmt/ranges.h>

#include "client/files/input_file.h"
#include "client/report/diagnostics.h"
#include "client/report/json.h"
#include "client/report/sarif.h"
#include "toolchain/ptx/check.h"
#include "toolchain/ptx/inline_assembly/check_inline.h"
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
    if (session_.options().json && options_.sarif == "-")
      return session_.Fail(
          "check",
          Error{Code::kInvalidArgument, "--json and --sarif - both want the standard output"},
          ExitCode::kUsage);
    ptx::VerifyOptions verify{.is_relocatable = options_.relocatable};
    if (!options_.targets.empty()) verify.gpus = std::move(gpus->targets);
    for (const std::string& path : options_.files) OneFile(path, verify);
    WriteSarif();
    document_["exit_code"] = static_cast<int>(code_);
    if (!session_.options().json) return code_;
    return session_.Print(Print(document_), code_);
  }

 private:
  void OneFile(const std::string& path, const ptx::VerifyOptions& verify) {
    const Result<std::string> text = ReadInput(path, ptx::kSourceBytesMax.value);
    if (!text) return Complain(text.error());
    if (options_.is_inline) return InlineFile(path, *text, verify.gpus);
    const ptx::CheckResult checked = ptx::Check({.name = path, .text = *text}, verify);
    Tell(path, *text, checked.diagnostics, checked.is_accepted);
    if (session_.options().json)
      document_["modules"].push_back(ModuleJson(path, checked));
    else if (checked.is_accepted)
      Say(path, NeedsOf(checked.needs));
  }

  // CUDA C++: its asm statements.
  void InlineFile(const std::string& path, const std::string& text,
                  const std::vector<Target>& targets) {
    const ptx::InlineCheckResult checked =
        ptx::CheckInline({.name = path, .text = text}, {.targets = targets});
    Tell(path, text, checked.diagnostics, checked.is_accepted);
    if (session_.options().json) {
      document_["modules"].push_back({{"file", path},
                                      {"is_accepted", checked.is_accepted},
                                      {"diagnostics", JsonOf(checked.diagnostics)},
                                      {"asm_statements", checked.statements_count},
                                      {"asm_statements_skipped", checked.skipped_count}});
    } else if (checked.is_accepted) {
      const std::string skipped = checked.skipped_count == 0
                                      ? std::string()
                                      : fmt::format(", {} not checked", checked.skipped_count);
      Say(path, fmt::format("accepted; {} asm statement{} checked{}", checked.statements_count,
                            checked.statements_count == 1 ? "" : "s", skipped));
    }
  }

  // What is wrong, to all who want to know but the JSON document.
  void Tell(const std::string& path, const std::string& text, const Diagnostics& diagnostics,
            bool is_accepted) {
    if (!is_accepted) code_ = Worse(code_, ExitCode::kInput);
    if (!options_.sarif.empty()) sarif_.Add(path, text, diagnostics);
    if (session_.options().json || options_.sarif == "-") return;
    std::vector<ShownDiagnostic> shown;
    for (const Diagnostic& diagnostic : diagnostics) shown.push_back({diagnostic, {}});
    const Terminal& err = session_.err();
    fmt::print(stderr, "{}", RenderDiagnostics(shown, path, text, err.interactive, err.color));
  }

  void Say(const std::string& path, const std::string& what) {
    if (session_.options().quiet || options_.sarif == "-") return;
    code_ = Worse(code_, session_.Print(Printable(path) + ": " + what + '\n'));
  }

  void WriteSarif() {
    if (options_.sarif.empty()) return;
    code_ = Worse(code_, session_.PrintTo(options_.sarif, sarif_.Finish(code_)));
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

  static Json JsonOf(const Diagnostics& diagnostics) {
    Json json = Json::array();
    for (const Diagnostic& diagnostic : diagnostics)
      json.push_back(client::ToJson(ShownDiagnostic{diagnostic, {}}));
    return json;
  }

  Json ModuleJson(const std::string& path, const ptx::CheckResult& checked) const {
    Json targets = Json::array();
    Json json = {{"file", path},
                 {"is_accepted", checked.is_accepted},
                 {"diagnostics", JsonOf(checked.diagnostics)}};
    if (!checked.is_accepted) return json;
    const ptx::VersionNeed& version = checked.needs.version();
    for (const Target& target : checked.needs.Targets()) targets.push_back(target.ToString());
    json["needs"] = {{"ptx_version", fmt::format("{}", version.version)},
                     {"ptx_version_for", version.what},
                     {"targets", std::move(targets)}};
    json["undefined_symbols"] = checked.undefined_symbols;
    return json;
  }

  // Of a file that can't be read: 2, as for a wrong command line, says that nothing was judged.
  void Complain(const Error& error) {
    code_ = Worse(code_, ExitCode::kUsage);
    sarif_.AddFailure(error);
    document_["errors"].push_back(client::ToJson(error));
    if (!session_.options().json) session_.PrintError(error.message);
  }

  const Session& session_;
  const CheckOptions& options_;
  Json document_;
  SarifLog sarif_;
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
          "target that its contents need.\n\n"
          "With --inline the files are CUDA C++, and what is checked are their asm statements: the "
          "template by the tables of PTX, with the operands' constraints as its registers; outputs "
          "that are never written, inputs that are, volatile and \"memory\" where an instruction "
          "needs them, names that clash when the template is pasted twice. A file that begins with "
          "a string is one template with its operands.\n\n"
          "Exit status: 0 accepted, 1 rejected, 2 could not look.",
  };
  // clang-format off
  command.options.push_back({"Check", "client", {
      {"targets",     "LIST", "GPUs that each module must be able to be compiled for.",                  config::List(&o.targets), {.letter = 't', .reach = config::Reach::kFlag}},
      {"relocatable", "",     "As for ptxas -c: what is declared only may be defined in other modules.", config::Flag(&o.relocatable), {.letter = 'c', .reach = config::Reach::kFlag}},
      {"inline",      "",     "The files are CUDA C++; checks the PTX in their asm statements.",         config::Flag(&o.is_inline), {.letter = 'i', .reach = config::Reach::kFlag}},
      {"sarif",       "FILE", "Writes what was found as SARIF 2.1.0; - is standard output, which then holds no more.", config::File(&o.sarif), {.reach = config::Reach::kFlag}},
  }});
  // clang-format on
  command.arguments = {
      {"FILE", "PTX to check; - is standard input.", config::ListOfFiles(&o.files)}};
  command.examples = {
      {"ptxfarm check k.ptx --targets sm_90a", "Checks one module for one GPU."},
      {"ptxfarm check --inline *.cu --sarif asm.sarif", "Checks the asm statements of CUDA C++."}};
  command.run = [&cli, &o] { return static_cast<int>(Checks(Session(cli), o).Run()); };
  return command;
}

}  // namespace ptxfarm::client

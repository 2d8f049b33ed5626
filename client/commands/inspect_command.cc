#include "client/commands/inspect_command.h"

#include <algorithm>

#include "client/commands/gpu_code.h"
#include "client/report/figures.h"
#include "client/report/json.h"
#include "client/report/table.h"
#include "config/value.h"
#include "toolchain/object/cubin/cubin.h"
#include "toolchain/object/cubin/describe.h"

namespace ptxfarm::client {
namespace {

using object::cubin::Cubin;
using object::cubin::Function;

// "k.fatbin, .nv_fatbin at 0x40: cubin for sm_90a, executable, CUDA 13.0, ptxas"
std::string Headline(const GpuFile& file, const GpuCode& piece) {
  std::string text = Printable(file.path);
  if (!piece.place.empty()) text += ", " + Printable(piece.place);
  if (file.pieces.size() > 1) text += fmt::format(" at {:#x}", piece.offset);
  return text + fmt::format(": {} for {}, {}", piece.Kind(), piece.Target(),
                            FormatSize(piece.StoredBytes()));
}

std::string CubinFacts(const Cubin& cubin) {
  std::string text = fmt::format("  {}", object::cubin::KindName(cubin.kind));
  if (cubin.cuda_version != 0)
    text += fmt::format(", CUDA {}.{}", cubin.cuda_version / 10, cubin.cuda_version % 10);
  if (cubin.has_capsule) text += ", with capsule";
  for (const object::cubin::BankUse& bank : cubin.constant_banks)
    text += fmt::format(", constant[{}] {} B", bank.bank, bank.bytes);
  text += '\n';
  if (cubin.tool)
    text += fmt::format("  {} {}\n", Printable(cubin.tool->tool), Printable(cubin.tool->options));
  for (const object::cubin::UndefinedSymbol& symbol : cubin.undefined)
    text += fmt::format("  undefined: {}\n", Printable(symbol.name));
  return text;
}

std::string FunctionTable(const Cubin& cubin, bool color) {
  using enum Table::Align;
  Table table({{"kernel", kLeft},
               {"kind", kLeft},
               {"registers", kRight},
               {"shared", kRight},
               {"frame", kRight},
               {"stack", kRight},
               {"parameters", kRight},
               {"barriers", kRight},
               {"code", kRight}});
  for (const Function& function : cubin.functions)
    table.Add({Printable(function.name), function.is_entry ? "entry" : "function",
               std::to_string(function.registers), std::to_string(function.shared_bytes),
               std::to_string(function.frame_bytes),
               function.stack_bytes ? std::to_string(*function.stack_bytes) : "?",
               std::to_string(function.parameter_bytes), std::to_string(function.barriers),
               FormatSize(function.code_bytes)});
  return table.empty() ? "  no functions\n" : table.Render(color);
}

Json ToJson(const Function& function) {
  Json banks = Json::object(), parameters = Json::array();
  for (const object::cubin::BankUse& bank : function.constant_banks)
    banks[std::to_string(bank.bank)] = bank.bytes;
  for (const object::cubin::Parameter& parameter : function.parameters)
    parameters.push_back({{"ordinal", parameter.ordinal},
                          {"offset", parameter.offset},
                          {"size_bytes", parameter.size_bytes},
                          {"space", object::cubin::ParameterSpaceName(parameter.space)}});
  return {{"name", function.name},
          {"is_entry", function.is_entry},
          {"binding", object::cubin::BindingName(function.binding)},
          {"registers", function.registers},
          {"barriers", function.barriers},
          {"shared_bytes", function.shared_bytes},
          {"frame_bytes", function.frame_bytes},
          {"stack_bytes", function.stack_bytes ? Json(*function.stack_bytes) : Json(nullptr)},
          {"parameter_bytes", function.parameter_bytes},
          {"constant_bytes", std::move(banks)},
          {"code_bytes", function.code_bytes},
          {"parameters", std::move(parameters)}};
}

Json ToJson(const Cubin& cubin) {
  Json functions = Json::array(), undefined = Json::array(), variables = Json::array();
  for (const Function& function : cubin.functions) functions.push_back(ToJson(function));
  for (const object::cubin::UndefinedSymbol& symbol : cubin.undefined)
    undefined.push_back(symbol.name);
  for (const object::cubin::Variable& variable : cubin.variables)
    variables.push_back({{"name", variable.name},
                         {"section", variable.section},
                         {"size_bytes", variable.size_bytes}});
  return {{"object_kind", object::cubin::KindName(cubin.kind)},
          {"cuda_version", fmt::format("{}.{}", cubin.cuda_version / 10, cubin.cuda_version % 10)},
          {"tool", cubin.tool ? Json(cubin.tool->tool) : Json(nullptr)},
          {"tool_options", cubin.tool ? Json(cubin.tool->options) : Json(nullptr)},
          {"kernels", std::move(functions)},
          {"variables", std::move(variables)},
          {"undefined_symbols", std::move(undefined)}};
}

class Inspection {
 public:
  Inspection(const Session& session, const InspectOptions& options)
      : session_(session), options_(options) {
    document_ = Document("inspect");
    document_["objects"] = Json::array();
    document_["errors"] = Json::array();
  }

  ExitCode Run() {
    for (const std::string& path : options_.files) OneFile(path);
    document_["exit_code"] = static_cast<int>(code_);
    return session_.Print(session_.options().json ? Print(document_) : text_, code_);
  }

 private:
  void OneFile(const std::string& path) {
    const Result<GpuFile> file = ReadGpuFile(path);
    if (!file) return Complain(file.error(), ExitCodeOfRead(file.error()));
    for (const object::fatbin::FoundDamage& damage : file->damages)
      Complain(Error(damage.error).Wrap("{}: damaged at {:#x}", path, damage.offset),
               ExitCode::kInput);
    bool any = false;
    for (const GpuCode& piece : file->pieces) {
      if (!options_.targets.empty() &&
          std::ranges::find(options_.targets, piece.Target()) == options_.targets.end())
        continue;
      any = true;
      OnePiece(*file, piece);
    }
    if (!any && file->damages.empty())
      Complain(MakeError(Code::kNotFound, "{}: there is no GPU code in it{}", path,
                         options_.targets.empty() ? "" : " for these targets"),
               ExitCode::kInput);
  }

  void OnePiece(const GpuFile& file, const GpuCode& piece) {
    text_ += Styled(Headline(file, piece), Style::kBold, session_.out().color) + '\n';
    Json json = {{"file", file.path},        {"place", piece.place},
                 {"offset", piece.offset},   {"kind", piece.Kind()},
                 {"target", piece.Target()}, {"stored_bytes", piece.StoredBytes()}};
    if (piece.Kind() == "cubin") OneCubin(file, piece, json);
    document_["objects"].push_back(std::move(json));
    text_ += '\n';
  }

  void OneCubin(const GpuFile& file, const GpuCode& piece, Json& json) {
    const Result<std::string> image = piece.Image();
    if (!image)
      return Complain(Error(image.error()).Wrap("{}: {}", file.path, piece.Target()),
                      ExitCode::kInput);
    const Result<Cubin> cubin = object::cubin::ReadCubin(*image);
    if (!cubin)
      return Complain(Error(cubin.error()).Wrap("{}: {}", file.path, piece.Target()),
                      ExitCode::kInput);
    json.update(ToJson(*cubin));
    if (options_.full || options_.attributes || options_.sections)
      text_ += PrintableLines(object::cubin::Describe(
          *cubin, {.attributes = options_.attributes, .sections = options_.sections}));
    else
      text_ += CubinFacts(*cubin) + FunctionTable(*cubin, session_.out().color);
  }

  void Complain(const Error& error, ExitCode code) {
    code_ = Worse(code_, code);
    document_["errors"].push_back(client::ToJson(error));
    if (!session_.options().json) session_.PrintError(error.message);
  }

  const Session& session_;
  const InspectOptions& options_;
  Json document_;
  std::string text_;
  ExitCode code_ = ExitCode::kOk;
};

}  // namespace

config::Command InspectCommand(const CliOptions& cli, InspectOptions& o) {
  config::Command command{
      .name = "inspect",
      .summary = "shows the kernels of GPU code and what they need",
      .description =
          "Of cubins, fat binaries, host objects, programs, shared libraries, and archives of "
          "them. Spills are known to "
          "the compiler alone: 'ptxfarm compile' reports them.",
  };
  // clang-format off
  command.options.push_back({"Inspect", "client", {
      {"targets",    "LIST", "Only these: sm_90a.",                            config::List(&o.targets), {.letter = 't', .reach = config::Reach::kFlag}},
      {"full",       "",     "All facts, a line each, in place of the table.", config::Flag(&o.full), {.reach = config::Reach::kFlag}},
      {"attributes", "",     "The attribute records too.",                     config::Flag(&o.attributes), {.reach = config::Reach::kFlag}},
      {"sections",   "",     "The section table too.",                         config::Flag(&o.sections), {.reach = config::Reach::kFlag}},
  }});
  // clang-format on
  command.arguments = {{"FILE", "Files to look into.", config::ListOfFiles(&o.files)}};
  command.run = [&cli, &o] { return static_cast<int>(Inspection(Session(cli), o).Run()); };
  return command;
}

}  // namespace ptxfarm::client

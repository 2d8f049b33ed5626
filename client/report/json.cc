#include "client/report/json.h"

#include "client/report/diagnostics.h"

namespace ptxfarm::client {
namespace {

std::string_view NameOf(Severity severity) {
  switch (severity) {
    case Severity::kError: return "error";
    case Severity::kWarning: return "warning";
    case Severity::kNote: return "note";
  }
  return "error";
}

Json ModuleToJson(const ModuleReport& report) {
  Json json = {{"module", report.planned.name},
               {"input", report.planned.input},
               {"exit_code", static_cast<int>(report.exit_code)}};
  Json results = Json::array(), diagnostics = Json::array(), errors = Json::array();
  if (report.reply) {
    const ModuleInfo& module = report.reply->module;
    json["sha256"] = module.digest.Hex();
    json["ptx_version"] = fmt::format("{}.{}", module.version.major, module.version.minor);
    json["compiled_as"] = module.compiled_as ? Json(module.compiled_as->ToString()) : Json(nullptr);
    json["ptx_target"] = module.target;
    json["entries"] = module.entries;
    for (const ShownDiagnostic& shown : CollectDiagnostics(*report.reply))
      diagnostics.push_back(ToJson(shown));
  }
  for (const TargetReply* reply : RepliesOf(report)) {
    Json result = client::ToJson(*reply);
    const WrittenFile* written = WrittenFor(report, reply->target);
    result["file"] = written != nullptr ? Json(written->file.path) : Json(nullptr);
    results.push_back(std::move(result));
  }
  for (const Error& error : report.errors) errors.push_back(client::ToJson(error));
  json["diagnostics"] = std::move(diagnostics);
  json["results"] = std::move(results);
  json["errors"] = std::move(errors);
  return json;
}

}  // namespace

Json ToJson(const ShownDiagnostic& shown) {
  const Diagnostic& diagnostic = shown.diagnostic;
  Json related = Json::array();
  for (const RelatedPlace& place : diagnostic.related)
    related.push_back({{"line", place.place.line},
                       {"column", place.place.column},
                       {"length", place.length},
                       {"message", place.message}});
  return {{"severity", NameOf(diagnostic.severity)}, {"kind", diagnostic.kind},
          {"message", diagnostic.message},           {"line", diagnostic.place.line},
          {"column", diagnostic.place.column},       {"length", diagnostic.length},
          {"section", diagnostic.section},           {"hint", diagnostic.hint},
          {"related", std::move(related)},           {"asked", diagnostic.asked},
          {"allowed", diagnostic.allowed},           {"targets", shown.targets}};
}

Json Document(std::string_view command) {
  return {{"schema", fmt::format("ptxfarm.{}.v1", command)}};
}

Json ToJson(const Error& error) {
  return {{"code", CodeName(error.code)}, {"message", error.message}};
}

Json ToJson(const action::CompilerIdentity& identity) {
  return {{"backend", identity.backend},
          {"version", identity.version},
          {"sha256", HexOf(identity.sha256)}};
}

Json ToJson(const action::KernelResources& kernel) {
  Json banks = Json::object();
  for (const auto& [bank, bytes] : kernel.constant_bytes) banks[std::to_string(bank)] = bytes;
  return {{"name", kernel.name},
          {"is_entry", kernel.is_entry},
          {"registers", kernel.registers},
          {"barriers", kernel.barriers},
          {"shared_bytes", kernel.shared_bytes},
          {"frame_bytes", kernel.frame_bytes},
          {"stack_bytes", kernel.stack_bytes},
          {"spill_store_bytes", kernel.spill_store_bytes},
          {"spill_load_bytes", kernel.spill_load_bytes},
          {"parameter_bytes", kernel.parameter_bytes},
          {"constant_bytes", std::move(banks)},
          {"code_bytes", kernel.code_bytes},
          {"threads_max", kernel.threads_max}};
}

Json ToJson(const TargetReply& reply) {
  const action::ActionResult& result = reply.result;
  Json kernels = Json::array();
  for (const action::KernelResources& kernel : result.kernels) kernels.push_back(ToJson(kernel));
  const bool has_compiler = !result.compiler.backend.empty();
  return {
      {"target", reply.target},
      {"outcome", action::RowOf(result.outcome).name},
      {"served", reply.ok() ? Json(rpc::NameOf(reply.served)) : Json(nullptr)},
      {"elapsed_us", reply.elapsed.count()},
      {"size_bytes", reply.object.size()},
      {"sha256", reply.object.empty() ? Json(nullptr) : Json(DigestOf(reply.object).Hex())},
      {"object_kind", action::NameOf(result.object_kind)},
      {"key_tier", rpc::NameOf(reply.key_tier)},
      {"action_sha256", reply.action_sha256 ? Json(HexOf(*reply.action_sha256)) : Json(nullptr)},
      {"compiler", has_compiler ? ToJson(result.compiler) : Json(nullptr)},
      {"worker", result.execution.worker},
      {"compile_wall_us", result.execution.wall_time.count()},
      {"compile_cpu_us", result.execution.cpu_time.count()},
      {"compile_memory_bytes_max", result.execution.memory_bytes_max},
      {"undefined_symbols", result.undefined_symbols},
      {"log", result.log},
      {"kernels", std::move(kernels)}};
}

Json CompileDocument(std::span<const ModuleReport> reports, ExitCode exit_code,
                     const std::string& server, std::chrono::microseconds wall_time) {
  Json document = Document("compile");
  document["exit_code"] = static_cast<int>(exit_code);
  document["exit"] = NameOf(exit_code);
  document["server"] = server;
  document["wall_us"] = wall_time.count();
  Json modules = Json::array();
  for (const ModuleReport& report : reports) modules.push_back(ModuleToJson(report));
  document["modules"] = std::move(modules);
  return document;
}

Json ErrorDocument(std::string_view command, const Error& error, ExitCode exit_code) {
  Json document = Document(command);
  document["exit_code"] = static_cast<int>(exit_code);
  document["exit"] = NameOf(exit_code);
  document["error"] = ToJson(error);
  return document;
}

std::string Print(const Json& document) {
  return document.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace ptxfarm::client

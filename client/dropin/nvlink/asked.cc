#include "client/dropin/nvlink/asked.h"

#include <unistd.h>

#include <string>

#include "client/dropin/tier/sha256_stream.h"
#include "client/dropin/tool/environment.h"
#include "client/dropin/tool/output_file.h"

namespace ptxfarm::dropin {
namespace {

void AddFile(Sha256Stream& key, const std::optional<LinkFile>& file) {
  key.UpdateNumber(file ? 1 : 0);
  if (!file) return;
  key.UpdateField(
      {reinterpret_cast<const char*>(file->digest.sha256.data()), file->digest.sha256.size()});
}

std::string BaseNameOf(const std::string& path) { return path.substr(path.rfind('/') + 1); }

std::string CurrentFolder() {
  char folder[4096];
  return ::getcwd(folder, sizeof(folder)) == nullptr ? "" : folder;
}

}  // namespace

AskedLink LookAtLink(int argc, char** argv) {
  AskedLink asked;
  asked.call = ReadNvlinkCall({argv + 1, static_cast<std::size_t>(argc - 1)});
  asked.tier = LocalTier::OfUser();
  const LocalTier* const tier = asked.tier ? &*asked.tier : nullptr;
  asked.tool = FindTool("nvlink", argv[0], tier);
  if (!asked.call.why_not.empty() || (asked.tool && !asked.tool->is_program)) return asked;
  if (asked.call.optimizes_at_link_time() && HasNvvmVariables()) return asked;
  asked.files = ReadLinkFiles(asked.call, tier);
  if (asked.files && asked.tool)
    asked.key = KeyOfLink(asked.call, *asked.files, asked.tool->sha256);
  return asked;
}

Sha256 KeyOfLink(const NvlinkCall& call, const LinkFiles& files, const Sha256& nvlink) {
  Sha256Stream key;
  key.UpdateField("nvlink 1");
  key.UpdateField({reinterpret_cast<const char*>(nvlink.data()), nvlink.size()});
  key.UpdateField(call.target);
  key.UpdateNumber(call.options.size());
  for (const std::string& option : call.options) key.UpdateField(option);
  key.UpdateNumber(call.library_folders.size());
  for (const std::string& folder : call.library_folders) key.UpdateField(folder);
  key.UpdateNumber(call.libraries.size());
  for (std::size_t i = 0; i < call.libraries.size(); ++i) {
    key.UpdateField(call.libraries[i]);
    AddFile(key, files.libraries[i]);
  }
  key.UpdateNumber(call.inputs.size());
  for (std::size_t i = 0; i < call.inputs.size(); ++i) {
    key.UpdateField(call.inputs[i]);
    AddFile(key, files.inputs[i]);
  }
  key.UpdateField(call.nvvm_path);
  AddFile(key, files.nvvm);
  key.UpdateNumber(call.register_file ? 1 : 0);
  key.UpdateField(files.registers_paths ? CurrentFolder() : "");
  if (call.Has("debug")) {
    key.UpdateField(BaseNameOf(call.output.name));
    key.UpdateField(call.register_file ? BaseNameOf(call.register_file->name) : "");
  }
  return key.Finish();
}

std::optional<int> AnswerLinkFromTier(const AskedLink& asked, Counter counter) {
  if (!asked.tier || !asked.key) return std::nullopt;
  const std::optional<Record> record = asked.tier->Get(*asked.key);
  if (!record) return std::nullopt;
  const std::optional<Files> outputs = UnpackFiles(record->object());
  if (!outputs || outputs->size() != kLinkOutputs) return std::nullopt;
  asked.tier->Count(counter);
  return AnswerLink(asked.call, record->exit_code(), record->out(), record->err(), *outputs);
}

int AnswerLink(const NvlinkCall& call, int exit_code, std::string_view out, std::string_view err,
               const Files& outputs) {
  PrintTo(STDOUT_FILENO, out);
  PrintTo(STDERR_FILENO, err);
  const std::string* const names[kLinkOutputs] = {
      &call.output.name, call.register_file ? &call.register_file->name : nullptr};
  for (std::size_t i = 0; i < kLinkOutputs; ++i) {
    if (!outputs[i] || names[i] == nullptr) continue;
    const Status placed = PlaceObject(*names[i], *outputs[i]);
    if (placed) continue;
    PrintTo(STDERR_FILENO,
            placed.error().code == Code::kResourceExhausted
                ? "nvlink fatal   : " + placed.error().message + "\n"
                : "nvlink fatal   : Could not open output file '" + *names[i] + "'\n");
    return kNvlinkFailed;
  }
  return exit_code;
}

}  // namespace ptxfarm::dropin

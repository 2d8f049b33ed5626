#include "config/load.h"

namespace ptxfarm::config {
namespace {

const FileEntry* FindEntry(const ConfigFile* file, const std::string& table,
                           const std::string& name) {
  if (file == nullptr) return nullptr;
  const auto entries = file->tables.find(table);
  if (entries == file->tables.end()) return nullptr;
  const auto entry = entries->second.find(name);
  return entry == entries->second.end() ? nullptr : &entry->second;
}

Setting FirstSource(const OptionGroup& group, const Option& option, const FlagTexts& flags,
                    const Environment& environment, const ConfigFile* file) {
  if (const auto given = flags.find(option.name); given != flags.end())
    return {&option, "--" + option.name, given->second};
  if (option.extra.reach != Reach::kFlag) {
    const std::string name = EnvironmentName(option);
    if (const std::optional<std::string> text = environment(name)) {
      return {&option, name,
              option.value.is_list() ? SplitList(*text) : std::vector<std::string>{*text}};
    }
  }
  if (const FileEntry* const entry = FindEntry(file, group.table, option.name))
    return {&option, fmt::format("{}:{}: {}", file->path, entry->line, option.name), entry->texts};
  return {&option, "default", {}};
}

}  // namespace

Result<std::vector<Setting>> Load(std::span<const OptionGroup* const> groups,
                                  const FlagTexts& flags, const Environment& environment,
                                  const ConfigFile* file) {
  std::vector<Setting> settings;
  for (const OptionGroup* group : groups) {
    for (const Option& option : group->options) {
      Setting setting = FirstSource(*group, option, flags, environment, file);
      if (setting.source != "default") {
        if (Status set = option.value.Assign(setting.texts); !set)
          return std::move(set).error().Wrap("{}", setting.source);
      }
      settings.push_back(std::move(setting));
    }
  }
  return settings;
}

Status LoadWithoutFlags(const Program& program, const Environment& environment) {
  const std::optional<std::string> path =
      FindConfigFile(environment("PTXFARM_CONFIG").value_or(""), environment);
  std::optional<ConfigFile> file;
  if (path) {
    PTXFARM_ASSIGN_OR_RETURN(file, ReadConfigFile(*path, program));
  }
  PTXFARM_RETURN_IF_ERROR(
      Load(GroupsOf(PathOf(program)), {}, environment, file ? &*file : nullptr));
  return Ok{};
}

}  // namespace ptxfarm::config

#include "config/config_file.h"

#include <unistd.h>

#include <algorithm>
#include <set>

#include <toml++/toml.h>

#include "base/file.h"
#include "base/limits.h"
#include "config/suggest.h"

namespace ptxfarm::config {
namespace {

constexpr Limit kFileBytesMax{"config_file_bytes_max", kMiB,
                              "a config file is written by hand; the parser holds it whole"};

constexpr const char* kSystemFile = "/etc/ptxfarm/config.toml";

}  // namespace

std::optional<std::string> FindConfigFile(const std::string& named,
                                          const Environment& environment) {
  if (!named.empty()) return named;
  std::vector<std::string> places;
  const std::optional<std::string> xdg = environment("XDG_CONFIG_HOME");
  const std::optional<std::string> home = environment("HOME");
  // The XDG specification has relative paths ignored.
  if (xdg && xdg->starts_with('/')) {
    places.push_back(*xdg + "/ptxfarm/config.toml");
  } else if (home && home->starts_with('/')) {
    places.push_back(*home + "/.config/ptxfarm/config.toml");
  }
  places.emplace_back(kSystemFile);
  for (const std::string& place : places) {
    if (::access(place.c_str(), F_OK) == 0) return place;
  }
  return std::nullopt;
}

std::vector<KnownFile> ConfigFilePlaces() {
  return {
      {"$XDG_CONFIG_HOME/ptxfarm/config.toml",
       "The user's config file; XDG_CONFIG_HOME is ~/.config where it isn't set."},
      {kSystemFile, "The machine's config file, read where the user has none."},
  };
}

namespace {

// What a file may hold, table by table.
std::map<std::string, std::map<std::string, const Option*>> KnownKeys(const Program& program) {
  std::map<std::string, std::map<std::string, const Option*>> known;
  for (const CommandPath& path : AllPaths(program)) {
    for (const OptionGroup& group : path.back()->options) {
      for (const Option& option : group.options) {
        if (option.extra.reach == Reach::kEverywhere) known[group.table][option.name] = &option;
      }
    }
  }
  return known;
}

Error At(const std::string& path, u32 line, std::string_view message) {
  return MakeError(Code::kInvalidArgument, "{}:{}: {}", path, line, message);
}

u32 LineOf(const toml::node& node) { return node.source().begin.line; }

// The text that a user would have written as a flag, so that all sources are judged alike.
std::optional<std::string> TextOf(const toml::node& node) {
  if (const auto* text = node.as_string()) return text->get();
  if (const auto* number = node.as_integer()) return std::to_string(number->get());
  if (const auto* number = node.as_floating_point()) return fmt::format("{}", number->get());
  if (const auto* flag = node.as_boolean()) return flag->get() ? "true" : "false";
  return std::nullopt;
}

class Reader {
 public:
  Reader(const std::string& path, const Program& program)
      : path_(path), known_(KnownKeys(program)) {}

  Result<ConfigFile> Read(const toml::table& root) const {
    ConfigFile file{path_, {}};
    PTXFARM_RETURN_IF_ERROR(ReadTable("", root, file.tables[""]));
    for (const auto& [key, node] : root) {
      const std::string table(key.str());
      if (node.is_table() && known_.contains(table))
        PTXFARM_RETURN_IF_ERROR(ReadTable(table, *node.as_table(), file.tables[table]));
    }
    return file;
  }

 private:
  Status ReadTable(const std::string& table, const toml::table& content,
                   std::map<std::string, FileEntry>& entries) const {
    for (const auto& [key, node] : content) {
      const std::string name(key.str());
      if (table.empty() && node.is_table()) {
        PTXFARM_RETURN_IF_ERROR(CheckTableName(name, LineOf(node)));
        continue;
      }
      const Option* const option = Find(table, name);
      if (option == nullptr) return UnknownKey(table, name, LineOf(node));
      PTXFARM_ASSIGN_OR_RETURN(entries[name], ReadEntry(*option, node));
    }
    return Ok{};
  }

  Status CheckTableName(const std::string& name, u32 line) const {
    const std::vector<std::string> names(std::begin(kFileTables), std::end(kFileTables));
    if (std::find(names.begin(), names.end(), name) != names.end()) return Ok{};
    return At(path_, line, fmt::format("no table [{}]{}", name, DidYouMean(name, names)));
  }

  const Option* Find(const std::string& table, const std::string& name) const {
    const auto keys = known_.find(table);
    if (keys == known_.end()) return nullptr;
    const auto found = keys->second.find(name);
    return found == keys->second.end() ? nullptr : found->second;
  }

  // A key that another table has is most often one that stands under the wrong heading.
  Error UnknownKey(const std::string& table, const std::string& name, u32 line) const {
    for (const auto& [other, keys] : known_) {
      if (!keys.contains(name)) continue;
      return At(path_, line,
                other.empty()
                    ? fmt::format("'{}' belongs to the top of the file, before the tables", name)
                    : fmt::format("'{}' belongs under [{}]", name, other));
    }
    std::vector<std::string> names;
    if (const auto keys = known_.find(table); keys != known_.end()) {
      for (const auto& [key, option] : keys->second) names.push_back(key);
    }
    return At(path_, line, fmt::format("no option '{}'{}", name, DidYouMean(name, names)));
  }

  Result<FileEntry> ReadEntry(const Option& option, const toml::node& node) const {
    FileEntry entry{{}, LineOf(node)};
    if (const toml::array* const array = node.as_array()) {
      if (!option.value.is_list())
        return At(path_, entry.line, fmt::format("'{}' takes one value, no list", option.name));
      for (const toml::node& element : *array) {
        std::optional<std::string> text = TextOf(element);
        if (!text) return WrongType(option, LineOf(element));
        entry.texts.push_back(*std::move(text));
      }
      return entry;
    }
    std::optional<std::string> text = TextOf(node);
    if (!text) return WrongType(option, entry.line);
    entry.texts.push_back(*std::move(text));
    return entry;
  }

  Error WrongType(const Option& option, u32 line) const {
    return At(path_, line,
              fmt::format("'{}' takes a text in quotes, a number or true/false", option.name));
  }

  const std::string& path_;
  const std::map<std::string, std::map<std::string, const Option*>> known_;
};

}  // namespace

Result<ConfigFile> ReadConfigFile(const std::string& path, const Program& program) {
  Result<std::string> bytes = ReadFile(path, kFileBytesMax.value);
  if (!bytes) return std::move(bytes).error().Wrap("config file");
  try {
    const toml::table root = toml::parse(*bytes, path);
    return Reader(path, program).Read(root);
  } catch (const toml::parse_error& error) {
    return At(path, error.source().begin.line, error.description());
  }
}

}  // namespace ptxfarm::config

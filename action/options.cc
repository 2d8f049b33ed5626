#include "action/options.h"

#include <algorithm>
#include <charconv>
#include <map>

#include "base/text.h"

namespace ptxfarm::action {
namespace {

struct Spelling {
  const OptionRow* row;
  std::optional<std::string> value;  // Of "--name=value" or "-O2".
};

// "-O2" and "-m64" are the only options whose value may stand right behind a short name.
bool TakesAttachedValue(const OptionRow& row) {
  return row.short_name == "O" || row.short_name == "m";
}

std::optional<Spelling> ReadWord(std::string_view word) {
  if (word.size() < 2 || word[0] != '-') return std::nullopt;
  const bool is_long = word[1] == '-';
  const std::string_view body = word.substr(is_long ? 2 : 1);
  const std::size_t equals = body.find('=');
  const std::string_view name = body.substr(0, equals);
  std::optional<std::string> value;
  if (equals != std::string_view::npos) value = std::string(body.substr(equals + 1));
  for (const OptionRow& row : OptionTable()) {
    // ptxas takes the long name behind one dash too, and the short one behind two is refused there.
    if (row.name == name || (!is_long && row.short_name == name)) return Spelling{&row, value};
    if (!is_long && TakesAttachedValue(row) && body.starts_with(row.short_name) &&
        body.size() > row.short_name.size() && body[row.short_name.size()] >= '0' &&
        body[row.short_name.size()] <= '9')
      return Spelling{&row, std::string(body.substr(row.short_name.size()))};
  }
  return std::nullopt;
}

Error UnknownOption(std::string_view word) {
  std::string message = fmt::format("unknown compiler option '{}'", Shortened(word));
  const std::string_view name = word.substr(std::min(word.find_first_not_of('-'), word.size()));
  std::vector<std::string_view> names;
  for (const OptionRow& row : OptionTable()) {
    names.push_back(row.name);
    names.push_back(row.short_name);
  }
  if (const std::optional<std::string_view> near = Nearest(name.substr(0, name.find('=')), names))
    message += fmt::format(" (did you mean '-{}'?)", *near);
  return Error{Code::kInvalidArgument, message};
}

Status CheckValue(const OptionRow& row, const std::string& value) {
  if (row.value == OptionValue::kBool && value != "true" && value != "false")
    return MakeError(Code::kInvalidArgument, "option '--{}' takes true or false, not '{}'",
                     row.name, Shortened(value));
  if (value.empty())
    return MakeError(Code::kInvalidArgument, "option '--{}' needs a value", row.name);
  if (row.name == "machine" && value != "64")
    return MakeError(Code::kInvalidArgument, "option '--machine' takes 64 only, not '{}'",
                     Shortened(value));
  if (row.name == "opt-level" && (value.size() != 1 || value[0] < '0' || value[0] > '4'))
    return MakeError(Code::kInvalidArgument, "option '--opt-level' takes 0 to 4, not '{}'",
                     Shortened(value));
  return Ok{};
}

}  // namespace

Result<std::vector<GivenOption>> ReadOptions(std::span<const std::string> words) {
  std::vector<GivenOption> given;
  for (std::size_t i = 0; i < words.size(); ++i) {
    std::optional<Spelling> spelling = ReadWord(words[i]);
    if (!spelling) return UnknownOption(words[i]);
    const OptionRow& row = *spelling->row;
    if (row.effect == OptionEffect::kRefused)
      return MakeError(Code::kInvalidArgument, "option '{}' is not for a compile request: {}",
                       Shortened(words[i]), row.note);
    if (row.value == OptionValue::kNone && spelling->value)
      return MakeError(Code::kInvalidArgument, "option '--{}' takes no value", row.name);
    if (row.value != OptionValue::kNone) {
      if (!spelling->value && i + 1 < words.size()) spelling->value = words[++i];
      PTXFARM_RETURN_IF_ERROR(CheckValue(row, spelling->value.value_or("")));
    }
    given.push_back({&row, spelling->value.value_or("")});
  }
  return given;
}

Result<CompileOptions> NormalizeOptions(std::span<const std::string> words) {
  // By name: sorted, and an option given twice is one option.
  std::map<std::string_view, std::string> given;
  PTXFARM_ASSIGN_OR_RETURN(const std::vector<GivenOption> options_given, ReadOptions(words));
  for (const auto& [row, value] : options_given) {
    const auto [entry, inserted] = given.emplace(row->name, value);
    if (!inserted && entry->second != value)
      return MakeError(Code::kInvalidArgument, "option '--{}' is given twice, as '{}' and '{}'",
                       row->name, Shortened(entry->second), Shortened(value));
  }

  CompileOptions options;
  options.relocatable = given.contains("compile-only");
  options.extensible = given.contains("extensible-whole-program");
  options.debug = given.contains("device-debug");
  if (const auto level = given.find("opt-level"); level != given.end())
    options.optimization_level = static_cast<u32>(level->second[0] - '0');

  // With -Werror a warning is a verdict, so what asks for warnings, or silences them, changes it.
  const bool warnings_matter = given.contains("warning-as-error");
  for (const auto& [name, value] : given) {
    const auto row =
        std::find_if(OptionTable().begin(), OptionTable().end(),
                     [&, key = name](const OptionRow& candidate) { return candidate.name == key; });
    options.lines_matter |= row->effect == OptionEffect::kLines;
    const bool kept =
        row->effect == OptionEffect::kBytes || row->effect == OptionEffect::kLines ||
        (row->effect == OptionEffect::kReport && warnings_matter && row->name != "verbose");
    if (!kept) continue;
    // -g changes the default level, so an explicit one stays.
    const bool is_default = !row->default_value.empty() && row->default_value == value;
    if (is_default && !(row->name == "opt-level" && options.debug)) continue;
    options.canonical.push_back(value.empty() ? fmt::format("--{}", name)
                                              : fmt::format("--{}={}", name, value));
  }
  return options;
}

}  // namespace ptxfarm::action

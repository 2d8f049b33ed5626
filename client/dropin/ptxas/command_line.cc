#include "client/dropin/ptxas/command_line.h"

#include <algorithm>
#include <optional>

#include "base/file.h"
#include "client/dropin/tool/plain_words.h"

namespace ptxfarm::dropin {
namespace {

using action::OptionRow;
using action::OptionValue;

constexpr u64 kOptionsFileBytesMax = 1 << 20;
constexpr std::size_t kWordsMax = 100'000;

struct Spelled {
  const OptionRow* row = nullptr;
  std::optional<std::string_view> value;
};

// "-O2" and "-m64": the value stands right behind the short name.
bool TakesAttachedValue(const OptionRow& row) {
  return row.short_name == "O" || row.short_name == "m";
}

// Its short name behind one dash, its long one behind two; nothing else, unlike a request's
// options.
std::optional<Spelled> ReadOption(std::string_view word) {
  const bool is_long = word.starts_with("--");
  const std::string_view body = word.substr(is_long ? 2 : 1);
  const std::size_t equals = body.find('=');
  const std::string_view name = body.substr(0, equals);
  Spelled spelled;
  if (equals != std::string_view::npos) spelled.value = body.substr(equals + 1);
  for (const OptionRow& row : action::OptionTable()) {
    spelled.row = &row;
    if (name == (is_long ? row.name : row.short_name)) return spelled;
    if (is_long || !TakesAttachedValue(row) || !body.starts_with(row.short_name)) continue;
    const std::string_view digits = body.substr(row.short_name.size());
    if (digits.empty() || digits.find_first_not_of("0123456789") != std::string_view::npos)
      continue;
    spelled.value = digits;
    return spelled;
  }
  return std::nullopt;
}

// Values of these add up; of all others the last counts.
bool IsList(const OptionRow& row) {
  return row.name == "entry" || row.name == "maxntid" || row.name == "input-as-string" ||
         row.name == "options-file";
}

class Reader {
 public:
  PtxasCall Read(std::span<const char* const> words) {
    for (const char* const word : words) call_.words.emplace_back(word);
    if (words.empty()) return Query("help");
    for (std::size_t at = 0; at < call_.words.size() && call_.why.empty(); ++at) at = ReadWord(at);
    Judge();
    return std::move(call_);
  }

 private:
  PtxasCall Query(std::string_view query) {
    call_.kind = CallKind::kQuery;
    call_.query = query;
    return std::move(call_);
  }

  // Returns the last word that belongs to what stands at `at`.
  std::size_t ReadWord(std::size_t at) {
    const std::string word = call_.words[at];
    if (word.empty() || word == "-") return Refuse("a word that is no name", at);
    if (word[0] != '-') {
      call_.inputs.push_back({.name = word, .text = {}, .word = at});
      return at;
    }
    const std::optional<Spelled> spelled = ReadOption(word);
    if (!spelled)
      return Refuse("an unknown option", at,
                    "Unknown option '" + word.substr(1, word.find('=') - 1) + "'");
    const OptionRow& row = *spelled->row;
    if (row.value == OptionValue::kNone) {
      if (spelled->value)
        return Refuse("a value that isn't expected", at,
                      "no argument expected after '" + word.substr(0, word.find('=')) + "'");
      return TakeFlag(row, at);
    }
    // A number of the level never stands apart: "-O 2" is an input "2".
    if (!spelled->value && row.short_name == "O" && !word.starts_with("--"))
      return Refuse("a level without a number", at);
    if (spelled->value) return TakeValue(row, std::string(*spelled->value), at);
    if (at + 1 == call_.words.size())
      return Refuse("a value that is missing", at, "argument expected after '" + word + "'");
    return TakeValue(row, call_.words[at + 1], at + 1);
  }

  std::size_t TakeFlag(const OptionRow& row, std::size_t at) {
    if (row.name == "help" || row.name == "version" || row.name == "list-version")
      queries_.push_back(row.name);
    else
      call_.options.push_back({&row, ""});
    return at;
  }

  std::size_t TakeValue(const OptionRow& row, std::string value, std::size_t at) {
    if (value.empty()) return Refuse("an empty value", at);
    if (row.value == OptionValue::kBool && value != "true" && value != "false")

      return Refuse("a value that is neither true nor false", at,
                    "'" + value + "': expected true or false");
    if (row.name == "options-file") return TakeOptionsFile(value, at);
    if (row.name == "input-as-string") {
      call_.inputs.push_back({.name = std::string(kTextInputName),
                              .text = std::move(value),
                              .is_text = true,
                              .word = at});
      return at;
    }
    NoteRedefinition(row, value);
    if (row.name == "gpu-name") {
      call_.target = std::move(value);
    } else if (row.name == "output-file") {
      call_.output = std::move(value);
      call_.output_given = true;
      call_.output_word = at;
    } else {
      call_.lists_repeated |= IsList(row) && call_.Has(row.name);
      call_.options.push_back({&row, std::move(value)});
    }
    return at;
  }

  void NoteRedefinition(const OptionRow& row, const std::string& value) {
    if (IsList(row)) return;
    const auto known = std::ranges::find(values_, &row, &action::GivenOption::row);
    if (known == values_.end()) {
      values_.push_back({&row, value});
      return;
    }
    if (known->value != value) call_.redefined.emplace_back(row.name);
    known->value = value;
  }

  // Its words take the place of the option: parted by blanks, a double quote keeps some together in
  // ways of ptxas's own, which are left to it.
  std::size_t TakeOptionsFile(const std::string& path, std::size_t at) {
    has_options_file_ = true;
    if (path.find(',') != std::string::npos) return Refuse("several options files", at);
    const Result<std::string> text = ReadFile(path, kOptionsFileBytesMax);
    const std::optional<std::vector<std::string>> words = text ? PlainWords(*text) : std::nullopt;
    if (!words) return Refuse("an options file that isn't plain words", at);
    if (std::ranges::any_of(*words, [](const std::string& word) {
          return word.starts_with("-optf") || word.starts_with("--options-file");
        }))
      return Refuse("an options file that names another", at);
    if (call_.words.size() + words->size() > kWordsMax) return Refuse("too many words", at);
    const bool is_one_word = call_.words[at].starts_with('-');
    const std::size_t first = is_one_word ? at : at - 1;
    call_.words.erase(call_.words.begin() + static_cast<std::ptrdiff_t>(first),
                      call_.words.begin() + static_cast<std::ptrdiff_t>(at + 1));
    call_.words.insert(call_.words.begin() + static_cast<std::ptrdiff_t>(first), words->begin(),
                       words->end());
    return first - 1;  // The loop goes on with the first of them.
  }

  void Judge() {
    if (!call_.why.empty()) return;
    if (!queries_.empty()) {
      if (call_.words.size() == 1) {
        call_.kind = CallKind::kQuery;
        call_.query = queries_.front();
        return;
      }
      call_.why = "a question among other words";
    } else if (call_.inputs.empty()) {
      call_.why = "no input";
    } else if (call_.inputs.size() > 1) {
      call_.why = "several inputs";
    } else if (has_options_file_ && !call_.redefined.empty()) {
      // Which value is the last one then is the tool's to say.
      call_.why = "an option given twice, once in a file";
    } else {
      call_.kind = CallKind::kCompile;
    }
  }

  std::size_t Refuse(std::string_view why, std::size_t at, std::string said = {}) {
    call_.why = why;
    call_.said = std::move(said);
    return at;
  }

  PtxasCall call_;
  std::vector<std::string_view> queries_;
  std::vector<action::GivenOption> values_;
  bool has_options_file_ = false;
};

}  // namespace

bool PtxasCall::Has(std::string_view option) const {
  return std::ranges::any_of(
      options, [option](const action::GivenOption& given) { return given.row->name == option; });
}

bool PtxasCall::makes_object() const {
  return !target.starts_with("compute_") && !target.starts_with("lto_");
}

PtxasCall ReadPtxasCall(std::span<const char* const> words) { return Reader().Read(words); }

}  // namespace ptxfarm::dropin

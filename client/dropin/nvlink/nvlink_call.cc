#include "client/dropin/nvlink/nvlink_call.h"

#include <algorithm>
#include <map>

#include "action/link_options.h"
#include "base/file.h"
#include "client/dropin/tool/plain_words.h"

namespace ptxfarm::dropin {
namespace {

using action::LinkOptionRow;
using action::LinkOptionUse;
using action::LinkOptionValue;

constexpr u64 kOptionsFileBytesMax = 1 << 20;
constexpr std::size_t kWordsMax = 100'000;

struct Spelled {
  const LinkOptionRow* row = nullptr;
  std::optional<std::string> value;
};

// "-lcudadevrt", "-L/usr/lib", "-m64": the value stands right behind the short name.
bool TakesAttachedValue(const LinkOptionRow& row) {
  return row.short_name == "l" || row.short_name == "L" || row.short_name == "m";
}

// Its short name behind one dash, its long one behind two.
std::optional<Spelled> ReadOption(std::string_view word) {
  const bool is_long = word.starts_with("--");
  const std::string_view body = word.substr(is_long ? 2 : 1);
  const std::size_t equals = body.find('=');
  const std::string_view name = body.substr(0, equals);
  for (const LinkOptionRow& row : action::LinkOptionTable()) {
    if (name != (is_long ? row.name : row.short_name)) continue;
    if (equals == std::string_view::npos) return Spelled{&row, std::nullopt};
    return Spelled{&row, std::string(body.substr(equals + 1))};
  }
  if (is_long || equals != std::string_view::npos) return std::nullopt;
  for (const LinkOptionRow& row : action::LinkOptionTable())
    if (TakesAttachedValue(row) && body.starts_with(row.short_name))
      return Spelled{&row, std::string(body.substr(row.short_name.size()))};
  return std::nullopt;
}

// Options of the compilers within may name files, which a key doesn't hold.
bool MayNameFiles(std::string_view value) {
  return value.find('/') != std::string_view::npos ||
         value.find("file") != std::string_view::npos ||
         value.find("optf") != std::string_view::npos;
}

class Reader {
 public:
  NvlinkCall Read(std::span<const char* const> words) {
    for (const char* const word : words) call_.words.emplace_back(word);
    for (std::size_t at = 0; at < call_.words.size() && call_.why_not.empty(); ++at)
      at = ReadWord(at);
    Judge();
    for (const LinkOptionRow& row : action::LinkOptionTable()) {
      const auto given = values_.find(&row);
      if (given == values_.end() || row.use != LinkOptionUse::kBytes) continue;
      std::string word = "--" + std::string(row.name);
      if (row.value != LinkOptionValue::kNone) word += "=" + given->second;
      call_.options.push_back(std::move(word));
    }
    return std::move(call_);
  }

 private:
  // Returns the last word that belongs to what stands at `at`.
  std::size_t ReadWord(std::size_t at) {
    const std::string word = call_.words[at];
    if (word.empty() || word == "-") return Refuse("a word that is no name", at);
    if (word[0] != '-') {
      call_.inputs.push_back(word);
      return at;
    }
    std::optional<Spelled> spelled = ReadOption(word);
    if (!spelled) return Refuse("an unknown option", at);
    const LinkOptionRow& row = *spelled->row;
    if (row.use == LinkOptionUse::kRefused) return Refuse("an option that asks for more", at);
    if (row.value == LinkOptionValue::kNone) {
      if (spelled->value) return Refuse("a value that isn't expected", at);
      values_[&row] = "";
      return at;
    }
    if (!spelled->value) {
      if (++at == call_.words.size()) return Refuse("a value that is missing", at - 1);
      spelled->value = call_.words[at];
    }
    return TakeValue(row, *std::move(spelled->value), at);
  }

  std::size_t TakeValue(const LinkOptionRow& row, std::string value, std::size_t at) {
    if (value.empty()) return Refuse("an empty value", at);
    const bool is_list = row.value == LinkOptionValue::kList;
    if (is_list && value.find_first_of("\"'\\") != std::string::npos)
      return Refuse("a list with quotes", at);
    if (row.use == LinkOptionUse::kOptionsFile) return TakeOptionsFile(value, at);
    const auto [given, is_first] = values_.try_emplace(&row, value);
    if (!is_first && is_list)
      given->second += "," + value;
    else if (!is_first && given->second != value)
      return Refuse("an option given twice", at);
    switch (row.use) {
      case LinkOptionUse::kTarget: call_.target = std::move(value); break;
      case LinkOptionUse::kLibrary: return AddParts(call_.libraries, value, at);
      case LinkOptionUse::kLibraryPath: return AddParts(call_.library_folders, value, at);
      case LinkOptionUse::kNvvmPath: call_.nvvm_path = std::move(value); break;
      case LinkOptionUse::kOutput: call_.output = {std::move(value), at}; break;
      case LinkOptionUse::kRegister: call_.register_file = {std::move(value), at}; break;
      case LinkOptionUse::kBytes:
        if (row.name.starts_with("X") && MayNameFiles(value))
          return Refuse("an option that names files", at);
        break;
      case LinkOptionUse::kNothing:
      case LinkOptionUse::kOptionsFile:
      case LinkOptionUse::kRefused: break;
    }
    return at;
  }

  std::size_t AddParts(std::vector<std::string>& parts, const std::string& list, std::size_t at) {
    for (std::size_t begin = 0; begin <= list.size();) {
      const std::size_t end = std::min(list.find(',', begin), list.size());
      if (end == begin) return Refuse("an empty part of a list", at);
      parts.push_back(list.substr(begin, end - begin));
      begin = end + 1;
    }
    return at;
  }

  // Its words take the place of the option.
  std::size_t TakeOptionsFile(const std::string& path, std::size_t at) {
    const Result<std::string> text = ReadFile(path, kOptionsFileBytesMax);
    const std::optional<std::vector<std::string>> words = text ? PlainWords(*text) : std::nullopt;
    if (!words || std::ranges::any_of(*words, [](const std::string& word) {
          return word.starts_with("-optf") || word.starts_with("--options-file");
        }))
      return Refuse("an options file that isn't plain words", at);
    if (call_.words.size() + words->size() > kWordsMax) return Refuse("too many words", at);
    const std::size_t first = call_.words[at] == path ? at - 1 : at;
    const auto begin = call_.words.begin() + static_cast<std::ptrdiff_t>(first);
    call_.words.insert(
        call_.words.erase(begin, call_.words.begin() + static_cast<std::ptrdiff_t>(at + 1)),
        words->begin(), words->end());
    return first - 1;  // The loop goes on with the first of them.
  }

  void Judge() {
    if (!call_.why_not.empty()) return;
    if (call_.inputs.empty())
      call_.why_not = "no input";
    else if (call_.output.name.empty())
      call_.why_not = "no output";
    else if (!call_.target.starts_with("sm_"))
      call_.why_not = "no target that is a GPU's";
  }

  std::size_t Refuse(std::string_view why, std::size_t at) {
    call_.why_not = why;
    return at;
  }

  NvlinkCall call_;
  std::map<const LinkOptionRow*, std::string> values_;
};

// "-o=k.cubin" is one word.
void Rename(std::vector<std::string>& words, const NamedOutput& output, const std::string& name) {
  std::string& word = words[output.word];
  word = word == output.name ? name : word.substr(0, word.find('=') + 1) + name;
}

}  // namespace

bool NvlinkCall::Has(std::string_view option) const {
  return std::ranges::any_of(options, [option](const std::string& word) {
    const std::string_view body = std::string_view(word).substr(2);
    return body.substr(0, body.find('=')) == option;
  });
}

bool NvlinkCall::optimizes_at_link_time() const { return Has("dlto") || Has("link-time-opt"); }

NvlinkCall ReadNvlinkCall(std::span<const char* const> words) { return Reader().Read(words); }

std::vector<std::string> WordsWithOutputs(const NvlinkCall& call, const std::string& output,
                                          const std::string& register_file) {
  std::vector<std::string> words = call.words;
  Rename(words, call.output, output);
  if (call.register_file) Rename(words, *call.register_file, register_file);
  return words;
}

}  // namespace ptxfarm::dropin

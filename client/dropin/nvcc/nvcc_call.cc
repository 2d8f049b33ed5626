#include "client/dropin/nvcc/nvcc_call.h"

#include <algorithm>
#include <iterator>
#include <optional>

#include <fmt/format.h>

#include "base/file.h"
#include "client/dropin/nvcc/nvcc_options.h"
#include "client/dropin/tool/plain_words.h"

namespace ptxfarm::dropin {
namespace {

constexpr u64 kOptionsFileBytesMax = 16 << 20;
constexpr int kOptionsFilesMax = 100;

// What of the host compiler's options a key can't hold: files and folders that it reads or writes
// besides, by the words' beginnings.
constexpr std::string_view kHostOptionsRefused[] = {
    "@",
    "-B",
    "-E",
    "-I",
    "-M",
    "-Wp,",
    "-Xpreprocessor",
    "-coverage",
    "-fdump",
    "-fmodule",
    "-fplugin",
    "-fprofile",
    "-ftest-coverage",
    "-gsplit-dwarf",
    "-i",
    "-o",
    "-save-temps",
    "-specs",
    "-wrapper",
    "--coverage",
    "--save-temps",
    "--sysroot",
    "--specs",
};

struct Spelled {
  const NvccOption* option;
  std::optional<std::string> value;
};

std::optional<Spelled> ReadWord(std::string_view word) {
  const bool is_long = word.starts_with("--");
  const std::string_view body = word.substr(is_long ? 2 : 1);
  const std::size_t equals = body.find('=');
  const std::string_view name = body.substr(0, equals);
  for (const NvccOption& option : NvccOptions())
    if ((is_long ? option.name : option.short_name) == name) {
      if (equals == std::string_view::npos) return Spelled{&option, std::nullopt};
      return Spelled{&option, std::string(body.substr(equals + 1))};
    }
  if (is_long) return std::nullopt;
  for (const NvccOption& option : NvccOptions())
    if (option.value == NvccValue::kAttached && body.starts_with(option.short_name))
      return Spelled{&option, std::string(body.substr(option.short_name.size()))};
  return std::nullopt;
}

bool IsRefused(const std::string& word) {
  const std::optional<Spelled> spelled = word.starts_with('-') ? ReadWord(word) : std::nullopt;
  return spelled && spelled->option->effect == NvccEffect::kRefused;
}

bool IsCudaSource(std::string_view path) { return path.ends_with(".cu"); }

std::string_view Stem(std::string_view path) {
  path.remove_prefix(path.rfind('/') + 1);
  return path.substr(0, path.rfind('.'));
}

class Reader {
 public:
  void Read(std::span<const std::string> words, bool are_ours) {
    for (std::size_t i = 0; i < words.size() && call_.why_not.empty(); ++i) {
      const std::string& word = words[i];
      if (word.size() < 2 || word[0] != '-') {
        TakeInput(word);
        Keep(word, are_ours);
        continue;
      }
      std::optional<Spelled> spelled = ReadWord(word);
      if (!spelled && forwards_) {
        CheckHostOptions(word);
        call_.key_words.push_back("host=" + word);
        Keep(word, are_ours);
        continue;
      }
      if (!spelled) return Refuse("the option '{}' is not known here", word);
      const NvccOption& option = *spelled->option;
      const bool takes_value = option.value != NvccValue::kNone;
      if (!takes_value && spelled->value) return Refuse("'{}' takes no value", word);
      const bool in_next_word = takes_value && !spelled->value;
      if (in_next_word && i + 1 == words.size()) return Refuse("'{}' needs a value", word);
      if (option.effect == NvccEffect::kOptionsFile) {
        ReadOptionsFiles(in_next_word ? words[++i] : *spelled->value, are_ours);
        continue;
      }
      Keep(word, are_ours);
      if (in_next_word) {
        spelled->value = words[++i];
        Keep(words[i], are_ours);
      }
      if (option.effect == NvccEffect::kOutput && are_ours && in_next_word)
        call_.output_word = call_.words.size() - 1;
      Take(option, spelled->value.value_or(""));
    }
  }

  void Refuse(std::string reason) { call_.why_not = std::move(reason); }
  template <typename... Args>
  void Refuse(fmt::format_string<Args...> format, Args&&... args) {
    call_.why_not = fmt::format(format, std::forward<Args>(args)...);
  }

  // Not as a whole; what it runs may be served all the same.
  template <typename... Args>
  void RefuseWhole(fmt::format_string<Args...> format, Args&&... args) {
    Refuse(format, std::forward<Args>(args)...);
    call_.has_steps = true;
  }

  NvccCall Finish() {
    if (!call_.why_not.empty()) return std::move(call_);
    call_.include_folders.insert(call_.include_folders.end(), later_folders_.begin(),
                                 later_folders_.end());
    if (phase_ == nullptr)
      RefuseWhole("it links");
    else if (call_.input.empty())
      Refuse("it has no input");
    else if (!IsCudaSource(call_.input) && !is_cuda_)
      Refuse("'{}' is no CUDA source", call_.input);
    else if (wants_dependencies_ && call_.dependency_file.empty())
      RefuseWhole("the dependency file has no name of its own (-MF)");
    if (!call_.why_not.empty()) return std::move(call_);

    call_.makes_object = phase_->suffix == ".o";
    call_.names_output = !call_.output.empty();
    if (!call_.names_output) call_.output = fmt::format("{}{}", Stem(call_.input), phase_->suffix);
    if (!wants_dependencies_) call_.dependency_file.clear();
    // The rule in the file then names the output.
    if (wants_dependencies_ && !call_.names_target)
      call_.key_words.push_back("output=" + call_.output);
    return std::move(call_);
  }

 private:
  void Keep(const std::string& word, bool are_ours) {
    if (are_ours) call_.words.push_back(word);
  }

  void TakeInput(const std::string& word) {
    if (word.empty() || word == "-") return Refuse("it reads its standard input");
    if (word[0] == '@') return Refuse("it has an @file");
    if (!call_.input.empty()) return RefuseWhole("it has several inputs");
    call_.input = word;
    call_.key_words.push_back("input=" + word);
  }

  void Take(const NvccOption& option, const std::string& value) {
    const auto to_key = [&] {
      call_.key_words.push_back(option.value == NvccValue::kNone
                                    ? std::string(option.name)
                                    : fmt::format("{}={}", option.name, value));
    };
    switch (option.effect) {
      case NvccEffect::kKey:
        if (option.name == "gpu-architecture" && value.find("native") != std::string::npos)
          return RefuseWhole("'native' asks for the GPUs of this machine");
        is_cuda_ |= option.name == "x" && value == "cu";
        return to_key();
      case NvccEffect::kThreads: call_.names_threads = true; return;
      case NvccEffect::kPhase:
        if (phase_ != nullptr && phase_ != &option)
          return Refuse("it asks for two kinds of output");
        phase_ = &option;
        return to_key();
      case NvccEffect::kOutput:
        if (!call_.output.empty()) return Refuse("the output is named twice");
        call_.output = value;
        return;
      case NvccEffect::kDependencies: wants_dependencies_ = true; return to_key();
      case NvccEffect::kDependencyFile: call_.dependency_file = value; return;
      case NvccEffect::kDependencyTarget: call_.names_target = true; return to_key();
      case NvccEffect::kInclude: AddFolders(call_.include_folders, value); return to_key();
      case NvccEffect::kIncludeLater: AddFolders(later_folders_, value); return to_key();
      case NvccEffect::kHostCompiler: call_.host_compiler = value; return to_key();
      case NvccEffect::kHostOptions: CheckHostOptions(value); return to_key();
      case NvccEffect::kForward: forwards_ = true; return to_key();
      case NvccEffect::kPreInclude: return to_key();
      case NvccEffect::kOptionsFile: break;  // Read before.
      case NvccEffect::kSteps: return RefuseWhole("of its option --{}", option.name);
      case NvccEffect::kRefused: return Refuse("of its option --{}", option.name);
    }
  }

  static void AddFolders(std::vector<std::string>& folders, std::string_view list) {
    for (std::size_t begin = 0; begin <= list.size();) {
      const std::size_t end = std::min(list.find(',', begin), list.size());
      if (end > begin) folders.emplace_back(list.substr(begin, end - begin));
      begin = end + 1;
    }
  }

  void CheckHostOptions(std::string_view list) {
    for (std::size_t begin = 0; begin <= list.size();) {
      const std::size_t end = std::min(list.find(',', begin), list.size());
      const std::string_view word = list.substr(begin, end - begin);
      begin = end + 1;
      for (const std::string_view refused : kHostOptionsRefused)
        if (word.starts_with(refused))
          return RefuseWhole("of the host compiler's option '{}'", word);
    }
  }

  void ReadOptionsFiles(std::string_view names, bool are_ours) {
    for (std::size_t begin = 0; begin <= names.size() && call_.why_not.empty();) {
      const std::size_t end = std::min(names.find(',', begin), names.size());
      const std::string name(names.substr(begin, end - begin));
      begin = end + 1;
      if (++options_files_ > kOptionsFilesMax)
        return Refuse("its options files include each other");
      const Result<std::string> text = ReadFile(name, kOptionsFileBytesMax);
      if (!text) return Refuse("its options file '{}' can't be read", name);
      const std::optional<std::vector<std::string>> words = PlainWords(*text);
      if (!words) return Refuse("its options file '{}' has quotes", name);
      Read(*words, are_ours);
    }
  }

  NvccCall call_;
  const NvccOption* phase_ = nullptr;
  std::vector<std::string> later_folders_;
  bool is_cuda_ = false;
  bool forwards_ = false;
  bool wants_dependencies_ = false;
  int options_files_ = 0;
};

}  // namespace

NvccCall ReadNvccCall(std::span<const std::string> words, std::string_view prepended,
                      std::string_view appended) {
  Reader reader;
  const std::optional<std::vector<std::string>> before = PlainWords(prepended);
  const std::optional<std::vector<std::string>> after = PlainWords(appended);
  if (!before || !after) {
    reader.Refuse(std::string("there are quotes in $NVCC_PREPEND_FLAGS or $NVCC_APPEND_FLAGS"));
    return reader.Finish();
  }
  reader.Read(*before, false);
  reader.Read(words, true);
  reader.Read(*after, false);
  NvccCall call = reader.Finish();
  // Reading has ended at the first reason.
  for (const std::span<const std::string> part : {std::span(*before), words, std::span(*after)})
    call.has_steps = call.has_steps && std::ranges::none_of(part, IsRefused);
  return call;
}

}  // namespace ptxfarm::dropin

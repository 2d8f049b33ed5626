#include "client/dropin/fatbinary/fatbinary_call.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>

#include "base/file.h"

namespace ptxfarm::dropin {
namespace {

using object::fatbin::CompressMode;
using object::fatbin::MemberKind;
using object::fatbin::MemberTarget;

constexpr u64 kOptionsFileBytesMax = 16 << 20;
constexpr int kOptionsFilesMax = 100;

enum class Option : u8 {
  kBits32,
  kBits64,
  kCiccCmdline,
  kCmdline,
  kCompress,
  kCompressAll,
  kCompressMode,
  kCreate,
  kDebug,
  kDeviceC,
  kEmbedded,
  kHelp,
  kIdent,
  kImage2,
  kImage3,
  kLink,
  kNoAsm,
  kOptionsFile,
  kVersion
};

struct Row {
  Option option;
  std::string_view name;        // Behind two dashes.
  std::string_view short_name;  // Behind one.
  bool takes_value;
};

// clang-format off
// As `fatbinary --help` of CUDA 13.0 lists them, and one that nvcc gives it besides (cicc-cmdline).
constexpr Row kRows[] = {
    {Option::kBits32,       "32",              "32",            false},
    {Option::kBits64,       "64",              "64",            false},
    {Option::kCiccCmdline,  "cicc-cmdline",    "cicc-cmdline",  true},
    {Option::kCmdline,      "cmdline",         "cmdline",       true},
    {Option::kCompress,     "compress",        "compress",      true},
    {Option::kCompressAll,  "compress-all",    "compress-all",  false},
    {Option::kCompressMode, "compress-mode",   "compress-mode", true},
    {Option::kCreate,       "create",          "create",        true},
    {Option::kDebug,        "debug",           "g",             false},
    {Option::kDeviceC,      "device-c",        "c",             false},
    {Option::kEmbedded,     "embedded-fatbin", "fatbin",        true},
    {Option::kHelp,         "help",            "h",             false},
    {Option::kIdent,        "ident",           "ident",         true},
    {Option::kImage2,       "image2",          "image2",        true},
    {Option::kImage3,       "image3",          "image3",        true},
    {Option::kLink,         "link",            "link",          false},
    {Option::kNoAsm,        "no-asm",          "no-asm",        false},
    {Option::kOptionsFile,  "options-file",    "optf",          true},
    {Option::kVersion,      "version",         "V",             false},
};

struct ModeRow { std::string_view name; CompressMode mode; };
constexpr ModeRow kModes[] = {
    {"default", CompressMode::kDefault}, {"balance", CompressMode::kDefault}, {"size", CompressMode::kSize},
    {"speed",   CompressMode::kSpeed},   {"none",    CompressMode::kNone},
};

struct KindRow { std::string_view name; MemberKind kind; };
constexpr KindRow kKinds[] = {{"elf", MemberKind::kCubin}, {"ptx", MemberKind::kPtx}, {"nvvm", MemberKind::kLtoIr}};
// clang-format on

template <typename... Args>
Error Refused(fmt::format_string<Args...> format, Args&&... args) {
  return Error{Code::kInvalidArgument, fmt::format(format, std::forward<Args>(args)...)};
}

// Words of an options file: parted by blanks outside double quotes; a backslash outside of them
// takes the next character as it is, and single quotes mean nothing. Nothing for a backslash inside
// quotes, which the tool reads in a way of its own.
std::optional<std::vector<std::string>> SplitWords(std::string_view text) {
  std::vector<std::string> words;
  std::string word;
  bool in_word = false, in_quotes = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const bool is_blank = c == ' ' || c == '\t' || c == '\n' || c == '\r';
    if (c == '\\' && in_quotes) return std::nullopt;
    if (is_blank && !in_quotes) {
      if (in_word) words.push_back(std::exchange(word, {}));
      in_word = false;
      continue;
    }
    in_word = true;
    if (c == '"')
      in_quotes = !in_quotes;
    else if (c != '\\')
      word += c;
    else if (i + 1 < text.size())
      word += text[++i];
  }
  if (in_word) words.push_back(word);
  return words;
}

// "90a"
std::optional<MemberTarget> ReadTarget(std::string_view text) {
  MemberTarget target;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), target.sm);
  if (error != std::errc() || target.sm == 0) return std::nullopt;
  const std::string_view rest = text.substr(static_cast<std::size_t>(end - text.data()));
  if (rest == "a" || rest == "f") target.suffix = rest[0];
  if (rest.size() > 1 || (rest.size() == 1 && target.suffix == 0)) return std::nullopt;
  return target;
}

// "kind=elf,sm=90a,file=k.cubin", the keywords in any order.
Result<FatbinaryImage> ReadImage(std::string_view text) {
  std::optional<std::string_view> kind, sm, file;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    std::string_view field = text.substr(begin, end - begin);
    field.remove_prefix(std::min(field.find_first_not_of(' '), field.size()));
    begin = end + 1;
    const std::size_t equals = field.find('=');
    if (equals == std::string_view::npos) {
      if (field.empty()) continue;
      return Refused("'{}' is not in 'keyword=value' format", field);
    }
    const std::string_view keyword = field.substr(0, equals);
    std::optional<std::string_view>* const slot = keyword == "kind"   ? &kind
                                                  : keyword == "sm"   ? &sm
                                                  : keyword == "file" ? &file
                                                                      : nullptr;
    if (slot == nullptr) return Refused("Keyword '{}' is not defined for option 'image3'", keyword);
    if (slot->has_value()) return Refused("redefinition of keyword '{}' ", keyword);
    *slot = field.substr(equals + 1);
  }
  const auto row = std::ranges::find(kKinds, kind.value_or(""), &KindRow::name);
  if (row == std::end(kKinds)) return Refused("Missing or unknown kind in image3");
  if (!sm) return Refused("Missing sm in image3");
  const std::optional<MemberTarget> target = ReadTarget(*sm);
  if (!target) return Refused("invalid architecture '{}' in image3", *sm);
  if (!file) return Refused("Missing file in image3");
  return FatbinaryImage{row->kind, *target, std::string(*file)};
}

class Reader {
 public:
  Result<FatbinaryCall> Read(std::span<const std::string> words) {
    PTXFARM_RETURN_IF_ERROR(ReadWords(words));
    if (call_.images.empty())
      return MakeError(Code::kUnimplemented, "no image is given (--image3=kind=…,sm=…,file=…)");
    if (!compress_) call_.compress = CompressMode::kNone;
    return std::move(call_);
  }

 private:
  Status ReadWords(std::span<const std::string> words) {
    for (std::size_t i = 0; i < words.size(); ++i) {
      const std::string_view word = words[i];
      if (!word.starts_with('-') || word.size() < 2)
        return MakeError(Code::kUnimplemented, "'{}' is no option", word);
      const bool is_long = word[1] == '-';
      const std::string_view body = word.substr(is_long ? 2 : 1);
      const std::size_t equals = body.find('=');
      const std::string_view name = body.substr(0, equals);
      const auto row = std::ranges::find_if(kRows, [&](const Row& candidate) {
        return (is_long ? candidate.name : candidate.short_name) == name;
      });
      if (row == std::end(kRows)) return Refused("Unknown option '{}'", word.substr(1));
      std::string value;
      if (row->takes_value) {
        if (equals != std::string_view::npos)
          value = body.substr(equals + 1);
        else if (i + 1 < words.size())
          value = words[++i];
        else
          return Refused("argument expected after '{}'", word);
      } else if (equals != std::string_view::npos) {
        return Refused("no argument expected after '{}'", word.substr(0, word.find('=')));
      }
      PTXFARM_RETURN_IF_ERROR(Take(row->option, std::move(value)));
    }
    return Ok{};
  }

  Status Take(Option option, std::string value) {
    switch (option) {
      case Option::kBits64: return Ok{};
      case Option::kCiccCmdline: call_.lto_options = std::move(value); return Ok{};
      case Option::kCmdline: call_.ptx_options = std::move(value); return Ok{};
      case Option::kCompress:
        if (value != "true" && value != "false")
          return Refused("'{}': expected true or false", value);
        compress_ = value == "true";
        return Ok{};
      case Option::kCompressAll: call_.compress_all = true; return Ok{};
      case Option::kCompressMode: {
        const auto row = std::ranges::find(kModes, value, &ModeRow::name);
        if (row == std::end(kModes)) return Refused("unknown compress-mode '{}'", value);
        call_.compress = row->mode;
        return Ok{};
      }
      case Option::kCreate: return TakeOnce(call_.create, std::move(value), "create");
      case Option::kDebug: call_.debug = true; return Ok{};
      case Option::kDeviceC: call_.relocatable = true; return Ok{};
      case Option::kEmbedded: return TakeOnce(call_.embedded, std::move(value), "embedded-fatbin");
      case Option::kIdent: call_.identifier = std::move(value); return Ok{};
      case Option::kImage3: {
        PTXFARM_ASSIGN_OR_RETURN(FatbinaryImage image, ReadImage(value));
        call_.images.push_back(std::move(image));
        return Ok{};
      }
      case Option::kLink: call_.linked = true; return Ok{};
      case Option::kNoAsm: call_.without_assembler = true; return Ok{};
      case Option::kOptionsFile: return ReadOptionsFiles(value);
      case Option::kBits32:
      case Option::kHelp:
      case Option::kImage2:
      case Option::kVersion: break;
    }
    return MakeError(Code::kUnimplemented, "this needs the toolkit's own fatbinary");
  }

  // Given twice, the tool takes the last one and warns: that is left to it.
  static Status TakeOnce(std::string& field, std::string value, std::string_view name) {
    if (value.empty()) return Refused("Could not open output file ''");
    if (!field.empty() && field != value)
      return MakeError(Code::kUnimplemented, "--{} is given twice", name);
    field = std::move(value);
    return Ok{};
  }

  Status ReadOptionsFiles(std::string_view names) {
    for (std::size_t begin = 0; begin <= names.size();) {
      const std::size_t end = std::min(names.find(',', begin), names.size());
      const std::string name(names.substr(begin, end - begin));
      begin = end + 1;
      if (++options_files_ > kOptionsFilesMax) return Refused("options files include each other");
      const Result<std::string> text = ReadFile(name, kOptionsFileBytesMax);
      if (!text) return Refused("Could not open options file '{}'", name);
      const std::optional<std::vector<std::string>> words = SplitWords(*text);
      if (!words) return MakeError(Code::kUnimplemented, "{} has a backslash between quotes", name);
      PTXFARM_RETURN_IF_ERROR(ReadWords(*words));
    }
    return Ok{};
  }

  FatbinaryCall call_;
  bool compress_ = true;
  int options_files_ = 0;
};

}  // namespace

object::fatbin::WriteOptions FatbinaryCall::WriteOptions() const {
  return {.compress = compress,
          .compress_all = compress_all,
          .relocatable = relocatable,
          .debug = debug,
          .identifier = identifier,
          .ptx_options = ptx_options,
          .lto_options = lto_options};
}

Result<FatbinaryCall> ReadFatbinaryCall(std::span<const std::string> words) {
  return Reader().Read(words);
}

}  // namespace ptxfarm::dropin

#include "client/dropin/nvcc/cicc_call.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

namespace ptxfarm::dropin {
namespace {

enum class Role : u8 {
  kFlag,
  kStart,     // What follows the name in the same word.
  kValue,     // The next word.
  kOutput,    // The next word: a file that is written.
  kModuleId,  // The next word: a file that is read, or written where --gen_module_id_file says so.
};

struct OptionRow {
  std::string_view name;
  Role role = Role::kFlag;
  CiccOutput output = CiccOutput::kPtx;  // kOutput
  bool output_is_keyed = false;          // kOutput: the name stands in what is written.
};

// clang-format off
// Of `nvcc --dryrun` with each of its options (CUDA 13.0). -show-src is left out: it reads the sources.
constexpr OptionRow kOptions[] = {
    {"-O", Role::kStart},
    {"-arch", Role::kValue},
    {"-extra-device-vectorization"},
    {"-fast-math"},
    {"-fmad=", Role::kStart},
    {"-ftz=", Role::kStart},
    {"-g"},
    {"-generate-line-info"},
    {"-inline-info"},
    {"-jump-table-density=", Role::kStart},
    {"-kernel-params-are-restrict"},
    {"-m64"},
    {"-maxreg", Role::kValue},
    {"-o", Role::kOutput, CiccOutput::kPtx},
    {"-olto", Role::kOutput, CiccOutput::kLtoIr},
    {"-prec_div=", Role::kStart},
    {"-prec_sqrt=", Role::kStart},
    {"-split-compile", Role::kValue},
    {"-tused"},
    {"-w"},
    {"--Ofast-compile=", Role::kStart},
    {"--allow_managed"},
    {"--brief_diagnostics"},
    {"--c++", Role::kStart},
    {"--context_limit=", Role::kStart},
    {"--debug_mode"},
    {"--device-c"},
    {"--device-hidden-visibility"},
    {"--diag_error", Role::kValue},
    {"--diag_suppress", Role::kValue},
    {"--diag_warn", Role::kValue},
    {"--display_error_number"},
    {"--extended-lambda"},
    {"--frandom-seed", Role::kValue},
    {"--gen_c_file_name", Role::kOutput, CiccOutput::kHostSource, true},
    {"--gen_device_file_name", Role::kOutput, CiccOutput::kDeviceSource, true},
    {"--gen_div_approx_ftz"},
    {"--gen_module_id_file"},
    {"--gnu_version=", Role::kStart},
    {"--host-stub-linkage-explicit"},
    {"--include_file_name", Role::kValue},
    {"--keep-device-functions"},
    {"--module_id_file_name", Role::kModuleId},
    {"--no-version-ident"},
    {"--no_host_device_initializer_list"},
    {"--no_host_device_move_forward"},
    {"--orig_src_file_name", Role::kValue},
    {"--orig_src_path_name", Role::kValue},
    {"--partial-link"},
    {"--pending_instantiations=", Role::kStart},
    {"--promote_warnings"},
    {"--relaxed_constexpr"},
    {"--static-host-stub"},
    {"--stub_file_name", Role::kOutput, CiccOutput::kStub, true},
};
// clang-format on

constexpr std::string_view kTemporary = "tmpxft_";
constexpr std::string_view kNoNumber = "00000000_00000000";

const OptionRow* RowOf(std::string_view word) {
  const OptionRow* found = nullptr;
  for (const OptionRow& row : kOptions) {
    if (row.role != Role::kStart && row.name == word) return &row;
    if (row.role == Role::kStart && word.starts_with(row.name)) found = &row;
  }
  return found;
}

// Eight hexadecimal digits, '_', eight more.
bool IsNumber(std::string_view text) {
  return text.size() == kNoNumber.size() && text[8] == '_' &&
         text.substr(0, 8).find_first_not_of("0123456789abcdef") == std::string_view::npos &&
         text.substr(9).find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

// That of the last part of a path; nothing where there is none.
std::optional<std::string_view> NumberIn(std::string_view word) {
  const std::size_t at = word.rfind(kTemporary);
  if (at == std::string_view::npos) return std::nullopt;
  const std::string_view number = word.substr(at + kTemporary.size(), kNoNumber.size());
  if (!IsNumber(number)) return std::nullopt;
  return number;
}

std::string Exchanged(std::string text, std::string_view from, std::string_view to) {
  const std::string before = fmt::format("{}{}", kTemporary, from);
  for (std::size_t at = text.find(before); at != std::string::npos;
       at = text.find(before, at + before.size()))
    text.replace(at + kTemporary.size(), from.size(), to);
  return text;
}

CiccCall WhyNot(std::string why) {
  CiccCall call;
  call.why_not = std::move(why);
  return call;
}

}  // namespace

std::string WithoutNumber(std::string text, std::string_view number) {
  return number.empty() ? text : Exchanged(std::move(text), number, kNoNumber);
}

std::string WithNumber(std::string text, std::string_view number) {
  return number.empty() ? text : Exchanged(std::move(text), kNoNumber, number);
}

bool NamesTemporaryFiles(std::string_view text) {
  return text.find(kTemporary) != std::string_view::npos;
}

CiccCall ReadCiccCall(std::span<const std::string> words) {
  CiccCall call;
  for (const std::string& word : words) {
    const std::optional<std::string_view> number = NumberIn(word);
    if (!number) continue;
    if (call.number.empty()) call.number = *number;
    if (call.number != *number) return WhyNot("its files are of two calls of nvcc");
  }
  if (call.number == kNoNumber) return WhyNot("its files have no number");
  const auto add_key = [&](const std::string& word) {
    call.key_words.push_back(WithoutNumber(word, call.number));
  };
  std::string module_id;
  bool makes_module_id = false;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    if (!word.starts_with('-')) {
      if (!call.text.empty()) return WhyNot("it has two inputs");
      call.text = word;
      continue;
    }
    const OptionRow* const row = RowOf(word);
    if (row == nullptr) return WhyNot(fmt::format("the option {} is not known", word));
    add_key(word);
    makes_module_id |= word == "--gen_module_id_file";
    if (row->role == Role::kFlag || row->role == Role::kStart) continue;
    if (++i == words.size()) return WhyNot(fmt::format("{} has no value", word));
    if (row->role == Role::kModuleId) module_id = words[i];
    if (row->role == Role::kOutput) {
      call.outputs[static_cast<std::size_t>(row->output)] = words[i];
      if (!row->output_is_keyed) continue;
    }
    if (row->role != Role::kModuleId) add_key(words[i]);
  }
  if (!call.text.ends_with(".ii")) return WhyNot("it reads no preprocessed text");
  if (makes_module_id)
    call.outputs[static_cast<std::size_t>(CiccOutput::kModuleId)] = std::move(module_id);
  else
    call.module_id = std::move(module_id);
  if (call.outputs[static_cast<std::size_t>(CiccOutput::kPtx)].empty())
    return WhyNot("it writes no PTX");
  return call;
}

}  // namespace ptxfarm::dropin

#include "worker/ptxas/messages.h"

#include <charconv>

#include <fmt/format.h>

#include "base/int.h"
#include "base/text.h"

namespace ptxfarm::worker {
namespace {

using enum action::Outcome;

// clang-format off
// The first row that fits counts. Words as of ptxas 13.0; those of older versions fall through to "compiler-error".
constexpr MessageRow kMessages[] = {
    // pattern                                                            kind                 outcome
    {"Unsupported .version {}; current version is '{}'",                  "toolchain-too-old", kToolchainTooOld,
     "the module says .version {0}, and this ptxas reads up to {1}: a newer toolkit is needed on a worker, or an older .version in the module"},
    {"Value '{}' is not defined for option 'gpu-name'",                   "unknown-target",    kToolchainTooOld,
     "this ptxas doesn't know the target {0}"},

    {"Entry function '{}' uses too much shared data ({} bytes + {} bytes system, {} max)", "shared-limit", kResourceLimit,
     "entry '{0}' asks for {1} bytes of static shared memory besides {2} of the system, and {3} are allowed; dynamic shared memory may be larger", Subject::kShared, 1, 3},
    {"Entry function '{}' uses too much shared data ({} bytes, {} max)",  "shared-limit",      kResourceLimit,
     "entry '{0}' asks for {1} bytes of static shared memory, and {2} are allowed; dynamic shared memory may be larger", Subject::kShared, 1, 2},
    {"Entry function '{}' uses too much local data ({} bytes, {} max)",   "local-limit",       kResourceLimit,
     "entry '{0}' asks for {1} bytes of local memory a thread, and {2} are allowed", Subject::kEntry, 1, 2},
    {"Entry function '{}' uses too much constant data (bank {}, {} bytes, {} max)", "constant-limit", kResourceLimit,
     "entry '{0}' asks for {2} bytes of constant bank {1}, and {3} are allowed", Subject::kEntry, 2, 3},
    {"Entry function '{}' uses too much parameter space ({} bytes, {} max){}", "parameter-limit", kResourceLimit,
     "entry '{0}' asks for {1} bytes of parameters, and {2} are allowed", Subject::kEntry, 1, 2},
    {"Feature 'Kernel parameter size larger than {} bytes' requires PTX ISA .version {} or later", "parameter-limit", kResourceLimit,
     "parameters of more than {0} bytes need .version {1} or later"},
    {"Entry function '{}' uses too much {} data ({} bytes, {} max)",      "memory-limit",      kResourceLimit,
     "entry '{0}' asks for {2} bytes of {1} memory, and {3} are allowed", Subject::kEntry, 2, 3},
    {"File uses too much global constant data ({} bytes, {} max)",        "constant-limit",    kResourceLimit,
     "the .const variables of the module take {0} bytes, and {1} are allowed", Subject::kConstants, 0, 1},
    {"File uses too much global {} data ({} bytes, {} max)",              "memory-limit",      kResourceLimit,
     "the {0} variables of the module take {1} bytes, and {2} are allowed", Subject::kNone, 1, 2},
    {"Insufficient registers ({}) to compile instruction at line {} in function {}. Try to compile with register target of {} or higher.", "register-limit", kResourceLimit,
     "an instruction of function '{2}' needs {3} registers or more, and {0} are allowed: raise --maxrregcount, .maxnreg or lower the threads of a CTA", Subject::kNone, 3, 0, 1},
    {"Entry function '{}' with max regcount of {} calls function '{}' with regcount of {}", "register-limit", kResourceLimit,
     "entry '{0}' may use {1} registers and calls function '{2}', which needs {3}", Subject::kEntry, 3, 1},
    {"GMMA sequence has too many active live ranges ({}), reduce it to bring it under ({})", "register-limit", kResourceLimit, ""},
    {"With specified parameters, return address is {} registers and exceeds specified max reg ({})", "register-limit", kResourceLimit, ""},

    {"Program with .target '{}' cannot be compiled to different SM-family architecture", "target-reach", kInputError,
     "the module says .target {0}, which compiles for its own family only"},
    {"Program with .target '{}' cannot be compiled to different architecture", "target-reach", kInputError,
     "the module says .target {0}, which compiles for exactly that"},
    {"SM version specified by .target is higher than default SM version assumed", "target-reach", kInputError,
     "the module's .target is newer than the target that was asked for"},
    {"Feature '{}' requires PTX ISA .version {} or later",                "needs-version",     kInputError, ""},
    {"Feature '{}' requires .target {} or higher",                        "needs-target",      kInputError,
     "'{0}' needs .target {1} or higher in the module; the target that is compiled for plays no part"},
    {"Instruction '{}' not supported on .target '{}a'",                   "needs-target",      kInputError,
     "'{0}' doesn't exist on the module's .target {1}a"},
    {"Instruction '{}' not supported on .target '{}f'",                   "needs-target",      kInputError,
     "'{0}' doesn't exist on the module's .target {1}f; if it does on {1}a, write .target {1}a and compile for {1}a"},
    {"Instruction '{}' not supported on .target '{}'",                    "needs-target",      kInputError,
     "'{0}' doesn't exist on the module's .target {1}; what is architecture-specific needs the suffix: write .target {1}a and compile for {1}a"},
    {"Duplicate file index #{}",                                          "duplicate-file",    kInputError,
     "file number {0} is given twice: where modules are joined, their files have to be renumbered", Subject::kFileIndex},
    {"Instruction '{}' without '.sync' is not supported on .target {} and higher from PTX ISA version {}", "needs-sync", kInputError,
     "'{0}' needs the form with .sync on {1} and higher since PTX ISA {2}"},
    {"Unresolved extern function '{}'",                                   "unresolved-symbol", kInputError,
     "function '{0}' is only declared: define it, or compile relocatable (-c) and link", Subject::kSymbol},
    {"Unresolved extern variable '{}'",                                   "unresolved-symbol", kInputError,
     "variable '{0}' is only declared: define it, or compile relocatable (-c) and link", Subject::kSymbol},
    {"Missing .version directive at start of file '{}'",                  "missing-version",   kInputError,
     "a module begins with .version; only comments may stand before it"},
    {"Unexpected non-ASCII character encountered on line {}",             "non-ascii",         kInputError, ""},
    {"Unexpected EOF encountered on line {}",                             "syntax",            kInputError, ""},
    {"Parsing error near '{}': syntax error",                             "syntax",            kInputError, ""},
    {"Unknown symbol '{}'",                                               "unknown-symbol",    kInputError, ""},
    {"Optimized debugging not supported",                                 "debug-optimized",   kInputError,
     "a module with 'debug' in its .target, or -g, can't be optimized: leave out the optimization level, or the debugging"},
    {"Pragma '{}' is not allowed for per-function compilation modes",     "pragma",            kInputError,
     "pragma '{0}' works for whole programs only, not with -c", Subject::kPragma},
};
// clang-format on

// A number as ptxas writes it, hexadecimal where it is a size; nothing where the text is none.
std::optional<u64> ReadNumber(std::string_view part) {
  const int base = part.starts_with("0x") ? 16 : 10;
  if (base == 16) part.remove_prefix(2);
  u64 number = 0;
  const auto [stop, error] = std::from_chars(part.data(), part.data() + part.size(), number, base);
  if (error != std::errc() || stop != part.data() + part.size()) return std::nullopt;
  return number;
}

// A number in decimal; any other text as it is, short and printable.
std::string Shown(const std::string& part) {
  const std::optional<u64> number = ReadNumber(part);
  return number ? fmt::format("{}", *number) : Shortened(part);
}

// `words` with {0} … {9} replaced.
std::string Filled(std::string_view words, const std::vector<std::string>& parts) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::size_t index = i + 2 < words.size() && words[i] == '{' && words[i + 2] == '}'
                                  ? static_cast<std::size_t>(words[i + 1] - '0')
                                  : parts.size();
    if (index >= parts.size()) {
      text += words[i];
      continue;
    }
    text += Shown(parts[index]);
    i += 2;
  }
  return text;
}

}  // namespace

std::span<const MessageRow> Messages() { return kMessages; }

std::optional<std::vector<std::string>> Match(std::string_view pattern, std::string_view text) {
  std::vector<std::string> parts;
  while (true) {
    const std::size_t hole = pattern.find("{}");
    if (hole == std::string_view::npos)
      return text == pattern ? std::optional(parts) : std::nullopt;
    if (!text.starts_with(pattern.substr(0, hole))) return std::nullopt;
    text.remove_prefix(hole);
    pattern.remove_prefix(hole + 2);
    // Up to the first place where what follows fits: names hold none of the words around them.
    const std::string_view after = pattern.substr(0, pattern.find("{}"));
    const std::size_t end = pattern.empty() ? text.size() : text.find(after);
    if (end == std::string_view::npos) return std::nullopt;
    parts.emplace_back(text.substr(0, after.empty() ? text.size() : end));
    text.remove_prefix(parts.back().size());
  }
}

KnownMessage FindMessage(std::string_view message) {
  for (const MessageRow& row : kMessages) {
    const std::optional<std::vector<std::string>> parts = Match(row.pattern, message);
    if (!parts) continue;
    const auto number = [&](int part) {
      return part < 0 ? 0 : ReadNumber(parts->at(static_cast<std::size_t>(part))).value_or(0);
    };
    return {.row = &row,
            .words = row.words.empty() ? std::string(message) : Filled(row.words, *parts),
            .name = row.subject == Subject::kNone ? "" : parts->front(),
            .asked = number(row.asked),
            .allowed = number(row.allowed),
            .line = static_cast<u32>(number(row.line))};
  }
  return {.words = std::string(message)};
}

}  // namespace ptxfarm::worker

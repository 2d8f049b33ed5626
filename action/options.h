// Compiler options brought to one spelling and order, so that equal requests have equal keys.
//
// Input are the words of a ptxas command line in any spelling that ptxas takes ("-O2", "-O 2",
// "--opt-level=2"). What names files, targets or threads isn't an option of an action: files and
// targets are the farm's, threads change nothing.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/int.h"
#include "base/result.h"

namespace ptxfarm::action {

// What an option can change, and so where it goes.
enum class OptionEffect : u8 {
  kBytes,    // The object, or whether there is one: part of the key.
  kLines,    // As kBytes, and with it the object holds lines of the text: line tables, or the names
             // that ptxas gives to variables of functions, like $__tile__301 for one of line 301.
  kReport,   // Only what is said; the stored record answers it.
  kNothing,  // Speed of the compile, or the only value there is.
  kRefused,  // Files, targets and modes that the farm's request says in its own fields.
};

enum class OptionValue : u8 { kNone, kText, kBool };

// One option of ptxas 13.0. Its names are those that `ptxas --help` prints.
struct OptionRow {
  std::string_view name;        // "opt-level"
  std::string_view short_name;  // "O"
  OptionValue value;
  OptionEffect effect;
  std::string_view
      default_value;      // Dropped when given; empty where dropping might change something.
  std::string_view note;  // For kRefused: what to use instead.
};

std::span<const OptionRow> OptionTable();

struct GivenOption {
  const OptionRow* row;
  std::string value;  // Empty for OptionValue::kNone.
};

// The options of a command line in the order given. Of one that stands there twice ptxas takes the
// last value, which is the caller's to do or to refuse. INVALID_ARGUMENT as NormalizeOptions().
Result<std::vector<GivenOption>> ReadOptions(std::span<const std::string> words);

struct CompileOptions {
  std::vector<std::string> canonical;     // "--maxrregcount=64", sorted; only what is in the key.
  bool relocatable = false;               // -c
  bool extensible = false;                // -ewp
  bool debug = false;                     // -g
  std::optional<u32> optimization_level;  // As given, also where it is the default.
  bool lines_matter = false;              // Any of kLines (docs/design.md §4).
};

// INVALID_ARGUMENT names the option and what is near, the value that is missing or wrong, or what
// to use instead.
Result<CompileOptions> NormalizeOptions(std::span<const std::string> words);

}  // namespace ptxfarm::action

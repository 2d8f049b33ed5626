// A ptxas command line, read as ptxas 13.0 reads it.
//
// What isn't surely understood is kOther, and goes to the real tool word by word: a wrong line, an
// option of another version, a mode that isn't for a farm. So the reader may be strict where ptxas
// is lenient, and a new ptxas is never broken by it. Measured against ptxas by
// tests/client/dropin/command_line_test.cc.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "action/options.h"

namespace ptxfarm::dropin {

enum class CallKind : u8 {
  kCompile,
  kQuery,  // --version, --help, --list-version (or no word at all): prints, and compiles nothing.
  kOther,
};

struct CallInput {
  std::string name;  // As given; of a text the name that ptxas gives it in messages.
  std::string text;  // Of --input-as-string.
  bool is_text = false;
  std::size_t word = 0;  // Where it stands in `words`.
};

struct PtxasCall {
  CallKind kind = CallKind::kOther;
  std::string_view why;  // For kOther, of a few fixed texts.
  std::string said;      // What ptxas says of such a line and ends; empty where it may go well.
  std::string query;     // For kQuery: "version", "help", "list-version".

  std::vector<std::string> words;  // The line with its options files put in place.
  std::vector<CallInput> inputs;   // One, for kCompile.
  std::string target;              // Empty where none is given: the default of the tool.
  std::string output = "elf.o";
  bool output_given = false;
  std::size_t output_word = 0;  // The word that holds the name: all of it, or behind its '='.
  std::vector<action::GivenOption> options;  // All others, in the order given.
  // Long names of options given twice with two values, in the order in which ptxas warns of them.
  std::vector<std::string> redefined;
  bool lists_repeated = false;  // An option whose values add up is given more than once.

  bool Has(std::string_view option) const;  // "verbose"
  // Only a parse: a virtual target makes no file.
  bool makes_object() const;
};

// `words` without the program's name. Reads the options files that they name.
PtxasCall ReadPtxasCall(std::span<const char* const> words);

inline constexpr std::string_view kDefaultOutput = "elf.o";
inline constexpr std::string_view kTextInputName = "application ptx input";

}  // namespace ptxfarm::dropin

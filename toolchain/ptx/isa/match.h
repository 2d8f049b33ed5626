// Fitting the words of a mnemonic to a form.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "toolchain/ptx/isa/form.h"

namespace ptxfarm::ptx::isa {

// The most words a mnemonic may have; the longest that PTX has are below twenty.
inline constexpr std::size_t kWordsMax = 31;

// How far the words may be from what the form says.
enum class Fit : u8 {
  kExact,     // The manual's words in the manual's order.
  kAnyOrder,  // As ptxas 13.0 takes them: modifiers in any order, some of them twice.
  kNear,      // Words missing or too many: to say what would be right.
};

struct Match {
  const Form* form = nullptr;
  // The value of each set of the form, "-" where it isn't there.
  std::vector<std::string_view> values;
  // Which of the words stand for what the form has, in the order of its syntax.
  std::vector<u8> order;
  std::vector<u8> repeated;  // Words that stand there a second time.

  // kNear only.
  std::vector<u8> surplus;                 // Words that the form has no place for.
  std::vector<const SyntaxNode*> missing;  // What it lacks.
  const Rule* broken_rule = nullptr;       // All words fit, but this forbids them together.

  // A word too many is a slip of the pen, a missing one a decision; where a rule is broken, the
  // words were meant.
  std::size_t Distance() const {
    return surplus.size() + missing.size() * 2 + (broken_rule != nullptr ? 3 : 0);
  }
};

// The words `words` (the opcode first) as the form has them: one match at most, the first in the
// order of the syntax that keeps the form's rules. For kNear the nearest, if any is near, and one
// that only breaks a rule.
std::vector<Match> MatchForm(const Form& form, std::span<const std::string_view> words, Fit fit);

// Whether a condition on words and sets holds; atoms on operands and targets are no business of
// words and count as held.
bool Holds(const Condition& condition, const Match& match, std::span<const std::string_view> words);

}  // namespace ptxfarm::ptx::isa

// The notation of the instruction table, read the same way when the program is built (to refuse a
// malformed row) and when a form is first asked for.
//
//   syntax    mul{<rnd>}{.ftz}.f32x2     words; {a|b} none or one, (a|b) one, <X> one value of set
//   X sets      T=.u16|.u32; mode=.hi|.lo  values; `-` is nothing; a value may be a shared set's
//   name rules     .ftz => S=.f32; !(.a & .b) where the left holds the right must; this must not
//   hold operands  d:dst(T), a:val(T)?, pol:reg(b64) @ .L2::cache_hint targets   sm_100f+|sm_90a
//   see target_set.h gates     .rm|.rp: sm_20+; L1: 7.4   what a word asks beyond the form's own
//   version and targets
//
// An atom of a rule, a gate or an operand's condition:
//   .a|.b     one of these words is there
//   X         set X is there; mixes with words: L1|.L2::cache_hint
//   X=.a|.b   set X has one of these values; `-`: it isn't there
//   !         before any of them: the contrary
//   on sm_89  the module's target is this one (gates only)
//   operand e            the operand stands there (gates only)
//   operand e as register, operand d |pred   (gates only)
#pragma once

#include <string>
#include <string_view>

#include "base/check.h"

namespace ptxfarm::ptx::isa {

// Stops the compiler where a row is read at build time, the program otherwise.
inline void MalformedRow(std::string_view text, std::string_view why) {
  PTXFARM_CHECK(false, std::string(why) + ": " + std::string(text));
}

constexpr std::string_view Trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

// Calls `use` with each part of `text` between separators that stand outside of brackets, trimmed.
// An empty text has no parts.
template <typename Use>
constexpr void ForEachPart(std::string_view text, char separator, Use use) {
  if (Trimmed(text).empty()) return;
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    const char c = i < text.size() ? text[i] : separator;
    if (c == '(' || c == '{') ++depth;
    if (c == ')' || c == '}') --depth;
    if (depth < 0) return MalformedRow(text, "unbalanced brackets");
    if (i < text.size() && (c != separator || depth > 0)) continue;
    use(Trimmed(text.substr(begin, i - begin)));
    begin = i + 1;
  }
  if (depth != 0) MalformedRow(text, "unbalanced brackets");
}

constexpr bool IsNameCharacter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

// The name at the start of `text`: letters, digits, '_'.
constexpr std::string_view NameAt(std::string_view text) {
  std::size_t end = 0;
  while (end < text.size() && IsNameCharacter(text[end])) ++end;
  return text.substr(0, end);
}

// The word at the start of `text`, with its dot: ".f32", ".sp::2:4", "add". Empty where none is.
constexpr std::string_view WordAt(std::string_view text) {
  std::size_t end = !text.empty() && text[0] == '.' ? 1 : 0;
  const std::size_t first = end;
  while (end < text.size() &&
         (IsNameCharacter(text[end]) ||
          (text[end] == ':' && end + 1 < text.size() && end > first &&
           (text[end + 1] == ':' ? end + 2 < text.size() && IsNameCharacter(text[end + 2])
                                 : IsNameCharacter(text[end + 1])))))
    end += text[end] == ':' && text[end + 1] == ':' ? 2 : 1;
  return end == first ? std::string_view{} : text.substr(0, end);
}

// Calls `use` with each dotted word of a value: ".add.noftz" has two, "-" none.
template <typename Use>
constexpr void ForEachWord(std::string_view value, Use use) {
  if (value == "-") return;
  while (!value.empty()) {
    const std::string_view word = WordAt(value);
    if (word.empty() || word[0] != '.') return MalformedRow(value, "no dotted word");
    use(word);
    value.remove_prefix(word.size());
  }
}

// Reads a syntax. The visitor has Word(word), Set(name), Open(is_optional), Alternative(), Close().
template <typename Visitor>
constexpr void ReadSyntax(std::string_view syntax, Visitor& visitor) {
  std::string_view rest = syntax;
  // The brackets open so far, innermost in the lowest bit: 1 for '{'.
  unsigned open = 1;
  while (!rest.empty()) {
    const char c = rest[0];
    std::size_t size = 1;
    if (c == '{' || c == '(') {
      if (open >> 8 != 0) return MalformedRow(syntax, "brackets too deep");
      open = open << 1 | (c == '{' ? 1u : 0u);
      visitor.Open(c == '{');
    } else if (c == '|') {
      if (open == 1) return MalformedRow(syntax, "'|' outside of brackets");
      visitor.Alternative();
    } else if (c == '}' || c == ')') {
      if (open == 1 || (open & 1u) != (c == '}' ? 1u : 0u))
        return MalformedRow(syntax, "a bracket that closes nothing");
      open >>= 1;
      visitor.Close();
    } else if (c == '<') {
      const std::string_view name = NameAt(rest.substr(1));
      size = name.size() + 2;
      if (name.empty() || rest.size() < size || rest[size - 1] != '>')
        return MalformedRow(syntax, "no name between '<' and '>'");
      visitor.Set(name);
    } else {
      const std::string_view word = WordAt(rest);
      if (word.empty()) return MalformedRow(syntax, "no word");
      size = word.size();
      visitor.Word(word);
    }
    rest.remove_prefix(size);
  }
  if (open != 1) MalformedRow(syntax, "an open bracket");
}

// "X=.a|.b" → X and ".a|.b"; the first is empty where there is no '='.
struct NamedValues {
  std::string_view name;
  std::string_view values;
};
constexpr NamedValues SplitAssignment(std::string_view text) {
  const std::size_t at = text.find('=');
  if (at == std::string_view::npos || text.substr(at).starts_with("=>")) return {{}, text};
  return {Trimmed(text.substr(0, at)), Trimmed(text.substr(at + 1))};
}

// "cond: need" of a gate, split at its last ": ".
struct GateText {
  std::string_view condition;
  std::string_view need;
};
constexpr GateText SplitGate(std::string_view text) {
  const std::size_t at = text.rfind(": ");
  if (at == std::string_view::npos) {
    MalformedRow(text, "a gate has ': '");
    return {};
  }
  return {Trimmed(text.substr(0, at)), Trimmed(text.substr(at + 2))};
}

// "left => right", or "!(left)" with an empty right.
struct RuleText {
  std::string_view left;
  std::string_view right;
};
constexpr RuleText SplitRule(std::string_view text) {
  const std::size_t at = text.find("=>");
  if (at != std::string_view::npos)
    return {Trimmed(text.substr(0, at)), Trimmed(text.substr(at + 2))};
  if (!text.starts_with("!(") || !text.ends_with(")")) MalformedRow(text, "no rule");
  return {Trimmed(text.substr(2, text.size() - 3)), {}};
}

// "name:kind(arguments)rest? @ condition".
struct OperandText {
  std::string_view name;
  std::string_view kind;       // "dst", "dst_"
  std::string_view arguments;  // Between its parentheses.
  std::string_view second;     // "pdst" of "dst(T)|pdst"; empty where there is none.
  bool is_second_optional = false;
  bool is_optional = false;
  std::string_view condition;
};
constexpr OperandText SplitOperand(std::string_view text) {
  OperandText operand;
  const std::size_t condition = text.find(" @ ");
  if (condition != std::string_view::npos) {
    operand.condition = Trimmed(text.substr(condition + 3));
    text = Trimmed(text.substr(0, condition));
  }
  operand.name = NameAt(text);
  if (operand.name.empty() || !text.substr(operand.name.size()).starts_with(":")) {
    MalformedRow(text, "an operand is 'name:kind'");
    return operand;
  }
  std::string_view rest = text.substr(operand.name.size() + 1);
  operand.kind = NameAt(rest);
  rest.remove_prefix(operand.kind.size());
  if (rest.starts_with("(")) {
    const std::size_t close = rest.rfind(')');
    if (close == std::string_view::npos) {
      MalformedRow(text, "an open parenthesis");
      return operand;
    }
    operand.arguments = rest.substr(1, close - 1);
    rest.remove_prefix(close + 1);
  }
  if (rest.starts_with("|")) {
    operand.second = NameAt(rest.substr(1));
    rest.remove_prefix(operand.second.size() + 1);
    if (rest.starts_with("?")) {
      operand.is_second_optional = true;
      rest.remove_prefix(1);
    }
  }
  if (rest.starts_with("?")) {
    operand.is_optional = true;
    rest.remove_prefix(1);
  }
  if (!rest.empty()) MalformedRow(text, "more than an operand");
  return operand;
}

}  // namespace ptxfarm::ptx::isa

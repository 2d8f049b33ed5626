// The notation of operands' arguments:
//
//   dst(T)             T: a type, a set of types (its value), X (the last type of the mnemonic)
//   dst(T+)            wider registers too
//   W(T) int(T) bits(T) =b32 raw(T)    twice as wide; integers, any, the bit type of its size
//   i32|i64  i8..i64   any of them
//   svec(n, T)         n: a number, vec, num, N/2, N/4, S{.a:1; else:2}, a product of two
//   tensor_addr(dim)   the number of .1d … .5d
//   addr(i32)          an address, in a register of no fewer bits; addr: of any size
//   imm(0..255)        see OperandSpec::range
#include "toolchain/ptx/isa/operand_spec.h"

#include <algorithm>

namespace ptxfarm::ptx::isa {
namespace {

using Words = std::span<const std::string_view>;

u16 NumberAt(std::string_view text) {
  u16 number = 0;
  for (const char c : text) {
    if (c < '0' || c > '9') break;
    number = static_cast<u16>(number * 10 + (c - '0'));
  }
  return number;
}

// The number behind `prefix` of the one word that is a prefix and a number: .v4, .x16, .3d.
u16 NumberOfWord(Words words, std::string_view prefix, std::string_view suffix, u16 otherwise) {
  for (const std::string_view word : words) {
    if (!word.starts_with(prefix) || !word.ends_with(suffix)) continue;
    const std::string_view digits =
        word.substr(prefix.size(), word.size() - prefix.size() - suffix.size());
    if (!digits.empty() && digits.find_first_not_of("0123456789") == std::string_view::npos)
      return NumberAt(digits);
  }
  return otherwise;
}

// The N of .m64nNkK.
u16 ColumnsOf(Words words) {
  for (const std::string_view word : words)
    if (word.starts_with(".m64n")) return NumberAt(word.substr(5));
  return 0;
}

class Reader {
 public:
  Reader(const Match& match, Words words) : match_(match), words_(words) {}

  u16 Count(std::string_view text) const {
    text = Trimmed(text);
    const std::size_t times = text.rfind(" * ");
    if (times != std::string_view::npos)
      return static_cast<u16>(Count(text.substr(0, times)) * Count(text.substr(times + 3)));
    const std::string_view chosen = Chosen(text, match_, words_);
    if (chosen == "?") return 0;
    if (chosen == "vec") return NumberOfWord(words_, ".v", "", 1);
    if (chosen == "num") return NumberOfWord(words_, ".x", "", 1);
    if (chosen == "dim") return NumberOfWord(words_, ".", "d", 0);
    if (chosen == "N/2") return ColumnsOf(words_) / 2;
    if (chosen == "N/4") return ColumnsOf(words_) / 4;
    return NumberAt(chosen);
  }

  TypeRule Type(std::string_view text, bool is_element) const {
    text = Trimmed(text);
    if (text == "i8..i64") return AnyOf({"i8", "i16", "i32", "i64"});
    if (text == "i32|i64") return AnyOf({"i32", "i64"});
    if (text.ends_with("+")) {
      text.remove_suffix(1);
      return WideRuleOf(TypeName(text), is_element);
    }
    if (text.starts_with("=")) return RawRule(RuleOf(text.substr(1)).bits);
    if (text.ends_with(")")) {
      const std::size_t open = text.find('(');
      const std::string_view kind = text.substr(0, open);
      const u16 bits = RuleOf(TypeName(text.substr(open + 1, text.size() - open - 2))).bits;
      if (kind == "W") return RuleOf(bits == 16 ? "i32" : "i64");
      if (kind == "int") return IntegerRule(bits);
      if (kind == "bits") return BitsRule(bits);
      return RawRule(bits);
    }
    return RuleOf(TypeName(text));
  }

 private:
  // The name of the type that T, X or a choice stands for here.
  std::string_view TypeName(std::string_view text) const {
    text = Chosen(text, match_, words_);
    if (text == "X") {
      for (std::size_t i = words_.size(); i-- > 1;)
        if (InstructionTypeNamed(words_[i].substr(1)) != nullptr) return words_[i].substr(1);
    }
    const Form& form = *match_.form;
    for (std::size_t i = 0; i < form.sets.size(); ++i)
      if (form.sets[i].name == text) return match_.values[i].substr(1);
    return text;
  }

  TypeRule AnyOf(std::initializer_list<std::string_view> names) const {
    TypeRule all;
    for (const std::string_view name : names) {
      const TypeRule one = RuleOf(name);
      all.registers |= one.registers;
      all.bits = one.bits;
      all.takes_integers = true;
    }
    return all;
  }

  const Match& match_;
  Words words_;
};

// PTX ISA 9.4 §9.7.11.3: the coordinates of a geometry; those of an array begin with its index.
u16 CoordinatesOf(Words words) {
  struct Geometry {
    std::string_view word;
    u16 coordinates;
  };
  constexpr Geometry kGeometries[] = {{".1d", 1},    {".2d", 2},   {".3d", 4},
                                      {".a1d", 2},   {".a2d", 4},  {".cube", 4},
                                      {".acube", 4}, {".2dms", 4}, {".a2dms", 4}};
  for (const std::string_view word : words)
    for (const Geometry& geometry : kGeometries)
      if (geometry.word == word) return geometry.coordinates;
  return 0;
}

// The same of gradients and offsets: one a dimension, three padded to four.
u16 DimensionsOf(Words words) {
  struct Geometry {
    std::string_view word;
    u16 dimensions;
  };
  constexpr Geometry kGeometries[] = {{".1d", 1},    {".2d", 2},   {".3d", 4},
                                      {".a1d", 1},   {".a2d", 2},  {".cube", 4},
                                      {".acube", 4}, {".2dms", 2}, {".a2dms", 2}};
  for (const std::string_view word : words)
    for (const Geometry& geometry : kGeometries)
      if (geometry.word == word) return geometry.dimensions;
  return 0;
}

bool HasLayers(Words words) {
  return std::any_of(words.begin(), words.end(), [](std::string_view word) {
    return word == ".a1d" || word == ".a2d" || word == ".acube" || word == ".a2dms";
  });
}

// PTX ISA 9.4 §9.7.9.26.5.2: one a dimension of the image; two in the modes w.
u16 Im2colOffsetsOf(Words words) {
  const bool is_plain = std::find(words.begin(), words.end(), ".im2col") != words.end();
  return is_plain ? static_cast<u16>(NumberOfWord(words, ".", "d", 2) - 2) : u16{2};
}

OperandSpec Read(const FormOperand& operand, const Match& match, Words words) {
  const Reader reader(match, words);
  OperandSpec spec{.name = operand.text.name,
                   .form = operand.form,
                   .takes_sink = operand.takes_sink,
                   .is_optional = operand.text.is_optional,
                   .takes_pair = !operand.text.second.empty(),
                   .needs_pair = !operand.text.second.empty() && !operand.text.is_second_optional};
  const std::string_view arguments = operand.text.arguments;
  switch (operand.form) {
    case OperandForm::kDestinationVector:
    case OperandForm::kSourceVector:
    case OperandForm::kAnyVector: {
      std::vector<std::string_view> parts;
      ForEachPart(arguments, ',', [&](std::string_view part) { parts.push_back(part); });
      spec.elements = reader.Count(parts[0]);
      spec.needs_braces = parts[0] != "vec";
      spec.type = reader.Type(parts[1], spec.elements != 1);
      break;
    }
    case OperandForm::kImmediate: spec.range = Chosen(arguments, match, words); break;
    case OperandForm::kTensorMap:
    case OperandForm::kFabricAddress: {
      const std::size_t comma = arguments.find(',');
      spec.elements = reader.Count(arguments.substr(0, comma));
      if (comma != std::string_view::npos) spec.elements = 0;
      break;
    }
    case OperandForm::kTexture:
    case OperandForm::kTextureAndSampler:
    case OperandForm::kSurface:
      spec.elements = CoordinatesOf(words);
      spec.first_is_index = HasLayers(words);
      spec.type = reader.Type(arguments, true);
      break;
    case OperandForm::kGradient:
    case OperandForm::kTexelOffset:
      spec.elements = DimensionsOf(words);
      spec.type = reader.Type(arguments, true);
      break;
    case OperandForm::kAddress:
    case OperandForm::kUnifiedAddress:
      // The narrowest register.
      spec.type.bits = arguments.empty() ? u16{8} : reader.Type(arguments, false).bits;
      break;
    case OperandForm::kIm2col: spec.elements = Im2colOffsetsOf(words); break;
    case OperandForm::kValue: {
      const std::size_t comma = arguments.find(',');
      spec.type = reader.Type(arguments.substr(0, comma), false);
      if (comma != std::string_view::npos) spec.range = Trimmed(arguments.substr(comma + 1));
      break;
    }
    default:
      if (!arguments.empty()) spec.type = reader.Type(arguments, false);
  }
  return spec;
}

std::vector<StateSpace> SpacesOf(Words words) {
  std::vector<StateSpace> spaces;
  for (const std::string_view word : words.subspan(1)) {
    const StateSpace space = StateSpaceNamed(word.substr(0, word.find("::", 1)));
    if (space != StateSpace::kNone) spaces.push_back(space);
  }
  return spaces;
}

// Where an address may lie. Of two spaces the first is that of the destination; barriers lie in
// shared memory, whatever is copied.
void SetSpace(OperandSpec& spec, std::span<const StateSpace> spaces, Words words) {
  const bool is_barrier = spec.name == "mbar" || spec.name == "bar" || words[0] == "mbarrier" ||
                          words[0] == "clusterlaunchcontrol";
  spec.is_generic = spaces.empty();
  if (is_barrier)
    spec.space = StateSpace::kShared;
  else if (spaces.size() == 1)
    spec.space = spaces[0];
  else if (spaces.size() == 2)
    spec.space = spec.name == "d" || spec.name == "dst" ? spaces[0] : spaces[1];
  // A tensor map, which ptxas takes from global memory only where a variable's name stands there.
  spec.is_written = words[0] == "st" && spec.form == OperandForm::kAddress;
  if (spec.form == OperandForm::kTensorMap) spec.space = StateSpace::kGlobal;
}

}  // namespace

std::string_view Chosen(std::string_view text, const Match& match, Words words) {
  const std::size_t open = text.find('{');
  if (open == std::string_view::npos || !text.ends_with("}")) return text;
  const std::string_view name = Trimmed(text.substr(0, open));
  std::string_view value;  // Of the set of that name; empty where it is none.
  for (std::size_t i = 0; i < match.form->sets.size(); ++i)
    if (match.form->sets[i].name == name) value = match.values[i];
  std::string_view chosen;
  ForEachPart(text.substr(open + 1, text.size() - open - 2), ';', [&](std::string_view part) {
    const std::size_t colon = part.rfind(':');
    const std::string_view key = part.substr(0, colon);
    const bool fits =
        key == "else" ||
        (value.empty() ? std::find(words.begin(), words.end(), key) != words.end() : key == value);
    if (fits && chosen.empty()) chosen = Trimmed(part.substr(colon + 1));
  });
  return chosen;
}

std::vector<OperandSpec> OperandsOf(const Match& match, Words words) {
  std::vector<OperandSpec> specs;
  const std::vector<StateSpace> spaces = SpacesOf(words);
  for (const FormOperand& operand : match.form->operands) {
    if (!Holds(operand.condition, match, words)) continue;
    specs.push_back(Read(operand, match, words));
    SetSpace(specs.back(), spaces, words);
  }
  return specs;
}

}  // namespace ptxfarm::ptx::isa

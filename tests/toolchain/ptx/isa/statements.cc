#include "tests/toolchain/ptx/isa/statements.h"

#include <algorithm>

#include <fmt/format.h>

namespace ptxfarm::ptx {
namespace {

// Types that every version and target of a module with this head has registers of.
bool HasRegisters(Type type, PtxVersion version, const Target& target) {
  if (type == Type::kB128) return version >= PtxVersion{8, 3} && target.number() >= 70;
  if (type == Type::kF16 || type == Type::kF16x2)
    return version >= PtxVersion{4, 2} && target.number() >= 53;
  return true;
}

std::string Joined(const std::vector<std::string>& operands) {
  std::string text;
  for (const std::string& operand : operands) text += (text.empty() ? "" : ", ") + operand;
  return text;
}

std::string Written(std::string_view mnemonic, const std::vector<std::string>& operands) {
  return fmt::format("{}{}{};", mnemonic, operands.empty() ? "" : " ", Joined(operands));
}

// One of the parts of "4|8|16", or an end of "0..255".
std::string FirstOf(std::string_view range) {
  const std::string_view part = range.substr(0, range.find('|'));
  return std::string(part.substr(0, part.find("..")));
}

}  // namespace

std::string StatementPrologue(PtxVersion version, const Target& target,
                              bool has_independent_textures) {
  std::string text = fmt::format(".version {}\n.target {}{}\n", version, target,
                                 has_independent_textures ? ", texmode_independent" : "");
  if (version >= PtxVersion{2, 3}) text += ".address_size 64\n";
  text += ".global .align 16 .b8 in_global[64];\n.shared .align 16 .b8 in_shared[64];\n";
  text += ".const .align 16 .b8 in_const[64];\n";
  if (version >= PtxVersion{1, 5})
    text += ".global .texref a_texture;\n.global .surfref a_surface;\n";
  if (has_independent_textures) text += ".global .samplerref a_sampler;\n";
  const bool has_parameters = version >= PtxVersion{1, 4};
  text += has_parameters ? ".entry k(.param .align 8 .b8 in_param[64])\n{\n" : ".entry k\n{\n";
  text += "\t.local .align 16 .b8 in_local[64];\n";
  for (std::size_t i = 1; i < std::size(kTypes); ++i) {
    const Type type = static_cast<Type>(i);
    if (IsOpaque(type) || !HasRegisters(type, version, target)) continue;
    const std::string_view name = kTypes[i].name;
    text += fmt::format("\t.reg {} {}_<200>;\n", name, name.substr(1));
  }
  return text;
}

MadeStatement StatementMaker::Legal(const isa::Spelling& spelling, const isa::Overload& overload) {
  return {Written(spelling.text, Operands(overload)), ""};
}

MadeStatement StatementMaker::WrongOperand(const isa::Spelling& spelling,
                                           const isa::Overload& overload) {
  std::vector<std::string> operands = Operands(overload);
  if (operands.empty() || Choose(6) == 0) {
    operands.push_back("b32_9");
    return {Written(spelling.text, operands), "one more"};
  }
  const std::size_t at = Choose(operands.size());
  std::string& operand = operands[at];
  switch (Choose(5)) {
    case 0:
      operands.erase(operands.begin() + static_cast<std::ptrdiff_t>(at));
      return {Written(spelling.text, operands), "one less"};
    case 1: operand = "f64_9"; return {Written(spelling.text, operands), "a double"};
    case 2: operand = "77"; return {Written(spelling.text, operands), "an integer"};
    case 3: operand = "in_global"; return {Written(spelling.text, operands), "a variable"};
    default: break;
  }
  if (operand.starts_with("{")) {
    operand.insert(1, operand.find(',') == std::string::npos ? "b32_8, " : "b32_8, b32_9, ");
    return {Written(spelling.text, operands), "a longer vector"};
  }
  operand = operand.starts_with("[") ? "b64_9" : "pred_9";
  return {Written(spelling.text, operands), "another kind"};
}

MadeStatement StatementMaker::WrongWord(const isa::Spelling& spelling,
                                        const isa::Overload& overload) {
  static constexpr std::string_view kForeign[] = {
      ".f32", ".u32",  ".b64", ".sat", ".ftz", ".rn",     ".global",  ".v2",
      ".cta", ".wide", ".hi",  ".cc",  ".eq",  ".shared", ".aligned", ".nowhere"};
  std::vector<std::string> words(spelling.words.begin(), spelling.words.end());
  const std::size_t at = 1 + Choose(std::max<std::size_t>(words.size() - 1, 1));
  std::string step;
  if (words.size() > 1 && Choose(2) == 0) {
    step = "without " + words[at];
    words.erase(words.begin() + static_cast<std::ptrdiff_t>(at));
  } else {
    const std::string_view word = kForeign[Choose(std::size(kForeign))];
    step = fmt::format("with {}", word);
    words.insert(words.begin() + static_cast<std::ptrdiff_t>(std::min(at, words.size())),
                 std::string(word));
  }
  std::string mnemonic;
  for (const std::string& word : words) mnemonic += word;
  return {Written(mnemonic, Operands(overload)), step};
}

std::vector<std::string> StatementMaker::Operands(const isa::Overload& overload) {
  std::vector<std::string> operands;
  for (const isa::OperandSpec& spec : overload.operands)
    if (!spec.is_optional || Choose(2) == 0) operands.push_back(Operand(spec));
  return operands;
}

std::string StatementMaker::Register(isa::TypeMask mask) {
  std::vector<Type> types;
  for (std::size_t i = 1; i < std::size(kTypes); ++i)
    if ((mask & isa::MaskOf(static_cast<Type>(i))) != 0) types.push_back(static_cast<Type>(i));
  // Types that old modules lack stand in for others only where there are no others.
  std::erase_if(types, [&](Type type) {
    return types.size() > 1 && (type == Type::kB128 || type == Type::kF16 || type == Type::kF16x2);
  });
  if (types.empty()) return "b32_1";
  const Type type = types[Choose(types.size())];
  return fmt::format("{}_{}", kTypes[static_cast<std::size_t>(type)].name.substr(1), Choose(100));
}

std::string StatementMaker::Vector(const isa::OperandSpec& spec, std::size_t elements) {
  // One type for all elements.
  const std::string first = Register(spec.type.registers);
  const std::string prefix = first.substr(0, first.find('_'));
  std::string text = "{";
  for (std::size_t i = 0; i < elements; ++i) {
    const bool is_index = spec.first_is_index && i == 0;
    text += fmt::format("{}{}_{}", i == 0 ? "" : ", ", is_index ? "u32" : prefix, i);
  }
  return text + "}";
}

std::string StatementMaker::Address(const isa::OperandSpec& spec) {
  static constexpr std::pair<StateSpace, const char*> kVariables[] = {
      {StateSpace::kGlobal, "in_global"},
      {StateSpace::kShared, "in_shared"},
      {StateSpace::kConst, "in_const"},
      {StateSpace::kLocal, "in_local"}};
  for (const auto& [space, name] : kVariables)
    if (spec.space == space && Choose(3) == 0)
      return fmt::format("[{}{}]", name, Choose(2) == 0 ? "" : "+16");
  return fmt::format("[b64_{}{}]", Choose(100), Choose(2) == 0 ? "" : "+16");
}

std::string StatementMaker::Constant(const isa::OperandSpec& spec) {
  if (spec.range.find("0.0") != std::string_view::npos) return "0.5";
  return spec.range.empty() ? "1" : FirstOf(spec.range);
}

std::string StatementMaker::Operand(const isa::OperandSpec& spec) {
  using isa::OperandForm;
  std::string text;
  switch (spec.form) {
    case OperandForm::kDestination:
    case OperandForm::kRegister:
    case OperandForm::kSpecialValue:
    case OperandForm::kAnything:
    case OperandForm::kPointer:
    case OperandForm::kNegatableValue:
    case OperandForm::kByteSource:
    case OperandForm::kNegatableByteSource:
    case OperandForm::kByteDestination:
    case OperandForm::kTwoLaneSource:
    case OperandForm::kTwoLaneDestination:
    case OperandForm::kFourLaneSource:
    case OperandForm::kFourLaneDestination: text = Register(spec.type.registers); break;
    case OperandForm::kValue:
      if (spec.type.takes_integers && Choose(4) == 0) return Constant(spec);
      if (spec.type.takes_floats && !spec.type.takes_integers && Choose(4) == 0) return "1.5";
      return Register(spec.type.registers);
    case OperandForm::kPredicateDestination: text = fmt::format("pred_{}", Choose(100)); break;
    case OperandForm::kPredicate: return fmt::format("pred_{}", Choose(100));
    case OperandForm::kNegatablePredicate:
      return fmt::format("{}pred_{}", Choose(2) == 0 ? "" : "!", Choose(100));
    case OperandForm::kDestinationVector:
    case OperandForm::kSourceVector:
    case OperandForm::kAnyVector:
      text = spec.elements == 1 && !spec.needs_braces
                 ? Register(spec.type.registers)
                 : Vector(spec, spec.elements == 0 ? 4 : spec.elements);
      break;
    case OperandForm::kGradient:
    case OperandForm::kTexelOffset: return Vector(spec, spec.elements);
    case OperandForm::kIm2col: {
      isa::OperandSpec offsets = spec;
      offsets.type = isa::RuleOf("u16");
      return Vector(offsets, spec.elements);
    }
    case OperandForm::kImmediate: return Constant(spec);
    case OperandForm::kAddress: return Address(spec);
    case OperandForm::kUnifiedAddress: return Address(spec) + ".unified";
    case OperandForm::kTensorMemory: return fmt::format("[b32_{}]", Choose(100));
    case OperandForm::kTensorMap: {
      isa::OperandSpec coordinates = spec;
      coordinates.type = isa::RuleOf("s32");
      return fmt::format("[b64_{}, {}]", Choose(100), Vector(coordinates, spec.elements));
    }
    case OperandForm::kFabricAddress:
      return spec.elements == 2 ? "[b64_1, b64_2]" : "[b64_1, b64_2, b64_3]";
    case OperandForm::kTexture: return fmt::format("[a_texture, {}]", Vector(spec, spec.elements));
    case OperandForm::kTextureAndSampler:
      return fmt::format("[a_texture, a_sampler, {}]", Vector(spec, spec.elements));
    case OperandForm::kSurface: return fmt::format("[a_surface, {}]", Vector(spec, spec.elements));
    case OperandForm::kSink: return "_";
    case OperandForm::kTextureName: return "[a_texture]";
    case OperandForm::kSamplerName: return "[a_sampler]";
    case OperandForm::kSurfaceName: return "[a_surface]";
    case OperandForm::kLabel: return "DONE";
    // Calls and tables of branches need declarations: other tests have them.
    case OperandForm::kFunction:
    case OperandForm::kArguments:
    case OperandForm::kResults:
    case OperandForm::kFunctionPointer:
    case OperandForm::kPrototype:
    case OperandForm::kTargets: return "b32_1";
  }
  if (spec.takes_sink && Choose(6) == 0) text = "_";
  if (spec.needs_pair || (spec.takes_pair && Choose(3) == 0))
    text += fmt::format("|pred_{}", 100 + Choose(100));
  return text;
}

}  // namespace ptxfarm::ptx

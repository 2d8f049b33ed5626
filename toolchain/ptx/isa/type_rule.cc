#include "toolchain/ptx/isa/type_rule.h"

#include <fmt/format.h>

namespace ptxfarm::ptx::isa {
namespace {

constexpr TypeMask kHalfPairMask = MaskOf(Type::kF16x2);

// The register types of a class and a size, .f16x2 not among the floats of 32 bits.
TypeMask Registers(TypeClass type_class, u16 bits) {
  TypeMask mask = 0;
  for (std::size_t i = 0; i < std::size(kTypes); ++i)
    if (kTypes[i].type_class == type_class && kTypes[i].bits == bits)
      mask |= MaskOf(static_cast<Type>(i));
  return mask & ~kHalfPairMask;
}

TypeMask Integers(u16 bits) {
  return Registers(TypeClass::kBits, bits) | Registers(TypeClass::kUnsigned, bits) |
         Registers(TypeClass::kSigned, bits);
}

TypeMask Any(u16 bits) {
  return Integers(bits) | Registers(TypeClass::kFloat, bits) | (bits == 32 ? kHalfPairMask : 0);
}

TypeMask RegistersOf(const InstructionType& type) {
  const TypeMask raw = Registers(TypeClass::kBits, type.bits);
  switch (type.kind) {
    case TypeKind::kBits: return Any(type.bits);
    case TypeKind::kInteger: return Integers(type.bits) | (type.bits == 32 ? kHalfPairMask : 0);
    case TypeKind::kFloat: return raw | Registers(TypeClass::kFloat, type.bits);
    case TypeKind::kHalfPair: return raw | kHalfPairMask;
    case TypeKind::kBox: return raw;
  }
  return raw;
}

}  // namespace

TypeRule RuleOf(std::string_view name) {
  const InstructionType* const type = InstructionTypeNamed(name);
  if (type == nullptr) return {};
  const bool is_float = type->kind == TypeKind::kFloat;
  return {.registers = RegistersOf(*type),
          .bits = type->bits,
          .takes_integers = type->kind == TypeKind::kBits || type->kind == TypeKind::kInteger,
          // As bits of their size too.
          .takes_floats = (is_float && type->bits >= 32) || name == "b32" || name == "b64"};
}

TypeRule WideRuleOf(std::string_view name, bool is_element) {
  TypeRule rule = RuleOf(name);
  const InstructionType* const type = InstructionTypeNamed(name);
  if (type == nullptr) return rule;
  for (u16 bits = static_cast<u16>(type->bits * 2); bits <= 128;
       bits = static_cast<u16>(bits * 2)) {
    if (type->kind == TypeKind::kBits)
      rule.registers |= Any(bits);
    else if (type->kind == TypeKind::kInteger)
      rule.registers |= Integers(bits) | (bits == 32 ? kHalfPairMask : 0);
    else
      rule.registers |= Registers(TypeClass::kBits, bits);
  }
  if (is_element && type->kind == TypeKind::kFloat) rule.registers |= Integers(type->bits);
  return rule;
}

TypeRule BitsRule(u16 bits) {
  return {.registers = Any(bits), .bits = bits, .takes_integers = true};
}
TypeRule IntegerRule(u16 bits) {
  return {.registers = Integers(bits), .bits = bits, .takes_integers = true};
}
TypeRule RawRule(u16 bits) {
  return {.registers = Registers(TypeClass::kBits, bits), .bits = bits, .takes_integers = true};
}

std::string Describe(TypeMask mask) {
  std::string said;
  std::string_view last;
  for (std::size_t i = 0; i < std::size(kTypes); ++i) {
    if ((mask & MaskOf(static_cast<Type>(i))) == 0) continue;
    if (!last.empty()) said += (said.empty() ? "" : ", ") + std::string(last);
    last = kTypes[i].name;
  }
  if (last.empty()) return "nothing";
  return said.empty() ? std::string(last) : fmt::format("{} or {}", said, last);
}

}  // namespace ptxfarm::ptx::isa

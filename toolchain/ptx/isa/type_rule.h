// Which registers an operand of an instruction type admits (PTX ISA 9.4 §9.4.1, measured with
// ptxas 13.0 where it is silent).
#pragma once

#include <string>
#include <string_view>

#include "toolchain/ptx/isa/notation.h"
#include "toolchain/ptx/isa/type.h"

namespace ptxfarm::ptx::isa {

// Types of registers, a bit each.
using TypeMask = u32;
constexpr TypeMask MaskOf(Type type) { return TypeMask{1} << static_cast<u8>(type); }

struct TypeRule {
  TypeMask registers = 0;
  u16 bits = 0;
  bool takes_integers = false;  // As constants.
  bool takes_floats = false;
};

// How an instruction type chooses registers of its size.
enum class TypeKind : u8 {
  kBits,      // Any of that size.
  kInteger,   // The integer and bit types of that size; of 32 bits also .f16x2, as ptxas has it.
  kFloat,     // The float type itself and the bit type.
  kHalfPair,  // .f16x2 and .b32.
  kBox,       // The bit type alone: what has no register type of its own.
};

struct InstructionType {
  std::string_view name;
  u16 bits;
  TypeKind kind;
};

// clang-format off
inline constexpr InstructionType kInstructionTypes[] = {
    {"b8",     8, TypeKind::kBits},   {"b16",    16, TypeKind::kBits},    {"b32",    32, TypeKind::kBits},
    {"b64",   64, TypeKind::kBits},   {"b128",  128, TypeKind::kBits},
    {"u8",     8, TypeKind::kInteger},{"u16",    16, TypeKind::kInteger}, {"u32",    32, TypeKind::kInteger},
    {"u64",   64, TypeKind::kInteger},
    {"s8",     8, TypeKind::kInteger},{"s16",    16, TypeKind::kInteger}, {"s32",    32, TypeKind::kInteger},
    {"s64",   64, TypeKind::kInteger},
    {"i8",     8, TypeKind::kInteger},{"i16",    16, TypeKind::kInteger}, {"i32",    32, TypeKind::kInteger},
    {"i64",   64, TypeKind::kInteger},
    {"f16",   16, TypeKind::kFloat},  {"f32",    32, TypeKind::kFloat},   {"f64",    64, TypeKind::kFloat},
    {"f16x2", 32, TypeKind::kHalfPair},{"u16x2", 32, TypeKind::kHalfPair},{"s16x2",  32, TypeKind::kHalfPair},
    {"bf16",  16, TypeKind::kBox},    {"bf16x2", 32, TypeKind::kBox},     {"tf32",   32, TypeKind::kBox},
    {"f32x2", 64, TypeKind::kBox},    {"u8x4",   32, TypeKind::kBox},     {"s8x4",   32, TypeKind::kBox},
    {"e4m3",   8, TypeKind::kBits},   {"e5m2",    8, TypeKind::kBits},
    {"e4m3x2",16, TypeKind::kBox},    {"e5m2x2", 16, TypeKind::kBox},     {"ue8m0x2",16, TypeKind::kBox},
    {"e2m1x2", 8, TypeKind::kBox},    {"e2m3x2", 16, TypeKind::kBox},     {"e3m2x2", 16, TypeKind::kBox},
    {"e4m3x4",32, TypeKind::kBox},    {"e5m2x4", 32, TypeKind::kBox},     {"e2m1x4", 16, TypeKind::kBox},
    {"e2m3x4",32, TypeKind::kBox},    {"e3m2x4", 32, TypeKind::kBox},
};
// clang-format on

// Null where no instruction type is called so (without its dot).
constexpr const InstructionType* InstructionTypeNamed(std::string_view name) {
  for (const InstructionType& type : kInstructionTypes)
    if (type.name == name) return &type;
  return nullptr;
}

// The rule of one type; one that admits nothing where there is none.
TypeRule RuleOf(std::string_view name);
// T+, as loads, stores and cvt have it: wider registers too. An element of a vector may also be an
// integer of a float's size.
TypeRule WideRuleOf(std::string_view name, bool is_element);
// Every type of that size, its integers alone, its bit type alone.
TypeRule BitsRule(u16 bits);
TypeRule IntegerRule(u16 bits);
TypeRule RawRule(u16 bits);

// ".u32, .s32 or .b32", for messages.
std::string Describe(TypeMask mask);

}  // namespace ptxfarm::ptx::isa

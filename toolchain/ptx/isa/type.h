// The types and state spaces that PTX text names.
#pragma once

#include <span>
#include <string_view>

#include "base/int.h"

namespace ptxfarm::ptx {

// PTX ISA 9.4 §5.2, §5.3. Those behind kPred are of instructions only: no register is of them.
enum class Type : u8 {
  kNone,
  kB8,
  kB16,
  kB32,
  kB64,
  kB128,
  kU8,
  kU16,
  kU32,
  kU64,
  kS8,
  kS16,
  kS32,
  kS64,
  kF16,
  kF16x2,
  kF32,
  kF64,
  kPred,
  kTexref,
  kSamplerref,
  kSurfref,
};

enum class TypeClass : u8 { kNone, kBits, kUnsigned, kSigned, kFloat, kPred, kOpaque };

struct TypeDesc {
  std::string_view name;  // With its dot; empty for kNone.
  TypeClass type_class = TypeClass::kNone;
  u16 bits = 0;  // 0 for kPred and the opaque ones.
};

// One row a type, in the order of the enumerators.
// clang-format off
inline constexpr TypeDesc kTypes[] = {
    {"",            TypeClass::kNone,       0},
    {".b8",         TypeClass::kBits,       8},
    {".b16",        TypeClass::kBits,      16},
    {".b32",        TypeClass::kBits,      32},
    {".b64",        TypeClass::kBits,      64},
    {".b128",       TypeClass::kBits,     128},
    {".u8",         TypeClass::kUnsigned,   8},
    {".u16",        TypeClass::kUnsigned,  16},
    {".u32",        TypeClass::kUnsigned,  32},
    {".u64",        TypeClass::kUnsigned,  64},
    {".s8",         TypeClass::kSigned,     8},
    {".s16",        TypeClass::kSigned,    16},
    {".s32",        TypeClass::kSigned,    32},
    {".s64",        TypeClass::kSigned,    64},
    {".f16",        TypeClass::kFloat,     16},
    {".f16x2",      TypeClass::kFloat,     32},
    {".f32",        TypeClass::kFloat,     32},
    {".f64",        TypeClass::kFloat,     64},
    {".pred",       TypeClass::kPred,       0},
    {".texref",     TypeClass::kOpaque,     0},
    {".samplerref", TypeClass::kOpaque,     0},
    {".surfref",    TypeClass::kOpaque,     0},
};
// clang-format on
static_assert(std::size(kTypes) == static_cast<std::size_t>(Type::kSurfref) + 1);

constexpr const TypeDesc& DescOf(Type type) { return kTypes[static_cast<u8>(type)]; }
constexpr bool IsOpaque(Type type) { return DescOf(type).type_class == TypeClass::kOpaque; }

// The type that a declaration may name so, else kNone.
constexpr Type TypeNamed(std::string_view word) {
  for (std::size_t i = 1; i < std::size(kTypes); ++i)
    if (kTypes[i].name == word) return static_cast<Type>(i);
  return Type::kNone;
}

// PTX ISA 9.4 §5.1.
enum class StateSpace : u8 {
  kNone,  // None named: a generic address.
  kReg,
  kSreg,
  kConst,
  kGlobal,
  kLocal,
  kParam,
  kShared,
  kTex,  // PTX 1.x.
};

// One name a state space, in the order of the enumerators.
inline constexpr std::string_view kStateSpaceNames[] = {
    "", ".reg", ".sreg", ".const", ".global", ".local", ".param", ".shared", ".tex"};

constexpr std::string_view NameOf(StateSpace space) {
  return kStateSpaceNames[static_cast<u8>(space)];
}

constexpr StateSpace StateSpaceNamed(std::string_view word) {
  for (std::size_t i = 1; i < std::size(kStateSpaceNames); ++i)
    if (kStateSpaceNames[i] == word) return static_cast<StateSpace>(i);
  return StateSpace::kNone;
}

}  // namespace ptxfarm::ptx

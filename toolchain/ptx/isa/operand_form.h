// What an operand of a form may be: the kinds that the column "operands" of the table names.
#pragma once

#include <string_view>

#include "base/int.h"

namespace ptxfarm::ptx::isa {

enum class OperandForm : u8 {
  kDestination,
  kRegister,
  kValue,
  kNegatableValue,
  kSpecialValue,
  kAnything,
  kPointer,
  kPredicateDestination,
  kPredicate,
  kNegatablePredicate,
  kDestinationVector,
  kSourceVector,
  kAnyVector,
  kImmediate,
  kAddress,
  kUnifiedAddress,
  kTensorMemory,
  kTensorMap,
  kFabricAddress,
  kTexture,
  kTextureAndSampler,
  kSurface,
  kGradient,
  kTexelOffset,
  kIm2col,
  kByteSource,
  kNegatableByteSource,
  kByteDestination,
  kTwoLaneSource,
  kTwoLaneDestination,
  kFourLaneSource,
  kFourLaneDestination,
  kLabel,
  kFunction,
  kArguments,
  kResults,
  kFunctionPointer,
  kPrototype,
  kTargets,
  kSink,
  kTextureName,
  kSamplerName,
  kSurfaceName,
};

struct OperandFormDesc {
  std::string_view name;     // In the table.
  std::string_view meaning;  // In messages and explanations.
};

// One row a kind, in the order of the enumerators. An '_' behind a name of the table (dst_) says
// that the sink may stand there.
// clang-format off
inline constexpr OperandFormDesc kOperandForms[] = {
    {"dst",                "a register to write"},
    {"reg",                "a register"},
    {"val",                "a register or a constant"},
    {"nval",               "a register, perhaps negated with '-', or a constant"},
    {"sval",               "a register, a special register or a constant"},
    {"any",                "a register, a special register, a constant or an address"},
    {"ptr",                "a register or the name of a variable"},
    {"pdst",               "a predicate register to write"},
    {"pred",               "a predicate register"},
    {"npred",              "a predicate register, perhaps negated with '!'"},
    {"dvec",               "registers to write"},
    {"svec",               "registers"},
    {"anyvec",             "registers or a special register"},
    {"imm",                "a constant"},
    {"addr",               "an address in brackets"},
    {"addr_unified",       "an address in brackets with .unified behind it"},
    {"taddr",              "an address of tensor memory: [register]"},
    {"tensor_addr",        "a tensor map with coordinates: [map, {x, …}]"},
    {"fabric_addr",        "a fabric address: [a, b]"},
    {"tex_coords",         "a texture with coordinates: [texture, {x, …}]"},
    {"tex_sampler_coords", "a texture, a sampler and coordinates: [texture, sampler, {x, …}]"},
    {"surf_coords",        "a surface with coordinates: [surface, {x, …}]"},
    {"grad_vec",           "a vector of gradients"},
    {"offset_vec",         "a vector of texel offsets"},
    {"im2col_vec",         "a vector of im2col offsets"},
    {"bytesel_src",        "a register or a constant, perhaps with .b0 … .b3, .h0 or .h1"},
    {"bytesel_neg_src",    "a register or a constant, perhaps with .b0 … .b3, .h0 or .h1, or negated with '-'"},
    {"bytesel_dst",        "a register, perhaps with .b0 … .b3, .h0 or .h1"},
    {"lanesel2_src",       "a register, perhaps with .hXY"},
    {"lanesel2_dst",       "a register, perhaps with a mask .h0, .h1 or .h10"},
    {"lanesel4_src",       "a register, perhaps with .bXYZW"},
    {"lanesel4_dst",       "a register, perhaps with a mask .b0 … .b3210"},
    {"label",              "a label"},
    {"func",               "a function's name"},
    {"args",               "arguments in parentheses"},
    {"ret",                "results in parentheses"},
    {"fptr",               "a register that holds a function's address"},
    {"proto",              "the label of a .callprototype or .calltargets"},
    {"targets",            "the label of a .branchtargets"},
    {"sink",               "the sink '_'"},
    {"texref",             "a texture"},
    {"samplerref",         "a sampler"},
    {"surfref",            "a surface"},
};
// clang-format on
static_assert(std::size(kOperandForms) == static_cast<std::size_t>(OperandForm::kSurfaceName) + 1);

constexpr const OperandFormDesc& DescOf(OperandForm form) {
  return kOperandForms[static_cast<u8>(form)];
}

// The index in kOperandForms of a kind as the table writes it, without '_'; -1 where none is.
constexpr int OperandFormNamed(std::string_view name) {
  for (std::size_t i = 0; i < std::size(kOperandForms); ++i)
    if (kOperandForms[i].name == name) return static_cast<int>(i);
  return -1;
}

}  // namespace ptxfarm::ptx::isa

// The kinds of diagnostics that single instructions give: one row each, as in diagnostic_kinds.h.
#pragma once

#include "toolchain/ptx/diagnostic_kinds.h"

namespace ptxfarm::ptx::kinds {

// clang-format off
// The words of a mnemonic.
inline constexpr DiagnosticKind kUnknownInstruction{"unknown-instruction", kError, "'{}' is no instruction"};
inline constexpr DiagnosticKind kUnknownModifier   {"unknown-modifier",    kError, "'{}' is no modifier of '{}'"};
inline constexpr DiagnosticKind kSurplusModifier   {"surplus-modifier",    kError, "'{}' doesn't go with '{}'"};
inline constexpr DiagnosticKind kMissingModifier   {"missing-modifier",    kError, "'{}' lacks {}"};
inline constexpr DiagnosticKind kModifierConflict  {"modifier-conflict",   kError, "'{}': {}"};
inline constexpr DiagnosticKind kTooManyModifiers  {"too-many-modifiers",  kError, "'{}' has more than {} modifiers"};
inline constexpr DiagnosticKind kModifierOrder     {"modifier-order",      kWarning, "the manual's order is '{}'"};
inline constexpr DiagnosticKind kRepeatedModifier  {"repeated-modifier",   kWarning, "'{}' stands twice in '{}'"};
// The module that it stands in.
inline constexpr DiagnosticKind kNeedsVersion      {"needs-version",       kError, "{} needs .version {} or later; the module says .version {}"};
inline constexpr DiagnosticKind kNeedsTarget       {"needs-target",        kError, "{} needs .target {}; the module says .target {}"};
inline constexpr DiagnosticKind kRetiredForm       {"retired-form",        kError, "'{}' left the language with PTX {}{}"};
inline constexpr DiagnosticKind kDeprecatedForm    {"deprecated-form",     kWarning, "'{}' is deprecated since PTX {}{}"};
// Its operands.
inline constexpr DiagnosticKind kOperandCount      {"operand-count",       kError, "'{}' takes {}; found {}"};
inline constexpr DiagnosticKind kOperandKind       {"operand-kind",        kError, "operand {} of '{}' is {}; found {}"};
inline constexpr DiagnosticKind kOperandType       {"operand-type",        kError, "operand {} of '{}' is of type {}; '{}' is {}"};
inline constexpr DiagnosticKind kVectorLength      {"vector-length",       kError, "operand {} of '{}' is of {}; found {}"};
inline constexpr DiagnosticKind kVectorElements    {"vector-elements",     kError, "the registers of operand {} of '{}' are of one type; '{}' is {}"};
inline constexpr DiagnosticKind kConstantRange     {"constant-range",      kError, "operand {} of '{}' is {}; found {}"};
inline constexpr DiagnosticKind kConstantTooWide   {"constant-too-wide",   kWarning, "{} doesn't fit {} bits; the bits above are lost"};
inline constexpr DiagnosticKind kAddressSpace      {"address-space",       kError, "'{}' needs an address in {}; '{}' lies in {}"};
inline constexpr DiagnosticKind kAddressWidth      {"address-width",       kError, "'{}' is {}; {} addresses are of {} bits"};
inline constexpr DiagnosticKind kReadOnly          {"read-only",           kError, "'{}' is a parameter of the entry: it can be read only"};
inline constexpr DiagnosticKind kTextureMode       {"texture-mode",        kError, "{} needs '.target …, {}'"};

inline constexpr const DiagnosticKind* kAllOfInstructions[] = {
    &kUnknownInstruction, &kUnknownModifier, &kSurplusModifier, &kMissingModifier,
    &kModifierConflict, &kTooManyModifiers, &kModifierOrder, &kRepeatedModifier,
    &kNeedsVersion, &kNeedsTarget, &kRetiredForm, &kDeprecatedForm,
    &kOperandCount, &kOperandKind, &kOperandType, &kVectorLength, &kVectorElements,
    &kConstantRange, &kConstantTooWide, &kAddressSpace, &kAddressWidth, &kReadOnly, &kTextureMode,
};
// clang-format on

}  // namespace ptxfarm::ptx::kinds

// The kinds of diagnostics that asm statements give besides those of PTX itself: one row each.
#pragma once

#include "toolchain/ptx/diagnostic_kinds.h"

namespace ptxfarm::ptx::kinds {

// clang-format off
// What the compiler would not make a statement of.
inline constexpr DiagnosticKind kAsmConstraint   {"asm-constraint",     kError, "'{}' is no constraint: {}"};
inline constexpr DiagnosticKind kAsmClobber      {"asm-clobber",        kWarning, "\"{}\" means nothing in PTX; \"memory\" is the clobber that does"};
inline constexpr DiagnosticKind kAsmOperandRange {"asm-operand-range",  kError, "'%{}' names no operand: the statement has {}"};
inline constexpr DiagnosticKind kAsmPercent      {"asm-percent",        kError, "'%{}' is no operand; a register of PTX is written with '%%' here"};
inline constexpr DiagnosticKind kAsmDoubled      {"asm-doubled-percent",kError, "'%%' stays as it is where no ':' follows the template; write '%'"};
inline constexpr DiagnosticKind kAsmUnterminated {"asm-unterminated",   kError, "the template ends inside a statement: what the compiler writes behind it becomes a part of that"};
// How operands are used.
inline constexpr DiagnosticKind kAsmWritesInput  {"asm-writes-input",   kError, "'%{}' is an input and is written here; the compiler expects its old value afterwards"};
inline constexpr DiagnosticKind kAsmNeverWritten {"asm-never-written",  kError, "'%{}' is an output and is never written"};
inline constexpr DiagnosticKind kAsmReadFirst    {"asm-read-first",     kWarning, "'%{}' is read before anything wrote it: its constraint is '=', which takes no value in"};
inline constexpr DiagnosticKind kAsmGuardedWrite {"asm-guarded-write",  kWarning, "'%{}' is written under a guard only: where that is false its value is undefined"};
inline constexpr DiagnosticKind kAsmOnlyRead     {"asm-only-read",      kWarning, "'%{}' is '+' and is never written; an input would do"};
inline constexpr DiagnosticKind kAsmUnused       {"asm-unused",         kWarning, "'%{}' is not used in the template"};
// What the statement does that its lists don't say.
inline constexpr DiagnosticKind kAsmLostEffect   {"asm-lost-effect",    kError, "'{}' {}, and the compiler may drop the statement where its outputs aren't used"};
inline constexpr DiagnosticKind kAsmNotVolatile  {"asm-not-volatile",   kWarning, "'{}' {}, and the compiler may move, join or drop statements that aren't volatile"};
inline constexpr DiagnosticKind kAsmNoMemory     {"asm-no-memory",      kWarning, "'{}' {}, and the compiler may move loads and stores across it"};
// The template is pasted wherever its function is inlined and its loop unrolled.
inline constexpr DiagnosticKind kAsmOpenRegister {"asm-open-register",  kWarning, "'{}' is declared outside braces: pasted twice into one function, it clashes"};
inline constexpr DiagnosticKind kAsmOpenLabel    {"asm-open-label",     kWarning, "the label '{}' stands outside braces: pasted twice into one function, it clashes"};
inline constexpr DiagnosticKind kAsmForeignName  {"asm-foreign-name",   kWarning, "'{}' is not declared here; it is taken for a name of the module"};
// No fault.
inline constexpr DiagnosticKind kAsmSkipped      {"asm-skipped",        Severity::kNote, "this asm statement is not checked: {}"};

inline constexpr const DiagnosticKind* kAllOfInline[] = {
    &kAsmConstraint, &kAsmClobber, &kAsmOperandRange, &kAsmPercent, &kAsmDoubled, &kAsmUnterminated,
    &kAsmWritesInput, &kAsmNeverWritten, &kAsmReadFirst, &kAsmGuardedWrite, &kAsmOnlyRead, &kAsmUnused,
    &kAsmLostEffect, &kAsmNotVolatile, &kAsmNoMemory, &kAsmOpenRegister, &kAsmOpenLabel,
    &kAsmForeignName, &kAsmSkipped,
};
// clang-format on

}  // namespace ptxfarm::ptx::kinds

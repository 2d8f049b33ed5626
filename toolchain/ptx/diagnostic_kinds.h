// The kinds of diagnostics that this folder gives: one row each.
//
// A kind's name is a word that programs may rely on; its format says what was written and what
// would be right. A test asks for a golden file that produces each.
#pragma once

#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "base/diagnostic.h"

namespace ptxfarm::ptx {

struct DiagnosticKind {
  std::string_view name;
  Severity severity;
  std::string_view format;
};

namespace kinds {

constexpr Severity kError = Severity::kError;
constexpr Severity kWarning = Severity::kWarning;

// clang-format off
// The input as a whole.
inline constexpr DiagnosticKind kEmptyInput        {"empty-input",          kError, "the input {}"};
inline constexpr DiagnosticKind kNotPtx            {"not-ptx",              kError, "the input is {}, not PTX text"};
inline constexpr DiagnosticKind kInputTooLarge     {"input-too-large",      kError, "the input has {} bytes; source_bytes_max is {}"};
// Bytes and tokens.
inline constexpr DiagnosticKind kNonAsciiComment   {"non-ascii-comment",    kWarning, "a comment holds the byte 0x{:02x}; compilers see blanks there"};
inline constexpr DiagnosticKind kNonAscii          {"non-ascii",            kError, "{}; only comments may hold bytes above 127"};
inline constexpr DiagnosticKind kNulByte           {"nul-byte",             kError, "a NUL byte inside the text; NULs may stand at its very end only"};
inline constexpr DiagnosticKind kUnknownCharacter  {"unknown-character",    kError, "the character '{}' has no meaning in PTX"};
inline constexpr DiagnosticKind kUnclosedComment   {"unclosed-comment",     kError, "a comment begins here and has no '*/'"};
inline constexpr DiagnosticKind kUnclosedString    {"unclosed-string",      kError, "a string begins here and has no closing quote"};
inline constexpr DiagnosticKind kUnclosedSource    {"unclosed-source-text", kError, ".source_begin has no .source_end"};
inline constexpr DiagnosticKind kBadNumber         {"bad-number",           kError, "'{}' is no number: {}"};
inline constexpr DiagnosticKind kBadLineMarker     {"bad-line-marker",      kError, "'{}': the only lines with '#' are '#line NUMBER \"FILE\"' and '# NUMBER \"FILE\"'"};
// The head of the module.
inline constexpr DiagnosticKind kMissingVersion    {"missing-version",      kError, "a module begins with .version (comments may stand before it); found '{}'"};
inline constexpr DiagnosticKind kBadVersion        {"bad-version",          kError, ".version needs MAJOR.MINOR, as in '.version 8.0'; found '{}'"};
inline constexpr DiagnosticKind kMissingTarget     {"missing-target",       kError, ".target must follow .version, as in '.target sm_80'; found '{}'"};
inline constexpr DiagnosticKind kUnknownTarget     {"unknown-target",       kError, "{}"};
inline constexpr DiagnosticKind kBadTargetOption   {"bad-target-option",    kError, "'{}' can't stand in .target; {}"};
inline constexpr DiagnosticKind kBadAddressSize    {"bad-address-size",     kError, ".address_size is 32 or 64; found '{}'"};
// Entries and functions.
inline constexpr DiagnosticKind kBadName           {"bad-name",             kError, "{} needs a name; found '{}'"};
inline constexpr DiagnosticKind kDottedName        {"dotted-name",          kError, "'{}' is no name: names hold letters, digits, '_' and '$', no '.'"};
inline constexpr DiagnosticKind kUnclosedBrace     {"unclosed-brace",       kError, "'{{' is never closed"};
inline constexpr DiagnosticKind kUnopenedBrace     {"unopened-brace",       kError, "'}}' closes nothing"};

// Syntax.
inline constexpr DiagnosticKind kExpected          {"expected",             kError, "expected {}; found '{}'"};
inline constexpr DiagnosticKind kEmptyStatement    {"empty-statement",      kError, "';' ends nothing: PTX has no empty statement"};
inline constexpr DiagnosticKind kUnknownDirective  {"unknown-directive",    kError, "'{}' is no directive"};
inline constexpr DiagnosticKind kMisplaced         {"misplaced",            kError, "'{}' can't stand {}; it stands {}"};
inline constexpr DiagnosticKind kRepeated          {"repeated",             kError, "'{}' stands here twice"};
inline constexpr DiagnosticKind kNeedsLabel        {"needs-label",          kError, "'{}' needs a label in front, as in 'NAME: {}'"};
inline constexpr DiagnosticKind kBadVectorSize     {"bad-vector-size",      kError, "'{}' is no vector: vectors have 2, 4 or 8 elements"};
inline constexpr DiagnosticKind kUnknownType       {"unknown-type",         kError, "'{}' is no type of a variable"};
inline constexpr DiagnosticKind kNestedTooDeep     {"nested-too-deep",      kError, "nested deeper than {} ({})"};
inline constexpr DiagnosticKind kBadAddress        {"bad-address",          kError, "{}"};

// Version and target.
inline constexpr DiagnosticKind kUnknownVersion    {"unknown-version",      kError, "there is no PTX ISA {}; {}"};
inline constexpr DiagnosticKind kVersionTooOld     {"needs-version",        kError, "{} needs .version {} or later; the module says {}"};
inline constexpr DiagnosticKind kEndedVersion      {"ended-version",        kError, "{} ended with .version {}; the module says {}"};
inline constexpr DiagnosticKind kTargetTooOld      {"needs-target",         kError, "{} needs .target sm_{} or later; the module says {}"};
inline constexpr DiagnosticKind kTargetMismatch    {"target-mismatch",      kError, "can't be compiled for {}: {}"};
// Names.
inline constexpr DiagnosticKind kUndeclared        {"undeclared",           kError, "'{}' is not declared here"};
inline constexpr DiagnosticKind kRedeclared        {"redeclared",           kError, "'{}' is declared already"};
inline constexpr DiagnosticKind kDiffersFrom       {"differs",              kError, "'{}' differs from its declaration: {}"};
inline constexpr DiagnosticKind kWrongMeaning      {"wrong-meaning",        kError, "'{}' is {}; {} is wanted"};
inline constexpr DiagnosticKind kBadComponent      {"bad-component",        kError, "'{}' is no component of '{}', which {}"};
inline constexpr DiagnosticKind kUnresolved        {"unresolved",           kError, "'{}' is declared and never defined: {}"};
// Declarations and constants.
inline constexpr DiagnosticKind kBadDeclaration    {"bad-declaration",      kError, "{}"};
inline constexpr DiagnosticKind kBadValue          {"bad-value",            kError, "{} is {}; found {}"};
inline constexpr DiagnosticKind kBadConstant       {"bad-constant",         kError, "{}"};
inline constexpr DiagnosticKind kConstantWraps     {"constant-wraps",       kWarning, "{} needs more than 64 bits; compilers take the lower ones"};
inline constexpr DiagnosticKind kBadInitializer    {"bad-initializer",      kError, "{}"};
inline constexpr DiagnosticKind kBadAlias          {"bad-alias",            kError, "{}"};
inline constexpr DiagnosticKind kExclusive         {"exclusive",            kError, "'{}' and '{}' exclude each other"};
inline constexpr DiagnosticKind kMissingDirective  {"missing-directive",    kError, "'{}' needs {}"};
inline constexpr DiagnosticKind kIgnored           {"ignored",              kWarning, "'{}' has no effect: {}"};
inline constexpr DiagnosticKind kBadPragma         {"bad-pragma",           kError, "{}"};
inline constexpr DiagnosticKind kUnknownPragma     {"unknown-pragma",       kWarning, "compilers ignore the pragma \"{}\""};
inline constexpr DiagnosticKind kBadDebug          {"bad-debug",            kError, "{}"};
inline constexpr DiagnosticKind kNoDebugFile       {"no-debug-file",        kWarning, "no .file has the number {}"};
// Calls and branches.
inline constexpr DiagnosticKind kBadCall           {"bad-call",             kError, "{}"};
inline constexpr DiagnosticKind kBadBranch         {"bad-branch",           kError, "{}"};
inline constexpr DiagnosticKind kBadGuard          {"bad-guard",            kError, "a guard is a register of .pred; {}"};
inline constexpr DiagnosticKind kUnpassedParameter {"unpassed-parameter",   kError, "'{}' is in .param and no call passes it"};
inline constexpr DiagnosticKind kMisaligned        {"misaligned",           kWarning, "'{}' plus {} is no multiple of {}, to which this access is aligned"};
// Limits of the machine: their own kind of outcome, not a fault of spelling.
inline constexpr DiagnosticKind kSharedTooLarge    {"shared-too-large",     kError, "'{}' uses {} bytes of static shared memory; {} is {}"};
inline constexpr DiagnosticKind kConstantTooLarge  {"constant-too-large",   kError, "the module has {} bytes of .const variables; {} is {}"};
inline constexpr DiagnosticKind kParametersTooLarge{"parameters-too-large", kError, "the parameters of '{}' take {} bytes; {} are allowed by .version {} and {}"};
inline constexpr DiagnosticKind kLocalTooLarge     {"local-too-large",      kError, "'{}' needs {} bytes of local memory a thread; no device has more than {}"};
inline constexpr DiagnosticKind kLocalLarge        {"local-large",          kWarning, "'{}' needs {} bytes of local memory a thread; {} is {}"};

// Every row, for documents and tests.
inline constexpr const DiagnosticKind* kAll[] = {
    &kEmptyInput, &kNotPtx, &kInputTooLarge,
    &kNonAsciiComment, &kNonAscii, &kNulByte, &kUnknownCharacter, &kUnclosedComment,
    &kUnclosedString, &kUnclosedSource, &kBadNumber, &kBadLineMarker,
    &kMissingVersion, &kBadVersion, &kMissingTarget, &kUnknownTarget, &kBadTargetOption,
    &kBadAddressSize,
    &kBadName, &kDottedName, &kUnclosedBrace, &kUnopenedBrace,
    &kExpected, &kEmptyStatement, &kUnknownDirective, &kMisplaced, &kRepeated, &kNeedsLabel,
    &kBadVectorSize, &kUnknownType, &kNestedTooDeep, &kBadAddress,
    &kUnknownVersion, &kVersionTooOld, &kEndedVersion, &kTargetTooOld, &kTargetMismatch,
    &kUndeclared, &kRedeclared, &kDiffersFrom, &kWrongMeaning, &kBadComponent, &kUnresolved,
    &kBadDeclaration, &kBadValue, &kBadConstant, &kConstantWraps, &kBadInitializer, &kBadAlias,
    &kExclusive, &kMissingDirective, &kIgnored, &kBadPragma, &kUnknownPragma, &kBadDebug,
    &kNoDebugFile, &kBadCall, &kBadBranch, &kBadGuard, &kUnpassedParameter, &kMisaligned,
    &kSharedTooLarge, &kConstantTooLarge, &kParametersTooLarge, &kLocalTooLarge, &kLocalLarge,
};
// clang-format on

}  // namespace kinds

// A diagnostic of a kind: Diagnose<kinds::kNulByte>(place). The arguments are checked against the
// row's format when the program is built.
template <const DiagnosticKind& kind, typename... Args>
Diagnostic Diagnose(Place place, Args&&... args) {
  return {
      .severity = kind.severity,
      .kind = std::string(kind.name),
      .message = fmt::format(fmt::format_string<Args...>(kind.format), std::forward<Args>(args)...),
      .place = place};
}

}  // namespace ptxfarm::ptx

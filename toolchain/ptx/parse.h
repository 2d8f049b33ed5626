// The second phase: tokens → Module.
#pragma once

#include "base/limits.h"
#include "base/result.h"
#include "toolchain/ptx/ast.h"

namespace ptxfarm::ptx {

inline constexpr Limit kBlocksNestedMax{"blocks_nested_max", 1000, "of braces in a body"};
inline constexpr Limit kOperandsNestedMax{"operands_nested_max", 8,
                                          "of brackets and braces in an instruction"};
inline constexpr Limit kExpressionsNestedMax{"expressions_nested_max", 1000,
                                             "of operators and parentheses in an expression"};

// Parses a module; judges spelling only. Names, types, numbers and target rules are verify.h's; so
// are words that no instruction has.
//
//   tokens   must outlive the module, as the text must outlive the tokens
//   returns  the module, or every error up to a bound, in order of place: the parser resumes behind
//            the next ';', or at the next '}'
//
// Linear in the text. Safe to call from many threads.
Result<Module, Diagnostics> Parse(const TokenBuffer& tokens);

// A module without the statements that are wrong: gaps stand for them, so that what is judged of
// the rest doesn't follow from their absence.
struct PartialModule {
  Module module;
  Diagnostics errors;  // Why there are gaps; in order of place.
};

// Parses what can be. Errors alone where the rest says nothing: of a text without a head, one that
// nests too deep, one with as many errors as are reported.
Result<PartialModule, Diagnostics> ParseWhatCanBe(const TokenBuffer& tokens);

}  // namespace ptxfarm::ptx

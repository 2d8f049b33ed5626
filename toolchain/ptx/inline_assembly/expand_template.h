// An asm template → the PTX text that the compiler writes for it.
#pragma once

#include <span>

#include "toolchain/ptx/inline_assembly/constraint.h"
#include "toolchain/ptx/inline_assembly/source_errors.h"

namespace ptxfarm::ptx {

struct ExpandedTemplate {
  // Operands in registers keep their names: '%0' is a name of PTX too.
  MappedText text;
  std::vector<bool> is_used;  // An operand each.
  // Where constants stand whose value isn't known: any fits.
  std::vector<SourceSpan> unknowns;  // In `text`.
  bool has_unknown_text = false;     // A "C" that is no literal: there is no text to check.
};

// Reports '%' that names nothing. `constant` stands for constants whose value isn't known.
ExpandedTemplate ExpandTemplate(const AsmStatement& statement,
                                std::span<const Constraint> constraints, std::string_view constant,
                                SourceErrors& errors);

}  // namespace ptxfarm::ptx

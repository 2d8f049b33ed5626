// An asm statement of CUDA C++, read apart.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "toolchain/ptx/inline_assembly/mapped_text.h"

namespace ptxfarm::ptx {

struct AsmOperand {
  std::string constraint;  // "=r"
  SourceSpan span;         // Of the constraint's string.
  bool is_output = false;
  // Of "n" and "C": what the expression stands for, where it is a literal.
  std::optional<std::string> value;
};

struct AsmStatement {
  SourceSpan span;                   // From `asm` to the closing parenthesis.
  MappedText text;                   // The template: its strings joined, escapes taken.
  std::vector<AsmOperand> operands;  // Outputs first, as %0, %1 … count them.
  std::vector<std::string> clobbers;
  bool is_volatile = false;
  // A colon stands behind the template. Without one, '%' has no meaning in it.
  bool has_operand_list = false;
  // An #if on the architecture, or NV_IF_TARGET, is around it: not every target gets it.
  bool is_conditional = false;

  bool HasMemoryClobber() const {
    for (const std::string& clobber : clobbers)
      if (clobber == "memory") return true;
    return false;
  }
};

// One that is there and can't be checked.
struct SkippedStatement {
  SourceSpan span;
  std::string why;
};

struct AsmStatements {
  std::vector<AsmStatement> found;  // In the order of the text, like `skipped`.
  std::vector<SkippedStatement> skipped;
};

}  // namespace ptxfarm::ptx

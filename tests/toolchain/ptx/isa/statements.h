// Statements of PTX made from the rows of the instruction table: legal ones, and ones that are
// illegal by one step.
#pragma once

#include <optional>
#include <random>
#include <string>
#include <vector>

#include "tests/toolchain/ptx/isa/random_spelling.h"
#include "toolchain/ptx/isa/spelling.h"

namespace ptxfarm::ptx {

struct MadeStatement {
  std::string text;  // "add.s32 %b32_1, %b32_2, 5;"
  std::string step;  // What was made wrong: "type of b"; empty where nothing was.
};

// Declarations of all that statements name, and the entry's head: one line each.
std::string StatementPrologue(PtxVersion version, const Target& target,
                              bool has_independent_textures);
inline constexpr char kStatementEpilogue[] = "DONE:\n\tret;\n}\n";

class StatementMaker {
 public:
  explicit StatementMaker(u32 seed) : random_(seed) {}

  // A statement of one overload of a spelling, every optional operand there or not.
  MadeStatement Legal(const isa::Spelling& spelling, const isa::Overload& overload);
  // The same with one thing wrong in the operands: of another type or kind, missing, one too many,
  // a vector too long, a constant out of its range.
  MadeStatement WrongOperand(const isa::Spelling& spelling, const isa::Overload& overload);
  // The mnemonic with a word left out, doubled, or put in from elsewhere, and operands that fit
  // without that.
  MadeStatement WrongWord(const isa::Spelling& spelling, const isa::Overload& overload);

  std::mt19937& random() { return random_; }

 private:
  std::vector<std::string> Operands(const isa::Overload& overload);
  std::string Operand(const isa::OperandSpec& spec);
  std::string Register(isa::TypeMask mask);
  std::string Vector(const isa::OperandSpec& spec, std::size_t elements);
  std::string Address(const isa::OperandSpec& spec);
  std::string Constant(const isa::OperandSpec& spec);
  std::size_t Choose(std::size_t count) { return random_() % count; }

  std::mt19937 random_;
};

}  // namespace ptxfarm::ptx

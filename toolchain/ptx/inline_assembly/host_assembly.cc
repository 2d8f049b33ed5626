#include "toolchain/ptx/inline_assembly/host_assembly.h"

#include <algorithm>

#include "toolchain/ptx/isa/instructions.h"

namespace ptxfarm::ptx {
namespace {

constexpr std::string_view kLetters = "hrlqfdnCb=+&%0123456789";

bool IsForeign(const AsmOperand& operand) {
  return operand.constraint.find_first_not_of(kLetters) != std::string::npos;
}

// "fma.rn": a word of an opcode with a '.' behind it.
bool HoldsPtx(std::string_view text) {
  std::size_t at = 0;
  while ((at = text.find('.', at)) != text.npos) {
    std::size_t begin = at;
    while (begin > 0 && ((text[begin - 1] >= 'a' && text[begin - 1] <= 'z') ||
                         (text[begin - 1] >= '0' && text[begin - 1] <= '9')))
      --begin;
    if (!isa::RowsOf(text.substr(begin, at - begin)).empty()) return true;
    ++at;
  }
  return false;
}

// "pause", "yield": one word that PTX doesn't have.
bool IsForeignWord(std::string_view text) {
  return !text.empty() && text.find_first_not_of("abcdefghijklmnopqrstuvwxyz") == text.npos &&
         isa::RowsOf(text).empty();
}

}  // namespace

bool IsHostAssembly(const AsmStatement& statement) {
  const bool is_foreign = std::ranges::any_of(statement.operands, IsForeign) ||
                          std::ranges::any_of(statement.clobbers, [](const std::string& clobber) {
                            return clobber != "memory";
                          });
  const std::string& text = statement.text.text();
  return (is_foreign && !HoldsPtx(text)) || (statement.operands.empty() && IsForeignWord(text));
}

}  // namespace ptxfarm::ptx

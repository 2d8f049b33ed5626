// What is wrong with the words of a mnemonic, and what would be right.
#pragma once

#include "toolchain/ptx/isa/spelling.h"

namespace ptxfarm::ptx::isa {

// No instruction is called so, or its words are more than any has.
SpellingIssue UnknownInstruction(std::span<const std::string_view> words);

// No form of the instruction has these words: the one that comes nearest says which is wrong.
SpellingIssue WrongModifiers(std::span<const std::string_view> words);

// Compilers take it, the manual writes it otherwise: a warning.
SpellingIssue OddSpelling(const Match& match, std::span<const std::string_view> words);

// Whether the module's version and target have what is asked for; for requirements of operands as
// if the operand stood there.
bool IsMet(const Requirement& requirement, const ModuleHead& head);

}  // namespace ptxfarm::ptx::isa

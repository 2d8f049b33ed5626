// The whole instruction table: PTX ISA 9.4 §9.7, a row a form.
#pragma once

#include <span>
#include <string_view>

#include "toolchain/ptx/isa/instruction_row.h"

namespace ptxfarm::ptx::isa {

// The chapters in the manual's order.
std::span<const std::span<const InstructionRow>> InstructionChapters();

// Every opcode once, in alphabetical order.
std::span<const std::string_view> Opcodes();

// The rows of an opcode in the manual's order; empty where there is none.
std::span<const InstructionRow* const> RowsOf(std::string_view opcode);

}  // namespace ptxfarm::ptx::isa

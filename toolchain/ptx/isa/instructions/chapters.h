// The chapters of the instruction table: one function a file.
#pragma once

#include <span>

#include "toolchain/ptx/isa/instruction_row.h"

namespace ptxfarm::ptx::isa {

std::span<const InstructionRow> IntegerInstructions();
std::span<const InstructionRow> FloatingPointInstructions();
std::span<const InstructionRow> HalfPrecisionInstructions();
std::span<const InstructionRow> ComparisonInstructions();
std::span<const InstructionRow> LogicInstructions();
std::span<const InstructionRow> MoveInstructions();
std::span<const InstructionRow> LoadStoreInstructions();
std::span<const InstructionRow> MultimemInstructions();
std::span<const InstructionRow> CacheAddressInstructions();
std::span<const InstructionRow> ConvertInstructions();
std::span<const InstructionRow> AsyncCopyInstructions();
std::span<const InstructionRow> FabricInstructions();
std::span<const InstructionRow> TextureSurfaceInstructions();
std::span<const InstructionRow> ControlFlowInstructions();
std::span<const InstructionRow> SynchronizationInstructions();
std::span<const InstructionRow> AtomicsInstructions();
std::span<const InstructionRow> MbarrierInstructions();
std::span<const InstructionRow> WmmaInstructions();
std::span<const InstructionRow> MmaInstructions();
std::span<const InstructionRow> WgmmaInstructions();
std::span<const InstructionRow> Tcgen05Instructions();
std::span<const InstructionRow> VideoInstructions();
std::span<const InstructionRow> MiscellaneousInstructions();

}  // namespace ptxfarm::ptx::isa

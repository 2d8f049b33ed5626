#include "toolchain/ptx/isa/instructions.h"

#include <algorithm>
#include <vector>

#include "toolchain/ptx/isa/instructions/chapters.h"

namespace ptxfarm::ptx::isa {
namespace {

// The table by opcode, made once.
struct Index {
  std::vector<std::string_view> opcodes;                 // Sorted.
  std::vector<std::vector<const InstructionRow*>> rows;  // One list an opcode.
};

const Index& TheIndex() {
  static const Index index = [] {
    Index made;
    for (const std::span<const InstructionRow> chapter : InstructionChapters())
      for (const InstructionRow& row : chapter) made.opcodes.push_back(row.opcode());
    std::sort(made.opcodes.begin(), made.opcodes.end());
    made.opcodes.erase(std::unique(made.opcodes.begin(), made.opcodes.end()), made.opcodes.end());
    made.rows.resize(made.opcodes.size());
    for (const std::span<const InstructionRow> chapter : InstructionChapters()) {
      for (const InstructionRow& row : chapter) {
        const auto at = std::lower_bound(made.opcodes.begin(), made.opcodes.end(), row.opcode());
        made.rows[static_cast<std::size_t>(at - made.opcodes.begin())].push_back(&row);
      }
    }
    return made;
  }();
  return index;
}

}  // namespace

std::span<const std::span<const InstructionRow>> InstructionChapters() {
  static const std::span<const InstructionRow> chapters[] = {
      IntegerInstructions(),
      FloatingPointInstructions(),
      HalfPrecisionInstructions(),
      ComparisonInstructions(),
      LogicInstructions(),
      MoveInstructions(),
      LoadStoreInstructions(),
      MultimemInstructions(),
      CacheAddressInstructions(),
      ConvertInstructions(),
      AsyncCopyInstructions(),
      FabricInstructions(),
      TextureSurfaceInstructions(),
      ControlFlowInstructions(),
      SynchronizationInstructions(),
      AtomicsInstructions(),
      MbarrierInstructions(),
      WmmaInstructions(),
      MmaInstructions(),
      WgmmaInstructions(),
      Tcgen05Instructions(),
      VideoInstructions(),
      MiscellaneousInstructions(),
  };
  return chapters;
}

std::span<const std::string_view> Opcodes() { return TheIndex().opcodes; }

std::span<const InstructionRow* const> RowsOf(std::string_view opcode) {
  const Index& index = TheIndex();
  const auto at = std::lower_bound(index.opcodes.begin(), index.opcodes.end(), opcode);
  if (at == index.opcodes.end() || *at != opcode) return {};
  return index.rows[static_cast<std::size_t>(at - index.opcodes.begin())];
}

}  // namespace ptxfarm::ptx::isa

// The special registers of PTX: a row each, which verifier and documents read. PTX ISA 9.4 §10.
#pragma once

#include <span>
#include <string_view>

#include "toolchain/ptx/isa/gate.h"
#include "toolchain/ptx/isa/type.h"

namespace ptxfarm::ptx {

// Widths besides its own in which mov may read a special register; leftovers of PTX 1.x.
enum class OtherWidths : u8 { kNone, k16, k16And32 };

struct SpecialRegisterDesc {
  std::string_view name;
  Type type;
  u8 vector_size;  // 4: it has the components .x .y .z .w, and .w is 0.
  Gate gate;
  std::string_view section;
  std::string_view meaning;
  OtherWidths other_widths = OtherWidths::kNone;
};

std::span<const SpecialRegisterDesc> AllSpecialRegisters();

// The row of a name with its '%', or null. Of %pm0 … and %envreg0 … each has its own.
const SpecialRegisterDesc* FindSpecialRegister(std::string_view name);

}  // namespace ptxfarm::ptx

// The entries and functions of a module, found without parsing their bodies.
#pragma once

#include <string_view>
#include <vector>

#include "toolchain/ptx/cursor.h"
#include "toolchain/ptx/error_list.h"

namespace ptxfarm::ptx {

enum class Linkage : u8 { kNone, kVisible, kExtern, kWeak, kCommon };

struct FunctionHeader {
  std::string_view name;
  u32 offset = 0;  // Of the name.
  bool is_entry = false;
  bool is_defined = false;  // Has a body here.
  Linkage linkage = Linkage::kNone;
};

// From `cursor`, behind the head of the module, to the end of the text. Wrong names and braces
// without a partner are reported; nothing else is judged.
std::vector<FunctionHeader> ReadFunctions(TokenCursor& cursor, ErrorList& errors);

}  // namespace ptxfarm::ptx

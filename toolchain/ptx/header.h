// The head of a module, and the entries and functions in it, read without parsing their bodies.
#pragma once

#include <optional>
#include <vector>

#include "base/result.h"
#include "toolchain/ptx/functions.h"
#include "toolchain/ptx/token.h"
#include "toolchain/target/target.h"

namespace ptxfarm::ptx {

// The directives that begin a module.
struct ModuleHead {
  PtxVersion version;
  u32 version_offset = 0;  // Of the number.

  // PTX ISA 9.4 §11.1.2. Where several architectures are named, ptxas takes the last; so do we.
  Target target;
  u32 target_offset = 0;  // Of its name.
  bool is_debug = false;  // The option `debug`: the text is compiled unoptimized.
  bool maps_f64_to_f32 = false;
  bool has_independent_textures = false;  // texmode_independent

  std::optional<u32> address_size;  // 32 or 64, where the module says.
};

struct ModuleHeader : ModuleHead {
  // In the order of the text; a function that is declared and defined is there twice.
  std::vector<FunctionHeader> functions;

  // A .loc stands somewhere. Then ptxas writes line tables and the text itself into the cubin,
  // whatever it is asked for.
  bool has_locations = false;
};

// Reads the head only, and leaves the cursor behind it. Reports what is missing or wrong; nothing
// where that is the version or the target.
std::optional<ModuleHead> ReadHead(TokenCursor& cursor, ErrorList& errors);

// Reads the head and finds the entries and functions. Judges nothing inside bodies but that braces
// match; versions and targets are only known or not, whether they fit is the verifier's.
//
//   returns  the header, or what is missing or wrong, in order of place; views look into the source
Result<ModuleHeader, Diagnostics> ReadHeader(const TokenBuffer& tokens);

}  // namespace ptxfarm::ptx

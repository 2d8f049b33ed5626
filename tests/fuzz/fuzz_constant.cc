// Constant expressions of any shape: parsed and evaluated without a fault, and the same again from
// what is printed.
#include <string>
#include <string_view>

#include "toolchain/ptx/constant.h"
#include "toolchain/ptx/lex.h"
#include "toolchain/ptx/parse.h"
#include "toolchain/ptx/print.h"

namespace {

using namespace ptxfarm;       // NOLINT: the fuzzer's own file
using namespace ptxfarm::ptx;  // NOLINT

// False where the text is no module of one array.
bool SizeOf(const std::string& text, Evaluated* size, std::string* printed) {
  const Source source{"fuzz", text};
  const Result<TokenBuffer, Diagnostics> tokens = Lex(source);
  if (!tokens) return false;
  const Result<Module, Diagnostics> module = Parse(*tokens);
  if (!module || module->statements.size() != 1 || module->variables.size() != 1) return false;
  const Range nodes = module->variables[0].dimensions;
  // `[]` and `[1][2]` are no expressions.
  u32 ends = 0;
  for (const ExpressionNode& node : Module::Of(module->expressions, nodes))
    if (node.ends_expression) ++ends;
  if (ends != 1 || module->expressions[nodes.begin].op == ExpressionOp::kListEnd) return false;
  *size = Evaluate(*module, nodes);
  *printed = Print(*module);
  return true;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const u8* data, std::size_t size) {
  const std::string text = ".version 8.0\n.target sm_80\n.global .b8 x[" +
                           std::string(reinterpret_cast<const char*>(data), size) + "];\n";
  Evaluated first;
  Evaluated second;
  std::string printed;
  std::string printed_again;
  if (!SizeOf(text, &first, &printed)) return 0;
  PTXFARM_CHECK(SizeOf(printed, &second, &printed_again), printed);
  PTXFARM_CHECK(first.fault == second.fault && first.constant.value == second.constant.value &&
                    printed == printed_again,
                printed);
  return 0;
}

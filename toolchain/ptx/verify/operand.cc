// What the names and constants of an instruction's operands mean. PTX ISA 9.4 §6.
#include <algorithm>

#include "base/text.h"
#include "toolchain/ptx/isa/special_registers.h"
#include "toolchain/ptx/verify/verifier.h"

namespace ptxfarm::ptx {
namespace {

// 0 to 3 of .x .y .z .w and .r .g .b .a; nothing for other words.
std::optional<u8> ComponentOf(std::string_view word) {
  if (word.size() != 2) return std::nullopt;
  for (const std::string_view letters : {"xyzw", "rgba"})
    if (const std::size_t at = letters.find(word[1]); at != std::string_view::npos)
      return static_cast<u8>(at);
  return std::nullopt;
}

// .b0, .h1, .b3210, .h10: parts of a register that video instructions read (§9.7.17).
bool IsSelector(std::string_view word) {
  if (word.size() < 3 || (word[1] != 'b' && word[1] != 'h')) return false;
  return std::all_of(word.begin() + 2, word.end(), [](char c) { return c >= '0' && c <= '7'; });
}

std::string_view WordsFor(SymbolKind kind) {
  switch (kind) {
    case SymbolKind::kVariable: return "a variable";
    case SymbolKind::kFunction: return "a function";
    case SymbolKind::kLabel: return "a label";
    case SymbolKind::kPrototype: return "a prototype";
    case SymbolKind::kBranchTargets: return "a list of branch targets";
    case SymbolKind::kCallTargets: return "a list of call targets";
    case SymbolKind::kUndeclared: return "unknown";
  }
  return "";
}

}  // namespace

void Verifier::ResolveOperands(const Instruction& instruction) {
  const std::span<const Operand> all = Module::Of(module_.operands, instruction.all_operands());
  resolved_.clear();
  resolved_.resize(all.size());
  for (std::size_t i = 0; i < all.size(); ++i) ResolveOperand(all[i], resolved_[i]);
  // Children lie behind their parents.
  if (instruction.node_count == instruction.operand_count) return RefuseSums(instruction);
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!all[i].HasChildren()) continue;
    resolved_[i].children = std::span<const ResolvedOperand>(resolved_).subspan(
        all[i].first - instruction.first_operand, all[i].count);
    if (all[i].kind != OperandKind::kAddress) continue;
    for (u32 child = 0; child < all[i].count; ++child)
      ResolveAddress(resolved_[all[i].first - instruction.first_operand + child]);
  }
  RefuseSums(instruction);
}

// Only in brackets has a register an offset: PTX ISA 9.4 §6.4.1.
void Verifier::RefuseSums(const Instruction& instruction) {
  const auto refuse = [&](std::span<const ResolvedOperand> operands) {
    for (const ResolvedOperand& operand : operands) {
      if (operand.syntax->kind != OperandKind::kOffset || !IsRegister(operand)) continue;
      Evaluated evaluated{.fault = ConstantFault::kName, .at = operand.syntax->token};
      ReportFault(evaluated);
      resolved_[static_cast<std::size_t>(&operand - resolved_.data())].meaning = Meaning::kUnknown;
    }
  };
  const auto top = std::span<const ResolvedOperand>(resolved_).first(instruction.operand_count);
  refuse(top);
  for (const ResolvedOperand& operand : top)
    if (operand.meaning == Meaning::kVector || operand.meaning == Meaning::kList)
      refuse(operand.children);
}

void Verifier::ResolveOperand(const Operand& operand, ResolvedOperand& resolved) {
  resolved.syntax = &operand;
  switch (operand.kind) {
    case OperandKind::kName: return ResolveName(operand, resolved);
    case OperandKind::kSink: resolved.meaning = Meaning::kSink; return;
    case OperandKind::kInteger: {
      const IntegerLiteral literal = ValueOfInteger(Text(operand.token));
      if (literal.wraps)
        Report<kinds::kConstantWraps>(operand.token, Text(operand.token)).section = "4.5.1";
      resolved.meaning = Meaning::kInteger;
      resolved.is_unsigned = literal.constant.is_unsigned;
      resolved.value = operand.is_negative
                           ? static_cast<i64>(0 - static_cast<u64>(literal.constant.value))
                           : literal.constant.value;
      return;
    }
    case OperandKind::kFloat:
    case OperandKind::kExpression: return ResolveConstant(operand, resolved);
    case OperandKind::kOffset: {
      ResolveName(operand, resolved);
      const Evaluated offset = Evaluate(module_, operand.nodes());
      if (!ReportFault(offset)) {
        resolved.meaning = Meaning::kUnknown;
      } else if (offset.number) {
        if (resolved.meaning != Meaning::kUnknown)
          Report<kinds::kBadConstant>(module_.expressions[operand.first].token,
                                      "an offset is an integer")
              .section = "6.4.1";
        resolved.meaning = Meaning::kUnknown;
      } else {
        resolved.value = offset.constant.value;
      }
      return;
    }
    case OperandKind::kVector: resolved.meaning = Meaning::kVector; return;
    case OperandKind::kAddress: resolved.meaning = Meaning::kAddress; return;
    case OperandKind::kPair: resolved.meaning = Meaning::kPair; return;
    case OperandKind::kList: resolved.meaning = Meaning::kList; return;
  }
}

void Verifier::ResolveName(const Operand& operand, ResolvedOperand& resolved) {
  const std::string_view name = Text(operand.token);
  const Symbol* const symbol = symbols_.Find(name);
  if (symbol == nullptr) {
    if (name == "WARP_SZ") {
      resolved.meaning = Meaning::kInteger;
      resolved.value = kWarpSize;
    } else if (!ResolveSpecialRegister(operand, resolved)) {
      ReportUndeclared(operand.token);
    }
    return;
  }
  switch (symbol->kind) {
    case SymbolKind::kVariable: {
      const Variable& variable = module_.variables[symbol->index];
      resolved.variable = &variable;
      resolved.meaning =
          variable.space == StateSpace::kReg ? Meaning::kRegister : Meaning::kVariable;
      resolved.type = variable.type;
      resolved.vector_size = variable.vector_size;
      resolved.space = variable.space;
      resolved.is_array = variable.is_array;
      if (syntax_ != nullptr) {
        const auto is_in = [&](Range range) {
          return symbol->index >= range.begin && symbol->index < range.end;
        };
        resolved.is_parameter = is_in(syntax_->parameters) || is_in(syntax_->results);
        resolved.is_entry_parameter = resolved.is_parameter && syntax_->is_entry;
      }
      if (resolved.meaning == Meaning::kVariable) NoteUse(*symbol, operand.token);
      break;
    }
    case SymbolKind::kFunction: {
      const FunctionState& state = function_states_[symbol->index];
      resolved.meaning =
          module_.functions[state.declaration].is_entry ? Meaning::kEntry : Meaning::kFunction;
      NoteUse(*symbol, operand.token);
      break;
    }
    case SymbolKind::kLabel: resolved.meaning = Meaning::kLabel; break;
    case SymbolKind::kPrototype: resolved.meaning = Meaning::kPrototype; break;
    case SymbolKind::kBranchTargets: resolved.meaning = Meaning::kBranchTargets; break;
    case SymbolKind::kCallTargets: resolved.meaning = Meaning::kCallTargets; break;
    case SymbolKind::kUndeclared: return;
  }
  if (operand.has_component) ResolveComponent(operand, resolved);
}

bool Verifier::ResolveSpecialRegister(const Operand& operand, ResolvedOperand& resolved) {
  const SpecialRegisterDesc* const desc = FindSpecialRegister(Text(operand.token));
  if (desc == nullptr) return false;
  CheckGate(desc->gate, operand.token, fmt::format("'{}'", desc->name), desc->section);
  if (desc->name.starts_with("%perctamemory") && (syntax_ == nullptr || !syntax_->has_wrong_head) &&
      (syntax_ == nullptr || !FindDirectiveIn(syntax_->directives, ".minperctamemory")))
    Report<kinds::kMissingDirective>(operand.token, desc->name, "an entry with .minperctamemory")
        .section = desc->section;
  resolved.meaning = Meaning::kSpecialRegister;
  resolved.type = desc->type;
  resolved.vector_size = desc->vector_size;
  resolved.space = StateSpace::kSreg;
  resolved.special_register = static_cast<u16>(desc - AllSpecialRegisters().data());
  if (operand.has_component) ResolveComponent(operand, resolved);
  return true;
}

void Verifier::ResolveComponent(const Operand& operand, ResolvedOperand& resolved) {
  const TokenId at{operand.token.index + 1};
  const std::string_view word = Text(at);
  const bool is_register =
      resolved.meaning == Meaning::kRegister || resolved.meaning == Meaning::kSpecialRegister;
  const std::optional<u8> component = ComponentOf(word);
  if (is_register && resolved.vector_size == 1 && IsSelector(word)) return;
  if (is_register && component && *component < resolved.vector_size && resolved.vector_size > 1) {
    resolved.vector_size = 1;
    return;
  }
  const std::string what =
      !is_register ? std::string("is no register")
      : resolved.vector_size == 1
          ? std::string("is a scalar")
          : fmt::format("has {} of them: .x .y .z .w in this order", resolved.vector_size);
  Diagnostic& diagnostic = Report<kinds::kBadComponent>(at, word, Text(operand.token), what);
  diagnostic.section = "5.4.2";
  if (resolved.variable != nullptr)
    diagnostic.related.push_back(DeclaredHere(resolved.variable->name));
  resolved.meaning = Meaning::kUnknown;
}

void Verifier::ResolveConstant(const Operand& operand, ResolvedOperand& resolved) {
  if (operand.kind == OperandKind::kFloat) {
    const std::string_view text = Text(operand.token);
    resolved.meaning = Meaning::kFloat;
    Evaluated evaluated{.at = operand.token};
    if (operand.is_negative && text.size() > 2 &&
        ((text[1] | 0x20) == 'f' || (text[1] | 0x20) == 'd'))
      evaluated.fault = ConstantFault::kSignedPattern;
    else if (!ValueOfFloat(text))
      evaluated.fault = ConstantFault::kFloatTooLarge;
    if (!ReportFault(evaluated)) resolved.meaning = Meaning::kUnknown;
    return;
  }
  const Evaluated evaluated = Evaluate(module_, operand.nodes());
  if (!ReportFault(evaluated)) return;
  resolved.meaning = evaluated.number ? Meaning::kFloat : Meaning::kInteger;
  resolved.value = evaluated.constant.value;
  resolved.is_unsigned = evaluated.constant.is_unsigned;
}

// What stands in brackets: a register, a variable, a constant, or a vector of them.
void Verifier::ResolveAddress(ResolvedOperand& resolved) {
  switch (resolved.meaning) {
    case Meaning::kSpecialRegister:
    case Meaning::kFunction:
    case Meaning::kEntry:
    case Meaning::kLabel:
    case Meaning::kPrototype:
    case Meaning::kBranchTargets:
    case Meaning::kCallTargets: break;
    default: return;
  }
  const TokenId at = resolved.syntax->token;
  const std::string_view name = Text(at);
  const Symbol* const symbol = symbols_.Find(name);
  Diagnostic& diagnostic = Report<kinds::kWrongMeaning>(
      at, name, symbol == nullptr ? "a special register" : WordsFor(symbol->kind), "an address");
  diagnostic.section = "6.4.1";
  if (symbol != nullptr) {
    diagnostic.related.push_back(DeclaredHere(symbol->name));
    if (const Symbol* const hidden = symbols_.FindHidden(name))
      diagnostic.related.push_back(DeclaredHere(hidden->name, "and hides this one"));
  }
  resolved.meaning = Meaning::kUnknown;
}

// Once for each name and scope.
void Verifier::ReportUndeclared(TokenId name) {
  const std::string_view text = Text(name);
  Diagnostic& diagnostic = Report<kinds::kUndeclared>(name, text);
  symbols_.Declare(text, {SymbolKind::kUndeclared, 0, name});
  if (errors_.is_full()) return;
  diagnostic.section = "5.4";

  const std::size_t stem = text.find_last_not_of("0123456789") + 1;
  u32 count = 0;
  if (const Symbol* const range = symbols_.FindRange(text.substr(0, stem), &count);
      range != nullptr && stem < text.size() && count > 0) {
    const std::string_view prefix = text.substr(0, stem);
    diagnostic.hint =
        fmt::format("'{}<{}>' declares {}0 to {}{}", prefix, count, prefix, prefix, count - 1);
    diagnostic.related.push_back(DeclaredHere(range->name));
    return;
  }
  // It may stand in a block that isn't visible from here, or further down.
  const auto elsewhere = [&](TokenId other, std::string_view words) {
    diagnostic.related.push_back(DeclaredHere(other, words));
  };
  for (const Label& label : labels_)
    if (syntax_ != nullptr && Text(label.name) == text)
      return elsewhere(label.name, "defined inside a block that is not visible from there");
  for (const Variable& variable : module_.variables)
    if (variable.name && Text(variable.name) == text)
      return elsewhere(variable.name, variable.name < name
                                          ? "declared in a block or function that has ended"
                                          : "declared further down; names stand before their use");
  const std::vector<std::string_view> names = symbols_.VisibleNames();
  if (const std::optional<std::string_view> nearest = Nearest(text, names))
    diagnostic.hint = fmt::format("did you mean '{}'?", *nearest);
}

bool Verifier::ReportFault(const Evaluated& evaluated) {
  std::string message;
  switch (evaluated.fault) {
    case ConstantFault::kNone: return true;
    case ConstantFault::kName: {
      const Symbol* const symbol = symbols_.Find(Text(evaluated.at));
      if (symbol != nullptr && symbol->kind == SymbolKind::kUndeclared) return false;
      if (symbol == nullptr && FindSpecialRegister(Text(evaluated.at)) == nullptr) {
        ReportUndeclared(evaluated.at);
        return false;
      }
      message =
          fmt::format("'{}' is no constant; of names only WARP_SZ is one", Text(evaluated.at));
      break;
    }
    case ConstantFault::kMixed:
      message = "integers and floats don't mix, and floats have only + - * /";
      break;
    case ConstantFault::kDivisionByZero: message = "division by zero"; break;
    case ConstantFault::kFloatTooLarge:
      message = fmt::format("{} is larger than any .f64", Text(evaluated.at));
      break;
    case ConstantFault::kSignedPattern:
      message = "0f and 0d give all bits, also that of the sign; '-' can't stand before them";
      break;
    case ConstantFault::kAddress: message = "addresses are no constants here"; break;
  }
  Report<kinds::kBadConstant>(evaluated.at, std::move(message)).section = "4.5";
  return false;
}

// PTX ISA 9.4 §4.4: what no name is. True where this may be one.
bool Verifier::CheckName(TokenId name) {
  const std::string_view text = Text(name);
  if (text != "$" && text != "_" && text != "WARP_SZ") return true;
  Report<kinds::kBadDeclaration>(name, fmt::format("'{}' is reserved and can't be declared", text))
      .section = "4.4";
  return false;
}

// In the scope at hand.
void Verifier::DeclareName(TokenId name, SymbolKind kind, u32 index, std::string_view section) {
  const Symbol symbol{kind, index, name};
  const std::optional<Symbol> earlier = symbols_.Declare(Text(name), symbol);
  if (!earlier) return;
  Diagnostic& diagnostic = Report<kinds::kRedeclared>(name, Text(name));
  diagnostic.section = section;
  diagnostic.related.push_back(DeclaredHere(earlier->name));
}

void Verifier::NoteUse(const Symbol& symbol, TokenId at) {
  if (symbol.kind == SymbolKind::kFunction) {
    FunctionState& state = function_states_[symbol.index];
    if (!state.first_use) state.first_use = at;
    if (syntax_ != nullptr) shared_uses_[function_].callees.push_back(symbol.index);
    return;
  }
  if (symbol.kind != SymbolKind::kVariable || syntax_ == nullptr) return;
  const Variable& variable = module_.variables[symbol.index];
  if (variable.space == StateSpace::kShared) {
    std::vector<u32>& variables = shared_uses_[function_].variables;
    if (variables.empty() || variables.back() != symbol.index) variables.push_back(symbol.index);
  } else if (variable.space == StateSpace::kParam) {
    const auto found = call_parameter_of_.find(symbol.index);
    if (found == call_parameter_of_.end()) return;
    PassedParameter& parameter = call_parameters_[found->second];
    if (!parameter.first_use) parameter.first_use = at;
  }
}

RelatedPlace Verifier::DeclaredHere(TokenId name, std::string_view message) const {
  const Token& token = module_.TokenOf(name);
  return {module_.tokens->PlaceOf(token), token.length(), std::string(message)};
}

}  // namespace ptxfarm::ptx

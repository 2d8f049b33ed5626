// Calls: callee, arguments and results against the signature. PTX ISA 9.4 §9.7.13, §7.1.
#include "toolchain/ptx/verify/verifier.h"

namespace ptxfarm::ptx {

// call (results), callee, (arguments), prototype;
struct Verifier::CallShape {
  TokenId at;  // The opcode.
  const ResolvedOperand* callee = nullptr;
  const ResolvedOperand* signature_of = nullptr;  // Of an indirect call.
  std::span<const ResolvedOperand> results;
  std::span<const ResolvedOperand> arguments;
  // What they are held against.
  bool is_known = false;
  std::string name;
  TokenId declared;
  Range expected_results;
  Range expected_parameters;
};

bool Verifier::VerifyCall(const Instruction& instruction) {
  CallShape shape{.at = instruction.opcode};
  if (!ReadCall(instruction, shape)) return false;
  if (shape.callee->meaning == Meaning::kUnknown) return false;
  if (!VerifyCallee(shape)) return false;
  const auto mark = [&](std::span<const ResolvedOperand> operands) {
    for (const ResolvedOperand& operand : operands) {
      if (operand.variable == nullptr) continue;
      const auto index = static_cast<u32>(operand.variable - module_.variables.data());
      const auto found = call_parameter_of_.find(index);
      if (found != call_parameter_of_.end()) call_parameters_[found->second].is_passed = true;
    }
  };
  mark(shape.results);
  mark(shape.arguments);
  return !shape.is_known || VerifyArguments(shape);
}

bool Verifier::ReadCall(const Instruction& instruction, CallShape& shape) {
  const auto fail = [&](TokenId at, std::string message) {
    Report<kinds::kBadCall>(at, std::move(message)).section = "9.7.13.5";
    return false;
  };
  std::span<const ResolvedOperand> rest =
      std::span<const ResolvedOperand>(resolved_).first(instruction.operand_count);
  const auto is_list = [&] { return !rest.empty() && rest[0].meaning == Meaning::kList; };
  if (is_list()) {
    shape.results = rest[0].children;
    rest = rest.subspan(1);
  }
  if (rest.empty() || is_list())
    return fail(shape.at, "a call is written 'call (result), function, (arguments);'");
  shape.callee = &rest[0];
  rest = rest.subspan(1);
  const Meaning callee = shape.callee->meaning;
  const bool is_name_next = !rest.empty() && rest[0].syntax->kind == OperandKind::kName;
  if (callee == Meaning::kRegister && shape.results.empty() && is_name_next &&
      (rest[0].meaning == Meaning::kFunction || rest[0].meaning == Meaning::kEntry))
    return fail(shape.callee->syntax->token, "the result stands in parentheses: call (result), …");
  if (is_list()) {
    shape.arguments = rest[0].children;
    rest = rest.subspan(1);
  } else if (!rest.empty() && (callee == Meaning::kFunction || callee == Meaning::kEntry)) {
    return fail(rest[0].syntax->token, "the arguments stand in parentheses");
  }
  if (!rest.empty()) {
    shape.signature_of = &rest[0];
    rest = rest.subspan(1);
  }
  if (!rest.empty()) return fail(rest[0].syntax->token, "nothing stands behind the prototype");
  return true;
}

// Finds the signature; false where there is none to be had.
bool Verifier::VerifyCallee(CallShape& shape) {
  const TokenId at = shape.callee->syntax->token;
  const auto fail = [&](TokenId where, std::string message, TokenId related = {}) {
    Diagnostic& diagnostic = Report<kinds::kBadCall>(where, std::move(message));
    diagnostic.section = "9.7.13.5";
    if (related) diagnostic.related.push_back(DeclaredHere(related));
    return false;
  };
  const auto take = [&](const Function& function) {
    shape.is_known = true;
    shape.name = Text(function.name);
    shape.declared = function.name;
    shape.expected_results = function.results;
    shape.expected_parameters = function.parameters;
  };
  if (shape.callee->meaning == Meaning::kFunction) {
    const Symbol* const symbol = symbols_.Find(Text(at));
    take(module_.functions[function_states_[symbol->index].declaration]);
    if (shape.signature_of != nullptr)
      return fail(
          shape.signature_of->syntax->token,
          fmt::format("'{}' is called directly: nothing stands behind its arguments", shape.name));
    return true;
  }
  if (shape.callee->meaning == Meaning::kEntry)
    return fail(at,
                fmt::format("'{}' is an entry; the host launches it, nobody calls it", Text(at)),
                symbols_.Find(Text(at))->name);
  if (shape.callee->meaning != Meaning::kRegister)
    return fail(at, fmt::format("'{}' is neither a function nor a register that holds the address "
                                "of one",
                                Text(at)));
  const TypeDesc& type = DescOf(shape.callee->type);
  const bool may_hold =
      (type.type_class == TypeClass::kBits || type.type_class == TypeClass::kUnsigned ||
       type.type_class == TypeClass::kSigned) &&
      (type.bits == 32 || type.bits == 64);
  if (!may_hold)
    return fail(at,
                fmt::format("'{}' is of {}; the address of a function has 64 bits (32 in "
                            "32-bit modules)",
                            Text(at), type.name),
                shape.callee->variable->name);
  if (shape.signature_of == nullptr)
    return fail(at, "an indirect call needs a .callprototype or .calltargets as its last operand");

  const TokenId list_at = shape.signature_of->syntax->token;
  switch (shape.signature_of->meaning) {
    case Meaning::kUnknown: return false;
    case Meaning::kPrototype: {
      const Prototype& prototype = module_.prototypes[symbols_.Find(Text(list_at))->index];
      shape.is_known = true;
      shape.name = Text(prototype.label);
      shape.declared = prototype.label;
      shape.expected_results = prototype.results;
      shape.expected_parameters = prototype.parameters;
      return true;
    }
    case Meaning::kCallTargets: {
      const NameList& list = module_.name_lists[symbols_.Find(Text(list_at))->index];
      for (const ListedName& listed : Module::Of(module_.names, list.names)) {
        const Symbol* const symbol = symbols_.Find(Text(listed.name));
        if (symbol == nullptr || symbol->kind != SymbolKind::kFunction) return false;  // Reported.
        const Function& function = module_.functions[function_states_[symbol->index].declaration];
        // ptxas takes an entry in the list; it is never what is called.
        if (function.is_entry) continue;
        if (!shape.is_known) {
          take(function);
          continue;
        }
        const std::string difference =
            DifferenceOf(shape.expected_results, shape.expected_parameters, function.results,
                         function.parameters);
        if (!difference.empty())
          return fail(list_at,
                      fmt::format("the functions of '{}' have one signature; '{}' and "
                                  "'{}' differ: {}",
                                  Text(list_at), shape.name, Text(function.name), difference),
                      function.name);
      }
      return true;
    }
    // A table of functions: PTX ISA 9.4 §9.7.13.5. The machine reads it, not the verifier.
    case Meaning::kVariable: return true;
    default:
      return fail(list_at,
                  fmt::format("'{}' is no prototype and no list of call targets", Text(list_at)));
  }
}

bool Verifier::VerifyArguments(const CallShape& shape) {
  const auto count = [&](std::string_view noun, std::size_t given, std::size_t expected) {
    Diagnostic& diagnostic = Report<kinds::kBadCall>(
        shape.callee->syntax->token, fmt::format("'{}' has {} {}{}; found {}", shape.name, expected,
                                                 noun, expected == 1 ? "" : "s", given));
    diagnostic.section = "9.7.13.5";
    diagnostic.related.push_back(DeclaredHere(shape.declared));
    return false;
  };
  const Range results = shape.expected_results;
  const Range parameters = shape.expected_parameters;
  if (shape.results.size() != results.size())
    return count("result", shape.results.size(), results.size());
  // An array without size may be left out.
  const bool is_open = !parameters.empty() && [&] {
    const Variable& last = module_.variables[parameters.end - 1];
    return last.is_array && BytesOf(last) == 0;
  }();
  const bool is_left_out = is_open && shape.arguments.size() + 1 == parameters.size();
  if (shape.arguments.size() != parameters.size() && !is_left_out)
    return count("parameter", shape.arguments.size(), parameters.size());
  for (u32 i = 0; i < results.size(); ++i)
    if (!VerifyArgument(shape, shape.results[i], module_.variables[results.begin + i], true))
      return false;
  for (u32 i = 0; i < shape.arguments.size(); ++i)
    if (!VerifyArgument(shape, shape.arguments[i], module_.variables[parameters.begin + i], false))
      return false;
  return true;
}

bool Verifier::VerifyArgument(const CallShape& shape, const ResolvedOperand& argument,
                              const Variable& parameter, bool is_result) {
  const auto fail = [&](std::string message) {
    Diagnostic& diagnostic = Report<kinds::kBadCall>(argument.syntax->token, std::move(message));
    diagnostic.section = "9.7.13.5";
    diagnostic.related.push_back(DeclaredHere(parameter.name ? parameter.name : shape.declared));
    return false;
  };
  const std::string_view shown = Text(argument.syntax->token);
  const TypeDesc& wanted = DescOf(parameter.type);
  switch (argument.meaning) {
    case Meaning::kUnknown: return false;
    case Meaning::kSink:
      return is_result || fail("'_' is no argument; it takes a result that nobody wants");
    case Meaning::kInteger:
    case Meaning::kFloat:
      if (is_result || parameter.is_array) break;
      return true;
    case Meaning::kRegister: {
      if (parameter.is_array) break;
      const TypeDesc& type = DescOf(argument.type);
      const bool is_float = type.type_class == TypeClass::kFloat;
      const bool wants_float = wanted.type_class == TypeClass::kFloat;
      const bool has_bits =
          type.type_class == TypeClass::kBits || wanted.type_class == TypeClass::kBits;
      const bool is_pred = (argument.type == Type::kPred) == (parameter.type == Type::kPred);
      if (argument.vector_size == 1 && is_pred && type.bits == wanted.bits &&
          (is_float == wants_float || has_bits))
        return true;
      return fail(
          fmt::format("'{}' is of {}; '{}' wants {}", shown, type.name, shape.name, wanted.name));
    }
    case Meaning::kVariable: {
      if (argument.space != StateSpace::kParam) break;
      const Variable& variable = *argument.variable;
      const u64 bytes = BytesOf(parameter);
      const bool is_open = parameter.is_array && bytes == 0;
      if (!is_open && BytesOf(variable) != bytes)
        return fail(fmt::format("'{}' has {} bytes; '{}' wants {}", shown, BytesOf(variable),
                                shape.name, bytes));
      if (!parameter.is_array || !parameter.align) return true;
      const auto align_of = [&](const Variable& one) {
        return one.align ? static_cast<u64>(ValueOfInteger(Text(one.align)).constant.value)
                         : DescOf(one.type).bits / 8;
      };
      if (align_of(variable) >= align_of(parameter)) return true;
      return fail(fmt::format("'{}' is aligned to {} bytes; '{}' wants {}", shown,
                              align_of(variable), shape.name, align_of(parameter)));
    }
    default: break;
  }
  return fail(fmt::format("'{}' is no {}; '{}' wants {}{}", shown,
                          is_result ? "result" : "argument", shape.name, wanted.name,
                          parameter.is_array ? " as an array in .param" : ""));
}

}  // namespace ptxfarm::ptx

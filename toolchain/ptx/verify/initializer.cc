// Initial values of variables. PTX ISA 9.4 §5.4.4, §5.3 for opaque types.
#include "toolchain/ptx/isa/special_registers.h"
#include "toolchain/ptx/verify/verifier.h"

namespace ptxfarm::ptx {
namespace {

u32 CountOf(const Module& module, Range dimensions) {
  u32 count = 0;
  for (const ExpressionNode& node : Module::Of(module.expressions, dimensions))
    if (node.ends_expression) ++count;
  return count;
}

// The fields that a .texref, .samplerref or .surfref may have. PTX ISA 9.4 §5.3.1, §5.3.2.
constexpr std::string_view kOpaqueFields[] = {
    "width",
    "height",
    "depth",
    "channel_data_type",
    "channel_order",
    "normalized_coords",
    "force_unnormalized_coords",
    "filter_mode",
    "addr_mode_0",
    "addr_mode_1",
    "addr_mode_2",
    "array_size",
    "num_mipmap_levels",
    "num_samples",
    "memory_layout",
};

constexpr std::string_view kOpaqueValues[] = {
    "wrap", "mirror", "clamp_ogl", "clamp_to_edge", "clamp_to_border", "nearest", "linear",
};

template <std::size_t n>
bool Contains(const std::string_view (&words)[n], std::string_view word) {
  for (const std::string_view one : words)
    if (one == word) return true;
  return false;
}

}  // namespace

void Verifier::VerifyInitializer(const Variable& variable) {
  const auto fail = [&](TokenId at, std::string message) {
    Report<kinds::kBadInitializer>(at, std::move(message)).section = "5.4.4";
  };
  const bool may_have_value =
      variable.space == StateSpace::kGlobal || variable.space == StateSpace::kConst;
  const TokenId first = module_.expressions[variable.initializer.begin].token;
  if (!may_have_value)
    return fail(first, fmt::format("a variable in {} has no initial value; .global and .const have",
                                   NameOf(variable.space)));
  if (IsOpaque(variable.type)) return VerifyOpaqueInitializer(variable);

  const u32 levels = CountOf(module_, variable.dimensions) + (variable.vector_size > 1 ? 1u : 0u);
  // How many parts the list of each level has so far, and how many it may have.
  std::vector<u64> allowed;
  u32 begin = variable.dimensions.begin;
  for (u32 i = begin; i < variable.dimensions.end; ++i) {
    if (!module_.expressions[i].ends_expression) continue;
    const bool is_open = module_.expressions[i].op == ExpressionOp::kListEnd;
    allowed.push_back(is_open ? ~u64{0}
                              : static_cast<u64>(Evaluate(module_, {begin, i + 1}).constant.value));
    begin = i + 1;
  }
  if (variable.vector_size > 1) allowed.push_back(variable.vector_size);

  std::vector<u64> parts;
  for (u32 i = variable.initializer.begin; i < variable.initializer.end;) {
    const ExpressionNode& node = module_.expressions[i];
    if (node.op != ExpressionOp::kListEnd && !parts.empty() &&
        ++parts.back() > allowed[parts.size() - 1])
      return fail(node.token, fmt::format("more than the {} values that '{}' has here",
                                          allowed[parts.size() - 1], Text(variable.name)));
    if (node.op == ExpressionOp::kListBegin) {
      if (parts.size() == levels)
        return fail(node.token, levels == 0 ? "a scalar has its value without braces"
                                            : "braces nest deeper than the array has dimensions");
      parts.push_back(0);
      ++i;
    } else if (node.op == ExpressionOp::kListEnd) {
      const bool is_vector = variable.vector_size > 1 && parts.size() == levels;
      if (is_vector && parts.back() != variable.vector_size)
        return fail(node.token,
                    fmt::format("a {} has {} values; found {}", Text(variable.vector_token),
                                variable.vector_size, parts.back()));
      parts.pop_back();
      ++i;
    } else {
      u32 end = i;
      while (!module_.expressions[end].ends_expression) ++end;
      if (parts.size() < levels)
        return fail(node.token, parts.empty() ? "the values of an array or vector stand in braces"
                                              : "each dimension has braces of its own");
      if (!VerifyInitializerValue(variable, {i, end + 1})) return;
      i = end + 1;
    }
  }
}

// { field = value, … }
void Verifier::VerifyOpaqueInitializer(const Variable& variable) {
  for (const ExpressionNode& node : Module::Of(module_.expressions, variable.initializer)) {
    const bool is_field = node.op == ExpressionOp::kField;
    const bool is_name = node.op == ExpressionOp::kName;
    if (is_field && !Contains(kOpaqueFields, Text(node.token)))
      Report<kinds::kBadInitializer>(
          node.token,
          fmt::format("'{}' is no field of a {}", Text(node.token), DescOf(variable.type).name))
          .section = "5.3.1";
    if (is_name && !Contains(kOpaqueValues, Text(node.token)))
      Report<kinds::kBadInitializer>(node.token,
                                     fmt::format("'{}' is no value of a field", Text(node.token)))
          .section = "5.3.1";
  }
}

bool Verifier::VerifyInitializerValue(const Variable& variable, Range value) {
  const ExpressionNode& first = module_.expressions[value.begin];
  const auto fail = [&](std::string message) {
    Report<kinds::kBadInitializer>(first.token, std::move(message)).section = "5.4.4";
    return false;
  };
  const TypeClass type_class = DescOf(variable.type).type_class;
  const bool is_literal = value.size() == 1 && first.op == ExpressionOp::kInteger;
  // Tables of data are literals, by the million.
  if (is_literal && type_class != TypeClass::kFloat) return true;
  if (!is_literal) {
    for (const ExpressionNode& node : Module::Of(module_.expressions, value)) {
      if (node.op == ExpressionOp::kField)
        return fail("fields are of .texref, .samplerref and .surfref");
      if (node.op == ExpressionOp::kName && Text(node.token) != "WARP_SZ")
        return VerifyInitialAddress(variable, value);
    }
  }
  const Evaluated evaluated = Evaluate(module_, value);
  if (!ReportFault(evaluated)) return false;
  if (variable.type == Type::kF16 || variable.type == Type::kF16x2)
    return fail(fmt::format("a variable of {} has no initial value; declare it as .b16 or .b32",
                            DescOf(variable.type).name));
  const bool is_float = evaluated.number.has_value();
  if (type_class == TypeClass::kFloat && !is_float)
    return fail(fmt::format("an integer for a variable of {}; a float has a point, as in 1.0",
                            DescOf(variable.type).name));
  if (is_float && type_class != TypeClass::kFloat && type_class != TypeClass::kBits)
    return fail(fmt::format("a float for a variable of {}", DescOf(variable.type).name));
  return true;
}

// A symbol, perhaps with an offset, in generic(), or cut into bytes by a mask.
bool Verifier::VerifyInitialAddress(const Variable& variable, Range value) {
  struct Part {
    bool is_address = false;
    bool is_generic = false;
    bool is_masked = false;
    bool is_function = false;
  };
  const auto fail = [&](TokenId at, std::string message) {
    Report<kinds::kBadInitializer>(at, std::move(message)).section = "5.4.4";
    return false;
  };
  std::vector<Part> stack;
  for (const ExpressionNode& node : Module::Of(module_.expressions, value)) {
    if (node.op < ExpressionOp::kName) {
      if (node.op == ExpressionOp::kFloat) return fail(node.token, "an offset is an integer");
      stack.push_back({});
    } else if (node.op == ExpressionOp::kName) {
      const std::string_view name = Text(node.token);
      const Symbol* const symbol = symbols_.Find(name);
      if (symbol == nullptr) {
        if (FindSpecialRegister(name) != nullptr)
          return fail(node.token, "a special register is no constant");
        if (name == Text(variable.name))
          return fail(node.token, "its own address is not known yet");
        ReportUndeclared(node.token);
        return false;
      }
      if (symbol->kind == SymbolKind::kUndeclared) return false;
      if (symbol->kind == SymbolKind::kVariable) {
        const StateSpace space = module_.variables[symbol->index].space;
        if (space != StateSpace::kGlobal && space != StateSpace::kConst) {
          fail(node.token, fmt::format("'{}' is in {}: only addresses in .global and .const are "
                                       "constants",
                                       name, NameOf(space)));
          return false;
        }
      } else if (symbol->kind != SymbolKind::kFunction) {
        return fail(node.token, fmt::format("'{}' is neither a variable nor a function", name));
      }
      NoteUse(*symbol, node.token);
      stack.push_back({.is_address = true, .is_function = symbol->kind == SymbolKind::kFunction});
    } else if (node.op == ExpressionOp::kGeneric) {
      Part& top = stack.back();
      if (!top.is_address || top.is_generic || top.is_function)
        return fail(node.token, "generic() takes a variable");
      CheckGate({{3, 1}}, node.token, "'generic()'", "5.4.4");
      top.is_generic = true;
    } else if (node.op == ExpressionOp::kMask) {
      Part& top = stack.back();
      const u64 mask = static_cast<u64>(ValueOfInteger(Text(node.token)).constant.value);
      const u32 shift = mask == 0 ? 0 : static_cast<u32>(__builtin_ctzll(mask));
      if (!top.is_address || mask == 0 || shift % 8 != 0 || mask >> shift != 0xFF)
        return fail(node.token,
                    "a mask in front of an address is 0xFF, 0xFF00, … and cuts out a "
                    "byte");
      CheckGate({{7, 1}}, node.token, "a mask of an address", "5.4.4");
      top.is_masked = true;
    } else if (node.op == ExpressionOp::kAdd && stack.size() > 1) {
      const Part right = stack.back();
      stack.pop_back();
      Part& left = stack.back();
      if (left.is_address && right.is_address) return fail(node.token, "two addresses have no sum");
      if (left.is_function || right.is_function)
        return fail(node.token, "the address of a function has no offset");
      if (right.is_address) left = right;
    } else if (node.op >= ExpressionOp::kPlus && node.op <= ExpressionOp::kToUnsigned) {
      if (stack.back().is_address) return fail(node.token, "an address has an offset, no sign");
    } else {
      // Between constants anything goes; of addresses only sums with them are known to a linker.
      const u32 count = node.op == ExpressionOp::kConditional ? 3 : 2;
      for (u32 i = 1; i < count; ++i) {
        if (stack.back().is_address) return fail(node.token, "an address only takes '+ offset'");
        stack.pop_back();
      }
      if (stack.back().is_address) return fail(node.token, "an address only takes '+ offset'");
    }
  }
  const TypeDesc& type = DescOf(variable.type);
  const bool is_integer = type.type_class == TypeClass::kBits ||
                          type.type_class == TypeClass::kUnsigned ||
                          type.type_class == TypeClass::kSigned;
  const TokenId at = module_.expressions[value.begin].token;
  const bool fits = is_integer && (stack.back().is_masked ? type.bits == 8 : type.bits >= 32);
  if (fits) return true;
  return fail(at,
              stack.back().is_masked
                  ? fmt::format("a masked address is a byte, of .b8 or .u8; found {}", type.name)
                  : fmt::format("an address takes 64 bits (32 in 32-bit modules); '{}' is of {}",
                                Text(variable.name), type.name));
}

}  // namespace ptxfarm::ptx

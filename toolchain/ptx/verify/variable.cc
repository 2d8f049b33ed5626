// Declarations of variables. PTX ISA 9.4 §5.
#include "toolchain/ptx/verify/verifier.h"

namespace ptxfarm::ptx {
namespace {

constexpr u64 kBytesMax = u64{1} << 62;  // Beyond it no sum is of use.

u64 SaturatingMultiply(u64 a, u64 b) {
  u64 product = 0;
  if (__builtin_mul_overflow(a, b, &product) || product > kBytesMax) return kBytesMax;
  return product;
}

bool IsPowerOfTwo(u64 value) { return value != 0 && (value & (value - 1)) == 0; }

}  // namespace

void Verifier::VerifyModuleVariable(u32 index) {
  const Variable& variable = module_.variables[index];
  const auto gate = [&](const Gate& row, std::string_view section) {
    CheckGate(row, variable.space_token,
              fmt::format("'{}' between functions", NameOf(variable.space)), section);
  };
  // What PTX 1.x and 2.x had there; their functions had no stack.
  if (variable.space == StateSpace::kReg) gate({{1, 0}, 0, {2, 3}}, "5.1.1");
  if (variable.space == StateSpace::kLocal) gate({{1, 0}, 0, {2, 3}}, "5.1.5");
  if (variable.space == StateSpace::kTex) CheckDirectiveGate(variable.space_token);
  if (!VerifyVariable(variable)) return DeclareUnknown(variable.name, bool{variable.range_count});
  if (!DeclareVariable(index)) return;
  module_variables_.push_back(index);
  CountMemory(index);
  if (variable.linkage == Linkage::kExtern) externals_.push_back(index);
}

void Verifier::VerifyBodyVariable(u32 index) {
  const Variable& variable = module_.variables[index];
  if (!VerifyVariable(variable)) return DeclareUnknown(variable.name, bool{variable.range_count});
  if (!DeclareVariable(index)) return;
  CountMemory(index);
  if (variable.space != StateSpace::kParam) return;
  call_parameter_of_[index] = static_cast<u32>(call_parameters_.size());
  call_parameters_.push_back({index, false, {}});
}

// True where the declaration is sound enough to give its name a meaning.
bool Verifier::VerifyVariable(const Variable& variable) {
  if (!CheckName(variable.name)) return false;
  if (!VerifyLinkage(variable) || !VerifyVariableType(variable)) return false;
  if (variable.align && !VerifyAlign(variable.align)) return false;
  if (!variable.attributes.empty()) VerifyAttributes(variable);
  if (variable.is_array && !VerifyDimensions(variable)) return false;
  if (variable.range_count) {
    if (variable.is_array || !variable.initializer.empty()) {
      Report<kinds::kBadDeclaration>(
          variable.name,
          fmt::format("'{}<…>' declares scalars without values", Text(variable.name)))
          .section = "5.4.6";
      return false;
    }
    constexpr u64 kNamesMax = 1'000'000'000;
    const u64 count = static_cast<u64>(ValueOfInteger(Text(variable.range_count)).constant.value);
    if (count > kNamesMax) {
      Report<kinds::kBadValue>(variable.range_count, "the number of names",
                               fmt::format("at most {}", kNamesMax), count)
          .section = "5.4.6";
      return false;
    }
  }
  if (!variable.initializer.empty()) VerifyInitializer(variable);
  return true;
}

bool Verifier::VerifyVariableType(const Variable& variable) {
  const TypeDesc& type = DescOf(variable.type);
  const auto fail = [&](TokenId at, std::string message, std::string_view section) {
    Report<kinds::kBadDeclaration>(at, std::move(message)).section = section;
    return false;
  };
  if (IsOpaque(variable.type)) return VerifyOpaque(variable);
  if (variable.type == Type::kPred && variable.space != StateSpace::kReg)
    return fail(variable.type_token, "only registers are of .pred", "5.2.1");
  if (variable.type == Type::kB128)
    CheckGate({{8, 3}, 70}, variable.type_token, "'.b128'", "5.2.1");
  if (variable.type == Type::kF16x2)
    CheckGate({{4, 2}, 53}, variable.type_token, "'.f16x2'", "5.2.1");
  if (variable.space == StateSpace::kReg && variable.is_array)
    return fail(variable.name,
                fmt::format("registers have no address, so there is no array of them; '{}<N>' "
                            "declares N registers",
                            Text(variable.name)),
                "5.1.1");
  if (variable.vector_size == 1) return true;
  if (variable.type == Type::kPred)
    return fail(variable.vector_token, "there are no vectors of .pred", "5.4.2");
  if (variable.vector_size > 4)
    return fail(variable.vector_token, "variables are .v2 or .v4; .v8 is of instructions", "5.4.2");
  if (variable.vector_size * type.bits > 128)
    return fail(
        variable.vector_token,
        fmt::format("{}{} has {} bits; a vector has at most 128", Text(variable.vector_token),
                    type.name, variable.vector_size * type.bits),
        "5.4.2");
  return true;
}

// PTX ISA 9.4 §5.3.
bool Verifier::VerifyOpaque(const Variable& variable) {
  if (variable.space != StateSpace::kGlobal && variable.space != StateSpace::kParam) {
    Report<kinds::kBadDeclaration>(variable.type_token,
                                   fmt::format("{} stands in .global or is a parameter of an entry",
                                               DescOf(variable.type).name))
        .section = "5.3";
    return false;
  }
  CheckGate({{1, 5}}, variable.type_token, fmt::format("'{}'", DescOf(variable.type).name), "5.3");
  if (variable.type == Type::kSamplerref && !module_.head.has_independent_textures) {
    Report<kinds::kBadDeclaration>(variable.type_token,
                                   ".samplerref needs '.target …, texmode_independent': in unified "
                                   "mode a .texref holds its sampler")
        .section = "5.3.3";
    return false;
  }
  return true;
}

bool Verifier::VerifyDimensions(const Variable& variable) {
  const auto fail = [&](TokenId at, std::string message) {
    Report<kinds::kBadDeclaration>(at, std::move(message)).section = "5.4.3";
    return false;
  };
  u32 begin = variable.dimensions.begin;
  for (u32 i = begin; i < variable.dimensions.end; ++i) {
    const ExpressionNode& node = module_.expressions[i];
    if (!node.ends_expression) continue;
    const bool is_first = begin == variable.dimensions.begin;
    if (node.op == ExpressionOp::kListEnd) {
      if (!is_first) return fail(node.token, "only the first size of an array may be left out");
      const bool may_be_unsized = variable.linkage == Linkage::kExtern ||
                                  !variable.initializer.empty() ||
                                  variable.space == StateSpace::kParam;
      if (!may_be_unsized)
        return fail(variable.name,
                    fmt::format("'{}' has no size: only .extern and initialized arrays may leave "
                                "it out",
                                Text(variable.name)));
    } else {
      const Evaluated size = Evaluate(module_, {begin, i + 1});
      if (!ReportFault(size)) return false;
      if (size.number)
        return fail(module_.expressions[begin].token, "the size of an array is an integer");
      if (size.constant.value <= 0)
        return fail(module_.expressions[begin].token,
                    fmt::format("the size of an array is positive; found {}", size.constant.value));
    }
    begin = i + 1;
  }
  return true;
}

bool Verifier::VerifyAlign(TokenId align) {
  const IntegerLiteral literal = ValueOfInteger(Text(align));
  if (!literal.wraps && IsPowerOfTwo(static_cast<u64>(literal.constant.value))) return true;
  Report<kinds::kBadValue>(align, "an alignment", "a power of two", Text(align)).section = "5.4.5";
  return false;
}

// PTX ISA 9.4 §5.4.8.
void Verifier::VerifyAttributes(const Variable& variable) {
  for (const Attribute& attribute : Module::Of(module_.attributes, variable.attributes)) {
    CheckDirectiveGate(attribute.name);
    if (variable.space != StateSpace::kGlobal)
      Report<kinds::kBadDeclaration>(
          attribute.name, fmt::format("{} is for variables in .global", Text(attribute.name)))
          .section = "5.4.8";
  }
}

// PTX ISA 9.4 §11.6.
bool Verifier::VerifyLinkage(const Variable& variable) {
  const auto fail = [&](std::string message, std::string_view section) {
    Report<kinds::kBadDeclaration>(variable.space_token, std::move(message)).section = section;
    return false;
  };
  if (variable.bank) {
    CheckGate({{1, 5}, 0, {2, 1}}, variable.bank, "'.const' with a bank", "5.1.3");
    const bool is_unsized =
        variable.is_array &&
        module_.expressions[variable.dimensions.begin].op == ExpressionOp::kListEnd;
    if (variable.linkage != Linkage::kExtern || !is_unsized)
      return fail("a constant bank holds .extern arrays without size", "5.1.3");
  }
  // The linking directive stands right before the state space.
  const TokenId word{variable.space_token.index - 1};
  if (variable.linkage == Linkage::kWeak) CheckGate({{3, 1}}, word, "'.weak'", "11.6.3");
  if (variable.linkage == Linkage::kCommon) {
    CheckGate({{5, 0}}, word, "'.common'", "11.6.4");
    if (variable.space != StateSpace::kGlobal || IsOpaque(variable.type))
      return fail(".common is for variables in .global, not for opaque ones", "11.6.4");
  }
  if (variable.linkage == Linkage::kExtern && !variable.initializer.empty()) {
    Report<kinds::kBadDeclaration>(
        variable.name,
        fmt::format("'{}' is .extern: its value is where it is defined", Text(variable.name)))
        .section = "11.6.1";
    return false;
  }
  return true;
}

bool Verifier::DeclareVariable(u32 index) {
  const Variable& variable = module_.variables[index];
  const Symbol symbol{SymbolKind::kVariable, index, variable.name};
  const std::string_view name = Text(variable.name);
  std::optional<Symbol> earlier;
  if (variable.range_count) {
    const Constant count = ValueOfInteger(Text(variable.range_count)).constant;
    earlier = symbols_.DeclareRange(name, static_cast<u32>(count.value), symbol);
  } else {
    earlier = symbols_.Declare(name, symbol);
  }
  if (!earlier) return true;
  if (!variable.range_count && RedeclareExternal(variable, *earlier)) {
    if (variable.linkage != Linkage::kExtern) symbols_.Replace(name, symbol);
    return variable.linkage != Linkage::kExtern;
  }
  Diagnostic& diagnostic = Report<kinds::kRedeclared>(variable.name, name);
  diagnostic.section = "5.4";
  diagnostic.related.push_back(DeclaredHere(earlier->name));
  return false;
}

// PTX ISA 9.4 §11.6.1: a variable may be declared .extern more than once, and defined once.
bool Verifier::RedeclareExternal(const Variable& variable, const Symbol& earlier) {
  if (earlier.kind != SymbolKind::kVariable) return false;
  const Variable& other = module_.variables[earlier.index];
  if (variable.linkage != Linkage::kExtern && other.linkage != Linkage::kExtern) return false;
  return variable.space == other.space && variable.type == other.type &&
         variable.vector_size == other.vector_size && variable.is_array == other.is_array;
}

// What the variable takes, without its alignment; 0 where it has no size of its own.
u64 Verifier::BytesOf(const Variable& variable) const {
  constexpr u64 kOpaqueBytes = 8;
  const u64 element = IsOpaque(variable.type) ? kOpaqueBytes : DescOf(variable.type).bits / 8;
  u64 bytes = element * variable.vector_size;
  if (variable.range_count)
    bytes = SaturatingMultiply(
        bytes, static_cast<u64>(ValueOfInteger(Text(variable.range_count)).constant.value));
  u32 begin = variable.dimensions.begin;
  for (u32 i = begin; i < variable.dimensions.end; ++i) {
    const ExpressionNode& node = module_.expressions[i];
    if (!node.ends_expression) continue;
    if (node.op != ExpressionOp::kListEnd)
      bytes = SaturatingMultiply(
          bytes, static_cast<u64>(Evaluate(module_, {begin, i + 1}).constant.value));
    else if (variable.initializer.empty())
      return 0;
    else {
      // As many elements as the outermost list has parts.
      u64 count = 0;
      u32 depth = 0;
      for (const ExpressionNode& value : Module::Of(module_.expressions, variable.initializer)) {
        if (value.op == ExpressionOp::kListEnd) --depth;
        if (value.ends_expression && depth == 1 && value.op != ExpressionOp::kListBegin) ++count;
        if (value.op == ExpressionOp::kListBegin) ++depth;
      }
      bytes = SaturatingMultiply(bytes, count);
    }
    begin = i + 1;
  }
  return bytes;
}

void Verifier::CountMemory(u32 index) {
  const Variable& variable = module_.variables[index];
  switch (variable.space) {
    case StateSpace::kConst:
      constants_.push_back(index);
      constant_bytes_ = std::min(constant_bytes_ + BytesOf(variable), kBytesMax);
      break;
    case StateSpace::kShared:
      shared_bytes_ = std::min(shared_bytes_ + BytesOf(variable), kBytesMax);
      if (syntax_ != nullptr)
        shared_uses_[function_].own_bytes =
            std::min(shared_uses_[function_].own_bytes + BytesOf(variable), kBytesMax);
      break;
    case StateSpace::kLocal: {
      const u64 bytes = BytesOf(variable);
      if (!largest_local_ || bytes > local_bytes_) largest_local_ = variable.name;
      local_bytes_ = std::min(local_bytes_ + bytes, kBytesMax);
      break;
    }
    default: break;
  }
}

}  // namespace ptxfarm::ptx

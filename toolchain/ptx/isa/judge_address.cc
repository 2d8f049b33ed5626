// Addresses, tensor maps, textures. PTX ISA 9.4 §6.4.1.
#include "toolchain/ptx/isa/judge_parts.h"

namespace ptxfarm::ptx::isa {
namespace {

// PTX ISA 9.4 §5.1: what a generic address may point to. Parameters and constants are reached
// through cvta only.
bool HasGenericAddress(StateSpace space) {
  return space == StateSpace::kGlobal || space == StateSpace::kShared ||
         space == StateSpace::kLocal;
}

OperandFault JudgeBase(const OperandSpec& spec, const ResolvedOperand& base,
                       const OperandContext& context) {
  switch (base.meaning) {
    case Meaning::kUnknown: return kFits;
    case Meaning::kRegister: {
      if (base.vector_size != 1 || base.syntax->is_inverted || base.syntax->is_negative)
        return Fault(FaultKind::kKind, base);
      const TypeDesc& type = DescOf(base.type);
      const bool is_integer = type.type_class == TypeClass::kBits ||
                              type.type_class == TypeClass::kUnsigned ||
                              type.type_class == TypeClass::kSigned;
      if (!is_integer || type.bits < spec.type.bits || type.bits > 64)
        return Fault(FaultKind::kType, base);
      // Narrower ones are a leftover that compilers take with a warning, but where a row asks for
      // 32 bits: libcu++ hands cp.async.mbarrier.arrive its shared addresses so.
      const bool is_full =
          (spec.is_generic || spec.space == StateSpace::kGlobal) && spec.type.bits < 32;
      return is_full && type.bits == 32 && context.address_bits == 64
                 ? Fault(FaultKind::kWidth, base)
                 : kFits;
    }
    case Meaning::kVariable: {
      if (base.syntax->has_component || base.syntax->is_inverted || base.syntax->is_negative)
        return Fault(FaultKind::kKind, base);
      const bool fits = spec.space == StateSpace::kNone ? HasGenericAddress(base.space)
                                                        : base.space == spec.space;
      if (!fits) return Fault(FaultKind::kSpace, base);
      return spec.is_written && base.is_entry_parameter ? Fault(FaultKind::kReadOnly, base) : kFits;
    }
    case Meaning::kInteger:
      return base.value < 0 && !base.is_unsigned ? Fault(FaultKind::kRange, base) : kFits;
    default: return Fault(FaultKind::kKind, base);
  }
}

// The name of a texture, sampler or surface, or a 64-bit register that holds its handle.
OperandFault JudgeHandle(const ResolvedOperand& operand, Type type) {
  switch (operand.meaning) {
    case Meaning::kUnknown: return kFits;
    case Meaning::kRegister: {
      const TypeDesc& desc = DescOf(operand.type);
      return desc.bits == 64 && desc.type_class != TypeClass::kFloat && operand.vector_size == 1
                 ? kFits
                 : Fault(FaultKind::kType, operand);
    }
    case Meaning::kVariable:
      if (operand.type == type || operand.space == StateSpace::kTex) return kFits;
      // A parameter of an entry may hold a handle: .param .u64.
      if (operand.space == StateSpace::kParam && DescOf(operand.type).bits == 64) return kFits;
      return Fault(FaultKind::kType, operand);
    default: return Fault(FaultKind::kKind, operand);
  }
}

}  // namespace

OperandFault JudgeAddress(const OperandSpec& spec, const ResolvedOperand& operand,
                          const OperandContext& context) {
  const bool is_unified = spec.form == OperandForm::kUnifiedAddress;
  if (operand.meaning != Meaning::kAddress || operand.syntax->is_unified != is_unified ||
      operand.children.size() != 1)
    return Fault(FaultKind::kKind, operand);
  return JudgeBase(spec, operand.children[0], context);
}

OperandFault JudgeTensorMemory(const ResolvedOperand& operand) {
  if (operand.meaning != Meaning::kAddress || operand.children.size() != 1)
    return Fault(FaultKind::kKind, operand);
  const ResolvedOperand& base = operand.children[0];
  if (base.meaning == Meaning::kUnknown) return kFits;
  if (base.meaning != Meaning::kRegister || base.vector_size != 1)
    return Fault(FaultKind::kKind, base);
  const TypeDesc& type = DescOf(base.type);
  return type.bits == 32 && type.type_class != TypeClass::kFloat ? kFits
                                                                 : Fault(FaultKind::kType, base);
}

// [map, {coordinates}]; with overrides more stands between, which no manual describes.
OperandFault JudgeTensorMap(const OperandSpec& spec, const ResolvedOperand& operand,
                            const OperandContext& context) {
  if (operand.meaning != Meaning::kAddress || operand.children.size() < 2)
    return Fault(FaultKind::kKind, operand);
  OperandSpec map = spec;
  map.type = IntegerRule(32);
  // ptxas takes a map's address from a register of 32 bits too.
  OperandContext any_width = context;
  any_width.address_bits = 32;
  if (const OperandFault fault = JudgeBase(map, operand.children[0], any_width)) return fault;
  const ResolvedOperand& coordinates = operand.children.back();
  if (spec.elements == 0) return kFits;
  OperandSpec vector{
      .form = OperandForm::kSourceVector, .type = RuleOf("s32"), .elements = spec.elements};
  if (operand.children.size() != 2 || coordinates.meaning != Meaning::kVector)
    return Fault(FaultKind::kKind, operand);
  return JudgeVector(vector, coordinates, context);
}

OperandFault JudgeFabricAddress(const OperandSpec& spec, const ResolvedOperand& operand) {
  if (operand.meaning != Meaning::kAddress) return Fault(FaultKind::kKind, operand);
  return operand.children.size() == spec.elements ? kFits : Fault(FaultKind::kLength, operand);
}

OperandFault JudgeHandleAlone(const ResolvedOperand& operand, Type type) {
  if (operand.meaning != Meaning::kAddress || operand.children.size() != 1)
    return Fault(FaultKind::kKind, operand);
  return JudgeHandle(operand.children[0], type);
}

OperandFault JudgeCoordinates(const OperandSpec& spec, const ResolvedOperand& operand,
                              const OperandContext& context) {
  const bool has_sampler = spec.form == OperandForm::kTextureAndSampler;
  const std::size_t count = has_sampler ? 3 : 2;
  if (operand.meaning != Meaning::kAddress || operand.children.size() != count)
    return Fault(FaultKind::kKind, operand);
  const bool is_surface = spec.form == OperandForm::kSurface;
  const Type type = is_surface ? Type::kSurfref : Type::kTexref;
  if (const OperandFault fault = JudgeHandle(operand.children[0], type)) return fault;
  if (has_sampler) {
    if (const OperandFault fault = JudgeHandle(operand.children[1], Type::kSamplerref))
      return fault;
  }
  // What reads with a sampler, and only that, is of independent mode.
  if (!is_surface && has_sampler != context.has_independent_textures)
    return Fault(FaultKind::kTextureMode, operand);
  OperandSpec coordinates = spec;
  coordinates.form = OperandForm::kSourceVector;
  return JudgeVectorOrOne(coordinates, operand.children.back(), context);
}

}  // namespace ptxfarm::ptx::isa

#include "toolchain/ptx/isa/operand_faults.h"

#include <algorithm>

#include "base/text.h"
#include "toolchain/ptx/isa/assign_operands.h"
#include "toolchain/ptx/isa/instruction_kinds.h"

namespace ptxfarm::ptx::isa {
namespace {

// The tokens of an operand: brackets and braces with all they hold, signs and selectors too.
struct TokenSpan {
  u32 begin = 0;
  u32 end = 0;
};

TokenSpan SpanOf(const ResolvedOperand& operand, const Module& module) {
  const std::span<const Token> tokens = module.tokens->tokens();
  u32 first = operand.syntax->token.index;
  u32 last = first;
  if (operand.syntax->HasChildren() && !operand.children.empty()) {
    const TokenSpan inner = SpanOf(operand.children.back(), module);
    while (tokens[last].end() < inner.end) ++last;
    if (operand.meaning != Meaning::kPair) ++last;
  } else if (operand.syntax->HasNodes()) {
    for (const ExpressionNode& node : Module::Of(module.expressions, operand.syntax->nodes()))
      last = std::max(last, node.token.index);
  } else {
    last += operand.syntax->has_component;
  }
  const bool has_sign = operand.syntax->is_inverted || operand.syntax->is_negative;
  if (has_sign && first > 0) --first;
  return {tokens[first].offset(), tokens[last].end()};
}

std::string TextOf(const ResolvedOperand& operand, const Module& module) {
  const TokenSpan span = SpanOf(operand, module);
  return Shortened(module.tokens->source().text.substr(span.begin, span.end - span.begin), 40);
}

std::string_view SayMeaning(const ResolvedOperand& operand) {
  switch (operand.meaning) {
    case Meaning::kUnknown: return "something unknown";
    case Meaning::kRegister: return "a register";
    case Meaning::kSpecialRegister: return "a special register";
    case Meaning::kInteger: return "an integer constant";
    case Meaning::kFloat: return "a floating-point constant";
    case Meaning::kVariable: return "a variable";
    case Meaning::kFunction: return "a function";
    case Meaning::kEntry: return "an entry";
    case Meaning::kLabel: return "a label";
    case Meaning::kPrototype: return "a prototype";
    case Meaning::kBranchTargets: return "a list of branch targets";
    case Meaning::kCallTargets: return "a list of call targets";
    case Meaning::kSink: return "the sink";
    case Meaning::kVector: return "a vector";
    case Meaning::kAddress: return "an address";
    case Meaning::kPair: return "a pair";
    case Meaning::kList: return "a list";
  }
  return "";
}

// "the register '%r1'"; what a sign or a selector makes of it is seen in the text.
std::string Say(const ResolvedOperand& operand, const Module& module) {
  return fmt::format("{} '{}'", SayMeaning(operand), TextOf(operand, module));
}

std::string TypeOf(const ResolvedOperand& operand) {
  const std::string_view name = DescOf(operand.type).name;
  return operand.vector_size == 1 ? std::string(name)
                                  : fmt::format(".v{} {}", operand.vector_size, name);
}

std::string Expected(const OperandSpec& spec) {
  std::string said(DescOf(spec.form).meaning);
  if (spec.needs_pair)
    said += " and, behind '|', a predicate register to write";
  else if (spec.form == OperandForm::kValue && spec.type.takes_floats && !spec.type.takes_integers)
    said = "a register or a floating-point constant";
  else if (spec.form == OperandForm::kValue && spec.type.takes_integers && !spec.type.takes_floats)
    said = "a register or an integer constant";
  else if (spec.form == OperandForm::kImmediate)
    said = spec.range.find("0.0") == std::string_view::npos ? "an integer constant"
                                                            : "a floating-point constant";
  const bool is_vector =
      spec.form == OperandForm::kDestinationVector || spec.form == OperandForm::kSourceVector;
  if (!is_vector) return said;
  const bool is_written = spec.form == OperandForm::kDestinationVector;
  if (spec.elements == 1 && !spec.needs_braces)
    return is_written ? "a register to write" : "a register or a constant";
  if (spec.elements == 0) return fmt::format("{} in braces", said);
  return fmt::format("{} {}{} in braces", spec.elements,
                     spec.elements == 1 ? "register" : "registers", is_written ? " to write" : "");
}

// "4, 8 or 16", "0 to 15", "24 to 256, in steps of 8".
std::string SayRange(std::string_view range) {
  std::string said;
  ForEachPart(range, '|', [&](std::string_view part) {
    if (!said.empty()) said += " or ";
    const std::size_t dots = part.find("..");
    if (dots == std::string_view::npos) {
      said += part;
      return;
    }
    std::string_view high = part.substr(dots + 2);
    std::string_view step;
    if (const std::size_t by = high.find(" by "); by != std::string_view::npos) {
      step = high.substr(by + 4);
      high = high.substr(0, by);
    }
    said += high.empty() ? fmt::format("{} or more", part.substr(0, dots))
                         : fmt::format("{} to {}", part.substr(0, dots), high);
    if (!step.empty()) said += fmt::format(", in steps of {}", step);
  });
  return said;
}

std::size_t ElementsOf(const ResolvedOperand& operand) {
  return operand.children.empty() ? operand.vector_size : operand.children.size();
}

std::string CountsOf(const Spelling& spelling) {
  std::vector<std::size_t> counts;
  for (const Overload& overload : spelling.overloads)
    for (std::size_t i = overload.operands_min; i <= overload.operands.size(); ++i)
      counts.push_back(i);
  std::sort(counts.begin(), counts.end());
  counts.erase(std::unique(counts.begin(), counts.end()), counts.end());
  std::string said;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    if (i > 0) said += i + 1 == counts.size() ? " or " : ", ";
    said += counts[i] == 0 ? "no" : std::to_string(counts[i]);
  }
  return said + (counts.back() == 1 ? " operand" : " operands");
}

// Of all overloads the one whose operands fit furthest.
struct Nearest {
  const Overload* overload = nullptr;
  Assignment assignment;
};

Nearest NearestOf(const Spelling& spelling, std::span<const ResolvedOperand> operands,
                  const OperandContext& context) {
  Nearest nearest;
  for (const Overload& overload : spelling.overloads) {
    const Assignment assignment = Assign(overload, operands, context);
    if (!assignment.has_count) continue;
    // A wrong type is a smaller slip than a wrong kind of operand.
    const auto rank = [](const Assignment& one) {
      return one.fitting * 2 + (one.fault.kind != FaultKind::kKind);
    };
    if (nearest.overload == nullptr || rank(assignment) > rank(nearest.assignment))
      nearest = {&overload, assignment};
  }
  return nearest;
}

class Reporter {
 public:
  Reporter(const Spelling& spelling, const Nearest& nearest, const OperandContext& context,
           ErrorList& errors)
      : name_(Shortened(spelling.text, 100)),
        spec_(nearest.overload->operands[nearest.assignment.fault_at]),
        at_(*nearest.assignment.fault.at),
        number_(nearest.assignment.fitting + 1),
        module_(*context.module),
        context_(context),
        errors_(errors) {}

  Diagnostic& Report(FaultKind kind) {
    switch (kind) {
      case FaultKind::kNone:
      case FaultKind::kKind:
        return At<kinds::kOperandKind>(number_, name_, Expected(spec_), Say(at_, module_));
      case FaultKind::kType: return ReportType();
      case FaultKind::kLength:
        return At<kinds::kVectorLength>(
            number_, name_,
            spec_.elements == 1 ? "one element" : fmt::format("{} elements", spec_.elements),
            ElementsOf(at_));
      case FaultKind::kElements: return ReportElements();
      case FaultKind::kRange:
        return At<kinds::kConstantRange>(number_, name_,
                                         spec_.range.empty() ? "0 or more" : SayRange(spec_.range),
                                         TextOf(at_, module_));
      case FaultKind::kSpace: return ReportSpace();
      case FaultKind::kWidth:
        return At<kinds::kAddressWidth>(TextOf(at_, module_), TypeOf(at_),
                                        spec_.is_generic ? "generic" : NameOf(spec_.space),
                                        context_.address_bits);
      case FaultKind::kReadOnly: return At<kinds::kReadOnly>(TextOf(at_, module_));
      case FaultKind::kTextureMode: return ReportTextureMode();
    }
    return At<kinds::kOperandKind>(number_, name_, Expected(spec_), Say(at_, module_));
  }

 private:
  template <const DiagnosticKind& kind, typename... Args>
  Diagnostic& At(Args&&... args) {
    const TokenSpan span = SpanOf(at_, module_);
    return errors_.ReportSpan<kind>(span.begin, span.end, std::forward<Args>(args)...);
  }

  Diagnostic& ReportType() {
    const bool is_address =
        spec_.form == OperandForm::kAddress || spec_.form == OperandForm::kUnifiedAddress;
    std::string expected = Describe(spec_.type.registers);
    if (is_address)
      expected = fmt::format("an integer or bit type of {} to 64 bits", spec_.type.bits);
    if (spec_.form == OperandForm::kTensorMap && at_.type != Type::kNone && spec_.type.bits == 0)
      expected = "an integer or bit type of 64 bits";
    if (spec_.form == OperandForm::kTensorMemory) expected = ".b32, .u32 or .s32";
    if (spec_.form == OperandForm::kPredicateDestination || spec_.form == OperandForm::kPredicate ||
        spec_.form == OperandForm::kNegatablePredicate)
      expected = ".pred";
    if (spec_.form == OperandForm::kTexture || spec_.form == OperandForm::kTextureName ||
        spec_.form == OperandForm::kTextureAndSampler || spec_.form == OperandForm::kSurface ||
        spec_.form == OperandForm::kSurfaceName || spec_.form == OperandForm::kSamplerName) {
      if (at_.meaning == Meaning::kVariable || spec_.type.registers == 0)
        expected = ".texref, .samplerref, .surfref or a 64-bit register";
    }
    const bool has_type = at_.type != Type::kNone;
    return At<kinds::kOperandType>(
        number_, name_, expected, TextOf(at_, module_),
        has_type && at_.meaning != Meaning::kVariable ? TypeOf(at_) : std::string(SayMeaning(at_)));
  }

  Diagnostic& ReportElements() {
    // The first element of a type that doesn't go with it.
    return At<kinds::kVectorElements>(number_, name_, TextOf(at_, module_), TypeOf(at_));
  }

  Diagnostic& ReportSpace() {
    const std::string wanted = spec_.space == StateSpace::kNone
                                   ? std::string(".global, .shared or .local")
                                   : std::string(NameOf(spec_.space));
    Diagnostic& diagnostic =
        At<kinds::kAddressSpace>(name_, wanted, TextOf(at_, module_), NameOf(at_.space));
    if (at_.variable != nullptr && at_.variable->name) {
      const Token& name = module_.TokenOf(at_.variable->name);
      diagnostic.related.push_back({module_.tokens->PlaceOf(name), name.length(), "declared here"});
    }
    return diagnostic;
  }

  Diagnostic& ReportTextureMode() {
    const bool has_sampler = spec_.form == OperandForm::kTextureAndSampler;
    return At<kinds::kTextureMode>(
        has_sampler ? "a sampler beside its texture" : "a texture without a sampler",
        has_sampler ? "texmode_independent" : "texmode_unified");
  }

  const std::string name_;
  const OperandSpec& spec_;
  const ResolvedOperand& at_;
  const std::size_t number_;
  const Module& module_;
  const OperandContext& context_;
  ErrorList& errors_;
};

}  // namespace

void ReportOperands(const Spelling& spelling, TokenId opcode,
                    std::span<const ResolvedOperand> operands, const OperandContext& context,
                    ErrorList& errors) {
  const Nearest nearest = NearestOf(spelling, operands, context);
  Diagnostic* diagnostic = nullptr;
  if (nearest.overload == nullptr) {
    const Token& token = context.module->TokenOf(opcode);
    diagnostic = &errors.ReportSpan<kinds::kOperandCount>(token.offset(), token.end(),
                                                          Shortened(spelling.text, 100),
                                                          CountsOf(spelling), operands.size());
    diagnostic->section = spelling.overloads[0].form->row->section;
    return;
  }
  diagnostic = &Reporter(spelling, nearest, context, errors).Report(nearest.assignment.fault.kind);
  diagnostic->section = nearest.overload->form->row->section;
}

}  // namespace ptxfarm::ptx::isa

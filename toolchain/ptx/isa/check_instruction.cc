#include "toolchain/ptx/isa/check_instruction.h"

#include <algorithm>

#include "base/text.h"
#include "toolchain/ptx/isa/assign_operands.h"
#include "toolchain/ptx/isa/instruction_kinds.h"
#include "toolchain/ptx/isa/operand_faults.h"
#include "toolchain/ptx/isa/spelling_faults.h"

namespace ptxfarm::ptx::isa {
namespace {

// Whether operand after operand fits, none left out: what nearly every statement is.
bool FitsWhole(const Overload& overload, std::span<const ResolvedOperand> operands,
               const OperandContext& context) {
  if (operands.size() != overload.operands.size()) return false;
  for (std::size_t i = 0; i < operands.size(); ++i)
    if (Judge(overload.operands[i], operands[i], context)) return false;
  return true;
}

bool Fits(const Overload& overload, std::span<const ResolvedOperand> operands,
          const OperandContext& context) {
  if (FitsWhole(overload, operands, context)) return true;
  if (overload.operands_min == overload.operands.size()) return false;
  const Assignment assignment = Assign(overload, operands, context);
  return assignment.has_count && !assignment.fault;
}

// The words of a mnemonic lie side by side nearly always; then the text itself is the key.
bool IsWhole(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' ||
           c == ':' || c == '_' || c == '$';
  });
}

}  // namespace

InstructionChecker::InstructionChecker(const Module& module, ErrorList& errors, ErrorList& warnings)
    : module_(module),
      errors_(errors),
      warnings_(warnings),
      spellings_(module.head),
      context_{.module = &module,
               .address_bits = module.head.address_size.value_or(64),
               .has_independent_textures = module.head.has_independent_textures} {}

CheckedInstruction InstructionChecker::Check(const Instruction& instruction,
                                             std::span<const ResolvedOperand> operands) {
  CheckedInstruction checked{.spelling = &SpellingOf(instruction)};
  const Spelling& spelling = *checked.spelling;
  for (const SpellingIssue& issue : spelling.issues) {
    const bool is_error = issue.diagnostic.severity == Severity::kError;
    ErrorList& list = is_error ? errors_ : warnings_;
    if (list.is_full()) continue;  // Places cost a count of lines.
    // How a spelling is written is said once, however often it stands there.
    if (!is_error && !told_.insert(&issue).second) continue;
    const Span span = SpanOf(instruction, issue.first_word, issue.last_word);
    list.Add(issue.diagnostic, span.begin, span.end);
  }
  if (spelling.overloads.empty()) return checked;

  const Overload* const overload = Fit(spelling, operands);
  if (overload == nullptr) {
    if (!errors_.is_full())
      ReportOperands(spelling, instruction.opcode, operands, context_, errors_);
    return checked;
  }
  if ((!overload->is_met || overload->has_conditional) &&
      !CheckNeeds(instruction, spelling, *overload, operands))
    return checked;
  if (!overload->form->row->life.empty() && !CheckLife(instruction, spelling, *overload))
    return checked;
  CheckConstants(*overload, operands);
  checked.overload = overload;
  return checked;
}

const Spelling& InstructionChecker::SpellingOf(const Instruction& instruction) {
  const std::string_view text = module_.MnemonicOf(instruction);
  if (IsWhole(text)) return spellings_.Find(text);
  // Blanks, comments, line markers, the bank of .const[3].
  text_.clear();
  for (const Token& word : module_.WordsOf(instruction))
    if (word.Is(TokenKind::kName) || word.Is(TokenKind::kDotWord))
      text_ += module_.tokens->TextOf(word);
  return spellings_.Find(text_);
}

// Of those whose operands fit one that the module's version and target have, else the first.
const Overload* InstructionChecker::Fit(const Spelling& spelling,
                                        std::span<const ResolvedOperand> operands) const {
  const Overload* fitting = nullptr;
  for (const Overload& overload : spelling.overloads) {
    if (fitting != nullptr && !overload.is_met) continue;
    if (!Fits(overload, operands, context_)) continue;
    if (overload.is_met) return &overload;
    fitting = &overload;
  }
  return fitting;
}

bool InstructionChecker::Applies(const Requirement& requirement, const Overload& overload,
                                 std::span<const ResolvedOperand> operands) {
  if (requirement.when == Atom::Kind::kPresent) return true;
  // The operand's place among those written, counted from the end that has no optional ones.
  std::size_t place = requirement.operand;
  const std::size_t left_out = overload.operands.size() - operands.size();
  std::size_t optional_before = 0;
  std::size_t optional_all = 0;
  for (std::size_t i = 0; i < overload.operands.size(); ++i) {
    optional_all += overload.operands[i].is_optional;
    if (i < requirement.operand) optional_before += overload.operands[i].is_optional;
  }
  if (requirement.when == Atom::Kind::kOperand) {
    if (left_out == 0) return true;
    if (left_out == optional_all) return false;
    // One of two is there: a vector is the first of them, a scalar the second.
    const ResolvedOperand& written = operands.back();
    const bool is_first = optional_before == 0;
    return (written.meaning == Meaning::kVector) == is_first;
  }
  place -= std::min(place, std::min(left_out, optional_before));
  if (place >= operands.size()) return false;
  const ResolvedOperand& operand = operands[place];
  if (requirement.when == Atom::Kind::kOperandPair) return operand.meaning == Meaning::kPair;
  return operand.meaning == Meaning::kAddress && !operand.children.empty() &&
         operand.children[0].meaning == Meaning::kRegister;
}

bool InstructionChecker::CheckNeeds(const Instruction& instruction, const Spelling& spelling,
                                    const Overload& overload,
                                    std::span<const ResolvedOperand> operands) {
  const ModuleHead& head = module_.head;
  const Requirement* version = nullptr;  // What asks for most.
  const Requirement* target = nullptr;   // The first that the target lacks.
  for (const Requirement& one : overload.requirements) {
    if (one.on_target != 0 && head.target.number() != one.on_target) continue;
    if (!Applies(one, overload, operands)) continue;
    if (one.since > head.version && (version == nullptr || one.since > version->since))
      version = &one;
    if (target == nullptr && !one.targets.Has(head.target)) target = &one;
  }
  const auto what = [&](const Requirement& one) {
    return one.word == 0 ? fmt::format("'{}'", one.what)
                         : fmt::format("'{}' of '{}'", one.what, spelling.words[0]);
  };
  // One fault: who writes for a newer GPU also names a newer version.
  if (version != nullptr) {
    const Span span = SpanOf(instruction, version->word, version->word);
    Diagnostic& diagnostic = errors_.ReportSpan<kinds::kNeedsVersion>(
        span.begin, span.end, what(*version), version->since, head.version);
    diagnostic.section = overload.form->row->section;
    if (target != nullptr)
      diagnostic.hint =
          fmt::format("it also needs .target {}", TargetSet::Describe(target->targets_text));
  } else if (target != nullptr) {
    const Span span = SpanOf(instruction, target->word, target->word);
    Diagnostic& diagnostic = errors_.ReportSpan<kinds::kNeedsTarget>(
        span.begin, span.end, what(*target), TargetSet::Describe(target->targets_text),
        head.target);
    diagnostic.section = overload.form->row->section;
    diagnostic.hint = "the GPU that is asked for plays no part";
  }
  return version == nullptr && target == nullptr;
}

bool InstructionChecker::CheckLife(const Instruction& instruction, const Spelling& spelling,
                                   const Overload& overload) {
  const Form& form = *overload.form;
  const ModuleHead& head = module_.head;
  const Span span = SpanOf(instruction, 0, static_cast<u32>(spelling.words.size() - 1));
  const bool is_retired = form.retired.major != 0 && head.version >= form.retired &&
                          TargetSet(form.retired_on).Has(head.target);
  const std::span<const Form> forms = FormsOf(spelling.words[0]);
  const bool has_sync =
      std::any_of(forms.begin(), forms.end(), [](const Form& one) { return one.HasWord(".sync"); });
  const std::string instead =
      has_sync ? fmt::format("; write '{}.sync' with its mask of lanes", spelling.words[0]) : "";
  if (is_retired) {
    const std::string where = form.retired_on == "all"
                                  ? std::string()
                                  : fmt::format(" for {}", TargetSet::Describe(form.retired_on));
    Diagnostic& diagnostic = errors_.ReportSpan<kinds::kRetiredForm>(
        span.begin, span.end, spelling.text, form.retired, where + instead);
    diagnostic.section = form.row->section;
    return false;
  }
  if (form.deprecated.major != 0 && head.version >= form.deprecated)
    warnings_
        .ReportSpan<kinds::kDeprecatedForm>(
            span.begin, span.end, spelling.text, form.deprecated,
            has_sync ? ": on sm_70 and later lanes may have parted" + instead : "")
        .section = form.row->section;
  return true;
}

void InstructionChecker::CheckConstants(const Overload& overload,
                                        std::span<const ResolvedOperand> operands) {
  if (operands.size() != overload.operands.size()) return;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    const ResolvedOperand& operand = operands[i];
    const u16 bits = overload.operands[i].type.bits;
    if (operand.meaning != Meaning::kInteger || bits == 0 || bits >= 64) continue;
    const i64 low = -(i64{1} << (bits - 1));
    const i64 high = (i64{1} << bits) - 1;
    // As signed or as unsigned: ~0 and 0xFFFFFFFFFFFFFFFF are -1.
    if (operand.value >= low && operand.value <= high) continue;
    const Token& token = module_.TokenOf(operand.syntax->token);
    warnings_.ReportSpan<kinds::kConstantTooWide>(token.offset(), token.end(),
                                                  module_.tokens->TextOf(token), bits);
  }
}

InstructionChecker::Span InstructionChecker::SpanOf(const Instruction& instruction, u32 first_word,
                                                    u32 last_word) const {
  Span span;
  u32 word = 0;
  for (const Token& token : module_.WordsOf(instruction)) {
    if (!token.Is(TokenKind::kName) && !token.Is(TokenKind::kDotWord)) continue;
    if (word == first_word) span.begin = token.offset();
    if (word == last_word) span.end = token.end();
    ++word;
  }
  return span;
}

}  // namespace ptxfarm::ptx::isa

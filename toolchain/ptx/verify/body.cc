// Bodies: blocks, labels, and what stands in them.
#include <algorithm>

#include "toolchain/ptx/isa/special_registers.h"
#include "toolchain/ptx/verify/verifier.h"
#include "toolchain/target/reach.h"

namespace ptxfarm::ptx {

void Verifier::VerifyBody(const Function& function) {
  local_bytes_ = 0;
  largest_local_ = {};
  call_parameters_.clear();
  call_parameter_of_.clear();
  GatherLabels(function);
  // The outer braces open no scope of their own: parameters and registers can't share names.
  const std::span<const Statement> body = Module::Of(module_.statements, function.body);
  block_ = 0;
  DeclareLabels();
  NoteRestOfBody(function);
  u32 depth = 0;
  for (const Statement& statement : body) {
    if (errors_.is_full()) break;
    if (statement.kind == StatementKind::kBlockBegin) {
      if (++depth > 1) OpenBlock();
    } else if (statement.kind == StatementKind::kBlockEnd) {
      if (--depth > 0) symbols_.CloseScope();
    } else {
      VerifyBodyStatement(statement);
    }
  }
  while (depth-- > 1) symbols_.CloseScope();
  NoteRestOfBody(function);

  for (const PassedParameter& parameter : call_parameters_) {
    if (parameter.is_passed || !parameter.first_use) continue;
    if (errors_.is_full()) return;
    const Variable& variable = module_.variables[parameter.variable];
    Diagnostic& diagnostic =
        Report<kinds::kUnpassedParameter>(parameter.first_use, Text(variable.name));
    diagnostic.section = "5.1.6.2";
    diagnostic.related.push_back(DeclaredHere(variable.name));
  }
  if (function.has_wrong_head) return;
  constexpr u64 kDevicesMax = u64{1} << 32;
  if (local_bytes_ > kDevicesMax) {
    Diagnostic& diagnostic = Report<kinds::kLocalTooLarge>(largest_local_, Text(function.name),
                                                           local_bytes_, kLocalBytesMax.value);
    diagnostic.section = "5.1.5";
    diagnostic.asked = local_bytes_;
    diagnostic.allowed = kLocalBytesMax.value;
  } else if (local_bytes_ > kLocalBytesMax.value) {
    Report<kinds::kLocalLarge>(largest_local_, Text(function.name), local_bytes_,
                               kLocalBytesMax.name, kLocalBytesMax.value)
        .section = "5.1.5";
  }
}

// Blocks are numbered in the order in which they begin.
void Verifier::GatherLabels(const Function& function) {
  labels_.clear();
  next_label_ = 0;
  open_blocks_.clear();
  u32 blocks = 0;
  bool is_sorted = true;
  for (const Statement& statement : Module::Of(module_.statements, function.body)) {
    if (statement.kind == StatementKind::kBlockBegin) {
      open_blocks_.push_back(blocks++);
    } else if (statement.kind == StatementKind::kBlockEnd) {
      open_blocks_.pop_back();
    } else if (statement.kind == StatementKind::kLabel) {
      const u32 block = open_blocks_.back();
      is_sorted = is_sorted && (labels_.empty() || labels_.back().block <= block);
      labels_.push_back({statement.token, block});
    }
  }
  if (!is_sorted)
    std::stable_sort(labels_.begin(), labels_.end(),
                     [](const Label& a, const Label& b) { return a.block < b.block; });
}

// Those of the block that begins, which is number `block_`.
void Verifier::DeclareLabels() {
  for (; next_label_ < labels_.size() && labels_[next_label_].block == block_; ++next_label_) {
    const TokenId name = labels_[next_label_].name;
    if (!CheckName(name)) continue;
    DeclareName(name, SymbolKind::kLabel, 0, "5.4");
  }
}

void Verifier::OpenBlock() {
  symbols_.OpenScope();
  ++block_;
  DeclareLabels();
}

void Verifier::VerifyBodyStatement(const Statement& statement) {
  const bool follows_location = last_was_location_;
  last_was_location_ =
      statement.kind == StatementKind::kLocation || statement.kind == StatementKind::kGap;
  switch (statement.kind) {
    case StatementKind::kInstruction:
      VerifyInstruction(module_.instructions[statement.index]);
      break;
    case StatementKind::kVariable: VerifyBodyVariable(statement.index); break;
    case StatementKind::kGap: NoteGap(module_.gaps[statement.index].tokens); break;
    case StatementKind::kPragma:
      CheckDirectiveGate(statement.token);
      VerifyPragma(module_.pragmas[statement.index], Site::kBody);
      break;
    case StatementKind::kLocation: VerifyLocation(statement); break;
    case StatementKind::kIntermediateLocation:
      CheckDirectiveGate(statement.token);
      if (!follows_location)
        Report<kinds::kMisplaced>(statement.token, ".loc_intermediate", "here", "behind a .loc")
            .section = "11.5.5";
      VerifyLocation(statement);
      break;
    case StatementKind::kPrototype: VerifyPrototype(statement.index); break;
    case StatementKind::kBranchTargets:
    case StatementKind::kCallTargets: VerifyNameList(statement.index, statement.kind); break;
    case StatementKind::kDwarfLine:
      CheckGate({{1, 0}, 0, {1, 5}}, statement.token, "'@@DWARF'", "11.5.1");
      break;
    default: break;  // Labels are declared already.
  }
}

void Verifier::VerifyInstruction(const Instruction& instruction) {
  if (instruction.guard) VerifyGuard(instruction);
  ResolveOperands(instruction);
  const std::string_view opcode = Text(instruction.opcode);
  if (opcode == "call" && !VerifyCall(instruction)) return;
  if ((opcode == "bra" || opcode == "brx") && !VerifyBranch(instruction)) return;
  const std::span<const ResolvedOperand> operands =
      std::span<const ResolvedOperand>(resolved_).first(instruction.operand_count);
  const isa::CheckedInstruction checked = checker_.Check(instruction, operands);
  if (checked.overload == nullptr) return;
  if (options_.on_instruction)
    options_.on_instruction({module_, instruction, *checked.overload, operands});
  NoteNeeds(instruction, *checked.overload, operands);
  WarnMisaligned(instruction);
}

// Each form asks once: what is asked later is asked already.
void Verifier::NoteNeeds(const Instruction& instruction, const isa::Overload& overload,
                         std::span<const ResolvedOperand> operands) {
  if (!overload.has_conditional && !noted_.insert(&overload).second) return;
  for (const isa::Requirement& one : overload.requirements) {
    if (one.on_target != 0 || !isa::InstructionChecker::Applies(one, overload, operands)) continue;
    const auto span = checker_.SpanOf(instruction, one.word, one.word);
    const u32 length = span.end - span.begin;
    const std::string what = fmt::format("'{}'", one.what);
    needs_.AskVersion(one.since, span.begin, length, what);
    needs_.AskTargets(one.targets.bits(), span.begin, length, what);
  }
}

void Verifier::VerifyGuard(const Instruction& instruction) {
  const std::string_view name = Text(instruction.guard);
  const Symbol* const symbol = symbols_.Find(name);
  if (symbol == nullptr) {
    if (FindSpecialRegister(name) == nullptr) return ReportUndeclared(instruction.guard);
    Report<kinds::kBadGuard>(instruction.guard, fmt::format("'{}' is a special register", name))
        .section = "9.3";
    return;
  }
  if (symbol->kind == SymbolKind::kUndeclared) return;
  if (symbol->kind == SymbolKind::kVariable) {
    const Variable& variable = module_.variables[symbol->index];
    if (variable.type == Type::kPred) return;
    Diagnostic& diagnostic = Report<kinds::kBadGuard>(
        instruction.guard, fmt::format("'{}' is of {}", name, DescOf(variable.type).name));
    diagnostic.section = "9.3";
    diagnostic.related.push_back(DeclaredHere(symbol->name));
    return;
  }
  Diagnostic& diagnostic =
      Report<kinds::kBadGuard>(instruction.guard, fmt::format("'{}' is no register", name));
  diagnostic.section = "9.3";
  diagnostic.related.push_back(DeclaredHere(symbol->name));
}

}  // namespace ptxfarm::ptx

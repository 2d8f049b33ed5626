// A statement becomes a module of one function: its operands are registers named %0, %1 …, its
// template the body. The verifier judges that; places go back through the template to the source.
#include "toolchain/ptx/inline_assembly/check_statement.h"

#include <algorithm>

#include "toolchain/ptx/inline_assembly/inline_kinds.h"
#include "toolchain/ptx/inline_assembly/open_names.h"
#include "toolchain/ptx/inline_assembly/operand_use.h"
#include "toolchain/ptx/isa/instruction_kinds.h"
#include "toolchain/ptx/lex.h"
#include "toolchain/ptx/parse.h"
#include "toolchain/ptx/verify.h"

namespace ptxfarm::ptx {
namespace {

// Tried one after the other where a constant isn't known: counts, sizes and selectors differ in
// what they admit.
constexpr std::string_view kConstants[] = {"1", "0", "4", "8", "16", "32", "64", "128", "256"};

// The module around a template.
struct Wrapped {
  MappedText text;
  u32 begin = 0;  // Of the template in it.
  u32 end = 0;
};

Wrapped Wrap(const AsmStatement& statement, const MappedText& expanded,
             std::span<const Constraint> constraints, std::string_view target,
             std::string_view ending) {
  std::string head =
      fmt::format(".version {}\n.target {}\n.address_size 64\n.func asm_statement()\n{{\n",
                  PublishedPtxVersions().back(), target);
  for (std::size_t i = 0; i < constraints.size(); ++i) {
    const ConstraintDesc* const desc = constraints[i].desc;
    if (desc != nullptr && desc->type != Type::kNone)
      head += fmt::format(".reg {} %{};\n", DescOf(desc->type).name, i);
  }
  Wrapped wrapped;
  const u32 start = statement.span.begin;
  wrapped.text.AppendFor(head, {start, start});
  wrapped.begin = wrapped.text.size();
  wrapped.text.AppendPart(expanded, 0, expanded.size());
  wrapped.end = wrapped.text.size();
  const u32 behind = statement.text.OriginOf(statement.text.size(), statement.text.size()).begin;
  wrapped.text.AppendFor(ending, {behind, behind});
  wrapped.text.AppendFor("\n}\n", {behind, behind});
  return wrapped;
}

// A diagnostic with its span in the module.
struct Found {
  Diagnostic diagnostic;
  SourceSpan span;
};

struct Verdict {
  std::vector<Found> found;
  TemplateUse use{0};
  Wrapped module;  // What the spans of `use` are of.
  std::size_t errors = 0;
  // Something was let pass: what follows from it isn't known.
  bool is_partial = false;

  bool OnlyLacksTarget() const {
    return errors > 0 && std::ranges::all_of(found, [](const Found& one) {
             return one.diagnostic.severity != Severity::kError ||
                    one.diagnostic.kind == kinds::kNeedsTarget.name ||
                    one.diagnostic.kind == kinds::kRetiredForm.name;
           });
  }
};

class StatementChecker {
 public:
  StatementChecker(const AsmStatement& statement, const InlineOptions& options,
                   const OpenNames& open_names, SourceErrors& errors)
      : statement_(statement), options_(options), open_names_(open_names), errors_(errors) {}

  bool Run() {
    ReadLists();
    expanded_ = ExpandTemplate(statement_, constraints_, kConstants[0], errors_);
    if (expanded_.has_unknown_text) return false;
    const bool is_blank = expanded_.text.text().find_first_not_of(" \t\r\n;") == std::string::npos;
    // An empty template is how code keeps values and accesses in their places.
    if (is_blank || !CheckShape()) return true;
    const Verdict verdict = Judge();
    for (const Found& found : verdict.found) errors_.Add(found.diagnostic, found.span);
    CheckUse(verdict);
    CheckEffects(verdict);
    return true;
  }

 private:
  void ReadLists() {
    for (std::size_t i = 0; i < statement_.operands.size(); ++i) {
      constraints_.push_back(ReadConstraint(statement_.operands, i));
      if (constraints_.back().fault.empty()) continue;
      const AsmOperand& operand = statement_.operands[i];
      errors_.Report<kinds::kAsmConstraint>(operand.span, operand.constraint,
                                            constraints_.back().fault);
    }
    for (const std::string& clobber : statement_.clobbers)
      if (clobber != "memory" && clobber != "cc")
        errors_.Report<kinds::kAsmClobber>(statement_.span, clobber);
  }

  SourceSpan OriginOf(const Wrapped& wrapped, u32 begin, u32 end) const {
    return wrapped.text.OriginOf(std::clamp(begin, wrapped.begin, wrapped.end),
                                 std::clamp(end, wrapped.begin, wrapped.end));
  }

  // Braces and the end of the template: a fault there would be one of the module's around it. What
  // stands outside braces is told here too.
  bool CheckShape() {
    const Wrapped wrapped =
        Wrap(statement_, expanded_.text, constraints_, "sm_90", std::string_view());
    const Source source{.name = {}, .text = wrapped.text.text()};
    const Result<TokenBuffer, Diagnostics> tokens = Lex(source);
    if (!tokens) return true;  // Judge says what is wrong.
    std::vector<u32> open;
    const Token* last = nullptr;
    for (const Token& token : tokens->tokens()) {
      if (token.offset() < wrapped.begin || token.offset() >= wrapped.end) continue;
      if (token.Is(TokenKind::kLeftBrace)) open.push_back(token.offset());
      if (token.Is(TokenKind::kRightBrace)) {
        if (open.empty()) {
          errors_.Report<kinds::kUnopenedBrace>(OriginOf(wrapped, token.offset(), token.end()));
          return false;
        }
        open.pop_back();
      }
      last = &token;
    }
    if (!open.empty()) {
      errors_.Report<kinds::kUnclosedBrace>(OriginOf(wrapped, open.back(), open.back() + 1));
      return false;
    }
    TellOpen(wrapped, *tokens);
    const bool is_ended = last == nullptr || last->Is(TokenKind::kSemicolon) ||
                          last->Is(TokenKind::kRightBrace) || last->Is(TokenKind::kColon);
    if (!is_ended) {
      errors_.Report<kinds::kAsmUnterminated>(OriginOf(wrapped, last->offset(), last->end())).hint =
          "end it with ';'";
      ending_ = ";";
    }
    return true;
  }

  void TellOpen(const Wrapped& wrapped, const TokenBuffer& tokens) {
    // %= makes a name of its own in every copy.
    if (statement_.text.text().find("%=") != std::string::npos) return;
    for (const OpenName& name : FindOpenNames(tokens, wrapped.begin, wrapped.end)) {
      const SourceSpan span = OriginOf(wrapped, name.token.offset(), name.token.end());
      const std::string_view text = tokens.TextOf(name.token);
      Diagnostic& diagnostic = name.is_label ? errors_.Report<kinds::kAsmOpenLabel>(span, text)
                                             : errors_.Report<kinds::kAsmOpenRegister>(span, text);
      diagnostic.hint = "put { } around the template";
    }
  }

  // With every target that is asked for, or the first one that has it all.
  Verdict Judge() {
    if (options_.targets.empty()) return JudgeForAny(AllTargets());
    if (statement_.is_conditional) return JudgeForAny(options_.targets);
    Verdict all = JudgeFor(options_.targets[0]);
    for (const Target& target : std::span(options_.targets).subspan(1)) {
      Verdict one = JudgeFor(target);
      for (Found& found : one.found) {
        const bool is_known = std::ranges::any_of(all.found, [&](const Found& other) {
          return other.span == found.span && other.diagnostic.kind == found.diagnostic.kind;
        });
        if (is_known) continue;
        all.errors += found.diagnostic.severity == Severity::kError;
        all.found.push_back(std::move(found));
      }
    }
    return all;
  }

  Verdict JudgeForAny(std::span<const Target> targets) {
    Verdict best = JudgeFor(targets.back());
    for (std::size_t i = targets.size() - 1; i-- > 0 && best.OnlyLacksTarget();) {
      Verdict other = JudgeFor(targets[i]);
      if (other.errors < best.errors) best = std::move(other);
    }
    // Which targets it must be right for isn't known, only that there are some.
    if (statement_.is_conditional && !options_.targets.empty() && best.OnlyLacksTarget())
      best = JudgeAnywhere(std::move(best));
    return best;
  }

  Verdict JudgeAnywhere(Verdict best) {
    const std::span<const Target> all = AllTargets();
    for (std::size_t i = all.size(); i-- > 0 && best.OnlyLacksTarget();) {
      Verdict other = JudgeFor(all[i]);
      if (other.errors < best.errors) best = std::move(other);
    }
    return best;
  }

  Verdict JudgeFor(const Target& target) {
    Verdict best = JudgeWith(target, expanded_);
    // Any constant may stand for one that isn't known: the first that all agree with.
    for (std::size_t i = 1; i < std::size(kConstants) && best.is_partial; ++i) {
      if (expanded_.unknowns.empty()) break;
      const LinePlaces places{std::string_view()};
      SourceErrors silent(places);
      Verdict other =
          JudgeWith(target, ExpandTemplate(statement_, constraints_, kConstants[i], silent));
      if (!other.is_partial && other.errors <= best.errors) best = std::move(other);
    }
    return best;
  }

  Verdict JudgeWith(const Target& target, const ExpandedTemplate& expanded) {
    const Wrapped wrapped =
        Wrap(statement_, expanded.text, constraints_, target.ToString(), ending_);
    Verdict verdict;
    verdict.use = TemplateUse(constraints_.size());
    const Source source{.name = {}, .text = wrapped.text.text()};
    const LinePlaces places(source.text);
    const auto add = [&](const Diagnostics& diagnostics, const Module* module) {
      for (const Diagnostic& diagnostic : diagnostics)
        AddFound(verdict, diagnostic, places, wrapped, expanded, module);
    };
    const Result<TokenBuffer, Diagnostics> tokens = Lex(source);
    if (!tokens) {
      add(tokens.error(), nullptr);
      return verdict;
    }
    const Result<Module, Diagnostics> module = Parse(*tokens);
    if (!module) {
      add(module.error(), nullptr);
      return verdict;
    }
    VerifyOptions options{.is_relocatable = true};
    options.on_instruction = [&](const VerifiedInstruction& one) { verdict.use.See(one); };
    const Result<VerifiedModule, Diagnostics> verified = Verify(*module, options);
    add(verified ? verified->warnings() : verified.error(), &*module);
    verdict.module = wrapped;
    return verdict;
  }

  // What holds only of the module around the template, or of a constant that isn't known, is left
  // out.
  void AddFound(Verdict& verdict, Diagnostic diagnostic, const LinePlaces& places,
                const Wrapped& wrapped, const ExpandedTemplate& expanded, const Module* module) {
    const u32 begin = places.OffsetOf(diagnostic.place);
    const u32 end = begin + diagnostic.length;
    const bool is_of_unknown =
        std::ranges::any_of(expanded.unknowns, [&](const SourceSpan& unknown) {
          return begin < wrapped.begin + unknown.end && end > wrapped.begin + unknown.begin;
        });
    if (is_of_unknown) {
      verdict.is_partial = true;
      return;
    }
    if (diagnostic.kind == kinds::kMisaligned.name && !expanded.unknowns.empty()) return;
    if (diagnostic.kind == kinds::kUndeclared.name) {
      verdict.is_partial = true;
      const std::string_view name =
          std::string_view(wrapped.text.text()).substr(begin, end - begin);
      // What ExpandTemplate found fault with already.
      if (name.starts_with('%') && !IsWrittenPlain(wrapped, begin, end)) return;
      if (open_names_.contains(std::string(name))) return;
      if (module != nullptr && MayBeOfModule(*module, begin, name))
        diagnostic = Diagnose<kinds::kAsmForeignName>({}, name);
    }
    if (diagnostic.kind == kinds::kNeedsTarget.name) SayWhoAsked(diagnostic);
    // What stands in front of the template is written nowhere.
    std::erase_if(diagnostic.related, [&](const RelatedPlace& related) {
      return places.OffsetOf(related.place) < wrapped.begin;
    });
    for (RelatedPlace& related : diagnostic.related) {
      const u32 at = places.OffsetOf(related.place);
      related.place = errors_.PlaceOf(OriginOf(wrapped, at, at + related.length));
    }
    verdict.errors += diagnostic.severity == Severity::kError;
    verdict.found.push_back({std::move(diagnostic), OriginOf(wrapped, begin, end)});
  }

  // No module is there that says a target.
  static void SayWhoAsked(Diagnostic& diagnostic) {
    constexpr std::string_view kModules = "the module says .target";
    const std::size_t at = diagnostic.message.find(kModules);
    if (at != std::string::npos)
      diagnostic.message.replace(at, kModules.size(), "it is checked for");
    diagnostic.hint.clear();
  }

  // A name of PTX that begins with '%', not one that lacks its second '%'.
  bool IsWrittenPlain(const Wrapped& wrapped, u32 begin, u32 end) const {
    const SourceSpan origin = OriginOf(wrapped, begin, end);
    return !statement_.has_operand_list || origin.end - origin.begin > end - begin;
  }

  // Names of variables and functions of the module may stand in addresses, in mov and in calls;
  // registers of nvcc's have a '%'.
  static bool MayBeOfModule(const Module& module, u32 offset, std::string_view name) {
    if (name.starts_with('%')) return false;
    for (const Instruction& instruction : module.instructions) {
      const std::string_view opcode = module.TextOf(instruction.opcode);
      const bool takes_names = opcode == "mov" || opcode == "call" || opcode == "cvta";
      const auto operands = Module::Of(module.operands, instruction.all_operands());
      for (const Operand& operand : operands) {
        const auto is_at = [&](const Operand& one) { return module.OffsetOf(one.token) == offset; };
        const bool is_destination = opcode != "call" && &operand == operands.data();
        if (takes_names && !is_destination && is_at(operand)) return true;
        if (operand.kind == OperandKind::kAddress &&
            std::ranges::any_of(Module::Of(module.operands, operand.children()), is_at))
          return true;
      }
    }
    return false;
  }

  // ---- What the template does with its operands ------------------------------------------------

  void CheckUse(const Verdict& verdict) {
    const bool is_whole = verdict.errors == 0 && !verdict.is_partial;
    for (std::size_t i = 0; i < constraints_.size(); ++i) {
      const Constraint& constraint = constraints_[i];
      const AsmOperand& operand = statement_.operands[i];
      const OperandUse& use = verdict.use.operands()[i];
      if (constraint.desc == nullptr) continue;
      if (use.first_write && !constraint.is_written) {
        errors_.Report<kinds::kAsmWritesInput>(SpanOf(verdict, *use.first_write), i).hint =
            "make it an output with '+'";
        continue;
      }
      // "0" repeats an output: the template names that one.
      const bool is_tied = operand.constraint.find_first_of("0123456789") != std::string::npos;
      if (!expanded_.is_used[i] && !is_tied && !(constraint.is_written && !constraint.is_read))
        errors_.Report<kinds::kAsmUnused>(operand.span, i);
      if (constraint.is_written && is_whole && (expanded_.is_used[i] || !constraint.is_read))
        CheckOutput(i, use, verdict);
    }
  }

  void CheckOutput(std::size_t index, const OperandUse& use, const Verdict& verdict) {
    const Constraint& constraint = constraints_[index];
    const SourceSpan span = statement_.operands[index].span;
    if (!use.first_write) {
      if (constraint.is_read)
        errors_.Report<kinds::kAsmOnlyRead>(span, index);
      else
        errors_.Report<kinds::kAsmNeverWritten>(span, index);
      return;
    }
    const bool is_tied = std::ranges::any_of(statement_.operands, [&](const AsmOperand& other) {
      return other.constraint == std::to_string(index);
    });
    if (constraint.is_read || is_tied || verdict.use.has_branch()) return;
    if (use.is_read_before_write)
      errors_.Report<kinds::kAsmReadFirst>(SpanOf(verdict, *use.first_read), index).hint =
          "write '+'";
    else if (!use.is_surely_written)
      errors_.Report<kinds::kAsmGuardedWrite>(SpanOf(verdict, *use.first_write), index).hint =
          "'+' keeps the value from before";
  }

  SourceSpan SpanOf(const Verdict& verdict, SourceSpan use) const {
    return OriginOf(verdict.module, use.begin, use.end);
  }

  // ---- What the statement does besides ---------------------------------------------------------

  void CheckEffects(const Verdict& verdict) {
    const bool has_memory = statement_.HasMemoryClobber();
    const bool has_outputs = std::ranges::any_of(
        statement_.operands, [](const AsmOperand& one) { return one.is_output; });
    // Without outputs a statement is volatile by itself.
    const bool is_kept = statement_.is_volatile || has_memory || !has_outputs;
    for (const EffectUse& use : verdict.use.effects()) {
      const std::string_view does = isa::Describe(use.effect);
      const SourceSpan span = SpanOf(verdict, use.span);
      const bool is_seen_outside =
          use.effect == isa::Effect::kWrites || use.effect == isa::Effect::kOrders;
      if (is_seen_outside && !is_kept)
        errors_.Report<kinds::kAsmLostEffect>(span, use.what, does).hint =
            "write 'asm volatile', with \"memory\" among the clobbers";
      else if (!is_seen_outside && !is_kept && use.effect != isa::Effect::kReads)
        errors_.Report<kinds::kAsmNotVolatile>(span, use.what, does).hint = "write 'asm volatile'";
      else if ((is_seen_outside || use.effect == isa::Effect::kReads) && !has_memory)
        errors_.Report<kinds::kAsmNoMemory>(span, use.what, does).hint =
            "put \"memory\" among the clobbers";
    }
  }

  const AsmStatement& statement_;
  const InlineOptions& options_;
  const OpenNames& open_names_;
  SourceErrors& errors_;
  std::vector<Constraint> constraints_;
  ExpandedTemplate expanded_;
  std::string_view ending_;
};

}  // namespace

void GatherOpenNames(const AsmStatement& statement, OpenNames& names) {
  const LinePlaces places{std::string_view()};
  SourceErrors silent(places);
  const ExpandedTemplate expanded = ExpandTemplate(statement, {}, kConstants[0], silent);
  const Source source{.name = {}, .text = expanded.text.text()};
  const Result<TokenBuffer, Diagnostics> tokens = Lex(source);
  if (!tokens) return;
  for (const OpenName& name : FindOpenNames(*tokens, 0, expanded.text.size()))
    names.emplace(tokens->TextOf(name.token));
}

bool CheckStatement(const AsmStatement& statement, const InlineOptions& options,
                    const OpenNames& open_names, SourceErrors& errors) {
  return StatementChecker(statement, options, open_names, errors).Run();
}

}  // namespace ptxfarm::ptx

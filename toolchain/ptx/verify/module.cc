// The statements of the module: what declares, and pragmas and aliases.
#include "toolchain/ptx/isa/pragmas.h"
#include "toolchain/ptx/verify/verifier.h"
#include "toolchain/target/reach.h"

namespace ptxfarm::ptx {

void Verifier::VerifyStatement(u32* index) {
  const Statement& statement = module_.statements[(*index)++];
  switch (statement.kind) {
    case StatementKind::kFunction: VerifyFunction(statement.index, index); break;
    case StatementKind::kVariable: VerifyModuleVariable(statement.index); break;
    case StatementKind::kPragma:
      CheckDirectiveGate(statement.token);
      VerifyPragma(module_.pragmas[statement.index], Site::kModule);
      break;
    case StatementKind::kFile: VerifyFile(module_.files[statement.index]); break;
    case StatementKind::kSection:
      CheckDirectiveGate(statement.token);
      VerifySection(module_.sections[statement.index]);
      break;
    case StatementKind::kDwarfLine:
      CheckGate({{1, 0}, 0, {1, 5}}, statement.token, "'@@DWARF'", "11.5.1");
      break;
    case StatementKind::kSourceSection: VerifySourceSection(statement); break;
    case StatementKind::kAlias:
      CheckDirectiveGate(statement.token);
      VerifyAlias(module_.aliases[statement.index]);
      break;
    case StatementKind::kGap:
      if (module_.gaps[statement.index].is_of_body) break;
      has_gap_in_module_ = true;
      NoteGap(module_.gaps[statement.index].tokens);
      break;
    case StatementKind::kTarget: {
      const Range names = module_.later_targets[statement.index];
      VerifyTargetNames(names);
      // What comes later asks more of the GPU, too.
      for (const ListedName& listed : Module::Of(module_.names, names)) {
        const Result<Target> target = ParseModuleTarget(Text(listed.name));
        if (!target) continue;
        for (const Target& gpu : options_.gpus)
          if (CanCompile(module_.head.target, gpu) && !CanCompile(*target, gpu))
            Report<kinds::kTargetMismatch>(listed.name, gpu, WhyNot(*target, gpu)).section =
                "11.1.2";
      }
      break;
    }
    default: break;  // What stands in bodies only.
  }
}

void Verifier::VerifyPragma(const Pragma& pragma, Site site) {
  for (const ListedName& string : Module::Of(module_.names, pragma.strings))
    VerifyPragmaString(string.name, site);
}

namespace {

bool FitsPragma(std::string_view argument, PragmaArgument kind) {
  if (kind == PragmaArgument::kNone) return true;
  if (argument.empty() || argument[0] < '0' || argument[0] > '9') return false;
  const bool is_hex = argument.starts_with("0x") || argument.starts_with("0X");
  for (const char c : argument.substr(is_hex ? 2 : 0)) {
    const bool is_digit = c >= '0' && c <= '9';
    const char lower = static_cast<char>(c | 0x20);
    if (!is_digit && !(is_hex && lower >= 'a' && lower <= 'f')) return false;
  }
  const IntegerLiteral literal = ValueOfInteger(argument);
  if (literal.wraps) return false;
  return kind == PragmaArgument::k64Bits || static_cast<u64>(literal.constant.value) <= 0xFFFFFFFF;
}

}  // namespace

// PTX ISA 9.4 §11.4.7, §12.
void Verifier::VerifyPragmaString(TokenId string, Site site) {
  std::string_view text = Text(string);
  text = text.substr(1, text.size() - 2);
  if (text.empty()) {
    Report<kinds::kBadPragma>(string, "a pragma is not empty").section = "11.4.7";
    return;
  }
  if (text.find_first_of("\n\\") != std::string_view::npos) {
    Report<kinds::kBadPragma>(string, "a string of a pragma holds no line end and no '\\'")
        .section = "11.4.7";
    return;
  }
  const std::size_t blank = text.find(' ');
  const std::string_view word = text.substr(0, blank);
  const PragmaDesc* const desc = FindPragma(word);
  if (desc == nullptr) {
    Report<kinds::kUnknownPragma>(string, text).section = "12";
    return;
  }
  CheckGate(desc->gate, string, fmt::format("the pragma \"{}\"", word), desc->section);
  if ((desc->places & static_cast<u8>(site)) == 0) {
    Report<kinds::kBadPragma>(
        string, fmt::format("the pragma \"{}\" stands inside a function, not {}", word,
                            site == Site::kModule ? "between functions" : "in front of its body"))
        .section = desc->section;
    return;
  }
  if (desc->whole_program_only && options_.is_relocatable) {
    Report<kinds::kBadPragma>(
        string,
        fmt::format("the pragma \"{}\" is for whole programs, and a relocatable object is asked "
                    "for: its callers are not known",
                    word))
        .section = desc->section;
    return;
  }
  const std::size_t at = blank == std::string_view::npos ? text.size() : blank;
  std::string_view argument = text.substr(at);
  argument.remove_prefix(std::min(argument.find_first_not_of(' '), argument.size()));
  if (!FitsPragma(argument, desc->argument))
    Report<kinds::kBadPragma>(string, fmt::format("this pragma is written {}", desc->syntax))
        .section = desc->section;
}

// PTX ISA 9.4 §11.2.3. The function behind the alias may be defined later.
void Verifier::VerifyAlias(const Alias& alias) {
  const Symbol* const symbol = symbols_.Find(Text(alias.alias));
  if (symbol == nullptr) {
    ReportUndeclared(alias.alias);
  } else if (symbol->kind != SymbolKind::kFunction) {
    Report<kinds::kBadAlias>(alias.alias, fmt::format("'{}' is no function", Text(alias.alias)))
        .section = "11.2.3";
  }
}

void Verifier::VerifyAliases() {
  std::unordered_map<std::string_view, TokenId> seen;
  for (const Alias& alias : module_.aliases) {
    if (errors_.is_full()) return;
    const auto fail = [&](TokenId at, std::string message) -> Diagnostic& {
      Diagnostic& diagnostic = Report<kinds::kBadAlias>(at, std::move(message));
      diagnostic.section = "11.2.3";
      return diagnostic;
    };
    const Symbol* const name = symbols_.Find(Text(alias.alias));
    const Symbol* const target = symbols_.Find(Text(alias.aliasee));
    if (name == nullptr || name->kind != SymbolKind::kFunction) continue;  // Reported.
    if (target == nullptr) {
      ReportUndeclared(alias.aliasee);
      continue;
    }
    if (target->kind != SymbolKind::kFunction) {
      fail(alias.aliasee, fmt::format("'{}' is no function", Text(alias.aliasee)));
      continue;
    }
    FunctionState& alias_state = function_states_[name->index];
    const FunctionState& state = function_states_[target->index];
    const Function& alias_function = module_.functions[alias_state.declaration];
    const Function& function = module_.functions[state.declaration];
    const auto [earlier, is_first] = seen.try_emplace(Text(alias.alias), alias.alias);
    if (!is_first)
      fail(alias.alias, fmt::format("'{}' is an alias already", Text(alias.alias)))
          .related.push_back(DeclaredHere(earlier->second, "the first one"));
    else if (name->index == target->index)
      fail(alias.aliasee, "a function is no alias of itself");
    else if (alias_function.is_entry || function.is_entry)
      fail(alias_function.is_entry ? alias.alias : alias.aliasee, "an entry has no alias")
          .related.push_back(
              DeclaredHere(alias_function.is_entry ? alias_function.name : function.name));
    else if (alias_state.is_defined)
      fail(alias.alias,
           fmt::format("'{}' has a body; an alias is declared only", Text(alias.alias)))
          .related.push_back(DeclaredHere(alias_function.name, "defined here"));
    else if (!state.is_defined && !seen.contains(Text(alias.aliasee)))
      fail(alias.aliasee, fmt::format("'{}' must be defined in this module", Text(alias.aliasee)))
          .related.push_back(DeclaredHere(function.name));
    else if (function.linkage == Linkage::kWeak)
      fail(alias.aliasee, fmt::format("'{}' is .weak: another definition may replace it, so it "
                                      "has no alias",
                                      Text(alias.aliasee)))
          .related.push_back(DeclaredHere(function.name));
    else if (const std::string difference =
                 DifferenceOf(alias_function.results, alias_function.parameters, function.results,
                              function.parameters);
             !difference.empty())
      fail(alias.alias, fmt::format("'{}' and '{}' differ: {}", Text(alias.alias),
                                    Text(alias.aliasee), difference))
          .related.push_back(DeclaredHere(function.name));
    alias_state.is_defined = true;
  }
}

}  // namespace ptxfarm::ptx

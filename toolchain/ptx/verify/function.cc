// Entries, functions and prototypes: their heads. PTX ISA 9.4 §11.2, §11.3.
#include "toolchain/ptx/verify/verifier.h"
#include "toolchain/target/reach.h"

namespace ptxfarm::ptx {
namespace {

std::string_view NameOf(Linkage linkage) {
  switch (linkage) {
    case Linkage::kNone: return "no linking directive";
    case Linkage::kVisible: return ".visible";
    case Linkage::kExtern: return ".extern";
    case Linkage::kWeak: return ".weak";
    case Linkage::kCommon: return ".common";
  }
  return "";
}

std::string Counted(std::size_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

}  // namespace

void Verifier::VerifyFunction(u32 index, u32* statement) {
  const Function& function = module_.functions[index];
  if (function.is_defined) *statement = function.body.end;
  if (function.has_wrong_head) {
    function_ = AddFunctionState(index);
    symbols_.OpenScope();
    syntax_ = &function;
    VerifyBody(function);
    syntax_ = nullptr;
    symbols_.CloseScope();
    return;
  }
  const auto fail = [&](TokenId at, std::string message, std::string_view section) {
    Report<kinds::kBadDeclaration>(at, std::move(message)).section = section;
  };
  CheckName(function.name);
  if (function.linkage == Linkage::kWeak) CheckDirectiveGate(function.linkage_token);
  if (function.linkage == Linkage::kCommon)
    fail(function.linkage_token, ".common is for variables in .global", "11.6.4");
  if (function.linkage == Linkage::kExtern && function.is_defined)
    fail(function.name,
         fmt::format("'{}' is .extern and has a body: write .visible", Text(function.name)),
         "11.6.1");
  for (const Attribute& attribute : Module::Of(module_.attributes, function.attributes)) {
    CheckDirectiveGate(attribute.name);
    if (Text(attribute.name) != ".unified")
      fail(attribute.name, fmt::format("{} is for variables", Text(attribute.name)), "5.4.8");
  }
  function_ = DeclareFunction(index);

  symbols_.OpenScope();
  VerifyParameters(function.results, function.is_entry, true);
  VerifyParameters(function.parameters, function.is_entry, false);
  VerifyFunctionDirectives(function.directives, !function.results.empty());
  if (function.is_entry) VerifyParameterBytes(function);
  if (function.is_defined) {
    syntax_ = &function;
    VerifyBody(function);
    syntax_ = nullptr;
  }
  symbols_.CloseScope();
}

// The function's state: that of its earlier declarations, or a new one.
u32 Verifier::DeclareFunction(u32 index) {
  const Function& function = module_.functions[index];
  const std::string_view name = Text(function.name);
  const auto state_index = static_cast<u32>(function_states_.size());
  const std::optional<Symbol> earlier =
      symbols_.Declare(name, {SymbolKind::kFunction, state_index, function.name});
  if (!earlier || earlier->kind != SymbolKind::kFunction) {
    if (earlier) {
      Diagnostic& diagnostic = Report<kinds::kRedeclared>(function.name, name);
      diagnostic.section = "11.2";
      diagnostic.related.push_back(DeclaredHere(earlier->name));
    }
    return AddFunctionState(index);
  }
  FunctionState& state = function_states_[earlier->index];
  const Function& other = module_.functions[state.declaration];
  if (state.is_defined || function.is_entry != other.is_entry) {
    Diagnostic& diagnostic = Report<kinds::kRedeclared>(function.name, name);
    diagnostic.section = "11.2";
    diagnostic.related.push_back(
        DeclaredHere(other.name, other.is_defined ? "defined here" : "declared here"));
    if (state.is_defined && !function.is_defined)
      diagnostic.hint = "a declaration stands before the definition";
  } else {
    VerifyAgreement(function, other);
  }
  state.declaration = index;
  state.is_defined = state.is_defined || function.is_defined;
  return earlier->index;
}

u32 Verifier::AddFunctionState(u32 index) {
  function_states_.push_back({index, module_.functions[index].is_defined, {}});
  shared_uses_.emplace_back();
  return static_cast<u32>(function_states_.size() - 1);
}

// PTX ISA 9.4 §11.2.2: a declaration and the definition agree.
void Verifier::VerifyAgreement(const Function& function, const Function& earlier) {
  std::string difference =
      DifferenceOf(function.results, function.parameters, earlier.results, earlier.parameters);
  if (difference.empty() && function.linkage != earlier.linkage)
    difference =
        fmt::format("{} here, {} there", NameOf(function.linkage), NameOf(earlier.linkage));
  if (difference.empty()) {
    for (const std::string_view word : {".noreturn", ".abi_preserve", ".abi_preserve_control"}) {
      const bool is_here = bool{FindDirectiveIn(function.directives, word)};
      const bool is_there = bool{FindDirectiveIn(earlier.directives, word)};
      if (is_here != is_there)
        difference = fmt::format("{} stands in one of them only", word);
      else if (FirstValueIn(function.directives, word) != FirstValueIn(earlier.directives, word))
        difference = fmt::format("{} has two values", word);
      if (!difference.empty()) break;
    }
  }
  if (difference.empty()) return;
  Diagnostic& diagnostic =
      Report<kinds::kDiffersFrom>(function.name, Text(function.name), difference);
  diagnostic.section = "11.2.2";
  diagnostic.related.push_back(DeclaredHere(earlier.name));
}

// What two signatures differ in, in words; empty where they agree.
std::string Verifier::DifferenceOf(Range results, Range parameters, Range other_results,
                                   Range other_parameters) const {
  const auto difference = [&](Range a, Range b, std::string_view noun) -> std::string {
    if (a.size() != b.size())
      return fmt::format("{} here, {} there", Counted(a.size(), noun), b.size());
    for (u32 i = 0; i < a.size(); ++i) {
      const Variable& one = module_.variables[a.begin + i];
      const Variable& other = module_.variables[b.begin + i];
      const auto differs = [&](std::string_view what, std::string_view here,
                               std::string_view there) {
        return fmt::format("{} {} is {} {} here, {} there", noun, i + 1, what, here, there);
      };
      if (one.space != other.space)
        return differs("in", ptx::NameOf(one.space), ptx::NameOf(other.space));
      if (one.type != other.type)
        return differs("of", DescOf(one.type).name, DescOf(other.type).name);
      if (BytesOf(one) != BytesOf(other) || one.is_array != other.is_array)
        return differs("of", fmt::format("{} bytes", BytesOf(one)),
                       fmt::format("{}", BytesOf(other)));
      const auto align_of = [&](const Variable& variable) {
        return variable.align
                   ? static_cast<u64>(ValueOfInteger(Text(variable.align)).constant.value)
                   : DescOf(variable.type).bits / 8;
      };
      if (align_of(one) != align_of(other))
        return differs("aligned to", fmt::format("{}", align_of(one)),
                       fmt::format("{}", align_of(other)));
    }
    return "";
  };
  std::string found = difference(results, other_results, "result");
  if (found.empty()) found = difference(parameters, other_parameters, "parameter");
  return found;
}

void Verifier::VerifyParameters(Range parameters, bool is_entry, bool is_result) {
  u32 in_memory = 0;
  for (u32 i = parameters.begin; i < parameters.end; ++i) {
    const Variable& parameter = module_.variables[i];
    if (is_result && parameter.space == StateSpace::kParam && ++in_memory > 1)
      Report<kinds::kBadDeclaration>(parameter.space_token, "a function has one result in .param")
          .section = "11.2.2";
    if (!VerifyParameter(parameter, is_entry, i + 1 == parameters.end)) {
      DeclareUnknown(parameter.name, false);
      continue;
    }
    if (!CheckName(parameter.name)) continue;
    DeclareName(parameter.name, SymbolKind::kVariable, i, "11.2");
  }
}

bool Verifier::VerifyParameter(const Variable& parameter, bool is_entry, bool is_last) {
  const auto fail = [&](TokenId at, std::string message, std::string_view section) {
    Report<kinds::kBadDeclaration>(at, std::move(message)).section = section;
    return false;
  };
  const bool is_memory = parameter.space == StateSpace::kParam;
  if (is_entry && !is_memory)
    return fail(parameter.space_token, "parameters of an entry are in .param", "11.2.1");
  if (!is_entry && IsOpaque(parameter.type))
    return fail(parameter.type_token,
                fmt::format("{} is a parameter of entries only", DescOf(parameter.type).name),
                "5.3");
  if (!is_entry && is_memory)
    CheckGate({{2, 0}, 20}, parameter.space_token, "'.param' of a function", "11.2.2");
  if (is_entry) CheckGate({{1, 4}}, parameter.space_token, "a list of parameters", "11.2.1");
  if (parameter.vector_size > 1)
    return fail(parameter.vector_token, "a parameter is no vector; an array of bytes holds one",
                "5.1.6");
  if (!VerifyVariableType(parameter)) return false;
  if (parameter.is_ptr) {
    // The word in front of what it says, or behind the type.
    const TokenId word{parameter.type_token.index + 1};
    if (!is_entry) return fail(word, ".ptr is for parameters of entries", "5.1.6.3");
    CheckGate({{2, 2}}, word, "'.ptr'", "5.1.6.3");
    if (parameter.ptr_align && !VerifyAlign(parameter.ptr_align)) return false;
  }
  if (parameter.align && !VerifyAlign(parameter.align)) return false;
  if (!parameter.is_array) return true;
  if (!VerifyDimensions(parameter)) return false;
  const u32 first = parameter.dimensions.begin;
  u32 dimensions = 0;
  for (const ExpressionNode& node : Module::Of(module_.expressions, parameter.dimensions))
    if (node.ends_expression) ++dimensions;
  if (dimensions > 1)
    return fail(parameter.name, "an array that is a parameter has one dimension", "5.1.6");
  if (module_.expressions[first].op != ExpressionOp::kListEnd) return true;
  if (is_entry)
    return fail(parameter.name, "an array of an entry's parameters has a size", "11.2.1");
  if (!is_last)
    return fail(parameter.name, "an array without size is the last parameter", "11.2.2");
  if (parameter.type != Type::kB8)
    return fail(parameter.type_token, "an array without size is of .b8", "11.2.2");
  CheckGate({{6, 0}, 30}, parameter.name, "an array without size", "11.2.2");
  return true;
}

// PTX ISA 9.4 §5.1.6.4.
void Verifier::VerifyParameterBytes(const Function& function) {
  u64 bytes = 0;
  for (const Variable& parameter : Module::Of(module_.variables, function.parameters)) {
    constexpr u64 kOpaqueBytes = 8;
    u64 align = IsOpaque(parameter.type) ? kOpaqueBytes : DescOf(parameter.type).bits / 8;
    if (parameter.align)
      align = static_cast<u64>(ValueOfInteger(Text(parameter.align)).constant.value);
    if (align != 0) bytes = (bytes + align - 1) / align * align;
    bytes += BytesOf(parameter);
    constexpr u64 kEnough = u64{1} << 40;
    if (bytes > kEnough) break;
  }
  const u64 bytes_max = ParameterBytesMax(module_.head.version, module_.head.target);
  if (bytes <= bytes_max) {
    NoteParameterBytes(function, bytes);
    return;
  }
  Diagnostic& diagnostic =
      Report<kinds::kParametersTooLarge>(function.name, Text(function.name), bytes, bytes_max,
                                         module_.head.version, module_.head.target);
  diagnostic.section = "5.1.6.4";
  diagnostic.asked = bytes;
  diagnostic.allowed = bytes_max;
}

// The versions and targets that brought the limits of PTX ISA 9.4 §5.1.6.4.
void Verifier::NoteParameterBytes(const Function& function, u64 bytes) {
  const Target& target = module_.head.target;
  const Token& name = module_.TokenOf(function.name);
  const std::string what = fmt::format("{} bytes of parameters", bytes);
  if (bytes > ParameterBytesMax({8, 0}, target)) {
    needs_.AskVersion({8, 1}, name.offset(), name.length(), what);
    needs_.AskTargets(TargetsFrom(70), name.offset(), name.length(), what);
  } else if (bytes > ParameterBytesMax({1, 4}, target)) {
    needs_.AskVersion({1, 5}, name.offset(), name.length(), what);
  }
}

void Verifier::VerifyPrototype(u32 index) {
  const Prototype& prototype = module_.prototypes[index];
  CheckDirectiveGate(prototype.word);
  for (const Range range : {prototype.results, prototype.parameters})
    for (u32 i = range.begin; i < range.end; ++i)
      VerifyParameter(module_.variables[i], false, i + 1 == range.end);
  VerifyFunctionDirectives(prototype.directives, !prototype.results.empty());
  DeclareName(prototype.label, SymbolKind::kPrototype, index, "11.3.3");
}

// .branchtargets and .calltargets.
void Verifier::VerifyNameList(u32 index, StatementKind kind) {
  const NameList& list = module_.name_lists[index];
  const bool is_branch = kind == StatementKind::kBranchTargets;
  CheckDirectiveGate(list.word);
  for (const ListedName& listed : Module::Of(module_.names, list.names)) {
    const std::string_view name = Text(listed.name);
    u64 count = 1;
    if (listed.range_count)
      count = static_cast<u64>(ValueOfInteger(Text(listed.range_count)).constant.value);
    constexpr u64 kListedMax = 1 << 16;
    for (u64 i = 0; i < std::min(count, kListedMax) && !errors_.is_full(); ++i) {
      const std::string numbered = listed.range_count ? fmt::format("{}{}", name, i) : "";
      const Symbol* const symbol = symbols_.Find(listed.range_count ? numbered : name);
      if (symbol == nullptr) {
        if (listed.range_count) {
          Report<kinds::kUndeclared>(listed.name, numbered).section = "11.3.1";
          break;
        }
        ReportUndeclared(listed.name);
      } else if (symbol->kind == SymbolKind::kUndeclared) {
        continue;
      } else if (is_branch && symbol->kind != SymbolKind::kLabel) {
        Report<kinds::kBadBranch>(listed.name, fmt::format("'{}' is no label", name))
            .related.push_back(DeclaredHere(symbol->name));
      } else if (!is_branch && symbol->kind != SymbolKind::kFunction) {
        Report<kinds::kBadCall>(listed.name, fmt::format("'{}' is no function", name))
            .related.push_back(DeclaredHere(symbol->name));
      } else {
        NoteUse(*symbol, listed.name);
      }
    }
  }
  DeclareName(list.label, is_branch ? SymbolKind::kBranchTargets : SymbolKind::kCallTargets, index,
              is_branch ? "11.3.1" : "11.3.2");
}

}  // namespace ptxfarm::ptx

// One pass over each body with a table of its names; what changes is gathered as edits of tokens.
#include "toolchain/ptx/structural.h"

#include <algorithm>
#include <map>
#include <unordered_map>
#include <unordered_set>

#include <fmt/format.h>

#include "toolchain/ptx/constant.h"
#include "toolchain/ptx/verify/symbol_table.h"

namespace ptxfarm::ptx {
namespace {

constexpr u32 kKept = ~u32{0};  // Symbol::index of names that stay.

// What the names of a type's registers begin with; empty for types that have none.
std::string_view StemOf(Type type) {
  const std::string_view name = DescOf(type).name;
  return name.substr(name.empty() ? 0 : 1);
}

class StructuralWriter {
 public:
  explicit StructuralWriter(const Module& module) : module_(module) {}

  std::optional<std::string> Write();

 private:
  // The registers of one type that a block declares, in the order of their first use.
  struct RegisterClass {
    Type type = Type::kNone;
    u8 vector_size = 1;
    auto operator<=>(const RegisterClass&) const = default;
  };
  struct Block {
    TokenId brace;
    u32 number = 0;
    std::map<RegisterClass, u32> counts;
  };
  // A declaration of one register, or of a range of them.
  struct Declared {
    RegisterClass kind;
    u32 block = 0;                         // In blocks_.
    std::unordered_map<u32, u32> numbers;  // From those of the range to the new ones.
  };

  bool TellsNames() const;
  void DropUnusedFunctions();
  void WriteFunction(const Function& function);
  void GatherLabels();
  void DeclareLabels(u32 block);
  void WriteStatement(const Statement& statement);
  void WriteRegisters();
  void DeclareRegister(const Statement& statement);
  void Use(TokenId name);
  void Label(TokenId name);
  std::string NameOf(const Declared& declared, u32 number) const;
  void Replace(TokenId token, std::string text) { edits_[token.index] = std::move(text); }
  void Drop(u32 begin, u32 end);
  std::string_view Text(TokenId id) const { return module_.TextOf(id); }
  bool GivesNoNameThatStays() const;
  std::string Edited() const;

  const Module& module_;
  std::map<u32, std::string> edits_;  // By token.
  std::unordered_set<std::string> given_;

  // Of the function at hand.
  SymbolTable symbols_;
  std::span<const Statement> body_;
  std::vector<Block> blocks_;
  std::vector<u32> open_blocks_;
  std::vector<Declared> declared_;
  u32 labels_ = 0;
  std::vector<std::pair<u32, TokenId>> label_statements_;  // With their blocks.
  std::size_t next_label_ = 0;
};

std::optional<std::string> StructuralWriter::Write() {
  if (TellsNames()) return std::nullopt;
  DropUnusedFunctions();
  for (const Function& function : module_.functions)
    if (function.is_defined) WriteFunction(function);
  if (!GivesNoNameThatStays()) return std::nullopt;
  return Edited();
}

bool StructuralWriter::TellsNames() const {
  if (module_.head.is_debug || !module_.locations.empty() || !module_.sections.empty() ||
      !module_.section_lines.empty() || !module_.source_sections.empty())
    return true;
  return std::ranges::any_of(module_.name_lists, [&](const NameList& list) {
    return std::ranges::any_of(Module::Of(module_.names, list.names),
                               [](const ListedName& name) { return bool{name.range_count}; });
  });
}

// `.extern .func` that nothing names but its own declaration.
void StructuralWriter::DropUnusedFunctions() {
  std::unordered_map<std::string_view, u32> uses;
  for (const Token& token : module_.tokens->tokens())
    if (token.Is(TokenKind::kName)) ++uses[module_.tokens->TextOf(token)];
  for (const Statement& statement : module_.statements) {
    if (statement.kind != StatementKind::kFunction) continue;
    const Function& function = module_.functions[statement.index];
    if (function.is_defined || function.is_entry || function.linkage != Linkage::kExtern) continue;
    if (uses[Text(function.name)] > 1) continue;
    u32 end = statement.token.index;
    while (!module_.TokenOf({end}).Is(TokenKind::kSemicolon)) {
      if (module_.TokenOf({end + 1}).Is(TokenKind::kEnd)) return;
      ++end;
    }
    Drop(statement.token.index, end + 1);
  }
}

void StructuralWriter::WriteFunction(const Function& function) {
  symbols_.OpenScope();
  for (const Range range : {function.results, function.parameters})
    for (const Variable& parameter : Module::Of(module_.variables, range))
      if (parameter.name)
        symbols_.Declare(Text(parameter.name), {SymbolKind::kVariable, kKept, parameter.name});
  body_ = Module::Of(module_.statements, function.body);
  blocks_.clear();
  declared_.clear();
  labels_ = 0;
  GatherLabels();
  for (const Statement& statement : body_) {
    if (statement.kind == StatementKind::kBlockBegin) {
      open_blocks_.push_back(static_cast<u32>(blocks_.size()));
      blocks_.push_back({statement.token, static_cast<u32>(blocks_.size()), {}});
      if (open_blocks_.size() > 1) symbols_.OpenScope();
      DeclareLabels(open_blocks_.back());
    } else if (statement.kind == StatementKind::kBlockEnd) {
      open_blocks_.pop_back();
      if (!open_blocks_.empty()) symbols_.CloseScope();
    } else {
      WriteStatement(statement);
    }
  }
  WriteRegisters();
  symbols_.CloseScope();
}

// In the order of blocks, which are numbered as they begin; a block's own stay in that of the text.
void StructuralWriter::GatherLabels() {
  label_statements_.clear();
  next_label_ = 0;
  std::vector<u32> open;
  u32 blocks = 0;
  for (const Statement& statement : body_) {
    if (statement.kind == StatementKind::kBlockBegin) open.push_back(blocks++);
    if (statement.kind == StatementKind::kBlockEnd) open.pop_back();
    if (statement.kind == StatementKind::kLabel)
      label_statements_.emplace_back(open.back(), statement.token);
  }
  std::ranges::stable_sort(label_statements_, {}, &std::pair<u32, TokenId>::first);
}

// Those of the block that begins: they are visible in all of it.
void StructuralWriter::DeclareLabels(u32 block) {
  for (; next_label_ < label_statements_.size(); ++next_label_) {
    if (label_statements_[next_label_].first != block) return;
    Label(label_statements_[next_label_].second);
  }
}

void StructuralWriter::Label(TokenId name) {
  symbols_.Declare(Text(name), {SymbolKind::kLabel, labels_++, name});
}

void StructuralWriter::WriteStatement(const Statement& statement) {
  switch (statement.kind) {
    case StatementKind::kLabel: Use(statement.token); break;
    case StatementKind::kPrototype:
    case StatementKind::kBranchTargets:
    case StatementKind::kCallTargets:
      if (statement.kind != StatementKind::kPrototype)
        for (const ListedName& listed :
             Module::Of(module_.names, module_.name_lists[statement.index].names))
          Use(listed.name);
      Label(statement.token);
      Use(statement.token);
      break;
    case StatementKind::kVariable: {
      const Variable& variable = module_.variables[statement.index];
      if (variable.space == StateSpace::kReg) return DeclareRegister(statement);
      symbols_.Declare(Text(variable.name), {SymbolKind::kVariable, kKept, variable.name});
      break;
    }
    case StatementKind::kInstruction: {
      const Instruction& instruction = module_.instructions[statement.index];
      if (instruction.guard) Use(instruction.guard);
      for (const Operand& operand : Module::Of(module_.operands, instruction.all_operands()))
        if (operand.kind == OperandKind::kName || operand.kind == OperandKind::kOffset)
          Use(operand.token);
      break;
    }
    default: break;
  }
}

void StructuralWriter::DeclareRegister(const Statement& statement) {
  const Variable& variable = module_.variables[statement.index];
  const Symbol symbol{SymbolKind::kVariable, static_cast<u32>(declared_.size()), variable.name};
  if (variable.range_count)
    symbols_.DeclareRange(
        Text(variable.name),
        static_cast<u32>(ValueOfInteger(Text(variable.range_count)).constant.value), symbol);
  else
    symbols_.Declare(Text(variable.name), symbol);
  declared_.push_back({{variable.type, variable.vector_size}, open_blocks_.back(), {}});
  // All of a list begin at the same token.
  if (edits_.contains(statement.token.index)) return;
  u32 end = statement.token.index;
  while (!module_.TokenOf({end}).Is(TokenKind::kSemicolon)) ++end;
  Drop(statement.token.index, end + 1);
}

void StructuralWriter::Use(TokenId name) {
  const std::string_view text = Text(name);
  const Symbol* const symbol = symbols_.Find(text);
  if (symbol == nullptr || symbol->index == kKept) return;
  std::string given;
  if (symbol->kind == SymbolKind::kLabel) {
    given = fmt::format("$L{}", symbol->index);
  } else {
    Declared& declared = declared_[symbol->index];
    const std::string_view digits = text.substr(Text(symbol->name).size());
    u32 number = 0;
    for (const char digit : digits) number = number * 10 + static_cast<u32>(digit - '0');
    u32& count = blocks_[declared.block].counts[declared.kind];
    const auto [found, is_new] = declared.numbers.try_emplace(number, count);
    if (is_new) ++count;
    given = NameOf(declared, found->second);
  }
  given_.insert(given);
  Replace(name, std::move(given));
}

// %b32_7; in the third block of the function %b32_2_7.
std::string StructuralWriter::NameOf(const Declared& declared, u32 number) const {
  std::string name = fmt::format("%{}", StemOf(declared.kind.type));
  if (declared.kind.vector_size > 1) name += fmt::format("v{}", declared.kind.vector_size);
  if (declared.block > 0) name += fmt::format("_{}", declared.block);
  return fmt::format("{}_{}", name, number);
}

// Behind the '{' of each block the declarations of its registers.
void StructuralWriter::WriteRegisters() {
  for (const Block& block : blocks_) {
    std::string declarations = "{";
    for (const auto& [kind, count] : block.counts) {
      const Declared declared{kind, block.number, {}};
      const std::string type = std::string(DescOf(kind.type).name);
      if (kind.vector_size == 1) {
        std::string stem = NameOf(declared, 0);
        stem.pop_back();
        declarations += fmt::format(" .reg {} {}<{}>;", type, stem, count);
        continue;
      }
      for (u32 i = 0; i < count; ++i)
        declarations +=
            fmt::format(" .reg .v{} {} {};", kind.vector_size, type, NameOf(declared, i));
    }
    Replace(block.brace, std::move(declarations));
  }
}

void StructuralWriter::Drop(u32 begin, u32 end) {
  for (u32 i = begin; i < end; ++i) Replace({i}, "");
}

bool StructuralWriter::GivesNoNameThatStays() const {
  const std::span<const Token> tokens = module_.tokens->tokens();
  for (u32 i = 0; i < tokens.size(); ++i)
    if (tokens[i].Is(TokenKind::kName) && !edits_.contains(i) &&
        given_.contains(std::string(Text({i}))))
      return false;
  return true;
}

std::string StructuralWriter::Edited() const {
  const std::string_view source = module_.tokens->source().text;
  std::string text;
  text.reserve(source.size());
  u32 at = 0;
  for (const auto& [index, edit] : edits_) {
    const Token& token = module_.TokenOf({index});
    text.append(source.substr(at, token.offset() - at));
    text.append(edit);
    at = token.end();
  }
  text.append(source.substr(at));
  return text;
}

}  // namespace

std::optional<std::string> StructuralText(const Module& module) {
  return StructuralWriter(module).Write();
}

}  // namespace ptxfarm::ptx

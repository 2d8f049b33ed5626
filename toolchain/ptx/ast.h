// The syntax tree of a module: what Parse makes, and what verifier, printer and compiler read.
//
// It is flat. Nodes lie in vectors in the order of the text and name each other by index; all text
// is named by the index of its token. So the tree of a module costs about as much as its tokens,
// copies cheaply, and nobody recurses over what a user can nest.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "base/int.h"
#include "toolchain/ptx/header.h"
#include "toolchain/ptx/isa/type.h"
#include "toolchain/ptx/token.h"

namespace ptxfarm::ptx {

// A token of the module's TokenBuffer, by its index. Token 0 begins the module and is the name of
// nothing, so it stands for none.
struct TokenId {
  u32 index = 0;

  explicit operator bool() const { return index != 0; }
  friend auto operator<=>(TokenId, TokenId) = default;
};

// A run of one of the module's vectors.
struct Range {
  u32 begin = 0;
  u32 end = 0;

  u32 size() const { return end - begin; }
  bool empty() const { return begin == end; }
  friend bool operator==(const Range&, const Range&) = default;
};

// PTX ISA 9.4 §4.5. Constant expressions lie in postfix: operands, then their operator. Where
// several lie side by side (initializers, lists of bytes), the last node of each is marked.
enum class ExpressionOp : u8 {
  kInteger,  // A literal.
  kFloat,    // A literal.
  kName,     // WARP_SZ, or a symbol in an initializer.
  kPlus,     // Unary from here on.
  kMinus,
  kNot,         // !
  kComplement,  // ~
  kToSigned,    // (.s64)
  kToUnsigned,  // (.u64)
  kGeneric,     // generic(x)
  kMask,        // 0xFF00(x); the token is that of the mask.
  kMultiply,    // Binary from here on.
  kDivide,
  kRemainder,
  kAdd,
  kSubtract,
  kShiftLeft,
  kShiftRight,
  kLess,
  kGreater,
  kLessEqual,
  kGreaterEqual,
  kEqual,
  kNotEqual,
  kBitAnd,
  kBitXor,
  kBitOr,
  kAnd,
  kOr,
  kConditional,  // Of three: condition, then, else.
  kListBegin,    // Of initializers: '{'. It is no operator.
  kListEnd,      // '}'.
  kField,        // A name in front of its value, of initializers of opaque types.
};

struct ExpressionNode {
  TokenId token;  // The literal, the name, the operator.
  ExpressionOp op = ExpressionOp::kInteger;
  bool ends_expression = false;

  friend bool operator==(const ExpressionNode&, const ExpressionNode&) = default;
};

// PTX ISA 9.4 §6: what stands between the commas of an instruction.
enum class OperandKind : u8 {
  kName,        // A register, variable, function, label or special register, perhaps `.x` or `.b0`.
  kSink,        // _
  kInteger,     // A literal, perhaps with '-'.
  kFloat,       // A literal, perhaps with '-'.
  kExpression,  // A constant expression that is no literal. `nodes` is its range.
  kOffset,      // name+expression. `nodes` is the range of the expression.
  kVector,      // {a, b}. The others have `children`.
  kAddress,     // [a], [a+4], [map, {x, y}], [texture, sampler, {x}].
  kPair,        // p|q
  kList,        // (a, b) of a call.
};

struct Operand {
  OperandKind kind = OperandKind::kName;
  bool is_inverted = false;    // !p
  bool is_negative = false;    // -1, -%r1
  bool has_component = false;  // The token after `token` is `.x`, `.b0`, `.h10`.
  bool is_unified = false;     // [a].unified, of loads.
  TokenId token;               // The name or literal; '{', '[', '('; the first one of others.
  u32 first = 0;               // Of children (in Module::operands) or nodes (in ::expressions).
  u32 count = 0;

  bool HasChildren() const { return kind >= OperandKind::kVector; }
  bool HasNodes() const { return kind == OperandKind::kExpression || kind == OperandKind::kOffset; }
  Range children() const { return HasChildren() ? Range{first, first + count} : Range{}; }
  Range nodes() const { return HasNodes() ? Range{first, first + count} : Range{}; }

  friend bool operator==(const Operand&, const Operand&) = default;
};

// PTX ISA 9.4 §4.3.2. The operands of one instruction lie together: those between its commas, then
// their children.
struct Instruction {
  TokenId opcode;            // The first word; the modifiers follow it.
  u16 word_count = 1;        // Tokens of the mnemonic, with any line markers between them.
  bool is_inverted = false;  // @!p
  TokenId guard;             // The predicate's name, if any.
  u32 first_operand = 0;
  u32 operand_count = 0;  // Between commas.
  u32 node_count = 0;     // With all below them.

  Range operands() const { return {first_operand, first_operand + operand_count}; }
  Range all_operands() const { return {first_operand, first_operand + node_count}; }

  friend bool operator==(const Instruction&, const Instruction&) = default;
};

// PTX ISA 9.4 §5.4.8, .attribute(...).
struct Attribute {
  TokenId name;  // .managed, .unified
  Range values;  // Expressions.

  friend bool operator==(const Attribute&, const Attribute&) = default;
};

// A variable, parameter or result. One of a list `.reg .b32 a, b` is written as if alone.
struct Variable {
  TokenId name;  // None where a parameter is '_' or left out.
  StateSpace space = StateSpace::kNone;
  Type type = Type::kNone;
  u8 vector_size = 1;  // Of .v2, .v4, .v8.
  Linkage linkage = Linkage::kNone;

  bool is_array = false;
  bool is_ptr = false;                       // .ptr, of an entry's parameter.
  StateSpace ptr_space = StateSpace::kNone;  // .ptr .global
  TokenId space_token;
  TokenId type_token;
  TokenId vector_token;
  TokenId align;        // The number of .align, if any.
  TokenId ptr_align;    // The number of .ptr … .align, if any.
  TokenId bank;         // The number of .const[3].
  TokenId range_count;  // N of name<N>.
  Range dimensions;     // Expressions; an empty size is a node kListEnd.
  Range initializer;    // Expressions with lists; empty where there is none.
  Range attributes;

  friend bool operator==(const Variable&, const Variable&) = default;
};

// PTX ISA 9.4 §11.4, §11.7, §11.8: what stands between a function's name and its body.
struct FunctionDirective {
  TokenId word;  // .maxntid
  Range values;  // Expressions; strings of .language and .pragma are nodes kName.

  friend bool operator==(const FunctionDirective&, const FunctionDirective&) = default;
};

struct Function {
  TokenId word;  // .entry or .func
  TokenId name;
  bool is_entry = false;
  bool is_defined = false;
  Linkage linkage = Linkage::kNone;
  TokenId linkage_token;
  bool has_parameters = false;  // A list stands there, perhaps an empty one.
  Range attributes;
  Range results;  // Of Module::variables, like the parameters.
  Range parameters;
  Range directives;
  Range body;  // Of Module::statements, with its outer braces.
  // The head could not be read and is a gap before it: only `word` and `body` are known.
  bool has_wrong_head = false;

  friend bool operator==(const Function&, const Function&) = default;
};

// LABEL: .callprototype (result) _ (parameters) …;
struct Prototype {
  TokenId word;
  TokenId label;
  Range results;
  Range parameters;
  Range directives;

  friend bool operator==(const Prototype&, const Prototype&) = default;
};

// LABEL: .branchtargets L1, L2; and .calltargets.
struct NameList {
  TokenId word;
  TokenId label;
  Range names;  // Of Module::names; a list may name `prefix<N>`.

  friend bool operator==(const NameList&, const NameList&) = default;
};

struct ListedName {
  TokenId name;
  TokenId range_count;

  friend bool operator==(const ListedName&, const ListedName&) = default;
};

// PTX ISA 9.4 §11.5.4, §11.5.5.
struct Location {
  TokenId file;  // The line and the column are the numbers behind it.
  TokenId line;
  TokenId column;
  TokenId function_name;  // Of an inlined one: a label of .debug_str,
  Range function_offset;  // an expression, and
  TokenId inlined_file;   // where it is inlined.
  TokenId inlined_line;
  TokenId inlined_column;

  friend bool operator==(const Location&, const Location&) = default;
};

struct FileDirective {
  TokenId index;
  TokenId name;
  TokenId time;
  TokenId size;

  friend bool operator==(const FileDirective&, const FileDirective&) = default;
};

// PTX ISA 9.4 §11.5.2: a line of a section; also one of @@DWARF, §11.5.1.
struct SectionLine {
  TokenId word;  // .b8, .4byte; the name of a label.
  bool is_label = false;
  Range values;  // Expressions.

  friend bool operator==(const SectionLine&, const SectionLine&) = default;
};

struct Section {
  TokenId name;
  Range lines;

  friend bool operator==(const Section&, const Section&) = default;
};

// PTX ISA 9.4 §11.5.6: a code block of .nv_intermediate_source_section.
struct SourceBlock {
  TokenId ir_name;  // A string.
  TokenId file;
  TokenId text;  // A token kSourceText.

  friend bool operator==(const SourceBlock&, const SourceBlock&) = default;
};

enum class StatementKind : u8 {
  kInstruction,  // Module::instructions, and so on.
  kLabel,        // Only the token.
  kBlockBegin,
  kBlockEnd,
  kVariable,
  kFunction,  // Its body's statements follow.
  kPragma,    // Module::pragmas
  kLocation,
  kIntermediateLocation,  // Module::locations too.
  kFile,
  kSection,
  kDwarfLine,  // Module::section_lines
  kSourceSection,
  kPrototype,
  kBranchTargets,  // Module::name_lists, like kCallTargets.
  kCallTargets,
  kAlias,
  kTarget,  // A .target behind the head: Module::later_targets.
  kGap,     // Tokens that could not be read: Module::gaps. In what ParseWhatCanBe makes only.
};

struct Statement {
  StatementKind kind = StatementKind::kInstruction;
  TokenId token;  // Its first one.
  u32 index = 0;  // Into the vector of its kind.

  friend bool operator==(const Statement&, const Statement&) = default;
};

struct Pragma {
  Range strings;  // Of Module::names.

  friend bool operator==(const Pragma&, const Pragma&) = default;
};

struct Alias {
  TokenId alias;
  TokenId aliasee;

  friend bool operator==(const Alias&, const Alias&) = default;
};

// Tokens that no statement has: what is wrong with them is reported.
struct Gap {
  Range tokens;
  bool is_of_body = false;  // Between functions, and of the one before: a '}' too many ended it.
};

// What stands before the first statement; the tokens of what ModuleHead has the values of.
struct HeaderTokens {
  TokenId version;
  Range targets;  // Of Module::names: the architectures and options of every .target.
  TokenId address_size;

  friend bool operator==(const HeaderTokens&, const HeaderTokens&) = default;
};

// The text of the tokens must outlive the module.
struct Module {
  Module(const TokenBuffer& buffer, const ModuleHead& module_head)
      : tokens(&buffer), head(module_head) {}

  const Token& TokenOf(TokenId id) const { return tokens->tokens()[id.index]; }
  std::string_view TextOf(TokenId id) const { return tokens->TextOf(TokenOf(id)); }
  u32 OffsetOf(TokenId id) const { return TokenOf(id).offset(); }

  // "add.s32" as the text has it; blanks and comments may stand inside.
  std::string_view MnemonicOf(const Instruction& instruction) const {
    const Token& first = TokenOf(instruction.opcode);
    const Token& last = TokenOf({instruction.opcode.index + instruction.word_count - 1});
    return tokens->source().text.substr(first.offset(), last.end() - first.offset());
  }
  // Its words: kName, kDotWord … and perhaps kLineMarker between.
  std::span<const Token> WordsOf(const Instruction& instruction) const {
    return tokens->tokens().subspan(instruction.opcode.index, instruction.word_count);
  }

  template <typename T>
  static std::span<const T> Of(const std::vector<T>& all, Range range) {
    return std::span<const T>(all).subspan(range.begin, range.size());
  }

  const TokenBuffer* tokens;
  ModuleHead head;
  HeaderTokens header;
  std::vector<Statement> statements;  // Of the module and of all bodies, in the order of the text.

  std::vector<Instruction> instructions;
  std::vector<Operand> operands;
  std::vector<ExpressionNode> expressions;
  std::vector<Variable> variables;
  std::vector<Attribute> attributes;
  std::vector<Function> functions;
  std::vector<FunctionDirective> directives;
  std::vector<Prototype> prototypes;
  std::vector<NameList> name_lists;
  std::vector<ListedName> names;
  std::vector<Pragma> pragmas;
  std::vector<Alias> aliases;
  std::vector<Range> later_targets;  // Of names.
  std::vector<Location> locations;
  std::vector<FileDirective> files;
  std::vector<Section> sections;
  std::vector<SectionLine> section_lines;
  std::vector<Range> source_sections;  // Of source_blocks.
  std::vector<SourceBlock> source_blocks;
  std::vector<Gap> gaps;
};

}  // namespace ptxfarm::ptx

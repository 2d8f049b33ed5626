// The state of one run of Parse; inside this folder only.
//
// A method Parse… stands at the first token of what it is named for, and leaves the cursor behind
// it. Where it returns bool, false says that an error was reported and the statement given up.
#pragma once

#include <string>
#include <vector>

#include "toolchain/ptx/ast.h"
#include "toolchain/ptx/error_list.h"
#include "toolchain/ptx/isa/directives.h"

namespace ptxfarm::ptx {

class Parser {
 public:
  // `errors` are those of the head.
  Parser(const TokenBuffer& buffer, const ModuleHead& head, ErrorList errors)
      : buffer_(buffer),
        tokens_(buffer.tokens().data()),
        module_(buffer, head),
        errors_(std::move(errors)) {}

  // From token `first`, behind the head of the module, to the end. Once; false where the rest of
  // the text was given up.
  bool Run(u32 first);

  Module TakeModule() { return std::move(module_); }
  Diagnostics TakeErrors();

 private:
  // parse.cc: the module and its statements.
  void ParseHeaderTokens(u32 end);
  void ParseModuleStatement();
  bool ParseLinkedDeclaration();
  bool ParseLaterTarget();
  bool ParseAlias();
  bool ParsePragma();
  void RecoverInModule(u32 begin);
  void SkipStatementsOfBody();
  bool AtModuleOnly() const;
  bool AtFunction() const;
  bool IsVariableAt(u32 begin) const;
  void AddGap(u32 begin, bool is_of_body = false);
  void ReportMisplaced(Site where);

  // parse_function.cc
  bool ParseFunction(Linkage linkage, TokenId linkage_token);
  bool ParseFunctionHead(Function& function);
  void ParseBodyOfWrongHead(TokenId word);
  bool AtBodyOnly() const;
  bool ParseFunctionName(TokenId* name, bool is_entry);
  bool ParseParameters(Range* range);
  bool ParseParameter();
  bool ParseFunctionDirectives(Range* range, u8 places);
  bool ParseFunctionDirective();
  bool ParseDirectiveValues(const DirectiveDesc& desc);
  bool ParsePrototype(TokenId label);
  bool ParseNameList(TokenId label);

  // parse_body.cc: statements of a body.
  void ParseBody();
  void ReportUnclosedBlock();
  void ParseBodyStatement();
  bool ParseLabelOrInstruction();
  bool ParseDirective();
  void RecoverInBody(u32 begin);
  u32 BracesOpenSince(u32 begin) const;

  // parse_instruction.cc
  bool ParseInstruction();
  bool ParseGuard(Instruction& instruction);
  bool ParseMnemonic(Instruction& instruction);
  bool ParseOperands(Instruction& instruction, bool is_call);

  // parse_operand.cc
  bool ParseOperand(u32 depth);
  bool ParseSecond(TokenId token, u32 first);
  bool ParseSimpleOperand();
  bool ParseNameOperand(bool is_inverted, bool is_negative);
  bool ParseOffset(Operand& operand);
  bool ParseExpressionOperand();
  bool ParseGroup(OperandKind kind, TokenKind close, u32 depth);
  void CloseGroup(Operand operand, std::size_t first);

  // parse_variable.cc
  bool ParseVariables(Linkage linkage);
  bool ParseVariableHead(Variable& variable);
  bool ParseVariableName(Variable& variable);
  bool ParseType(Variable& variable);
  bool ParseAlign(TokenId* align);
  bool ParseAttributes(Range* range);
  bool ParseDimensions(Variable& variable);
  bool ParseRangeCount(TokenId* count);
  bool ParseInitializer(Variable& variable);
  bool ParseInitializerValue(bool may_have_field);

  // parse_expression.cc. The expression is appended to Module::expressions.
  bool ParseExpression(Range* range);
  bool ParseExpressionInto();
  bool ParsePrefixes(u32* parens);
  bool ParseCast();
  bool ParseTerm();
  bool Pend(ExpressionOp op, u8 precedence);
  void PopOperators(u8 precedence);
  void ClosePending();
  bool TakeColon();

  // parse_debug.cc
  bool ParseLocation(StatementKind kind);
  bool ParseNumbers(TokenId* file, TokenId* line, TokenId* column);
  bool ParseInlined(Location& location);
  bool ParseFile();
  bool ParseSection();
  bool ParseSectionLine();
  bool ParseSectionValues(Range* range);
  bool RecoverInSection();
  bool ParseDwarfLine();
  bool ParseSourceSection();
  bool ParseSourceBlock();

  // The cursor.
  const Token& Peek() const { return tokens_[at_]; }
  const Token& PeekBehind() const;  // The one after.
  TokenId Here() const { return {at_}; }
  bool At(TokenKind kind) const { return tokens_[at_].Is(kind); }
  bool AtWord(std::string_view word) const { return At(TokenKind::kDotWord) && Text() == word; }
  bool AtName(std::string_view name) const { return At(TokenKind::kName) && Text() == name; }
  bool AtEnd() const { return At(TokenKind::kEnd); }
  std::string_view Text() const { return buffer_.TextOf(tokens_[at_]); }
  void Advance() {
    if (AtEnd()) return;
    last_ = at_;
    do ++at_;
    while (tokens_[at_].Is(TokenKind::kLineMarker));
  }
  bool AdvanceIf(TokenKind kind) {
    if (!At(kind)) return false;
    Advance();
    return true;
  }
  bool AdvanceIfWord(std::string_view word) {
    if (!AtWord(word)) return false;
    Advance();
    return true;
  }
  // Takes the token and its id, or says that `what` was expected.
  bool Expect(TokenKind kind, std::string_view what, TokenId* id = nullptr);
  // The ';' at the end of a statement. Where it is missing the statement before it is whole.
  bool ExpectSemicolon(std::string_view others);
  bool Expected(std::string_view what);
  // Says it of the place where the token before the cursor ends.
  void ExpectedBehindLast(std::string_view what);
  std::string Shown() const;
  // Whether a line ends between the token before the cursor and the one at it.
  bool IsFirstOfLine() const;

  template <const DiagnosticKind& kind, typename... Args>
  Diagnostic& Report(Args&&... args) {
    return errors_.ReportSpan<kind>(Peek().offset(), Peek().end(), std::forward<Args>(args)...);
  }

  void AddStatement(StatementKind kind, TokenId token, std::size_t index) {
    module_.statements.push_back({kind, token, static_cast<u32>(index)});
  }
  template <typename T>
  static u32 SizeOf(const std::vector<T>& all) {
    return static_cast<u32>(all.size());
  }

  const TokenBuffer& buffer_;
  const Token* tokens_;
  u32 at_ = 0;
  u32 last_ = 0;  // The token before the cursor.
  Module module_;
  ErrorList errors_;

  bool has_given_up_ = false;
  u32 braces_missing_ = 0;  // Reported where the next function begins.

  // Braces open in the body at hand.
  std::vector<TokenId> open_blocks_;
  // Operands of the instruction at hand: those whose group is still open, and those below them.
  std::vector<Operand> open_operands_;
  std::vector<Operand> closed_operands_;

  // Operators of the expression at hand that wait for their right side.
  struct PendingOperator {
    ExpressionOp op;
    u8 precedence;
    TokenId token;
  };
  std::vector<PendingOperator> pending_operators_;
};

}  // namespace ptxfarm::ptx

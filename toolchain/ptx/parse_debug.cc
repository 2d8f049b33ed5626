// Parsing of what debuggers read. PTX ISA 9.4 §11.5.
#include "toolchain/ptx/parser.h"

namespace ptxfarm::ptx {
namespace {

bool IsDataWord(std::string_view word) {
  return word == ".b8" || word == ".b16" || word == ".b32" || word == ".b64";
}

}  // namespace

bool Parser::ParseNumbers(TokenId* file, TokenId* line, TokenId* column) {
  return Expect(TokenKind::kInteger, "the number of a file", file) &&
         Expect(TokenKind::kInteger, "the number of a line", line) &&
         Expect(TokenKind::kInteger, "the number of a column", column);
}

bool Parser::ParseLocation(StatementKind kind) {
  const TokenId first = Here();
  Advance();
  Location location;
  if (!ParseNumbers(&location.file, &location.line, &location.column)) return false;
  if (kind == StatementKind::kLocation && At(TokenKind::kComma)) {
    Advance();
    if (!ParseInlined(location)) return false;
  }
  if (At(TokenKind::kSemicolon) || At(TokenKind::kComma)) {
    Report<kinds::kExpected>("nothing behind the column", Shown()).section = "11.5.4";
    return false;
  }
  AddStatement(kind, first, module_.locations.size());
  module_.locations.push_back(location);
  return true;
}

// function_name LABEL{+N}, inlined_at FILE LINE COLUMN
bool Parser::ParseInlined(Location& location) {
  if (!AtName("function_name")) return Expected("function_name");
  Advance();
  if (!At(TokenKind::kName) && !AtWord(".debug_str")) return Expected("a label of .debug_str");
  location.function_name = Here();
  Advance();
  if (AdvanceIf(TokenKind::kPlus) && !ParseExpression(&location.function_offset)) return false;
  if (!Expect(TokenKind::kComma, "',' and inlined_at")) return false;
  if (!AtName("inlined_at")) return Expected("inlined_at");
  Advance();
  return ParseNumbers(&location.inlined_file, &location.inlined_line, &location.inlined_column);
}

bool Parser::ParseFile() {
  const TokenId first = Here();
  Advance();
  FileDirective file;
  if (!Expect(TokenKind::kInteger, "the number of the file", &file.index)) return false;
  if (!Expect(TokenKind::kString, "the name of the file in quotes", &file.name)) return false;
  if (AdvanceIf(TokenKind::kComma)) {
    if (!Expect(TokenKind::kInteger, "the file's time", &file.time)) return false;
    // ptxas takes the time alone.
    if (AdvanceIf(TokenKind::kComma) && !Expect(TokenKind::kInteger, "the file's size", &file.size))
      return false;
  }
  if (At(TokenKind::kSemicolon)) return Expected("no ';' behind .file");
  AddStatement(StatementKind::kFile, first, module_.files.size());
  module_.files.push_back(file);
  return true;
}

bool Parser::ParseSection() {
  const TokenId first = Here();
  Advance();
  Section section;
  if (!Expect(TokenKind::kDotWord, "the name of a section, with its dot", &section.name))
    return false;
  if (!Expect(TokenKind::kLeftBrace, "'{'")) return false;
  section.lines.begin = SizeOf(module_.section_lines);
  while (!At(TokenKind::kRightBrace)) {
    if (!ParseSectionLine()) return RecoverInSection();
  }
  section.lines.end = SizeOf(module_.section_lines);
  Advance();
  AddStatement(StatementKind::kSection, first, module_.sections.size());
  module_.sections.push_back(section);
  return true;
}

bool Parser::ParseSectionLine() {
  SectionLine line{.word = Here()};
  if (At(TokenKind::kName)) {
    Advance();
    line.is_label = true;
    if (!Expect(TokenKind::kColon, "':' behind the label")) return false;
  } else {
    if (!At(TokenKind::kDotWord) || !IsDataWord(Text()))
      return Expected(".b8, .b16, .b32, .b64 or a label");
    Advance();
    if (!ParseSectionValues(&line.values)) return false;
  }
  module_.section_lines.push_back(line);
  return true;
}

// Numbers, labels, label+number, label-label.
bool Parser::ParseSectionValues(Range* range) {
  range->begin = SizeOf(module_.expressions);
  do {
    const bool is_negative = AdvanceIf(TokenKind::kMinus);
    if (At(TokenKind::kInteger)) {
      module_.expressions.push_back({Here(), ExpressionOp::kInteger});
      Advance();
      if (is_negative) module_.expressions.push_back({{last_}, ExpressionOp::kMinus});
    } else if (!is_negative && (At(TokenKind::kName) || At(TokenKind::kDotWord))) {
      // A label, or the name of a section: its start.
      module_.expressions.push_back({Here(), ExpressionOp::kName});
      Advance();
      const bool is_sum = At(TokenKind::kPlus);
      if (is_sum || At(TokenKind::kMinus)) {
        const TokenId sign = Here();
        Advance();
        if (!At(TokenKind::kInteger) && !(At(TokenKind::kName) && !is_sum))
          return Expected(is_sum ? "an integer" : "a label or an integer");
        module_.expressions.push_back(
            {Here(), At(TokenKind::kName) ? ExpressionOp::kName : ExpressionOp::kInteger});
        Advance();
        module_.expressions.push_back(
            {sign, is_sum ? ExpressionOp::kAdd : ExpressionOp::kSubtract});
      }
    } else {
      return Expected("an integer or a label");
    }
    module_.expressions.back().ends_expression = true;
  } while (AdvanceIf(TokenKind::kComma));
  range->end = SizeOf(module_.expressions);
  return true;
}

// To behind the section's '}': its lines begin with nothing that would begin a statement.
bool Parser::RecoverInSection() {
  const u32 begin = at_;
  while (!AtEnd() && !At(TokenKind::kRightBrace)) Advance();
  Advance();
  AddGap(begin);
  return true;
}

// PTX ISA 9.4 §11.5.1: @@DWARF .section NAME, "", @progbits and lists of .byte, .4byte, .quad.
bool Parser::ParseDwarfLine() {
  const TokenId first = Here();
  Advance();
  SectionLine line{.word = Here()};
  if (AdvanceIfWord(".section")) {
    line.values.begin = SizeOf(module_.expressions);
    // `.section .debug_info, "", @progbits`, where the last part may be "".
    if (!Expect(TokenKind::kDotWord, "the name of a section")) return false;
    while (AdvanceIf(TokenKind::kComma)) {
      const bool is_type = AdvanceIf(TokenKind::kAt);
      if (!Expect(is_type ? TokenKind::kName : TokenKind::kString, "a string or @progbits"))
        return false;
    }
    line.values.end = line.values.begin;
  } else if (At(TokenKind::kName)) {
    line.is_label = true;
    Advance();
    if (!Expect(TokenKind::kColon, "':' behind the label")) return false;
  } else {
    if (!AtWord(".byte") && !AtWord(".2byte") && !AtWord(".4byte") && !AtWord(".8byte") &&
        !AtWord(".quad"))
      return Expected(".section, .byte, .4byte, .quad or a label");
    Advance();
    if (!ParseSectionValues(&line.values)) return false;
  }
  AddStatement(StatementKind::kDwarfLine, first, module_.section_lines.size());
  module_.section_lines.push_back(line);
  return true;
}

bool Parser::ParseSourceSection() {
  const TokenId first = Here();
  Advance();
  if (!Expect(TokenKind::kLeftBrace, "'{'")) return false;
  Range blocks{SizeOf(module_.source_blocks), 0};
  while (AdvanceIfWord(".code_block")) {
    if (!ParseSourceBlock()) return RecoverInSection();
  }
  if (!Expect(TokenKind::kRightBrace, ".code_block or '}'")) return RecoverInSection();
  blocks.end = SizeOf(module_.source_blocks);
  AddStatement(StatementKind::kSourceSection, first, module_.source_sections.size());
  module_.source_sections.push_back(blocks);
  return true;
}

bool Parser::ParseSourceBlock() {
  SourceBlock block;
  if (!Expect(TokenKind::kLeftBrace, "'{'")) return false;
  if (!AdvanceIfWord(".ir_name")) return Expected(".ir_name");
  if (!Expect(TokenKind::kColon, "':'")) return false;
  if (!Expect(TokenKind::kString, "the name of the language in quotes", &block.ir_name))
    return false;
  if (!AdvanceIfWord(".sourceFileName")) return Expected(".sourceFileName");
  if (!Expect(TokenKind::kColon, "':'")) return false;
  if (!Expect(TokenKind::kInteger, "the number of a file", &block.file)) return false;
  if (!Expect(TokenKind::kSourceText, ".source_begin", &block.text)) return false;
  module_.source_blocks.push_back(block);
  return Expect(TokenKind::kRightBrace, "'}'");
}

}  // namespace ptxfarm::ptx

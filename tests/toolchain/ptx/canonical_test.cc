#include "toolchain/ptx/canonical.h"

#include <string>

#include <gtest/gtest.h>

#include "toolchain/ptx/lex.h"

namespace ptxfarm::ptx {
namespace {

using std::string_literals::operator""s;

CompilerText CanonicalOf(const std::string& text) {
  const Source source{"k.ptx", text};
  const Result<TokenBuffer, Diagnostics> tokens = Lex(source);
  PTXFARM_CHECK(tokens.has_value(), text);
  return Canonicalize(*tokens);
}

struct Case {
  std::string text;
  std::string canonical;
};

const Case kCases[] = {
    {"  // nothing\n", ""},
    {"\xEF\xBB\xBF.version   8.0\r\n.target sm_80 ,debug\n\n.address_size\n64\n\0\0"s,
     ".version 8.0\n.target sm_80,debug\n.address_size 64\n"},
    {".version 8.0.target sm_80 .address_size 64 .visible .entry k(){ret;}",
     ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k()\n{\nret;\n}\n"},
    // Instructions: modifiers touch, operands stand apart only where they must.
    {"mov . u32\t%r1 , 5 ;", "mov . u32 %r1,5;\n"},
    {"mov .u32 %r1,%tid .x;", "mov.u32 %r1,%tid.x;\n"},
    {"mov.u32%r1,5;", "mov.u32 %r1,5;\n"},
    {"@ ! %p bra L ; L : ret ;", "@!%p bra L;\nL:\nret;\n"},
    {"mov.b64 { %r1 , %r2 } , %q ;", "mov.b64{%r1,%r2},%q;\n"},
    {"call ( r ) , f , ( a , b ) ;", "call(r),f,(a,b);\n"},
    {"ld.shared::cta.u32 %r1,[%r2 + -4];", "ld.shared::cta.u32 %r1,[%r2+-4];\n"},
    {"ld.shared ::cta", "ld.shared: :cta\n"},
    {".sp::2 :4", ".sp::2 :4\n"},
    {".sp::2:4", ".sp::2:4\n"},
    // Where two tokens would merge.
    {"x 7 % 3 y", "x 7% 3 y\n"},
    {"x 7 %3 y", "x 7 %3 y\n"},
    {"a < < b > > = c & & d = = e ! = f / / **/ g", "a< <b> > =c& &d= =e! =f/ / **/g\n"},
    {"a / /* c */ * b", "a/ *b\n"},
    {"a << b || c", "a<<b||c\n"},
    {"1 .b8 2 .b8 .5", "1 .b8 2 .b8 .5\n"},
    {"@ @ DWARF", "@ @DWARF\n"},
    // Declarations and initializers.
    {".visible.global.align 4 .b8 y[4]={1,{2},3 };",
     ".visible .global .align 4 .b8 y[4]={1,{2},3};\n"},
    {".reg .b32 %r < 9 > , a ;", ".reg .b32 %r<9>,a;\n"},
    {".func(.param.u32 r)f(.param .align 8 .b8 p[16]) .noreturn;",
     ".func(.param .u32 r) f(.param .align 8 .b8 p[16]) .noreturn;\n"},
    {".entry k .maxntid 1,2 .minnctapersm 3 {}", ".entry k\n.maxntid 1,2\n.minnctapersm 3\n{\n}\n"},
    // Debug statements end without a semicolon.
    {".file 1 \"a b\" .file 2 \"c\", 1, 2\n", ".file 1 \"a b\"\n.file 2 \"c\",1,2\n"},
    {".loc 1 2 3 mov.u32 a,b; .loc 1 2 4 @p bra L;",
     ".loc 1 2 3\nmov.u32 a,b;\n.loc 1 2 4\n@p bra L;\n"},
    {".section .debug_info { L: .b8 1, 2 .b32 .debug_abbrev .b8 - 1 .b32 L - M }",
     ".section .debug_info\n{\nL:\n.b8 1,2\n.b32 .debug_abbrev .b8-1\n.b32 L-M\n}\n"},
    {"@@DWARF .section .d, \"\", @progbits @@DWARF .byte 1, 2",
     "@@DWARF .section .d,\"\",@progbits\n@@DWARF .byte 1,2\n"},
    {".nv_intermediate_source_section { .code_block { .ir_name: \"TileIR\" .source_begin\n a  b // "
     "c\n.source_end } }",
     ".nv_intermediate_source_section\n{\n.code_block\n{\n.ir_name:\"TileIR\"\n.source_begin\n a  "
     "b // c\n.source_end\n}\n}\n"},
    // Strings stay as they are; line markers go.
    {".pragma\"no  //unroll\" , \"b\" ;", ".pragma \"no  //unroll\",\"b\";\n"},
    {"#line 1 \"f\"\n.pragma \"x\ny\";\n# 3 \"g\"\nret;", ".pragma \"x\ny\";\nret;\n"},
};

TEST(CanonicalTest, WritesOneStatementALine) {
  for (const Case& c : kCases) EXPECT_EQ(CanonicalOf(c.text).text, c.canonical) << c.text;
}

TEST(CanonicalTest, OfACanonicalTextIsItself) {
  for (const Case& c : kCases) {
    if (c.canonical.empty()) continue;
    EXPECT_EQ(CanonicalOf(c.canonical).text, c.canonical);
  }
}

TEST(CanonicalTest, EveryLineKnowsWhereItCameFrom) {
  const std::string text =
      "// head\n.version 8.0 .target sm_80\n\n.entry k {\n  .pragma \"x\n y\";\n\n\n   ret; bra "
      "L;\n}";
  const Source source{"k.ptx", text};
  const CompilerText canonical = CanonicalOf(text);
  EXPECT_EQ(canonical.text,
            ".version 8.0\n.target sm_80\n.entry k\n{\n.pragma \"x\n y\";\nret;\nbra L;\n}\n");
  const Place expected[] = {{},     {2, 1}, {2, 14}, {4, 1}, {4, 10},
                            {5, 3}, {6, 1}, {9, 4},  {9, 9}, {10, 1}};
  for (u32 line = 0; line < std::size(expected); ++line)
    EXPECT_EQ(canonical.PlaceOf(source, line), expected[line]) << line;
  EXPECT_EQ(canonical.PlaceOf(source, 1000), (Place{10, 1}));
}

TEST(CanonicalTest, LinesMatterWhereTheCubinHoldsThem) {
  const auto matter = [](const std::string& text) {
    const Source source{"k.ptx", text};
    return TextLinesMatter(*ReadHeader(*Lex(source)));
  };
  EXPECT_FALSE(matter(".version 8.0 .target sm_80 .file 1 \"f\" .entry k { ret; }"));
  EXPECT_TRUE(matter(".version 8.0 .target sm_80, debug .entry k { ret; }"));
  EXPECT_TRUE(matter(".version 8.0 .target sm_80 .entry k { .loc 1 2 3 ret; }"));
}

TEST(ExactTextTest, DropsOnlyWhatCompilersRefuse) {
  const std::string text =
      "\xEF\xBB\xBF.version 8.0 // \xC3\xA9t\xC3\xA9\r\n/* \xFF\n */ .target sm_80\n\0\0"s;
  const Source source{"k.ptx", text};
  const CompilerText exact = ExactText(*Lex(source));
  EXPECT_EQ(exact.text, ".version 8.0 //   t  \r\n/*  \n */ .target sm_80\n");
  EXPECT_EQ(exact.PlaceOf(source, 3), (Place{3, 0}));
}

}  // namespace
}  // namespace ptxfarm::ptx

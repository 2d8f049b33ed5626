#include "toolchain/ptx/inline_assembly/cpp_token.h"

#include <string>

#include <gtest/gtest.h>

namespace ptxfarm::ptx {
namespace {

// "name:asm str:\"a\" …"
std::string Shown(std::string_view text) {
  constexpr const char* kNames[] = {"name", "num", "str", "chr", "", "def", "dir", "eol", "end"};
  std::string shown;
  for (const CppToken& token : LexCpp(text)) {
    const std::string name = kNames[static_cast<int>(token.kind)];
    if (!shown.empty()) shown += ' ';
    shown += name + (name.empty() ? "" : ":") +
             std::string(text.substr(token.begin, token.end - token.begin));
  }
  return shown;
}

struct Case {
  const char* name;
  const char* text;
  const char* tokens;
};

class CppTokenTest : public testing::TestWithParam<Case> {};

TEST_P(CppTokenTest, TellsTokensApart) { EXPECT_EQ(Shown(GetParam().text), GetParam().tokens); }

// clang-format off
constexpr Case kCases[] = {
    {"Empty",             "",                              "end:"},
    {"Names",             "a _b $c d1",                    "name:a name:_b name:$c name:d1 end:"},
    {"Comments",          "a // asm(\nb /* asm( */ c",     "name:a name:b name:c end:"},
    {"SplicedComment",    "// x \\\nasm\nb",               "name:b end:"},
    {"UnclosedComment",   "a /* b",                        "name:a end:"},
    {"String",            "\"a // b\" c",                  "str:\"a // b\" name:c end:"},
    {"EscapedQuote",      "\"a\\\"b\" c",                  "str:\"a\\\"b\" name:c end:"},
    {"SplicedString",     "\"a\\\nb\" c",                  "str:\"a\\\nb\" name:c end:"},
    {"UnclosedString",    "\"ab\nc",                       "str:\"ab name:c end:"},
    {"Prefixes",          "L\"a\" u8\"b\" x\"c\"",         "str:L\"a\" str:u8\"b\" name:x str:\"c\" end:"},
    {"RawString",         "R\"(a\"b\\)\" c",               "str:R\"(a\"b\\)\" name:c end:"},
    {"RawDelimiter",      "R\"x(a)\")x\" c",               "str:R\"x(a)\")x\" name:c end:"},
    {"UnclosedRaw",       "R\"(a",                         "str:R\"(a end:"},
    {"Character",         "'\"' a '\\''",                  "chr:'\"' name:a chr:'\\'' end:"},
    {"Separators",        "1'000'000u 'a'",                "num:1'000'000u chr:'a' end:"},
    {"FloatSigns",        "1e-5f+0x1p+3",                  "num:1e-5f + num:0x1p+3 end:"},
    {"Directive",         "#include <it's>\na",            "dir:#include <it's> name:a end:"},
    {"SplicedDirective",  "#if A \\\n B\nc",               "dir:#if A \\\n B name:c end:"},
    {"CommentedDirective","#if A /* x\ny */ B\nc",         "dir:#if A /* x\ny */ B name:c end:"},
    {"Define",            "# define M asm(\"a\") \\\n b\nc", "def:# define name:M name:asm ( str:\"a\" ) name:b eol: name:c end:"},
    {"HashInDefine",      "#define S(x) #x",               "def:#define name:S ( name:x ) # name:x eol: end:"},
    {"ByteOrderMark",     "\xEF\xBB\xBF" "a",              "name:a end:"},
    {"CrLf",              "#define A \"x\"\r\nb\r\n",      "def:#define name:A str:\"x\" eol: name:b end:"},
};
// clang-format on
INSTANTIATE_TEST_SUITE_P(All, CppTokenTest, testing::ValuesIn(kCases),
                         [](const auto& tested) { return std::string(tested.param.name); });

}  // namespace
}  // namespace ptxfarm::ptx

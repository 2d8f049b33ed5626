#include "toolchain/ptx/verify/symbol_table.h"

#include <gtest/gtest.h>

namespace ptxfarm::ptx {
namespace {

Symbol Numbered(u32 index) { return {SymbolKind::kVariable, index, {index}}; }

TEST(SymbolTableTest, InnerNamesHideOuterOnes) {
  SymbolTable table;
  EXPECT_FALSE(table.Declare("a", Numbered(1)));
  table.OpenScope();
  EXPECT_EQ(table.Find("a")->index, 1u);
  EXPECT_FALSE(table.Declare("a", Numbered(2)));
  EXPECT_EQ(table.Find("a")->index, 2u);
  EXPECT_EQ(table.FindHidden("a")->index, 1u);
  table.CloseScope();
  EXPECT_EQ(table.Find("a")->index, 1u);
  EXPECT_EQ(table.FindHidden("a"), nullptr);
}

TEST(SymbolTableTest, OneNameOneScopeOneSymbol) {
  SymbolTable table;
  EXPECT_FALSE(table.Declare("a", Numbered(1)));
  EXPECT_EQ(table.Declare("a", Numbered(2))->index, 1u);
  EXPECT_EQ(table.Find("a")->index, 1u);
}

TEST(SymbolTableTest, RangesHaveTheirNamesAndNoOthers) {
  SymbolTable table;
  EXPECT_FALSE(table.DeclareRange("%r", 12, Numbered(1)));
  EXPECT_EQ(table.Find("%r0")->index, 1u);
  EXPECT_EQ(table.Find("%r11")->index, 1u);
  for (const char* const name : {"%r12", "%r", "%r01", "%r00", "%s1", "%r99999999999999"})
    EXPECT_EQ(table.Find(name), nullptr) << name;
}

TEST(SymbolTableTest, RangesAndNamesCollide) {
  SymbolTable table;
  EXPECT_FALSE(table.Declare("x7", Numbered(1)));
  EXPECT_EQ(table.DeclareRange("x", 8, Numbered(2))->index, 1u);
  EXPECT_FALSE(table.DeclareRange("x", 7, Numbered(3)));
  EXPECT_EQ(table.Declare("x6", Numbered(4))->index, 3u);
  EXPECT_EQ(table.DeclareRange("x", 1, Numbered(5))->index, 3u);
}

TEST(SymbolTableTest, TheInnerOfNameAndRangeIsMeant) {
  SymbolTable table;
  EXPECT_FALSE(table.DeclareRange("x", 8, Numbered(1)));
  table.OpenScope();
  EXPECT_FALSE(table.Declare("x3", Numbered(2)));
  EXPECT_EQ(table.Find("x3")->index, 2u);
  EXPECT_EQ(table.Find("x4")->index, 1u);
  table.OpenScope();
  EXPECT_FALSE(table.DeclareRange("x", 4, Numbered(3)));
  EXPECT_EQ(table.Find("x3")->index, 3u);
  EXPECT_EQ(table.Find("x5")->index, 1u);
  table.CloseScope();
  EXPECT_EQ(table.Find("x3")->index, 2u);
}

// Growing moves every slot.
TEST(SymbolTableTest, KeepsManyNames) {
  constexpr u32 kCount = 20000;
  std::vector<std::string> names;
  for (u32 i = 0; i < kCount; ++i) names.push_back("$L__BB" + std::to_string(i) + "_x");
  SymbolTable table;
  for (u32 i = 0; i < kCount; ++i) EXPECT_FALSE(table.Declare(names[i], Numbered(i)));
  table.OpenScope();
  std::vector<std::string> numbered;
  for (u32 i = 0; i < kCount; ++i) numbered.push_back("label" + std::to_string(i));
  for (u32 i = 0; i < kCount; ++i) EXPECT_FALSE(table.Declare(numbered[i], Numbered(i)));
  for (u32 i = 0; i < kCount; ++i) {
    EXPECT_EQ(table.Find(names[i])->index, i);
    EXPECT_EQ(table.Find(numbered[i])->index, i);
  }
  table.CloseScope();
  EXPECT_EQ(table.Find("label5"), nullptr);
  EXPECT_EQ(table.VisibleNames().size(), kCount);
}

}  // namespace
}  // namespace ptxfarm::ptx

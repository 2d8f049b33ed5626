#include "toolchain/ptx/header.h"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "toolchain/ptx/lex.h"

namespace ptxfarm::ptx {
namespace {

// The header of a text that must be right. The text must outlive it.
ModuleHeader HeaderOf(const std::string& text) {
  const Source source{"k.ptx", text};
  const Result<TokenBuffer, Diagnostics> tokens = Lex(source);
  PTXFARM_CHECK(tokens.has_value(), text);
  Result<ModuleHeader, Diagnostics> header = ReadHeader(*tokens);
  PTXFARM_CHECK(header.has_value(), Format(header.error()[0], text));
  return *std::move(header);
}

TEST(HeaderTest, ReadsVersionTargetAndAddressSize) {
  const std::string text =
      "// c\n#line 1 \"x\"\n.version 8.6\n.target sm_100a , texmode_independent\n.address_size "
      "64\n";
  const ModuleHeader header = HeaderOf(text);
  EXPECT_EQ(header.version, (PtxVersion{8, 6}));
  EXPECT_EQ(text.substr(header.version_offset, 3), "8.6");
  EXPECT_EQ(header.target.ToString(), "sm_100a");
  EXPECT_EQ(text.substr(header.target_offset, 7), "sm_100a");
  EXPECT_EQ(header.address_size, 64u);
  EXPECT_TRUE(header.has_independent_textures);
  EXPECT_FALSE(header.is_debug);
  EXPECT_FALSE(header.maps_f64_to_f32);
  EXPECT_TRUE(header.functions.empty());
}

TEST(HeaderTest, TakesWhatPtxasTakes) {
  EXPECT_EQ(HeaderOf(".version 08.6 .target sm_80 .address_size 0x20").address_size, 32u);
  EXPECT_EQ(HeaderOf(".version 8.6 .target sm_80").address_size, std::nullopt);
  EXPECT_EQ(HeaderOf(".version 8.0.target compute_80\n").target.ToString(), "sm_80");
  EXPECT_EQ(HeaderOf(".version 8.0 .target sm_90,sm_80\n").target.ToString(), "sm_80");
  EXPECT_EQ(HeaderOf(".version 8.0 .target sm_80 .target sm_90 .target debug\n").target.ToString(),
            "sm_90");
  EXPECT_TRUE(HeaderOf(".version 8.0 .target sm_80, debug\n").is_debug);
  EXPECT_TRUE(HeaderOf(".version 1.4 .target sm_10, map_f64_to_f32\n").maps_f64_to_f32);
  EXPECT_EQ(HeaderOf("\xEF\xBB\xBF.version 1.4\r\n.target sm_10\r\n").target.ToString(), "sm_10");
}

TEST(HeaderTest, FindsEntriesAndFunctions) {
  const std::string text = R"(.version 8.0
.target sm_80
.address_size 64
.extern .shared .align 16 .b8 smem[];
.visible .global .align 4 .u32 entry = { 1 };
.global .u32 table[2] = { {1}, {2} };
.extern .func (.param .b32 r) outside (.param .b32 a, .param .b32 b);
.extern .func (.param .b32 r) no_semicolon (.param .b32 a)
.weak .func (.reg .b32 r) twice (.reg .b32 a) { ret; }
.func .attribute(.unified(1, 2)) plain { { { ret; } } }
.visible .entry kernel_one(.param .u64 p) .maxntid 128, 1, 1 .pragma "nounroll"; { bra L; L: ret; }
.entry kernel_two
{ .reg .b32 entry; ret; }
.entry declared(.param .u64 p);
.alias a, plain;
)";
  const ModuleHeader header = HeaderOf(text);
  struct Expected {
    const char* name;
    bool is_entry, is_defined;
    Linkage linkage;
  };
  const Expected expected[] = {
      {"outside", false, false, Linkage::kExtern},
      {"no_semicolon", false, false, Linkage::kExtern},
      {"twice", false, true, Linkage::kWeak},
      {"plain", false, true, Linkage::kNone},
      {"kernel_one", true, true, Linkage::kVisible},
      {"kernel_two", true, true, Linkage::kNone},
      {"declared", true, false, Linkage::kNone},
  };
  ASSERT_EQ(header.functions.size(), std::size(expected));
  for (std::size_t i = 0; i < std::size(expected); ++i) {
    const FunctionHeader& function = header.functions[i];
    EXPECT_EQ(function.name, expected[i].name);
    EXPECT_EQ(function.is_entry, expected[i].is_entry) << function.name;
    EXPECT_EQ(function.is_defined, expected[i].is_defined) << function.name;
    EXPECT_EQ(function.linkage, expected[i].linkage) << function.name;
    EXPECT_EQ(text.substr(function.offset, function.name.size()), function.name);
  }
}

TEST(HeaderTest, DirectivesMayTouchAName) {
  const std::string text = ".version 8.0 .target sm_80 .entry k.maxntid 64 { ret; }";
  EXPECT_EQ(HeaderOf(text).functions[0].name, "k");
}

TEST(HeaderTest, FindsLocationsAmongTokensOnly) {
  const std::string head = ".version 8.0\n.target sm_80\n.entry k { ";
  EXPECT_TRUE(HeaderOf(head + ".local .b8 a[4]; .loc 1 2 3 ret; }").has_locations);
  EXPECT_FALSE(HeaderOf(head + ".local .b8 a[4]; // .loc 1 2 3\n ret; }").has_locations);
  EXPECT_FALSE(HeaderOf(head + ".pragma \" .loc 1\"; ret; }").has_locations);
}

TEST(HeaderTest, DeepBracesAreNoRecursion) {
  const std::string text = ".version 8.0\n.target sm_80\n.entry k " + std::string(1 << 20, '{') +
                           std::string(1 << 20, '}');
  EXPECT_EQ(HeaderOf(text).functions.size(), 1u);
}

}  // namespace
}  // namespace ptxfarm::ptx

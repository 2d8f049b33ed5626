// The table of directives. To add one, add its row; what it holds has a field in ast.h.
//
// Versions and targets are those from which ptxas 13.0 takes a directive where that is earlier than
// the manual says, since real code relies on it; where it is later, the manual's.
#include "toolchain/ptx/isa/directives.h"

#include <algorithm>
#include <string>

namespace ptxfarm::ptx {
namespace {

using enum Site;
constexpr u8 kM = static_cast<u8>(kModule);
constexpr u8 kE = static_cast<u8>(kEntry);
constexpr u8 kF = static_cast<u8>(kFunction);
constexpr u8 kB = static_cast<u8>(kBody);
constexpr u8 kI = static_cast<u8>(kInside);
constexpr u8 kFP = kFunction | kPrototype;
constexpr u8 kMB = kModule | kBody;

// clang-format off
constexpr DirectiveDesc kDirectives[] = {
    // word                syntax                                                       places  {since, target, until}      section    values
    {".version",           ".version MAJOR.MINOR",                                        kM,   {{1, 0}},                   "11.1.1"},
    {".target",            ".target ARCHITECTURE {, OPTION}",                             kM,   {{1, 0}},                   "11.1.2"},
    {".address_size",      ".address_size 32|64",                                         kM,   {{2, 3}},                   "11.1.3"},
    {".entry",             "{.visible|.weak|.extern} .entry NAME {(PARAMETERS)} {DIRECTIVES} BODY|;", kM, {{1, 0}},         "11.2.1"},
    {".func",              "{.extern|.visible|.weak} .func {.attribute(…)} {(RESULT)} NAME {(PARAMETERS)} {DIRECTIVES} BODY|;", kM, {{1, 0}}, "11.2.2"},
    {".alias",             ".alias ALIAS, FUNCTION;",                                     kM,   {{6, 3}, 30},               "11.2.3"},
    {".branchtargets",     "LABEL: .branchtargets LABEL {, LABEL};",                      kB,   {{6, 0}, 30},               "11.3.1"},
    {".calltargets",       "LABEL: .calltargets FUNCTION {, FUNCTION};",                  kB,   {{2, 1}, 20},               "11.3.2"},
    {".callprototype",     "LABEL: .callprototype {(RESULT)} _ {(PARAMETERS)} {DIRECTIVES};", kB, {{2, 1}, 20},             "11.3.3"},
    {".maxnreg",           ".maxnreg N",                                                  kE,   {{1, 3}},                   "11.4.1",  Values::kOne},
    {".maxntid",           ".maxntid NX {, NY {, NZ}}",                                   kE,   {{1, 3}},                   "11.4.2",  Values::kUpToThree},
    {".reqntid",           ".reqntid NX {, NY {, NZ}}",                                   kE,   {{2, 1}},                   "11.4.3",  Values::kUpToThree},
    {".minnctapersm",      ".minnctapersm N",                                             kE,   {{2, 0}},                   "11.4.4",  Values::kOne},
    {".maxnctapersm",      ".maxnctapersm N",                                             kE,   {{1, 3}, 0, {2, 0}},        "11.4.5",  Values::kOne},
    {".noreturn",          ".noreturn",                                                   kFP,  {{6, 4}, 30},               "11.4.6"},
    {".pragma",            ".pragma \"STRING\" {, \"STRING\"};",          kM | kEntry | kBody,  {{2, 0}},                   "11.4.7",  Values::kStrings},
    {".abi_preserve",      ".abi_preserve N",                                             kFP,  {{9, 0}, 80},               "11.4.8",  Values::kOne},
    {".abi_preserve_control", ".abi_preserve_control N",                                  kFP,  {{9, 0}, 80},               "11.4.9",  Values::kOne},
    {".minperctamemory",   ".minperctamemory BYTES",                                      kE,   {{9, 4}, 80},               "11.4.10", Values::kOne},
    {".section",           ".section .NAME { LINES }",                                    kM,   {{2, 0}},                   "11.5.2"},
    {".file",              ".file INDEX \"NAME\" {, TIME, SIZE}",                         kM,   {{1, 0}},                   "11.5.3"},
    {".loc",               ".loc FILE LINE COLUMN {, function_name LABEL{+N}, inlined_at FILE LINE COLUMN}", kB, {{1, 0}}, "11.5.4"},
    {".loc_intermediate",  ".loc_intermediate FILE LINE COLUMN",                          kB,   {{9, 4}},                   "11.5.5"},
    {".nv_intermediate_source_section", ".nv_intermediate_source_section { BLOCKS }",     kM,   {{9, 4}},                   "11.5.6"},
    {".extern",            ".extern DECLARATION",                                         kM,   {{1, 0}},                   "11.6.1"},
    {".visible",           ".visible DECLARATION",                                        kM,   {{1, 0}},                   "11.6.2"},
    {".weak",              ".weak DECLARATION",                                           kM,   {{3, 1}},                   "11.6.3"},
    {".common",            ".common .global DECLARATION",                                 kM,   {{5, 0}},                   "11.6.4"},
    {".reqnctapercluster", ".reqnctapercluster NX {, NY {, NZ}}",                         kE,   {{7, 8}, 90},               "11.7.1",  Values::kUpToThree},
    {".explicitcluster",   ".explicitcluster",                                            kE,   {{7, 8}, 90},               "11.7.2"},
    {".maxclusterrank",    ".maxclusterrank N",                                           kE,   {{7, 8}, 90},               "11.7.3",  Values::kOne},
    {".blocksareclusters", ".blocksareclusters",                                          kE,   {{9, 0}, 90},               "11.8.1"},
    {".language",          ".language LANGUAGE {, LANGUAGE}",                        kE | kF,   {{9, 3}},                   "11.8.2",  Values::kLanguages},
    // Declarations of variables.
    {".reg",               ".reg {.v2|.v4} TYPE NAME{<N>} {, …};",                        kMB,  {{1, 0}},                   "5.1.1"},
    {".const",             ".const {.align N} {.v2|.v4} TYPE NAME{[N]} {= VALUE} {, …};", kMB,  {{1, 0}},                   "5.1.3"},
    {".global",            ".global {.attribute(…)} {.align N} {.v2|.v4} TYPE NAME{[N]} {= VALUE} {, …};", kMB, {{1, 0}},   "5.1.4"},
    {".local",             ".local {.align N} {.v2|.v4} TYPE NAME{[N]} {, …};",           kMB,  {{1, 0}},                   "5.1.5"},
    {".param",             ".param {.align N} TYPE NAME{[N]} {, …};",               kB | kInside,{{1, 0}},                  "5.1.6"},
    {".shared",            ".shared {.align N} {.v2|.v4} TYPE NAME{[N]} {, …};",          kMB,  {{1, 0}},                   "5.1.7"},
    {".tex",               ".tex TYPE NAME;",                                             kM,   {{1, 0}, 0, {1, 4}},        "5.1.8"},
    // Parts of declarations.
    {".align",             ".align N",                                                    kI,   {{1, 0}},                   "5.4.5"},
    {".ptr",               ".param TYPE .ptr {.SPACE} {.align N} NAME",                   kI,   {{2, 2}},                   "5.1.6.3"},
    {".attribute",         ".attribute(.managed | .unified(N, N))",                       kI,   {{4, 0}, 30},               "5.4.8"},
    {".managed",           ".attribute(.managed)",                                        kI,   {{4, 0}, 30},               "5.4.8"},
    {".unified",           ".attribute(.unified(N, N))",                                  kI,   {{8, 0}, 90},               "5.4.8"},
};
// clang-format on

}  // namespace

std::span<const DirectiveDesc> AllDirectives() { return kDirectives; }

const DirectiveDesc* FindDirective(std::string_view word) {
  const auto found = std::find_if(std::begin(kDirectives), std::end(kDirectives),
                                  [&](const DirectiveDesc& desc) { return desc.word == word; });
  return found == std::end(kDirectives) ? nullptr : found;
}

std::string PlacesOf(const DirectiveDesc& desc) {
  struct Row {
    Site site;
    std::string_view words;
  };
  static constexpr Row kRows[] = {
      {kModule, "between functions"},
      {kEntry, "between an entry's parameters and its body"},
      {kFunction, "between a function's parameters and its body"},
      {kPrototype, "behind the parameters of a prototype"},
      {kBody, "in a body"},
      {kInside, "inside a declaration"},
  };
  std::string places;
  for (const Row& row : kRows) {
    if (!desc.MayStand(row.site)) continue;
    if (!places.empty()) places += " or ";
    places += row.words;
  }
  return places;
}

}  // namespace ptxfarm::ptx

// Directives between a function's parameters and its body. PTX ISA 9.4 §11.4, §11.7, §11.8.
#include <algorithm>

#include "base/text.h"
#include "toolchain/ptx/isa/pragmas.h"
#include "toolchain/ptx/verify/verifier.h"
#include "toolchain/target/reach.h"

namespace ptxfarm::ptx {
namespace {

struct Pair {
  std::string_view one;
  std::string_view other;
  std::string_view section;
};

constexpr Pair kExclusivePairs[] = {
    {".maxntid", ".reqntid", "11.4.2"},
    {".maxclusterrank", ".reqnctapercluster", "11.7.3"},
    {".maxnctapersm", ".minnctapersm", "11.4.5"},
};

// Each needs the other.
constexpr Pair kNeededPairs[] = {
    {".blocksareclusters", ".reqntid", "11.8.1"},
    {".blocksareclusters", ".reqnctapercluster", "11.8.1"},
};

// What ptxas refuses twice; of the others the last one counts.
constexpr std::string_view kOnce[] = {".noreturn", ".abi_preserve", ".abi_preserve_control"};

// PTX ISA 9.4 §11.8.2; the case of letters plays no part. The numbers are the places in this list,
// of which two are reserved.
constexpr std::string_view kLanguages[] = {
    "unknown",       "",        "",      "ptx", "nvvm", "cuda c++", "cuda c++ tile", "tile ir",
    "python-cutile", "fortran", "optix",
};

std::string Lowered(std::string_view text) {
  std::string lowered(text);
  for (char& c : lowered)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c | 0x20);
  return lowered;
}

}  // namespace

void Verifier::VerifyFunctionDirectives(Range directives, bool has_result) {
  if (directives.empty()) return;
  for (const FunctionDirective& directive : Module::Of(module_.directives, directives)) {
    const DirectiveDesc& desc = *FindDirective(Text(directive.word));
    CheckDirectiveGate(directive.word);
    VerifyDirectiveValues(directive, desc);
    if (std::find(std::begin(kOnce), std::end(kOnce), desc.word) == std::end(kOnce)) continue;
    if (FindDirectiveIn(directives, desc.word) != directive.word)
      Report<kinds::kRepeated>(directive.word, desc.word).section = desc.section;
  }
  for (const Pair& pair : kExclusivePairs) {
    const TokenId one = FindDirectiveIn(directives, pair.one);
    const TokenId other = FindDirectiveIn(directives, pair.other);
    if (one && other)
      Report<kinds::kExclusive>(std::max(one, other), pair.one, pair.other).section = pair.section;
  }
  for (const Pair& pair : kNeededPairs) {
    const TokenId one = FindDirectiveIn(directives, pair.one);
    if (one && !FindDirectiveIn(directives, pair.other))
      Report<kinds::kMissingDirective>(one, pair.one, fmt::format("'{}'", pair.other)).section =
          pair.section;
  }
  const TokenId noreturn = FindDirectiveIn(directives, ".noreturn");
  const TokenId preserve = FindDirectiveIn(directives, ".abi_preserve");
  if (noreturn && has_result)
    Report<kinds::kBadDeclaration>(noreturn, "a function that doesn't return has no result")
        .section = "11.4.6";
  if (noreturn && preserve && preserve < noreturn)
    Report<kinds::kMisplaced>(noreturn, ".noreturn", "behind .abi_preserve", "in front of it")
        .section = "11.4.6";
  const TokenId minimum = FindDirectiveIn(directives, ".minnctapersm");
  if (minimum && !FindDirectiveIn(directives, ".maxntid") &&
      !FindDirectiveIn(directives, ".reqntid"))
    Report<kinds::kIgnored>(minimum, ".minnctapersm", "neither .maxntid nor .reqntid stands here")
        .section = "11.4.4";
}

void Verifier::VerifyDirectiveValues(const FunctionDirective& directive,
                                     const DirectiveDesc& desc) {
  if (desc.values == Values::kLanguages) return VerifyLanguages(directive);
  if (desc.values == Values::kStrings) {
    for (const ExpressionNode& node : Module::Of(module_.expressions, directive.values))
      VerifyPragmaString(node.token, Site::kEntry);
    return;
  }
  // ptxas takes 0 for these.
  const bool may_be_zero = desc.word.starts_with(".abi_preserve") ||
                           desc.word == ".reqnctapercluster" || desc.word == ".maxclusterrank" ||
                           desc.word == ".minperctamemory";
  for (const ExpressionNode& node : Module::Of(module_.expressions, directive.values)) {
    const IntegerLiteral literal = ValueOfInteger(Text(node.token));
    const u64 value = static_cast<u64>(literal.constant.value);
    constexpr u64 k32Bits = 0xFFFFFFFF;
    const u64 value_max = desc.word.starts_with(".abi_preserve") ? kRegistersMax.value : k32Bits;
    const bool fits = !literal.wraps && value <= value_max && (value > 0 || may_be_zero);
    if (fits) continue;
    Report<kinds::kBadValue>(
        node.token, fmt::format("a value of '{}'", desc.word),
        fmt::format("an integer from {} to {}", may_be_zero ? 0 : 1, value_max), Text(node.token))
        .section = desc.section;
  }
}

void Verifier::VerifyLanguages(const FunctionDirective& directive) {
  for (const ExpressionNode& node : Module::Of(module_.expressions, directive.values)) {
    std::string_view text = Text(node.token);
    if (node.op == ExpressionOp::kInteger) {
      const u64 number = static_cast<u64>(ValueOfInteger(text).constant.value);
      if (number < std::size(kLanguages) && !kLanguages[number].empty()) continue;
      Report<kinds::kBadValue>(node.token, "the number of a language", "0 or 3 to 10", text)
          .section = "11.8.2";
      continue;
    }
    const std::string name = Lowered(text.substr(1, text.size() - 2));
    if (!name.empty() &&
        std::find(std::begin(kLanguages), std::end(kLanguages), name) != std::end(kLanguages))
      continue;
    Diagnostic& diagnostic = Report<kinds::kBadValue>(
        node.token, "a language", "one of those that the manual lists, as \"ptx\"", text);
    diagnostic.section = "11.8.2";
    if (const auto nearest = Nearest(name, kLanguages); nearest && !nearest->empty())
      diagnostic.hint = fmt::format("did you mean \"{}\"?", *nearest);
  }
}

TokenId Verifier::FindDirectiveIn(Range directives, std::string_view word) const {
  for (const FunctionDirective& directive : Module::Of(module_.directives, directives))
    if (Text(directive.word) == word) return directive.word;
  return {};
}

std::string_view Verifier::FirstValueIn(Range directives, std::string_view word) const {
  for (const FunctionDirective& directive : Module::Of(module_.directives, directives))
    if (Text(directive.word) == word && !directive.values.empty())
      return Text(module_.expressions[directive.values.begin].token);
  return {};
}

}  // namespace ptxfarm::ptx

// Names of targets: printing and reading them. A wrong name is the commonest slip of a command
// line, so each way to be wrong has an answer of its own.
#include "toolchain/target/target.h"

#include <algorithm>
#include <cctype>
#include <optional>

#include "base/text.h"

namespace ptxfarm {
namespace {

struct KindName {
  TargetKind kind;
  std::string_view prefix;
};
constexpr KindName kKindNames[] = {
    {TargetKind::kReal, "sm_"},
    {TargetKind::kVirtual, "compute_"},
    {TargetKind::kLinkTime, "lto_"},
};

constexpr std::string_view kSuffixes[] = {"", "f", "a"};  // By TargetSuffix.

std::string_view PrefixOf(TargetKind kind) {
  for (const KindName& row : kKindNames)
    if (row.kind == kind) return row.prefix;
  return "";
}

// A name that has the right shape, whether or not a row has it.
struct Parts {
  TargetKind kind = TargetKind::kReal;
  u16 number = 0;
  TargetSuffix suffix = TargetSuffix::kNone;
};

std::optional<Parts> Split(std::string_view name);
std::optional<Target> Find(const Parts& parts);
Error Malformed(std::string_view name);
Error Unknown(std::string_view name, const Parts& parts);
Error OfThePast(const Target& target);

Result<Target> ParseKnown(std::string_view name) {
  const std::optional<Parts> parts = Split(name);
  if (!parts) return Malformed(name);
  const std::optional<Target> target = Find(*parts);
  if (!target) return Unknown(name, *parts);
  return *target;
}

}  // namespace

std::string Target::ToString() const {
  return fmt::format("{}{}{}", PrefixOf(kind_), number(),
                     kSuffixes[static_cast<std::size_t>(suffix())]);
}

Result<Target> ParseTarget(std::string_view name) {
  PTXFARM_ASSIGN_OR_RETURN(const Target target, ParseKnown(name));
  switch (target.status()) {
    case TargetStatus::kCurrent: return target;
    case TargetStatus::kRemoved:
      if (target.kind() == TargetKind::kVirtual) return target;
      return OfThePast(target);
    case TargetStatus::kRenamed: return OfThePast(target);
    case TargetStatus::kModuleOnly: return Unknown(name, *Split(name));
  }
  return target;
}

Result<Target> ParseModuleTarget(std::string_view name) {
  PTXFARM_ASSIGN_OR_RETURN(const Target target, ParseKnown(name));
  if (target.kind() == TargetKind::kLinkTime)
    return MakeError(Code::kInvalidArgument, "'{}' can't stand in .target; write {}", name,
                     target.As(TargetKind::kReal));
  return target.As(TargetKind::kReal);
}

Result<TargetList> ParseTargetList(std::string_view list) {
  constexpr std::string_view kBlanks = " \t\r\n";
  TargetList parsed;
  bool comma_before = false;
  std::size_t at = 0;
  while (true) {
    at = std::min(list.find_first_not_of(kBlanks, at), list.size());
    if (at == list.size()) break;
    if (list[at] == ',') {
      if (comma_before || parsed.targets.empty()) break;
      comma_before = true;
      ++at;
      continue;
    }
    const std::size_t end = std::min(list.find_first_of(" \t\r\n,", at), list.size());
    PTXFARM_ASSIGN_OR_RETURN(const Target target, ParseTarget(list.substr(at, end - at)));
    const bool is_new =
        std::find(parsed.targets.begin(), parsed.targets.end(), target) == parsed.targets.end();
    (is_new ? parsed.targets : parsed.repeated).push_back(target);
    comma_before = false;
    at = end;
  }
  if (parsed.targets.empty() && at == list.size())
    return MakeError(Code::kInvalidArgument,
                     "the list of targets is empty; name at least one, as in 'sm_80,sm_90a'");
  if (at != list.size() || comma_before)
    return MakeError(Code::kInvalidArgument,
                     "an empty name in the list of targets '{}' (a comma too many?)",
                     Shortened(list));
  return parsed;
}

namespace {

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

std::optional<Parts> Split(std::string_view name) {
  Parts parts;
  const auto kind = std::find_if(std::begin(kKindNames), std::end(kKindNames),
                                 [&](const KindName& row) { return name.starts_with(row.prefix); });
  if (kind == std::end(kKindNames)) return std::nullopt;
  parts.kind = kind->kind;
  name.remove_prefix(kind->prefix.size());

  std::size_t digits = 0;
  constexpr std::size_t kDigitsMax = 4;  // Fits u16; the highest of today has three.
  for (; digits < name.size() && IsDigit(name[digits]); ++digits) {
    if (digits == kDigitsMax) return std::nullopt;
    parts.number = static_cast<u16>(parts.number * 10 + (name[digits] - '0'));
  }
  if (digits < 2 || name[0] == '0') return std::nullopt;
  name.remove_prefix(digits);
  const auto suffix = std::find(std::begin(kSuffixes), std::end(kSuffixes), name);
  if (suffix == std::end(kSuffixes)) return std::nullopt;
  parts.suffix = static_cast<TargetSuffix>(suffix - std::begin(kSuffixes));
  return parts;
}

std::optional<Target> Find(const Parts& parts) {
  for (const Target& target : AllTargets())
    if (target.number() == parts.number && target.suffix() == parts.suffix)
      return target.As(parts.kind);
  return std::nullopt;
}

// "SM_80", "sm80", "80", "sm_8.0" → sm_80: what is left when all but letters and digits is dropped.
std::optional<Target> Respelled(std::string_view name) {
  std::string letters;
  std::string rest;
  for (const char c : name) {
    if (!std::isalnum(static_cast<unsigned char>(c))) continue;
    const char lower = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    if (rest.empty() && !IsDigit(lower))
      letters += lower;
    else
      rest += lower;
  }
  std::string respelled = "sm_";
  for (const KindName& row : kKindNames)
    if (letters == row.prefix.substr(0, row.prefix.size() - 1)) respelled = row.prefix;
  const std::optional<Parts> parts = Split(respelled + rest);
  return parts ? Find(*parts) : std::nullopt;
}

// ", did you mean sm_80?", or nothing.
std::string Suggestion(std::string_view name) {
  constexpr std::size_t kNameMax = 40;  // No slip of the pen is longer.
  if (name.size() > kNameMax) return "";
  if (const std::optional<Target> target = Respelled(name))
    return fmt::format("; did you mean {}?", *target);
  std::vector<std::string> names;
  for (const Target& target : AllTargets())
    if (target.status() == TargetStatus::kCurrent) names.push_back(target.ToString());
  const std::vector<std::string_view> candidates(names.begin(), names.end());
  if (const std::optional<std::string_view> nearest = Nearest(name, candidates))
    return fmt::format("; did you mean {}?", *nearest);
  return "";
}

Error Malformed(std::string_view name) {
  if (name.empty())
    return MakeError(Code::kInvalidArgument,
                     "the name of a target is empty; write one such as sm_80");
  return MakeError(Code::kInvalidArgument,
                   "'{}' is not the name of a target (as sm_80, sm_90a, sm_100f, compute_90){}",
                   Shortened(name), Suggestion(name));
}

// Of the current numbers, the one nearest to an unknown number.
u16 NearestNumber(u16 number) {
  const auto distance = [number](const Target& target) {
    return target.number() < number ? number - target.number() : target.number() - number;
  };
  const Target* nearest = nullptr;
  for (const Target& target : AllTargets()) {
    if (target.status() != TargetStatus::kCurrent) continue;
    if (nearest == nullptr || distance(target) < distance(*nearest)) nearest = &target;
  }
  return nearest->number();
}

Error Unknown(std::string_view name, const Parts& parts) {
  const std::optional<Target> plain = Find({parts.kind, parts.number, TargetSuffix::kNone});
  if (plain && parts.suffix == TargetSuffix::kFamily)
    return MakeError(Code::kInvalidArgument,
                     "there is no {}: family targets begin with sm_100f; did you mean {}?", name,
                     parts.number == 90 ? plain->ToString() + "a" : plain->ToString());
  if (plain && parts.suffix == TargetSuffix::kArchitecture)
    return MakeError(
        Code::kInvalidArgument,
        "there is no {}: architecture-specific targets begin with sm_90a; did you mean {}?", name,
        *plain);
  const u16 newest = AllTargets().back().number();
  if (parts.number > newest)
    return MakeError(Code::kNotFound, "{} is not known here: the newest target is sm_{}", name,
                     newest);
  return MakeError(Code::kNotFound, "{} is no target; did you mean {}{}?", name,
                   PrefixOf(parts.kind), NearestNumber(parts.number));
}

Error OfThePast(const Target& target) {
  const TargetDesc& desc = target.desc();
  if (desc.status == TargetStatus::kRenamed) {
    const std::optional<Target> today = Find({target.kind(), desc.renamed_to, desc.suffix});
    PTXFARM_CHECK(today.has_value(), "a target is renamed to one that has no row");
    return MakeError(Code::kFailedPrecondition, "{} is called {} since PTX 9.0; ask for {}", target,
                     *today, *today);
  }
  return MakeError(Code::kFailedPrecondition,
                   "{} was removed: the last toolkit that compiles for it is CUDA {}.x; the oldest "
                   "target of today is sm_75 (a compute_{} member needs no toolkit)",
                   target, desc.toolkit_last, desc.number);
}

}  // namespace
}  // namespace ptxfarm

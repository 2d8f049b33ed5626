#include "toolchain/object/fatbin/describe.h"

#include <fmt/format.h>

namespace ptxfarm::object::fatbin {
namespace {

struct FlagName {
  u64 flag;
  std::string_view name;
};

// Flags that a member's line doesn't say otherwise.
constexpr FlagName kFlagNames[] = {
    {kFlagDebug, "debug"}, {kFlagCapsule, "capsule"}, {kFlagScrambled, "scrambled"}};

// Options of PTX are text; a cubin's are bytes.
std::string OptionsText(const MemberView& member) {
  if (!member.options || member.options->empty() || member.Is(MemberKind::kCubin)) return "";
  return fmt::format(", options \"{}\"", *member.options);
}

std::string At(std::string_view place, u64 offset) {
  return place.empty() ? fmt::format("{:#x}", offset) : fmt::format("{} at {:#x}", place, offset);
}

}  // namespace

std::string DescribeMember(const MemberView& member) {
  std::string text =
      fmt::format("{} {}, version {}.{}", MemberKindName(member.kind), TargetText(member.target),
                  member.version_major, member.version_minor);
  if (member.compression() == Compression::kNone)
    text += fmt::format(", {} bytes", member.payload.size());
  else
    text += fmt::format(", {} bytes, {} {} bytes", member.uncompressed_bytes,
                        CompressionName(member.compression()), member.compressed_bytes);
  for (const FlagName& row : kFlagNames)
    if ((member.flags & row.flag) != 0) text += fmt::format(", {}", row.name);
  if ((member.flags & kFlag64Bit) == 0) text += ", 32-bit";
  if (!member.identifier.empty()) text += fmt::format(", of \"{}\"", member.identifier);
  return text + OptionsText(member);
}

std::string DescribeFatbin(const Container& container) {
  std::string text =
      fmt::format("fatbin of {} bytes, {} member{}\n", container.size_bytes,
                  container.members.size(), container.members.size() == 1 ? "" : "s");
  for (const MemberView& member : container.members) text += "  " + DescribeMember(member) + '\n';
  return text;
}

std::string DescribeFindings(const Findings& findings) {
  std::string text;
  for (const FoundContainer& found : findings.containers)
    text += At(found.place, found.offset) + ": " + DescribeFatbin(found.container);
  for (const FoundCubin& found : findings.cubins)
    text +=
        fmt::format("{}: cubin of {} bytes\n", At(found.place, found.offset), found.bytes.size());
  for (const FoundDamage& found : findings.damages)
    text += fmt::format("{}: {}\n", At(found.place, found.offset), found.error.message);
  return text;
}

}  // namespace ptxfarm::object::fatbin

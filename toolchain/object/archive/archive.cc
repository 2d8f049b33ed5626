#include "toolchain/object/archive/archive.h"

#include <charconv>
#include <optional>

#include "base/bytes.h"
#include "toolchain/object/limits.h"

namespace ptxfarm::object::archive {
namespace {

constexpr std::string_view kMagic = "!<arch>\n";
constexpr std::string_view kThinMagic = "!<thin>\n";

// A header is 60 characters: name 16, then times and modes, size in decimal at 48, and an end mark.
constexpr u64 kHeaderBytes = 60;
constexpr u64 kNameBytes = 16;
constexpr u64 kSizeOffset = 48;
constexpr u64 kSizeBytes = 10;
constexpr std::string_view kHeaderEnd = "`\n";

std::string_view WithoutTrailing(std::string_view text, char c) {
  while (!text.empty() && text.back() == c) text.remove_suffix(1);
  return text;
}

std::optional<u64> Decimal(std::string_view text) {
  text = WithoutTrailing(text, ' ');
  u64 number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

// GNU keeps names longer than 15 in a table of its own ("/<offset>"), BSD in front of the data
// ("#1/<length>").
std::optional<Member> Named(std::string_view name, u64 offset, std::string_view data,
                            std::string_view long_names) {
  Member member{.name = name, .offset = offset, .data = data};
  if (name.starts_with("#1/")) {
    const std::optional<u64> length = Decimal(name.substr(3));
    if (!length || *length > data.size()) return std::nullopt;
    member.name = WithoutTrailing(data.substr(0, *length), '\0');
    member.offset += *length;
    member.data.remove_prefix(*length);
  } else if (name.size() > 1 && name[0] == '/') {
    const std::optional<u64> at = Decimal(name.substr(1));
    if (!at || *at >= long_names.size()) return std::nullopt;
    const std::string_view rest = long_names.substr(*at);
    member.name = rest.substr(0, rest.find("/\n"));
  } else if (name.ends_with('/')) {
    member.name.remove_suffix(1);
  }
  return member;
}

}  // namespace

bool LooksLikeArchive(std::string_view bytes) {
  return bytes.starts_with(kMagic) || bytes.starts_with(kThinMagic);
}

Result<std::vector<Member>> ReadArchive(std::string_view bytes) {
  if (bytes.starts_with(kThinMagic))
    return MakeError(Code::kUnimplemented,
                     "a thin archive holds no members; give the files that it names");
  if (!bytes.starts_with(kMagic)) return MakeError(Code::kInvalidArgument, "not an archive");
  std::vector<Member> members;
  std::string_view long_names;
  for (u64 offset = kMagic.size(); offset < bytes.size();) {
    const std::optional<std::string_view> header = SliceAt(bytes, offset, kHeaderBytes);
    if (!header || !header->ends_with(kHeaderEnd))
      return MakeError(Code::kDataLoss, "archive has no member header at {}", offset);
    const std::string_view name = WithoutTrailing(header->substr(0, kNameBytes), ' ');
    const std::optional<u64> size = Decimal(header->substr(kSizeOffset, kSizeBytes));
    const u64 data_offset = offset + kHeaderBytes;
    const std::optional<std::string_view> data =
        size ? SliceAt(bytes, data_offset, *size) : std::nullopt;
    if (!data)
      return MakeError(Code::kDataLoss, "archive member '{}' at {} runs past the archive", name,
                       offset);
    if (name == "//") {
      long_names = *data;
    } else if (name != "/" && name != "/SYM64/" && !name.starts_with("__.SYMDEF")) {
      const std::optional<Member> member = Named(name, data_offset, *data, long_names);
      if (!member)
        return MakeError(Code::kDataLoss, "archive member at {} has a name outside the name table",
                         offset);
      members.push_back(*member);
      if (members.size() > kArchiveMembersMax.value)
        return kArchiveMembersMax.Exceeded("archive members", members.size());
    }
    offset = data_offset + AlignUp(data->size(), 2);
  }
  return members;
}

}  // namespace ptxfarm::object::archive

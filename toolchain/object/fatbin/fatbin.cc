#include "toolchain/object/fatbin/fatbin.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/bytes.h"
#include "toolchain/object/elf/elf.h"
#include "toolchain/object/limits.h"

namespace ptxfarm::object::fatbin {
namespace {

constexpr u64 kAlignment = 8;

char SuffixOf(u64 flags) {
  if ((flags & kFlagSuffixA) != 0) return 'a';
  return (flags & kFlagSuffixF) != 0 ? 'f' : '\0';
}

// The options record; a cubin's has a zero byte before the text, except where CUDA 12.8 wrote it.
std::optional<std::string_view> OptionsOf(const RawMemberHeader& raw, std::string_view header) {
  const std::optional<std::array<u32, 2>> record =
      ReadAt<std::array<u32, 2>>(header, raw.options_offset);
  if (!record) return std::nullopt;
  u64 offset = (*record)[0];
  if (raw.kind == static_cast<u16>(MemberKind::kCubin) &&
      ReadAt<char>(header, offset).value_or('\1') == '\0')
    ++offset;
  return SliceAt(header, offset, (*record)[1]);
}

// `end` is the container's: a member that reaches beyond it is damaged.
Result<MemberView> ReadMember(std::string_view bytes, u64 offset, u64 end) {
  const auto damaged = [offset](std::string_view what) {
    return MakeError(Code::kDataLoss, "fatbin member at {:#x} {}", offset, what);
  };
  const std::string_view container = bytes.substr(0, end);
  const std::optional<RawMemberHeader> raw = ReadAt<RawMemberHeader>(container, offset);
  if (!raw) return damaged("is cut short");
  if (raw->version >> 8 != kMemberVersion >> 8) return damaged("has an unknown version");
  if (raw->header_bytes < kMemberHeaderBytes || raw->header_bytes % kAlignment != 0)
    return damaged("has a header of an impossible size");
  const std::optional<std::string_view> header = SliceAt(container, offset, raw->header_bytes);
  const std::optional<std::string_view> payload =
      header ? SliceAt(container, offset + raw->header_bytes, raw->payload_bytes) : std::nullopt;
  if (!payload || raw->payload_bytes % kAlignment != 0) return damaged("runs past its container");
  if (raw->compressed_bytes > raw->payload_bytes)
    return damaged("has more compressed bytes than payload");

  MemberView member{.offset = offset,
                    .kind = raw->kind,
                    .version = raw->version,
                    .header_bytes = raw->header_bytes,
                    .target = {.sm = raw->sm, .suffix = SuffixOf(raw->flags)},
                    .version_major = raw->version_major,
                    .version_minor = raw->version_minor,
                    .flags = raw->flags,
                    .scramble_key = raw->scramble_key,
                    .compressed_bytes = raw->compressed_bytes,
                    .uncompressed_bytes = raw->uncompressed_bytes,
                    .payload = *payload};
  if (raw->identifier_offset != 0) {
    const std::optional<std::string_view> identifier =
        SliceAt(*header, raw->identifier_offset, raw->identifier_bytes);
    if (!identifier) return damaged("has an identifier outside its header");
    member.identifier = *identifier;
  }
  if (raw->options_offset != 0) {
    member.options = OptionsOf(*raw, *header);
    if (!member.options) return damaged("has options outside its header");
  }
  return member;
}

// A stored cubin is padded to a multiple of 8 and doesn't say its own size: its tables do.
std::string_view WithoutPadding(std::string_view cubin) {
  const Result<elf::File> file = elf::File::Read(cubin);
  if (!file) return cubin;
  const u64 end = file->EndOfContents();
  if (end > cubin.size() || cubin.size() - end >= kAlignment) return cubin;
  return cubin.substr(0, end);
}

}  // namespace

std::string MemberKindName(u16 kind) {
  switch (static_cast<MemberKind>(kind)) {
    case MemberKind::kPtx: return "ptx";
    case MemberKind::kCubin: return "elf";
    case MemberKind::kLtoIr: return "lto";
  }
  return fmt::format("kind {}", kind);
}

std::string TargetText(const MemberTarget& target) {
  std::string text = fmt::format("{}", target.sm);
  if (target.suffix != 0) text += target.suffix;
  return text;
}

Compression MemberView::compression() const {
  if ((flags & kFlagZstd) != 0) return Compression::kZstd;
  return (flags & kFlagLz4) != 0 ? Compression::kLz4 : Compression::kNone;
}

std::string_view MemberView::stored() const {
  return compression() == Compression::kNone ? payload : payload.substr(0, compressed_bytes);
}

bool LooksLikeFatbin(std::string_view bytes) {
  return ReadAt<u32>(bytes, 0).value_or(0) == kContainerMagic;
}

ContainerEnd ReadContainerAsFarAsItGoes(std::string_view bytes, u64 offset) {
  const std::optional<RawContainerHeader> raw = ReadAt<RawContainerHeader>(bytes, offset);
  if (!raw || raw->magic != kContainerMagic)
    return {MakeError(Code::kInvalidArgument, "no fatbin container at {:#x}", offset), offset};
  const u64 begin = offset + kContainerHeaderBytes;
  if (raw->version != kContainerVersion || raw->header_bytes != kContainerHeaderBytes)
    return {MakeError(Code::kInvalidArgument, "fatbin container at {:#x} has unknown version {}",
                      offset, raw->version),
            begin};
  if (!SliceAt(bytes, begin, raw->members_bytes))
    return {MakeError(Code::kDataLoss, "fatbin container at {:#x} runs past the end by {} bytes",
                      offset, raw->members_bytes - (bytes.size() - begin)),
            begin};
  const u64 end = begin + raw->members_bytes;
  Container container{.offset = offset, .size_bytes = end - offset};
  for (u64 at = begin; at < end;) {
    Result<MemberView> member = ReadMember(bytes, at, end);
    if (!member) return {std::move(member).error(), at};
    at += member->header_bytes + member->payload.size();
    container.members.push_back(*std::move(member));
  }
  return {std::move(container), end};
}

Result<Container> ReadContainer(std::string_view bytes, u64 offset) {
  return ReadContainerAsFarAsItGoes(bytes, offset).container;
}

Result<std::vector<Container>> ReadFatbin(std::string_view bytes) {
  if (!LooksLikeFatbin(bytes)) return MakeError(Code::kInvalidArgument, "not a fatbin");
  std::vector<Container> containers;
  for (u64 offset = 0; offset < bytes.size();) {
    if (ReadAt<u64>(bytes, offset) == u64{0}) {
      offset += kAlignment;
      continue;
    }
    // Fewer than 8 bytes, all zero: the padding of a section.
    if (bytes.substr(offset).find_first_not_of('\0') == std::string_view::npos) break;
    PTXFARM_ASSIGN_OR_RETURN(Container container, ReadContainer(bytes, offset));
    offset += container.size_bytes;
    containers.push_back(std::move(container));
  }
  return containers;
}

Result<std::string> Image(const MemberView& member) {
  if (member.is_opaque())
    return MakeError(Code::kUnimplemented,
                     "the member is scrambled LTO-IR, which only NVIDIA's "
                     "linker reads; rebuild it uncompressed");
  std::string image;
  if (member.compression() == Compression::kNone) {
    const bool cubin = member.Is(MemberKind::kCubin);
    image = std::string(cubin ? WithoutPadding(member.payload) : member.payload);
  } else {
    Result<std::string> plain =
        Decompress(member.stored(), member.compression(), member.uncompressed_bytes);
    if (!plain) return std::move(plain).error().Wrap("fatbin member at {:#x}", member.offset);
    image = *std::move(plain);
  }
  if (member.Is(MemberKind::kPtx)) image.resize(std::min(image.find('\0'), image.size()));
  return image;
}

}  // namespace ptxfarm::object::fatbin

#include "toolchain/object/fatbin/write.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "base/bytes.h"
#include "toolchain/object/elf/elf.h"
#include "toolchain/object/fatbin/ptx_text.h"
#include "toolchain/object/limits.h"

namespace ptxfarm::object::fatbin {
namespace {

constexpr u64 kAlignment = 8;

// Bytes of a cubin's header that `fatbinary` looks at; it reads nothing behind the header but
// .nv.compat.
constexpr u64 kElfClass = 4;
constexpr u64 kElfVersion = 6;
constexpr u64 kElfOsAbi = 7;
constexpr u64 kElfAbiVersion = 8;
constexpr u64 kElfFlags = 48;
constexpr u8 kElfClass64 = 2;
constexpr u8 kOsAbi = 0x41;  // Since CUDA 13; before, the SM number stood in other bits.
constexpr u32 kElfFlagCapsule = 0x2;
constexpr std::string_view kCompatSection = ".nv.compat";

// Up to here zstd 1.5.4 and the toolkit's pack alike.
constexpr u64 kSameZstdBytesMax = 16 << 10;

// Bytes of LTO-IR that hold its version.
constexpr u64 kLtoMajor = 4;
constexpr u64 kLtoMinor = 5;

void Pad(std::string& bytes) { bytes.resize(AlignUp(bytes.size(), kAlignment)); }

// What the image itself says: goes into the header.
struct Facts {
  u16 version_major = 0;
  u16 version_minor = 0;
  bool has_capsule = false;
  std::optional<std::string> options;  // Text of the options record.
};

class MemberWriter {
 public:
  MemberWriter(const Member& member, const WriteOptions& options)
      : member_(member), options_(options) {}

  Result<std::string> Write() const {
    // The NUL behind PTX counts too.
    if (member_.image.size() >= kMemberBytesMax.value)
      return kMemberBytesMax.Exceeded("image", member_.image.size());
    PTXFARM_ASSIGN_OR_RETURN(const Facts facts, FactsOfImage());
    std::string payload;
    const u64 plain_bytes = AppendImage(payload);
    const Compression compression = Compressed();
    if (compression != Compression::kNone) payload = Compress(payload, options_.compress);

    const u64 stored_bytes = payload.size();
    std::string variable = VariablePart(facts);
    RawMemberHeader header = Header(facts, variable.size());
    if (compression != Compression::kNone) {
      header.flags |= compression == Compression::kZstd ? kFlagZstd : kFlagLz4;
      header.compressed_bytes = static_cast<u32>(stored_bytes);
      header.uncompressed_bytes = plain_bytes;
    }
    Pad(payload);
    header.payload_bytes = payload.size();
    std::string bytes;
    bytes.reserve(sizeof(header) + variable.size() + payload.size());
    AppendTo(bytes, header);
    bytes += variable;
    bytes += payload;
    return bytes;
  }

  bool IsAsTheToolkitWrites() const {
    // LTO-IR is never compressed here, and always there.
    if (member_.kind == MemberKind::kLtoIr) return options_.compress == CompressMode::kNone;
    if (Compressed() == Compression::kNone) return true;
    return options_.compress == CompressMode::kDefault && member_.image.size() <= kSameZstdBytesMax;
  }

 private:
  Result<Facts> FactsOfImage() const {
    switch (member_.kind) {
      case MemberKind::kPtx: return FactsOfPtx();
      case MemberKind::kCubin: return FactsOfCubin();
      case MemberKind::kLtoIr: return FactsOfLtoIr();
    }
    return MakeError(Code::kInvalidArgument, "a kind that can't be written");
  }

  Result<Facts> FactsOfPtx() const {
    const std::optional<PtxTextVersion> version = VersionOfPtx(member_.image);
    if (!version)
      return MakeError(Code::kInvalidArgument,
                       "the PTX has no .version directive of the form "
                       "'.version 8.0'");
    return Facts{.version_major = version->major,
                 .version_minor = version->minor,
                 .options = std::string(options_.ptx_options)};
  }

  Result<Facts> FactsOfCubin() const {
    const std::optional<u32> flags = ReadAt<u32>(member_.image, kElfFlags);
    if (!elf::LooksLikeElf(member_.image) || !flags)
      return MakeError(Code::kInvalidArgument, "the image is no ELF file");
    const auto byte = [this](u64 offset) { return static_cast<u8>(member_.image[offset]); };
    if ((byte(kElfClass) == kElfClass64) != options_.is_64_bit)
      return MakeError(Code::kInvalidArgument, "the cubin isn't for a {}-bit host",
                       options_.is_64_bit ? 64 : 32);
    const bool current = byte(kElfOsAbi) == kOsAbi;
    const u32 sm = current ? *flags >> 8 & 0xffff : *flags & 0xff;
    if (sm != member_.target.sm)
      return MakeError(Code::kInvalidArgument, "the cubin is for sm_{}", sm);
    Facts facts{.version_major = byte(kElfVersion),
                .version_minor = byte(kElfAbiVersion),
                .has_capsule = current && (*flags & kElfFlagCapsule) != 0};
    if (facts.has_capsule) facts.options = CompatOfCubin();
    return facts;
  }

  // The contents of .nv.compat, with the one zero byte that goes before them.
  std::optional<std::string> CompatOfCubin() const {
    const Result<elf::File> file = elf::File::Read(member_.image);
    const elf::Section* const section = file ? file->FindSection(kCompatSection) : nullptr;
    if (section == nullptr) return std::nullopt;
    return '\0' + std::string(section->data);
  }

  Result<Facts> FactsOfLtoIr() const {
    if (member_.image.size() <= kLtoMinor)
      return MakeError(Code::kInvalidArgument, "the image is no LTO-IR");
    return Facts{.version_major = static_cast<u8>(member_.image[kLtoMajor]),
                 .version_minor = static_cast<u8>(member_.image[kLtoMinor]),
                 .options = std::string(options_.lto_options)};
  }

  // Appends what is stored, and gives its size: of PTX the rewritten text with a NUL.
  u64 AppendImage(std::string& payload) const {
    if (member_.kind == MemberKind::kPtx) {
      payload = RewritePtx(member_.image);
      payload += '\0';
    } else {
      payload = std::string(member_.image);
    }
    return payload.size();
  }

  Compression Compressed() const {
    if (options_.compress == CompressMode::kNone || member_.kind == MemberKind::kLtoIr)
      return Compression::kNone;
    const bool cubins_too = options_.compress == CompressMode::kSize || options_.compress_all ||
                            options_.relocatable || options_.debug;
    if (member_.kind == MemberKind::kCubin && !cubins_too) return Compression::kNone;
    return options_.compress == CompressMode::kSpeed ? Compression::kLz4 : Compression::kZstd;
  }

  // Identifier, then options record. Strings take at least one NUL.
  std::string VariablePart(const Facts& facts) const {
    std::string part;
    if (!options_.identifier.empty()) {
      part = std::string(options_.identifier) + '\0';
      Pad(part);
    }
    if (!facts.options) return part;
    const u64 text_offset = kMemberHeaderBytes + part.size() + 2 * sizeof(u32);
    // The zero byte before a cubin's record isn't counted, and takes the place of the NUL behind
    // it.
    const bool uncounted = member_.kind == MemberKind::kCubin;
    AppendTo(part, static_cast<u32>(text_offset));
    AppendTo(part, static_cast<u32>(facts.options->size() - (uncounted ? 1 : 0)));
    part += *facts.options;
    if (!uncounted) part += '\0';
    Pad(part);
    return part;
  }

  RawMemberHeader Header(const Facts& facts, u64 variable_bytes) const {
    const u32 identifier_bytes = static_cast<u32>(options_.identifier.size());
    const u32 identifier_space =
        identifier_bytes == 0 ? 0 : static_cast<u32>(AlignUp(identifier_bytes + 1, kAlignment));
    u64 flags = kFlagLinux;
    if (options_.is_64_bit) flags |= kFlag64Bit;
    if (options_.debug) flags |= kFlagDebug;
    if (member_.target.suffix == 'a') flags |= kFlagSuffixA;
    if (member_.target.suffix == 'f') flags |= kFlagSuffixF;
    if (facts.has_capsule) flags |= kFlagCapsule;
    return {.kind = static_cast<u16>(member_.kind),
            .version = kMemberVersion,
            .header_bytes = static_cast<u32>(kMemberHeaderBytes + variable_bytes),
            .payload_bytes = 0,
            .compressed_bytes = 0,
            .options_offset = facts.options ? kMemberHeaderBytes + identifier_space : 0,
            .version_minor = facts.version_minor,
            .version_major = facts.version_major,
            .sm = member_.target.sm,
            .identifier_offset = identifier_bytes == 0 ? 0 : kMemberHeaderBytes,
            .identifier_bytes = identifier_bytes,
            .flags = flags,
            .scramble_key = 0,
            .uncompressed_bytes = 0};
  }

  const Member& member_;
  const WriteOptions& options_;
};

}  // namespace

bool IsAsTheToolkitWrites(std::span<const Member> members, const WriteOptions& options) {
  return std::ranges::all_of(members, [&](const Member& member) {
    return MemberWriter(member, options).IsAsTheToolkitWrites();
  });
}

Result<std::string> WriteFatbin(std::span<const Member> members, const WriteOptions& options) {
  std::string body;
  for (std::size_t i = 0; i < members.size(); ++i) {
    Result<std::string> bytes = MemberWriter(members[i], options).Write();
    if (!bytes)
      return std::move(bytes).error().Wrap("member {} ({} {})", i + 1,
                                           MemberKindName(static_cast<u16>(members[i].kind)),
                                           TargetText(members[i].target));
    body += *bytes;
  }
  std::string fatbin;
  fatbin.reserve(kContainerHeaderBytes + body.size());
  AppendTo(fatbin, RawContainerHeader{.magic = kContainerMagic,
                                      .version = kContainerVersion,
                                      .header_bytes = kContainerHeaderBytes,
                                      .members_bytes = body.size()});
  return fatbin + body;
}

}  // namespace ptxfarm::object::fatbin

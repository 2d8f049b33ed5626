#include "client/dropin/tool/file_digest.h"

#include "base/bytes.h"
#include "base/file.h"
#include "client/dropin/tier/sha256_stream.h"
#include "client/dropin/tool/file_stamp.h"

namespace ptxfarm::dropin {
namespace {

constexpr u64 kFileBytesMax = u64{4} << 30;

// Below it reading costs about what looking up a note does.
constexpr u64 kLargeBytes = 1 << 20;

std::string_view BytesOf(const FileStamp& stamp) {
  return {reinterpret_cast<const char*>(&stamp), sizeof(stamp)};
}

std::optional<Sha256> Noted(const LocalTier* tier, const Sha256& name) {
  if (tier == nullptr) return std::nullopt;
  const std::optional<LocalTier::Note> note = tier->GetNote(name);
  return note ? ReadAt<Sha256>(note->text, 0) : std::nullopt;
}

void PutDown(const LocalTier* tier, const Sha256& name, const Sha256& digest) {
  if (tier == nullptr) return;
  std::string text;
  AppendTo(text, digest);
  static_cast<void>(tier->PutNote(name, text));  // Else it is read again.
}

}  // namespace

std::optional<Digest> DigestOfFile(const std::string& path, const LocalTier* tier) {
  const std::optional<FileStamp> stamp = StampOf(path);
  if (!stamp) return std::nullopt;
  const bool is_noted = stamp->size_bytes >= kLargeBytes && IsSettled(*stamp, NowNs());
  Sha256Stream stream;
  stream.UpdateField("file 1");
  stream.UpdateField(path);
  stream.UpdateField(BytesOf(*stamp));
  const Sha256 name = stream.Finish();
  if (is_noted)
    if (const std::optional<Sha256> digest = Noted(tier, name))
      return Digest{*digest, stamp->size_bytes};
  const Result<std::string> bytes = ReadFile(path, kFileBytesMax);
  if (!bytes || StampOf(path) != stamp) return std::nullopt;
  const Digest digest{Sha256Of(*bytes), bytes->size()};
  if (is_noted) PutDown(tier, name, digest.sha256);
  return digest;
}

std::optional<Sha256> DigestOfFiles(std::string_view what, const std::vector<std::string>& paths,
                                    const LocalTier* tier) {
  std::vector<FileStamp> stamps;
  Sha256Stream stream;
  stream.UpdateField(what);
  bool is_settled = true;
  const i64 now_ns = NowNs();
  for (const std::string& path : paths) {
    stamps.push_back(StampOf(path).value_or(FileStamp{}));
    stream.UpdateField(path);
    stream.UpdateField(BytesOf(stamps.back()));
    is_settled = is_settled && IsSettled(stamps.back(), now_ns);
  }
  const Sha256 name = stream.Finish();
  if (const std::optional<Sha256> digest = Noted(tier, name)) return digest;
  Sha256Stream contents;
  for (std::size_t i = 0; i < paths.size(); ++i) {
    if (stamps[i] == FileStamp{}) {
      contents.UpdateNumber(0);
      continue;
    }
    const Result<std::string> bytes = ReadFile(paths[i], kFileBytesMax);
    if (!bytes || StampOf(paths[i]) != stamps[i]) return std::nullopt;
    contents.UpdateField(*bytes);
  }
  const Sha256 digest = contents.Finish();
  if (is_settled) PutDown(tier, name, digest);
  return digest;
}

}  // namespace ptxfarm::dropin

#include "store/rocks/layout.h"

#include <limits>

#include "base/bytes.h"

namespace ptxfarm::rocks {
namespace {

enum class ManifestForm : u8 { kInline = 0, kChunked = 1 };

constexpr i64 kNeverExpires = std::numeric_limits<i64>::max();

template <typename T>
void AppendBigEndian(std::string& key, T value) {
  for (std::size_t shift = sizeof(T) * 8; shift > 0; shift -= 8)
    key.push_back(static_cast<char>(value >> (shift - 8) & 0xff));
}

u64 BigEndianAt(std::string_view key, std::size_t offset) {
  u64 value = 0;
  for (std::size_t i = 0; i < sizeof(value); ++i)
    value = value << 8 | static_cast<u8>(key[offset + i]);
  return value;
}

void AppendSha256(std::string& key, const Sha256& sha256) {
  key.append(reinterpret_cast<const char*>(sha256.data()), sha256.size());
}

void AppendDigest(std::string& key, const Digest& digest) {
  AppendSha256(key, digest.sha256);
  AppendBigEndian(key, digest.size_bytes);
}

constexpr std::size_t kDigestBytes = 32 + 8;

Digest DigestAt(std::string_view key, std::size_t offset) {
  Digest digest;
  std::memcpy(digest.sha256.data(), key.data() + offset, digest.sha256.size());
  digest.size_bytes = BigEndianAt(key, offset + digest.sha256.size());
  return digest;
}

void AppendEntry(std::string& key, const Entry& entry) {
  key.push_back(static_cast<char>(entry.kind));
  AppendDigest(key, entry.digest);
}

Error Damaged(std::string_view what) { return MakeError(Code::kDataLoss, "{} is damaged", what); }

// Reads fields one behind the other; past the end it gives zeros and remembers.
class FieldReader {
 public:
  explicit FieldReader(std::string_view bytes) : bytes_(bytes) {}

  template <typename T>
  T Take() {
    const std::optional<T> value = ReadAt<T>(bytes_, 0);
    Skip(sizeof(T));
    return value.value_or(T{});
  }
  std::string_view TakeBytes(u64 size) {
    const std::optional<std::string_view> piece = SliceAt(bytes_, 0, size);
    Skip(size);
    return piece.value_or(std::string_view{});
  }
  bool good() const { return good_; }
  bool at_end() const { return bytes_.empty(); }
  std::string_view rest() const { return bytes_; }

 private:
  void Skip(u64 size) {
    good_ = good_ && size <= bytes_.size();
    bytes_.remove_prefix(good_ ? size : bytes_.size());
  }

  std::string_view bytes_;
  bool good_ = true;
};

void AppendChunk(std::string& value, const Chunk& chunk) {
  AppendTo(value, static_cast<u8>(chunk.encoding));
  AppendTo(value, static_cast<u32>(chunk.plain_bytes));
  AppendTo(value, static_cast<u32>(chunk.bytes->size()));
  value += *chunk.bytes;
}

std::optional<Chunk> TakeChunk(FieldReader& reader) {
  Chunk chunk{.encoding = static_cast<Encoding>(reader.Take<u8>())};
  chunk.plain_bytes = reader.Take<u32>();
  const u32 encoded_bytes = reader.Take<u32>();
  chunk.bytes = std::make_shared<const std::string>(reader.TakeBytes(encoded_bytes));
  if (!reader.good() || !CheckShape(chunk)) return std::nullopt;
  return chunk;
}

}  // namespace

UseTime UseTimeOf(WallTime time) {
  const auto since = std::chrono::duration_cast<std::chrono::milliseconds>(time.time_since_epoch());
  return since.count() < 0 ? 0 : static_cast<UseTime>(since.count());
}

std::string DigestKey(const Digest& digest) {
  std::string key;
  key.reserve(kDigestBytes);
  AppendDigest(key, digest);
  return key;
}

std::string ActionKey(const Sha256& action) {
  std::string key;
  AppendSha256(key, action);
  return key;
}

std::string ChunkKey(UploadId upload, u32 index) {
  std::string key;
  AppendBigEndian(key, upload);
  AppendBigEndian(key, index);
  return key;
}

std::string UploadKey(UploadId upload) {
  std::string key(kUploadPrefix);
  AppendBigEndian(key, upload);
  return key;
}

std::optional<UploadId> ParseUploadKey(std::string_view key) {
  if (!key.starts_with(kUploadPrefix) || key.size() != kUploadPrefix.size() + sizeof(UploadId))
    return std::nullopt;
  return BigEndianAt(key, kUploadPrefix.size());
}

std::optional<UploadId> ParseChunkKey(std::string_view key) {
  if (key.size() != sizeof(UploadId) + sizeof(u32)) return std::nullopt;
  return BigEndianAt(key, 0);
}

std::string QuarantineKey(UseTime time, const Digest& digest) {
  std::string key(kQuarantinePrefix);
  AppendBigEndian(key, time);
  AppendDigest(key, digest);
  return key;
}

std::string UseKey(const Entry& entry) {
  std::string key;
  key.reserve(2 + kDigestBytes);
  key.push_back('k');
  AppendEntry(key, entry);
  return key;
}

std::optional<Entry> ParseUseKey(std::string_view key) {
  if (key.size() != 2 + kDigestBytes || key[0] != 'k') return std::nullopt;
  return Entry{static_cast<Entry::Kind>(key[1]), DigestAt(key, 2)};
}

std::string UseTimeKey(UseTime time, const Entry& entry) {
  std::string key;
  key.reserve(2 + sizeof(time) + kDigestBytes);
  key.push_back('t');
  AppendBigEndian(key, time);
  AppendEntry(key, entry);
  return key;
}

std::optional<TimedEntry> ParseUseTimeKey(std::string_view key) {
  if (key.size() != 1 + sizeof(UseTime) + 1 + kDigestBytes || key[0] != 't') return std::nullopt;
  return TimedEntry{BigEndianAt(key, 1), {static_cast<Entry::Kind>(key[9]), DigestAt(key, 10)}};
}

std::string FactKey(FactKind kind, std::string_view key) {
  std::string fact_key{'f', static_cast<char>(kind)};
  return fact_key += key;
}

std::string FactAgeKey(FactKind kind, u64 put) {
  std::string key{'s', static_cast<char>(kind)};
  AppendBigEndian(key, put);
  return key;
}

std::optional<u64> ParseFactAgeKey(FactKind kind, std::string_view key) {
  if (key.size() != 2 + sizeof(u64) || key[0] != 's' || key[1] != static_cast<char>(kind))
    return std::nullopt;
  return BigEndianAt(key, 2);
}

std::string EncodeFact(u64 put, std::string_view value) {
  std::string bytes;
  AppendTo(bytes, put);
  return bytes += value;
}

std::optional<StoredFact> DecodeFact(std::string_view value) {
  const std::optional<u64> put = ReadAt<u64>(value, 0);
  if (!put) return std::nullopt;
  return StoredFact{*put, value.substr(sizeof(*put))};
}

std::string EncodeUseRow(const UseRow& row) {
  std::string value;
  AppendTo(value, row.last_use);
  AppendTo(value, row.bytes);
  AppendTo(value, row.upload);
  return value;
}

std::optional<UseRow> DecodeUseRow(std::string_view value) {
  FieldReader reader(value);
  UseRow row;
  row.last_use = reader.Take<UseTime>();
  row.bytes = reader.Take<u64>();
  row.upload = reader.Take<UploadId>();
  if (!reader.good() || !reader.at_end()) return std::nullopt;
  return row;
}

std::string EncodeInline(std::span<const Chunk> chunks) {
  std::size_t size = 1;
  for (const Chunk& chunk : chunks) size += 9 + chunk.bytes->size();
  std::string value;
  value.reserve(size);
  AppendTo(value, ManifestForm::kInline);
  for (const Chunk& chunk : chunks) AppendChunk(value, chunk);
  return value;
}

std::string EncodeChunked(UploadId upload, u32 chunk_count) {
  std::string value;
  AppendTo(value, ManifestForm::kChunked);
  AppendTo(value, upload);
  AppendTo(value, chunk_count);
  return value;
}

Result<Manifest> DecodeManifest(std::string_view value) {
  FieldReader reader(value);
  Manifest manifest;
  const ManifestForm form = reader.Take<ManifestForm>();
  if (form == ManifestForm::kChunked) {
    manifest.upload = reader.Take<UploadId>();
    manifest.chunk_count = reader.Take<u32>();
    if (!reader.good() || !reader.at_end() || manifest.upload == 0) return Damaged("a manifest");
    return manifest;
  }
  if (form != ManifestForm::kInline || !reader.good()) return Damaged("a manifest");
  while (!reader.at_end()) {
    std::optional<Chunk> chunk = TakeChunk(reader);
    if (!chunk) return Damaged("a manifest");
    manifest.chunks.push_back(*std::move(chunk));
  }
  manifest.chunk_count = static_cast<u32>(manifest.chunks.size());
  return manifest;
}

std::string EncodeChunk(const Chunk& chunk) {
  std::string value;
  value.reserve(9 + chunk.bytes->size());
  AppendChunk(value, chunk);
  return value;
}

Result<Chunk> DecodeChunk(std::string_view value) {
  FieldReader reader(value);
  std::optional<Chunk> chunk = TakeChunk(reader);
  if (!chunk || !reader.at_end()) return Damaged("a chunk");
  return *std::move(chunk);
}

std::string EncodeRecord(const ActionRecord& record) {
  std::string value;
  const auto expires = [&]() -> i64 {
    if (!record.expires) return kNeverExpires;
    return std::chrono::duration_cast<std::chrono::nanoseconds>(record.expires->time_since_epoch())
        .count();
  };
  AppendTo(value, expires());
  AppendTo(value, static_cast<u32>(record.outputs.size()));
  for (const Digest& output : record.outputs) {
    AppendSha256(value, output.sha256);
    AppendTo(value, output.size_bytes);
  }
  return value += record.bytes;
}

Result<ActionRecord> DecodeRecord(std::string_view value) {
  FieldReader reader(value);
  ActionRecord record;
  if (const i64 expires = reader.Take<i64>(); expires != kNeverExpires)
    record.expires =
        WallTime(std::chrono::duration_cast<WallTime::duration>(std::chrono::nanoseconds(expires)));
  const u32 outputs = reader.Take<u32>();
  if (reader.rest().size() / kDigestBytes < outputs) return Damaged("an action record");
  record.outputs.resize(outputs);
  for (Digest& output : record.outputs) {
    output.sha256 = reader.Take<Sha256>();
    output.size_bytes = reader.Take<u64>();
  }
  if (!reader.good()) return Damaged("an action record");
  record.bytes = reader.rest();
  return record;
}

}  // namespace ptxfarm::rocks

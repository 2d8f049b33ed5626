// What the database holds, byte by byte. A change here is a new format version (format.h).
//
// | family  | key                                        | value |
// |---------|--------------------------------------------|----------------------------------------------------|
// | meta    | "format_version"                           | decimal number | |         | "upload/"
// id                               | nothing; the chunks of `id` belong to no blob (yet) | | |
// "quarantine/" time, digest                 | a manifest that was found damaged                  |
// | blobs   | digest                                     | manifest | | chunks  | upload id, index
// | chunk of a large blob                              | | actions | action digest | record | | use
// | 'k', entry                                 | when it was used last, its bytes, its upload id |
// |         | 't', time, entry                           | nothing; entries by time of use, oldest
// first      | | facts   | 'f', kind, key                             | number of the put, value |
// |         | 's', kind, number of the put               | key; facts by age, oldest first |
//
// Numbers inside keys are big-endian, so that they sort; in values little-endian. A digest as key
// is its SHA-256 and its size; an entry is a letter (blob or action) and its digest.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/digest.h"
#include "base/int.h"
#include "base/result.h"
#include "store/action_cache.h"
#include "store/blob.h"
#include "store/entry.h"
#include "store/fact_store.h"

namespace ptxfarm::rocks {

inline constexpr std::string_view kFormatVersionKey = "format_version";
inline constexpr std::string_view kUploadPrefix = "upload/";
inline constexpr std::string_view kQuarantinePrefix = "quarantine/";

// Names the chunks of one large blob. Never used twice; 0 is no upload.
using UploadId = u64;

// Milliseconds since the epoch.
using UseTime = u64;
UseTime UseTimeOf(WallTime time);

std::string DigestKey(const Digest& digest);
std::string ActionKey(const Sha256& action);
std::string ChunkKey(UploadId upload, u32 index);
std::string UploadKey(UploadId upload);
std::string QuarantineKey(UseTime time, const Digest& digest);
std::string UseKey(const Entry& entry);
// The entry of a UseKey.
std::optional<Entry> ParseUseKey(std::string_view key);
std::string UseTimeKey(UseTime time, const Entry& entry);
std::optional<UploadId> ParseUploadKey(std::string_view key);
// The upload of a ChunkKey.
std::optional<UploadId> ParseChunkKey(std::string_view key);
// The time and entry of a UseTimeKey.
struct TimedEntry {
  UseTime time;
  Entry entry;
};
std::optional<TimedEntry> ParseUseTimeKey(std::string_view key);

std::string FactKey(FactKind kind, std::string_view key);
std::string FactAgeKey(FactKind kind, u64 put);
// The number of the put, if this is a FactAgeKey of the kind.
std::optional<u64> ParseFactAgeKey(FactKind kind, std::string_view key);

struct StoredFact {
  u64 put;
  std::string_view value;
};
std::string EncodeFact(u64 put, std::string_view value);
std::optional<StoredFact> DecodeFact(std::string_view value);

struct UseRow {
  UseTime last_use = 0;
  u64 bytes = 0;        // As accounted: with kEntryOverheadBytes.
  UploadId upload = 0;  // Of a large blob.
};
std::string EncodeUseRow(const UseRow& row);
std::optional<UseRow> DecodeUseRow(std::string_view value);

// A blob's chunks, or where they are.
struct Manifest {
  std::vector<Chunk> chunks;  // Of a small blob, whole.
  UploadId upload = 0;        // Of a large one.
  u32 chunk_count = 0;
};
std::string EncodeInline(std::span<const Chunk> chunks);
std::string EncodeChunked(UploadId upload, u32 chunk_count);
// DATA_LOSS where it isn't what the above made.
Result<Manifest> DecodeManifest(std::string_view value);

std::string EncodeChunk(const Chunk& chunk);
Result<Chunk> DecodeChunk(std::string_view value);

std::string EncodeRecord(const ActionRecord& record);
Result<ActionRecord> DecodeRecord(std::string_view value);

}  // namespace ptxfarm::rocks

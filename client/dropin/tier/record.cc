#include "client/dropin/tier/record.h"

#include <cstring>

#include "base/bytes.h"
#include "client/dropin/tier/sha256_stream.h"

namespace ptxfarm::dropin {
namespace {

constexpr char kMagic[16] = {'p', 't', 'x', 'f', 'a', 'r', 'm', ' ',
                             'r', 'e', 's', 'u', 'l', 't', ' ', '1'};

// In the byte order of the machine: a tier isn't shared between machines of two orders, and a
// foreign magic or size doesn't match.
struct Head {
  char magic[sizeof(kMagic)];
  u64 total_bytes;
  Sha256 key;
  i32 exit_code;
  u32 has_object;
  u64 part_bytes[4];
};
constexpr u64 kTrailerBytes = sizeof(Sha256);

std::string_view BytesOf(const Sha256& sha256) {
  return {reinterpret_cast<const char*>(sha256.data()), sha256.size()};
}

}  // namespace

std::string PackRecord(const Sha256& key, const RecordParts& parts) {
  const std::string_view bodies[] = {parts.out, parts.err, parts.maker, parts.object};
  Head head{};
  std::memcpy(head.magic, kMagic, sizeof(kMagic));
  head.key = key;
  head.exit_code = parts.exit_code;
  head.has_object = parts.has_object ? 1 : 0;
  head.total_bytes = sizeof(Head) + kTrailerBytes;
  for (int i = 0; i < 4; ++i) {
    head.part_bytes[i] = bodies[i].size();
    head.total_bytes += bodies[i].size();
  }
  std::string bytes;
  bytes.reserve(head.total_bytes);
  AppendTo(bytes, head);
  for (const std::string_view body : bodies) bytes += body;
  bytes += BytesOf(Sha256Of(bytes));
  return bytes;
}

std::optional<Record> Record::Unpack(std::string bytes, const Sha256& key) {
  const std::optional<Head> head = ReadAt<Head>(bytes, 0);
  if (!head || std::memcmp(head->magic, kMagic, sizeof(kMagic)) != 0 || head->key != key ||
      head->total_bytes != bytes.size() || bytes.size() < sizeof(Head) + kTrailerBytes)
    return std::nullopt;
  const std::string_view covered = std::string_view(bytes).substr(0, bytes.size() - kTrailerBytes);
  if (BytesOf(Sha256Of(covered)) != std::string_view(bytes).substr(covered.size()))
    return std::nullopt;
  // The sizes are ours from here on: the digest covers them.
  Record record;
  u64 sum = sizeof(Head) + kTrailerBytes;
  for (int i = 0; i < kParts; ++i) sum += record.part_bytes_[i] = head->part_bytes[i];
  if (sum != bytes.size()) return std::nullopt;
  record.exit_code_ = head->exit_code;
  record.has_object_ = head->has_object != 0;
  record.bytes_ = std::move(bytes);
  return record;
}

std::string_view Record::Part(int index) const {
  u64 offset = sizeof(Head);
  for (int i = 0; i < index; ++i) offset += part_bytes_[i];
  return std::string_view(bytes_).substr(offset, part_bytes_[index]);
}

std::optional<Sha256> KeyInHead(std::string_view bytes) {
  const std::optional<Head> head = ReadAt<Head>(bytes, 0);
  if (!head || std::memcmp(head->magic, kMagic, sizeof(kMagic)) != 0) return std::nullopt;
  return head->key;
}

}  // namespace ptxfarm::dropin

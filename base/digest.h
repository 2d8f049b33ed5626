// Digest: the name of a blob, by content: SHA-256 and size, as Remote Execution has it.
#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "base/int.h"
#include "base/result.h"

namespace ptxfarm {

using Sha256 = std::array<u8, 32>;

struct Digest {
  Sha256 sha256{};
  u64 size_bytes = 0;

  // 64 hexadecimal digits in lower case; the size isn't part of it.
  std::string Hex() const;
  // "<hex>/<size>", the form in which Remote Execution's ByteStream names blobs.
  std::string ToString() const;

  friend auto operator<=>(const Digest&, const Digest&) = default;
};

std::string HexOf(const Sha256& sha256);

// Reads "<64 hex digits>/<decimal size>".
Result<Digest> ParseDigest(std::string_view text);

Digest DigestOf(std::string_view bytes);

// SHA-256 over bytes that arrive in pieces.
class Hasher {
 public:
  Hasher();
  Hasher(Hasher&&) noexcept;
  Hasher& operator=(Hasher&&) noexcept;
  ~Hasher();

  void Update(std::string_view bytes);
  // The digest of all bytes so far; the hasher is spent afterwards.
  Digest Finish() &&;

 private:
  struct Context;
  std::unique_ptr<Context> context_;
  u64 size_bytes_ = 0;
};

// Takes fields one by one for a digest over a record. Each is preceded by its length, so that
// ("ab", "c") and
// ("a", "bc") differ.
class FieldHasher {
 public:
  FieldHasher& Add(std::string_view field);
  FieldHasher& Add(u64 field);
  FieldHasher& Add(const Digest& field);
  Sha256 Finish() &&;

 private:
  Hasher hasher_;
};

}  // namespace ptxfarm

template <>
struct std::hash<ptxfarm::Digest> {
  // SHA-256 is uniform: any eight bytes of it are a hash.
  std::size_t operator()(const ptxfarm::Digest& digest) const noexcept {
    std::size_t value = 0;
    for (std::size_t i = 0; i < sizeof(value); ++i) value = value << 8 | digest.sha256[i];
    return value;
  }
};

template <>
struct fmt::formatter<ptxfarm::Digest> : fmt::formatter<std::string> {
  template <typename FormatContext>
  auto format(const ptxfarm::Digest& digest, FormatContext& context) const {
    return fmt::formatter<std::string>::format(digest.Hex(), context);
  }
};

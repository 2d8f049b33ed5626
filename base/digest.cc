#include "base/digest.h"

#include <charconv>

#include <openssl/evp.h>

namespace ptxfarm {

struct Hasher::Context {
  Context() : evp(EVP_MD_CTX_new()) {
    PTXFARM_CHECK(evp != nullptr, "out of memory");
    PTXFARM_CHECK(EVP_DigestInit_ex(evp, Algorithm(), nullptr) == 1);
  }
  ~Context() { EVP_MD_CTX_free(evp); }
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;

  // Looked up once: OpenSSL 3 searches its providers at each fetch, which costs more than hashing a
  // small blob.
  static const EVP_MD* Algorithm() {
    static const EVP_MD* const algorithm = EVP_MD_fetch(nullptr, "SHA256", nullptr);
    PTXFARM_CHECK(algorithm != nullptr, "OpenSSL has no SHA-256");
    return algorithm;
  }

  EVP_MD_CTX* evp;
};

Hasher::Hasher() : context_(std::make_unique<Context>()) {}
Hasher::Hasher(Hasher&&) noexcept = default;
Hasher& Hasher::operator=(Hasher&&) noexcept = default;
Hasher::~Hasher() = default;

void Hasher::Update(std::string_view bytes) {
  PTXFARM_CHECK(EVP_DigestUpdate(context_->evp, bytes.data(), bytes.size()) == 1);
  size_bytes_ += bytes.size();
}

Digest Hasher::Finish() && {
  Digest digest{.size_bytes = size_bytes_};
  PTXFARM_CHECK(EVP_DigestFinal_ex(context_->evp, digest.sha256.data(), nullptr) == 1);
  return digest;
}

Digest DigestOf(std::string_view bytes) {
  Hasher hasher;
  hasher.Update(bytes);
  return std::move(hasher).Finish();
}

FieldHasher& FieldHasher::Add(std::string_view field) {
  Add(u64{field.size()});
  hasher_.Update(field);
  return *this;
}

FieldHasher& FieldHasher::Add(u64 field) {
  char bytes[8];
  for (char& byte : bytes) {
    byte = static_cast<char>(field & 0xff);
    field >>= 8;
  }
  hasher_.Update({bytes, sizeof(bytes)});
  return *this;
}

FieldHasher& FieldHasher::Add(const Digest& field) {
  Add(std::string_view(reinterpret_cast<const char*>(field.sha256.data()), field.sha256.size()));
  return Add(field.size_bytes);
}

Sha256 FieldHasher::Finish() && { return std::move(hasher_).Finish().sha256; }

std::string HexOf(const Sha256& sha256) {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string hex;
  hex.reserve(2 * sha256.size());
  for (const u8 byte : sha256) {
    hex.push_back(kDigits[byte >> 4]);
    hex.push_back(kDigits[byte & 15]);
  }
  return hex;
}

std::string Digest::Hex() const { return HexOf(sha256); }

std::string Digest::ToString() const { return fmt::format("{}/{}", Hex(), size_bytes); }

Result<Digest> ParseDigest(std::string_view text) {
  const Error malformed = MakeError(
      Code::kInvalidArgument, "'{}' is not a digest (64 hexadecimal digits, '/', size in bytes)",
      text.substr(0, 100));
  const auto hex_value = [](char c) -> int {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    return -1;
  };
  Digest digest;
  constexpr std::size_t kHexDigits = 64;
  if (text.size() < kHexDigits + 2 || text[kHexDigits] != '/') return malformed;
  for (std::size_t i = 0; i < digest.sha256.size(); ++i) {
    const int high = hex_value(text[2 * i]);
    const int low = hex_value(text[2 * i + 1]);
    if (high < 0 || low < 0) return malformed;
    digest.sha256[i] = static_cast<u8>(high << 4 | low);
  }
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data() + kHexDigits + 1, end, digest.size_bytes);
  if (error != std::errc() || rest != end) return malformed;
  return digest;
}

}  // namespace ptxfarm

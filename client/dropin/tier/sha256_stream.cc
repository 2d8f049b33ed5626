// The functions are deprecated in favour of the providers that this file exists to avoid.
#define OPENSSL_SUPPRESS_DEPRECATED
#include "client/dropin/tier/sha256_stream.h"

#include <cstring>
#include <string>

#include <openssl/sha.h>

namespace ptxfarm::dropin {
namespace {

SHA256_CTX* ContextIn(std::array<u64, 14>& storage) {
  static_assert(sizeof(SHA256_CTX) <= sizeof(storage));
  static_assert(alignof(SHA256_CTX) <= alignof(u64));
  return reinterpret_cast<SHA256_CTX*>(storage.data());
}

}  // namespace

Sha256Stream::Sha256Stream() { SHA256_Init(ContextIn(context_)); }

void Sha256Stream::Update(std::string_view bytes) {
  SHA256_Update(ContextIn(context_), bytes.data(), bytes.size());
}

void Sha256Stream::UpdateField(std::string_view field) {
  UpdateNumber(field.size());
  Update(field);
}

void Sha256Stream::UpdateNumber(u64 number) {
  char bytes[sizeof(number)];
  std::memcpy(bytes, &number, sizeof(number));
  Update({bytes, sizeof(bytes)});
}

Sha256 Sha256Stream::Finish() {
  Sha256 digest;
  SHA256_Final(digest.data(), ContextIn(context_));
  return digest;
}

Sha256 Sha256Of(std::string_view bytes) {
  Sha256Stream stream;
  stream.Update(bytes);
  return stream.Finish();
}

std::string NameOf(const Sha256& key) {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string name;
  name.reserve(2 * key.size());
  for (const u8 byte : key) {
    name.push_back(kDigits[byte >> 4]);
    name.push_back(kDigits[byte & 15]);
  }
  return name;
}

}  // namespace ptxfarm::dropin

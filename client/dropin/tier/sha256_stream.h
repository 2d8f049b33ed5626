// SHA-256 for programs that live for a millisecond.
//
// base/digest.h asks OpenSSL's providers, which takes 1.5 ms to set up (measured; static program):
// thrice what an empty process takes. The functions below the providers are the same code without
// that, and come out of libcrypto's archive alone.
#pragma once

#include <array>
#include <string_view>

#include "base/digest.h"

namespace ptxfarm::dropin {

class Sha256Stream {
 public:
  Sha256Stream();

  void Update(std::string_view bytes);
  // Preceded by its length, so that ("ab", "c") and ("a", "bc") differ.
  void UpdateField(std::string_view field);
  void UpdateNumber(u64 number);
  // The stream is spent afterwards.
  Sha256 Finish();

 private:
  std::array<u64, 14> context_;  // SHA256_CTX.
};

Sha256 Sha256Of(std::string_view bytes);

// 64 hexadecimal digits.
std::string NameOf(const Sha256& key);

}  // namespace ptxfarm::dropin

// Every store there is, and every way of wrapping one: the shared tests run over each.
#pragma once

#include <functional>
#include <ostream>
#include <random>
#include <string>

#include "base/clock.h"
#include "store/backend.h"
#include "store/blob.h"

namespace ptxfarm::test {

// What a stack is made with, where it has the like.
struct StackOptions {
  std::string path;
  u64 bytes_max = 0;
  std::chrono::seconds age_max{0};
};

struct Stack {
  const char* name;
  Result<BackendParts> (*open)(const StackOptions& options, const Clock& clock);
  bool checks_digests = false;
  bool persists = false;

  friend void PrintTo(const Stack& stack, std::ostream* out) { *out << stack.name; }
};

const std::vector<Stack>& Stacks();

// `size` bytes that don't compress, the same for the same seed.
inline std::string Noise(std::size_t size, u64 seed = 1) {
  std::mt19937_64 random(seed);
  std::string bytes(size, '\0');
  for (std::size_t at = 0; at < size; at += sizeof(u64)) {
    const u64 word = random();
    bytes.replace(at, sizeof(word), reinterpret_cast<const char*>(&word),
                  std::min(sizeof(word), size - at));
  }
  return bytes;
}

// A digest of an action, by number.
inline Sha256 ActionNumber(u64 number) {
  return DigestOf("action " + std::to_string(number)).sha256;
}

}  // namespace ptxfarm::test

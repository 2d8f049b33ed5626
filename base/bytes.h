// Reading and writing little-endian fields of binary formats, with every read inside its bounds.
#pragma once

#include <bit>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

#include "base/int.h"

namespace ptxfarm {

static_assert(std::endian::native == std::endian::little,
              "the formats and this code are little-endian");

// The T at `offset`, or nothing where it would lie outside. T is trivially copyable; no alignment
// is asked.
template <typename T>
std::optional<T> ReadAt(std::string_view bytes, u64 offset) {
  static_assert(std::is_trivially_copyable_v<T>);
  if (offset > bytes.size() || bytes.size() - offset < sizeof(T)) return std::nullopt;
  T value;
  std::memcpy(&value, bytes.data() + offset, sizeof(T));
  return value;
}

// `size` bytes at `offset`, or nothing where they would lie outside; never overflows.
inline std::optional<std::string_view> SliceAt(std::string_view bytes, u64 offset, u64 size) {
  if (offset > bytes.size() || bytes.size() - offset < size) return std::nullopt;
  return bytes.substr(offset, size);
}

template <typename T>
void AppendTo(std::string& bytes, const T& value) {
  static_assert(std::is_trivially_copyable_v<T>);
  bytes.append(reinterpret_cast<const char*>(&value), sizeof(T));
}

template <typename T>
void WriteAt(std::string& bytes, u64 offset, const T& value) {
  static_assert(std::is_trivially_copyable_v<T>);
  bytes.replace(offset, sizeof(T), reinterpret_cast<const char*>(&value), sizeof(T));
}

// The next multiple of `alignment`, a power of two.
constexpr u64 AlignUp(u64 value, u64 alignment) {
  return (value + alignment - 1) & ~(alignment - 1);
}

}  // namespace ptxfarm

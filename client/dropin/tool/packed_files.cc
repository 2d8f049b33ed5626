#include "client/dropin/tool/packed_files.h"

#include <limits>

#include "base/bytes.h"
#include "base/int.h"

namespace ptxfarm::dropin {
namespace {

constexpr u64 kNoFile = std::numeric_limits<u64>::max();

}  // namespace

std::string PackFiles(const Files& files) {
  std::string bytes;
  for (const std::optional<std::string>& file : files) {
    AppendTo(bytes, file ? u64{file->size()} : kNoFile);
    if (file) bytes += *file;
  }
  return bytes;
}

std::optional<Files> UnpackFiles(std::string_view bytes) {
  Files files;
  while (!bytes.empty()) {
    const std::optional<u64> size = ReadAt<u64>(bytes, 0);
    if (!size) return std::nullopt;
    bytes.remove_prefix(sizeof(u64));
    if (*size == kNoFile) {
      files.emplace_back();
      continue;
    }
    if (*size > bytes.size()) return std::nullopt;
    files.emplace_back(bytes.substr(0, *size));
    bytes.remove_prefix(*size);
  }
  return files;
}

}  // namespace ptxfarm::dropin

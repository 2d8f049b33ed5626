#include "worker/confine/request.h"

#include <charconv>
#include <cstring>
#include <optional>
#include <string_view>

namespace ptxfarm::confine {
namespace {

template <typename T>
bool ReadNumber(std::string_view text, T& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size();
}

bool ReadMode(std::string_view text, Mode& mode) {
  if (text == "off") mode = Mode::kOff;
  if (text == "best-effort") mode = Mode::kBestEffort;
  if (text == "required") mode = Mode::kRequired;
  return text == "off" || text == "best-effort" || text == "required";
}

bool Append(const char* path, std::array<const char*, kPathsMax>& storage,
            std::span<const char* const>& used) {
  if (used.size() == kPathsMax) return false;
  storage[used.size()] = path;
  used = std::span<const char* const>(storage.data(), used.size() + 1);
  return true;
}

// The rest of `word` behind "--name=", still ended by its NUL.
const char* ValueOf(const char* word, std::string_view name) {
  const std::string_view text(word);
  if (!text.starts_with(name) || text.size() <= name.size() || text[name.size()] != '=')
    return nullptr;
  return word + name.size() + 1;
}

bool ReadWord(const char* word, Request& request) {
  if (std::strcmp(word, "--probe") == 0) return request.probe = true;
  if (const char* const v = ValueOf(word, "--mode")) return ReadMode(v, request.mode);
  if (const char* const v = ValueOf(word, "--folder")) return (request.folder = v) != nullptr;
  if (const char* const v = ValueOf(word, "--read"))
    return Append(v, request.read_storage, request.read_paths);
  if (const char* const v = ValueOf(word, "--group"))
    return Append(v, request.group_storage, request.group_files);
  if (const char* const v = ValueOf(word, "--memory-bytes"))
    return ReadNumber(v, request.memory_bytes);
  if (const char* const v = ValueOf(word, "--file-bytes")) return ReadNumber(v, request.file_bytes);
  if (const char* const v = ValueOf(word, "--cpu-seconds"))
    return ReadNumber(v, request.cpu_seconds);
  if (const char* const v = ValueOf(word, "--threads")) return ReadNumber(v, request.threads);
  if (const char* const v = ValueOf(word, "--report-fd")) return ReadNumber(v, request.report_fd);
  if (const char* const v = ValueOf(word, "--parent")) return ReadNumber(v, request.parent);
  return false;
}

}  // namespace

bool ReadRequest(int argc, char** argv, Request& request) {
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--") == 0) {
      if (i + 1 == argc) return false;
      request.program = argv + i + 1;
      break;
    }
    if (!ReadWord(argv[i], request)) return false;
  }
  if (request.probe) return request.program == nullptr && request.folder != nullptr;
  return request.program != nullptr && request.program[0][0] == '/' && request.folder != nullptr;
}

}  // namespace ptxfarm::confine

#include "base/wrapper_script.h"

#include <algorithm>
#include <array>

namespace ptxfarm {
namespace {

constexpr std::string_view kBlank = " \t\r";

// Cut off at the next `end`, or whole.
std::string_view TakeTo(std::string_view& text, char end) {
  const std::size_t at = std::min(text.find(end), text.size());
  const std::string_view taken = text.substr(0, at);
  text.remove_prefix(std::min(at + 1, text.size()));
  return taken;
}

std::string_view Trimmed(std::string_view line) {
  const std::size_t from = std::min(line.find_first_not_of(kBlank), line.size());
  line.remove_prefix(from);
  return line.substr(0, line.find_last_not_of(kBlank) + 1);
}

bool IsShell(std::string_view first_line) {
  if (!first_line.starts_with("#!")) return false;
  constexpr std::array<std::string_view, 6> kShells = {"/bin/sh",         "/bin/bash",
                                                       "/usr/bin/sh",     "/usr/bin/bash",
                                                       "/usr/bin/env sh", "/usr/bin/env bash"};
  return std::ranges::find(kShells, Trimmed(first_line.substr(2))) != kShells.end();
}

// Of characters that no shell reads as anything else, also without quotes.
bool IsPlainPath(std::string_view path) {
  const auto is_plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("/._-+@:,=").find(c) != std::string_view::npos;
  };
  return path.starts_with('/') && std::ranges::all_of(path, is_plain);
}

// `exec PATH "$@"`
std::optional<std::string> ExecutedByLine(std::string_view line) {
  constexpr std::string_view kExec = "exec ", kWords = " \"$@\"";
  if (!line.starts_with(kExec) || !line.ends_with(kWords) ||
      line.size() < kExec.size() + kWords.size())
    return std::nullopt;
  line.remove_prefix(kExec.size());
  line.remove_suffix(kWords.size());
  line = Trimmed(line);
  if (line.size() > 2 && (line.front() == '"' || line.front() == '\'') &&
      line.front() == line.back())
    line = line.substr(1, line.size() - 2);
  return IsPlainPath(line) ? std::optional<std::string>(line) : std::nullopt;
}

}  // namespace

std::optional<std::string> ExecutedByScript(std::string_view script) {
  if (script.size() > kWrapperBytesMax || !IsShell(TakeTo(script, '\n'))) return std::nullopt;
  std::optional<std::string> executed;
  while (!script.empty()) {
    const std::string_view line = Trimmed(TakeTo(script, '\n'));
    if (line.empty() || line.starts_with('#')) continue;
    if (executed) return std::nullopt;
    executed = ExecutedByLine(line);
    if (!executed) return std::nullopt;
  }
  return executed;
}

}  // namespace ptxfarm

#include "base/diagnostic.h"

#include <fmt/format.h>

namespace ptxfarm {
namespace {

const char* NameOf(Severity severity) {
  switch (severity) {
    case Severity::kError: return "error";
    case Severity::kWarning: return "warning";
    case Severity::kNote: return "note";
  }
  return "error";
}

}  // namespace

std::string Format(const Diagnostic& diagnostic, const std::string& file) {
  std::string text = file;
  if (diagnostic.place.line != 0) {
    text += fmt::format(":{}", diagnostic.place.line);
    if (diagnostic.place.column != 0) text += fmt::format(":{}", diagnostic.place.column);
  }
  text += fmt::format(": {}: {}", NameOf(diagnostic.severity), diagnostic.message);
  if (!diagnostic.hint.empty()) text += fmt::format("; {}", diagnostic.hint);
  if (!diagnostic.kind.empty()) text += fmt::format(" [{}]", diagnostic.kind);
  if (!diagnostic.section.empty()) text += fmt::format(" (PTX ISA §{})", diagnostic.section);
  return text;
}

}  // namespace ptxfarm

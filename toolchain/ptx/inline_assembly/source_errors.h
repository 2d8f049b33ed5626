// Diagnostics with places in a source of C++, which may be many.
#pragma once

#include <algorithm>
#include <vector>

#include "toolchain/ptx/diagnostic_kinds.h"
#include "toolchain/ptx/inline_assembly/mapped_text.h"
#include "toolchain/ptx/source.h"

namespace ptxfarm::ptx {

// Finds the place of any offset by its line; a file has as many statements as it likes.
class LinePlaces {
 public:
  explicit LinePlaces(std::string_view text) {
    starts_.push_back(text.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0);
    for (std::size_t at = text.find('\n'); at != text.npos; at = text.find('\n', at + 1))
      starts_.push_back(at + 1);
  }

  Place PlaceAt(u32 offset) const {
    const auto behind = std::upper_bound(starts_.begin() + 1, starts_.end(), offset);
    const std::size_t start = *(behind - 1);
    return {.line = static_cast<u32>(behind - starts_.begin()),
            .column = offset < start ? 1 : static_cast<u32>(offset - start) + 1};
  }
  // The offset of a place that PlaceAt gave, or another one in a line of the text.
  u32 OffsetOf(Place place) const {
    const std::size_t line = std::min<std::size_t>(place.line, starts_.size());
    return line == 0 ? 0 : static_cast<u32>(starts_[line - 1]) + std::max(place.column, 1u) - 1;
  }
  // The length of a mark: it ends with its line.
  u32 LengthOf(SourceSpan span) const {
    const auto behind = std::upper_bound(starts_.begin() + 1, starts_.end(), span.begin);
    const std::size_t line_end = behind == starts_.end() ? span.end : *behind - 1;
    return static_cast<u32>(std::min<std::size_t>(span.end, line_end)) - span.begin;
  }

 private:
  std::vector<std::size_t> starts_;
};

// Diagnostics of one file, up to a bound.
class SourceErrors {
 public:
  explicit SourceErrors(const LinePlaces& places) : places_(&places) {}

  template <const DiagnosticKind& kind, typename... Args>
  Diagnostic& Report(SourceSpan span, Args&&... args) {
    Diagnostic diagnostic = Diagnose<kind>({}, std::forward<Args>(args)...);
    return Add(std::move(diagnostic), span);
  }
  Diagnostic& Add(Diagnostic diagnostic, SourceSpan span) {
    if (diagnostics_.size() >= kDiagnosticsMax) return dropped_ = std::move(diagnostic);
    diagnostic.place = places_->PlaceAt(span.begin);
    diagnostic.length = places_->LengthOf(span);
    diagnostics_.push_back(std::move(diagnostic));
    return diagnostics_.back();
  }
  Place PlaceOf(SourceSpan span) const { return places_->PlaceAt(span.begin); }
  Diagnostics Take() { return std::move(diagnostics_); }

 private:
  static constexpr std::size_t kDiagnosticsMax = 10'000;

  const LinePlaces* places_;
  Diagnostics diagnostics_;
  Diagnostic dropped_;
};

}  // namespace ptxfarm::ptx

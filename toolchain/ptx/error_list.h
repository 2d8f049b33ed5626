// The errors that one phase finds.
#pragma once

#include <algorithm>
#include <utility>

#include "toolchain/ptx/diagnostic_kinds.h"
#include "toolchain/ptx/source.h"

namespace ptxfarm::ptx {

// Errors of one phase, up to a bound: a wrong file can make thousands, and each costs a count of
// the lines before it.
class ErrorList {
 public:
  explicit ErrorList(const Source& source) : source_(&source) {}

  // At a point of the text. What is returned may be completed: hint, section, related places.
  template <const DiagnosticKind& kind, typename... Args>
  Diagnostic& Report(u32 offset, Args&&... args) {
    if (is_full()) return dropped_ = {};
    errors_.push_back(Diagnose<kind>(source_->PlaceAt(offset), std::forward<Args>(args)...));
    return errors_.back();
  }
  // At the bytes from `begin` to `end`.
  template <const DiagnosticKind& kind, typename... Args>
  Diagnostic& ReportSpan(u32 begin, u32 end, Args&&... args) {
    Diagnostic& diagnostic = Report<kind>(begin, std::forward<Args>(args)...);
    diagnostic.length = end - begin;
    return diagnostic;
  }

  // One that is made but for its place.
  void Add(Diagnostic diagnostic, u32 begin, u32 end) {
    if (is_full()) return;
    diagnostic.place = source_->PlaceAt(begin);
    diagnostic.length = end - begin;
    errors_.push_back(std::move(diagnostic));
  }

  const Source& source() const { return *source_; }
  template <const DiagnosticKind& kind>
  bool Has() const {
    return std::any_of(errors_.begin(), errors_.end(),
                       [](const Diagnostic& diagnostic) { return diagnostic.kind == kind.name; });
  }
  bool empty() const { return errors_.empty(); }
  bool is_full() const { return errors_.size() >= kErrorsMax; }
  Diagnostics Take() { return std::move(errors_); }

 private:
  static constexpr std::size_t kErrorsMax = 50;

  const Source* source_;
  Diagnostics errors_;
  Diagnostic dropped_;  // Takes what is completed of a diagnostic beyond the bound.
};

}  // namespace ptxfarm::ptx

// The errors that one phase finds.
#pragma once

#include <utility>

#include "toolchain/ptx/diagnostic_kinds.h"
#include "toolchain/ptx/source.h"

namespace ptxfarm::ptx {

// Errors of one phase, up to a bound: a wrong file can make thousands, and each costs a count of
// the lines before it.
class ErrorList {
 public:
  explicit ErrorList(const Source& source) : source_(&source) {}

  template <const DiagnosticKind& kind, typename... Args>
  void Report(u32 offset, Args&&... args) {
    if (errors_.size() < kErrorsMax)
      errors_.push_back(Diagnose<kind>(source_->PlaceAt(offset), std::forward<Args>(args)...));
  }

  bool empty() const { return errors_.empty(); }
  Diagnostics Take() { return std::move(errors_); }

 private:
  static constexpr std::size_t kErrorsMax = 20;

  const Source* source_;
  Diagnostics errors_;
};

}  // namespace ptxfarm::ptx

// The reader of asm statements over anything that calls itself C++: no fault, places inside the
// text and in order, and the verdict agrees with what is said.
#include <algorithm>
#include <string_view>

#include "base/check.h"
#include "toolchain/ptx/inline_assembly/check_inline.h"

using namespace ptxfarm;       // NOLINT: the fuzzer's own file
using namespace ptxfarm::ptx;  // NOLINT

extern "C" int LLVMFuzzerTestOneInput(const u8* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const Source source{"fuzz", text};
  for (const InlineOptions& options : {InlineOptions{}, InlineOptions{{*ParseTarget("sm_90a")}}}) {
    const InlineCheckResult result = CheckInline(source, options);
    const auto lines = static_cast<u32>(std::count(text.begin(), text.end(), '\n')) + 1;
    Place last;
    bool has_error = false;
    for (const Diagnostic& one : result.diagnostics) {
      PTXFARM_CHECK(last <= one.place, "diagnostics out of order");
      PTXFARM_CHECK(one.place.line >= 1 && one.place.line <= lines, "a place outside the text");
      has_error |= one.severity == Severity::kError;
      last = one.place;
    }
    PTXFARM_CHECK(result.is_accepted != has_error, "rejected without a word, or accepted with one");
  }
  return 0;
}

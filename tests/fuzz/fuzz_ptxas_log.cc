// What a compiler says is partly what its input made it say: any bytes may come, and what is made
// of them is bounded.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/check.h"
#include "worker/ptxas/log.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace ptxfarm;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const worker::CompilerLog log = worker::ReadLog(text);
  PTXFARM_CHECK(log.text.size() <= action::kLogBytesMax);
  PTXFARM_CHECK(log.text.size() <= size + 1);
  bool has_error = false;
  for (const auto& [diagnostic, subject, name] : log.diagnostics) {
    PTXFARM_CHECK(!diagnostic.kind.empty());
    for (const char c : diagnostic.message) PTXFARM_CHECK(c >= ' ' || c < 0);
    has_error |= diagnostic.severity == Severity::kError;
  }
  PTXFARM_CHECK(has_error == (log.outcome != action::Outcome::kOk));
  // The stored text reads as the log did, but for where it was cut.
  if (log.text.size() < action::kLogBytesMax - size) {
    const worker::CompilerLog again = worker::ReadLog(log.text);
    PTXFARM_CHECK(again.diagnostics == log.diagnostics);
    PTXFARM_CHECK(again.functions == log.functions);
  }
  return 0;
}

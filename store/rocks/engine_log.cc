#include "store/rocks/engine_log.h"

#include <algorithm>
#include <cstdio>
#include <string_view>

namespace ptxfarm::rocks {

void EngineLog::Logv(const char* format, va_list arguments) {
  if (observer_ == nullptr) return;
  char line[1024];
  const int size = std::vsnprintf(line, sizeof(line), format, arguments);
  if (size <= 0) return;
  std::string_view text(line, std::min(static_cast<std::size_t>(size), sizeof(line) - 1));
  while (text.ends_with('\n')) text.remove_suffix(1);
  observer_->Warned(text);
}

}  // namespace ptxfarm::rocks

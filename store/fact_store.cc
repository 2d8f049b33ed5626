#include "store/fact_store.h"

namespace ptxfarm {

Status CheckFact(std::string_view key, std::string_view value) {
  if (key.size() > kFactKeyBytesMax)
    return MakeError(Code::kInvalidArgument, "a fact's key of {} bytes; at most {}", key.size(),
                     kFactKeyBytesMax);
  if (value.size() > kFactValueBytesMax)
    return MakeError(Code::kInvalidArgument, "a fact of {} bytes; at most {}", value.size(),
                     kFactValueBytesMax);
  return Ok{};
}

}  // namespace ptxfarm

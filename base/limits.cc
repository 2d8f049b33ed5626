#include "base/limits.h"

namespace ptxfarm {

Error Limit::Exceeded(std::string_view what, u64 found) const {
  return MakeError(Code::kResourceExhausted, "{} is {}; {} is {}", what, found, name, value);
}

}  // namespace ptxfarm

// Where damaged blobs go: out of the store, so that they are made again, and aside, so that
// somebody can look at them.
#pragma once

#include <string_view>

#include "base/digest.h"

namespace ptxfarm {

class Quarantine {
 public:
  virtual ~Quarantine() = default;

  // Takes the blob out of the store, keeps what can be read of it aside up to a bound, and counts
  // it. `why` is for the log. There is no error: a blob that can't be taken out stays unreadable,
  // and is reported again when it is read again.
  virtual void Isolate(const Digest& digest, std::string_view why) = 0;
};

}  // namespace ptxfarm

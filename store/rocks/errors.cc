#include "store/rocks/errors.h"

namespace ptxfarm::rocks {

Error ToError(const rocksdb::Status& status, std::string_view doing, std::string_view path) {
  PTXFARM_CHECK(!status.ok(), doing);
  if (status.IsNoSpace())
    return MakeError(Code::kResourceExhausted,
                     "{}: the disk under {} is full; free space there, or lower the store's cap",
                     doing, path);
  // A file that isn't there any more is as bad as one that can't be read.
  if (status.IsCorruption() || status.IsPathNotFound())
    return MakeError(Code::kDataLoss, "{}: {} is damaged: {}", doing, path, status.ToString());
  if (status.IsNotFound()) return MakeError(Code::kNotFound, "{}: {}", doing, status.ToString());
  if (status.IsInvalidArgument() || status.IsNotSupported())
    return MakeError(Code::kInternal, "{}: {}", doing, status.ToString());
  return MakeError(Code::kUnavailable, "{}: {}: {}", doing, path, status.ToString());
}

}  // namespace ptxfarm::rocks

#include "base/result.h"

#include <cerrno>
#include <system_error>

namespace ptxfarm {

std::string_view CodeName(Code code) {
  switch (code) {
    case Code::kOk: return "OK";
    case Code::kCancelled: return "CANCELLED";
    case Code::kUnknown: return "UNKNOWN";
    case Code::kInvalidArgument: return "INVALID_ARGUMENT";
    case Code::kDeadlineExceeded: return "DEADLINE_EXCEEDED";
    case Code::kNotFound: return "NOT_FOUND";
    case Code::kAlreadyExists: return "ALREADY_EXISTS";
    case Code::kPermissionDenied: return "PERMISSION_DENIED";
    case Code::kResourceExhausted: return "RESOURCE_EXHAUSTED";
    case Code::kFailedPrecondition: return "FAILED_PRECONDITION";
    case Code::kAborted: return "ABORTED";
    case Code::kOutOfRange: return "OUT_OF_RANGE";
    case Code::kUnimplemented: return "UNIMPLEMENTED";
    case Code::kInternal: return "INTERNAL";
    case Code::kUnavailable: return "UNAVAILABLE";
    case Code::kDataLoss: return "DATA_LOSS";
    case Code::kUnauthenticated: return "UNAUTHENTICATED";
  }
  return "UNKNOWN";  // A number from the wire that no enumerator names.
}

std::string Error::ToString() const { return fmt::format("{}: {}", CodeName(code), message); }

namespace {

Code CodeOfErrno(int errno_value) {
  switch (errno_value) {
    case ENOENT: return Code::kNotFound;
    case EEXIST: return Code::kAlreadyExists;
    case EACCES:
    case EPERM:
    case EROFS: return Code::kPermissionDenied;
    case ENOSPC:
    case EDQUOT:
    case EMFILE:
    case ENFILE:
    case ENOMEM:
    case EFBIG: return Code::kResourceExhausted;
    case EISDIR:
    case ENOTDIR:
    case EINVAL:
    case ENAMETOOLONG: return Code::kInvalidArgument;
    case ECONNREFUSED:
    case ECONNRESET:
    case EPIPE:
    case EAGAIN: return Code::kUnavailable;
    case ETIMEDOUT: return Code::kDeadlineExceeded;
    case EIO: return Code::kDataLoss;
    default: return Code::kUnknown;
  }
}

}  // namespace

Error ErrnoError(int errno_value, std::string_view what) {
  return MakeError(CodeOfErrno(errno_value), "{}: {}", what,
                   std::generic_category().message(errno_value));
}

}  // namespace ptxfarm

// The edge between our code and C: errors become a status and an object, and nothing is thrown out.
#pragma once

#include <exception>
#include <new>
#include <string>
#include <utility>

#include "base/result.h"
#include "client/c/include/ptxfarm/ptxfarm.h"

struct ptxfarm_error {
  ptxfarm_status status;
  std::string message;
};

namespace ptxfarm::c_api {

// Says a failure in C; null where the caller doesn't want it.
inline ptxfarm_status Fail(ptxfarm_error** error, Code code, std::string message) noexcept {
  const ptxfarm_status status = static_cast<ptxfarm_status>(code);
  if (error != nullptr) *error = new (std::nothrow) ptxfarm_error{status, std::move(message)};
  return status;
}

// Runs `make` (which returns Result<std::unique_ptr<T>>) and hands out what it made. Libraries
// below us throw where memory is out, and no C caller can catch that.
template <typename T, typename Make>
ptxfarm_status Guard(T** output, ptxfarm_error** error, const Make& make) noexcept {
  if (error != nullptr) *error = nullptr;
  if (output == nullptr) return Fail(error, Code::kInvalidArgument, "no place for the output");
  *output = nullptr;
  try {
    auto made = make();
    if (!made) return Fail(error, made.error().code, std::move(made.error().message));
    *output = (*std::move(made)).release();
    return PTXFARM_OK;
  } catch (const std::bad_alloc&) {
    return Fail(error, Code::kResourceExhausted, {});
  } catch (const std::exception& exception) {
    return Fail(error, Code::kInternal, exception.what());
  }
}

}  // namespace ptxfarm::c_api

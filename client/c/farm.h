// A farm as C holds it, and how it is found.
#pragma once

#include <algorithm>
#include <cstring>

#include "client/c/include/ptxfarm/ptxfarm.h"
#include "client/lib/client.h"

struct ptxfarm_farm {
  ptxfarm::client::Client client;
};

struct ptxfarm_cancel {
  ptxfarm::client::CancelToken token;
};

namespace ptxfarm::c_api {

// "" for null.
inline const char* TextOf(const char* text) { return text == nullptr ? "" : text; }

// The token of a call: one that nobody cancels for null.
inline client::CancelToken TokenOf(const ptxfarm_cancel* cancel) {
  return cancel == nullptr ? client::CancelToken() : cancel->token;
}

// Copies what a caller filled of a struct that may be older and so shorter, or newer, than ours;
// INVALID_ARGUMENT where its size is none.
template <typename T>
Result<T> ReadStruct(const T& given, T defaults) {
  constexpr std::size_t kBytesMax = 4096;  // None was ever as large: the caller left it unset.
  const std::size_t bytes = given.struct_bytes;
  if (bytes < sizeof(std::size_t) || bytes > kBytesMax)
    return Error{Code::kInvalidArgument,
                 "struct_bytes is not set; begin with PTXFARM_…_OPTIONS_INIT"};
  std::memcpy(static_cast<void*>(&defaults), &given, std::min(bytes, sizeof(T)));
  return defaults;
}

}  // namespace ptxfarm::c_api

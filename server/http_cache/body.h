// A request's body on its way into the store, a chunk at a time.
#pragma once

#include <functional>
#include <string>

#include "store/blob.h"
#include "telemetry/http.h"

namespace ptxfarm::http_cache {

// How many bytes the body will have, where the request says so; nothing where it comes in chunks or
// compressed.
std::optional<u64> DeclaredBytes(const telemetry::HttpRequest& request);

// Reads the body, cuts it into chunks for `take` (which may be null), and returns its digest. Holds
// one chunk. Errors are those of HttpRequest::read_body, or of `take`.
Result<Digest> ReadChunks(const telemetry::HttpRequest& request,
                          const std::function<Status(Chunk chunk)>& take);

}  // namespace ptxfarm::http_cache

// Whole blobs between memory and a server, checked against their digests.
#pragma once

#include <string>
#include <string_view>

#include "client/lib/client.h"
#include "rpc/channel.h"
#include "store/blob.h"

namespace ptxfarm::client {

// The plain bytes; DATA_LOSS where they aren't those of the digest.
Result<std::string> CheckedPlain(const Blob& blob);

// Chunk by chunk, so that `cancel` ends it. Errors are the server's, not yet explained.
Result<std::string> DownloadBlob(const rpc::Channel& channel, const Digest& digest,
                                 const CancelToken& cancel);
Status UploadBlob(const rpc::Channel& channel, std::string_view bytes, const Digest& digest,
                  const CancelToken& cancel);

}  // namespace ptxfarm::client

// A BlobStore that lies on a server: workers and clients see no difference.
#pragma once

#include <memory>

#include "rpc/channel.h"
#include "store/blob_store.h"

namespace ptxfarm::rpc {

// Calls block; errors are the server's. Wrap it WithDigestCheck (store/with_digest_check.h): the
// network may lie. A reader or writer that is destroyed early cancels its stream.
std::unique_ptr<BlobStore> MakeRemoteBlobStore(Channel channel);

}  // namespace ptxfarm::rpc

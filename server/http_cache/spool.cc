#include "server/http_cache/spool.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>

#include "base/file.h"

namespace ptxfarm::http_cache {

Spool::~Spool() {
  if (file_ >= 0) ::close(file_);
}

Status Spool::Append(const Chunk& chunk) {
  const u64 bytes = chunk.bytes->size();
  if (file_ < 0 && memory_bytes_ + bytes <= kMemoryBytesMax) {
    memory_bytes_ += bytes;
    chunks_.push_back(chunk);
    return Ok{};
  }
  if (file_ < 0) PTXFARM_RETURN_IF_ERROR(OpenFile());
  PTXFARM_RETURN_IF_ERROR(WriteFile(*chunk.bytes));
  rows_.push_back({chunk.encoding, chunk.plain_bytes, bytes});
  return Ok{};
}

Status Spool::CopyTo(BlobWriter& writer) const {
  for (const Chunk& chunk : chunks_) PTXFARM_RETURN_IF_ERROR(writer.Append(chunk));
  u64 offset = 0;
  for (const Row& row : rows_) {
    PTXFARM_ASSIGN_OR_RETURN(std::string bytes, ReadFile(offset, row.encoded_bytes));
    offset += row.encoded_bytes;
    PTXFARM_RETURN_IF_ERROR(writer.Append(
        {row.encoding, row.plain_bytes, std::make_shared<const std::string>(std::move(bytes))}));
  }
  return Ok{};
}

// Without a name from the first instant where the file system can; else the name is gone at once.
// Either way nothing is left behind, however the process ends.
Status Spool::OpenFile() {
  file_ = ::open(folder_.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (file_ >= 0) return Ok{};
  std::string name = folder_ + "/upload-XXXXXX";
  file_ = ::mkostemp(name.data(), O_CLOEXEC);
  if (file_ < 0)
    return ErrnoError(errno, fmt::format("create a file for an upload in {}", folder_));
  ::unlink(name.c_str());
  return Ok{};
}

Status Spool::WriteFile(std::string_view bytes) {
  return WriteDescriptor(file_, bytes, fmt::format("an upload in {}", folder_));
}

Result<std::string> Spool::ReadFile(u64 offset, u64 bytes) const {
  std::string read(bytes, '\0');
  for (u64 done = 0; done < bytes;) {
    const ssize_t count =
        ::pread(file_, read.data() + done, bytes - done, static_cast<off_t>(offset + done));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return ErrnoError(errno, fmt::format("read an upload in {}", folder_));
    if (count == 0) return MakeError(Code::kDataLoss, "an upload in {} ends early", folder_);
    done += static_cast<u64>(count);
  }
  return read;
}

}  // namespace ptxfarm::http_cache

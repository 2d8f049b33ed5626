#include "farm/local_presence.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "base/file.h"
#include "base/version.h"

namespace ptxfarm::farm {
namespace {

Result<local::ProgramStamp> OwnStamp() {
  char path[4096];
  const ssize_t size = ::readlink("/proc/self/exe", path, sizeof(path));
  if (size <= 0) return ErrnoError(errno, "read /proc/self/exe");
  return local::StampOf(std::string(path, static_cast<std::size_t>(size)));
}

}  // namespace

Result<std::unique_ptr<LocalPresence>> LocalPresence::Take(const local::FarmFiles& files,
                                                           int ready_descriptor) {
  // The compilers that the worker starts must not keep it open.
  if (ready_descriptor >= 0) ::fcntl(ready_descriptor, F_SETFD, FD_CLOEXEC);
  PTXFARM_ASSIGN_OR_RETURN(local::FileLock lock, local::FileLock::TakeForLife(files.life_lock()));
  PTXFARM_ASSIGN_OR_RETURN(local::ProgramStamp program, OwnStamp());
  return std::unique_ptr<LocalPresence>(
      new LocalPresence(files, ready_descriptor, std::move(lock), std::move(program)));
}

LocalPresence::LocalPresence(local::FarmFiles files, int ready_descriptor, local::FileLock lock,
                             local::ProgramStamp program)
    : files_(std::move(files)),
      ready_descriptor_(ready_descriptor),
      lock_(std::move(lock)),
      program_(std::move(program)) {}

LocalPresence::~LocalPresence() { Withdraw(); }

Status LocalPresence::Announce(const std::string& page) {
  const local::FarmRecord record{
      .version = std::string(kVersion), .process = ::getpid(), .program = program_, .page = page};
  const std::string line = local::Serialize(record);
  PTXFARM_RETURN_IF_ERROR(WriteFileAtomically(files_.record(), line));
  if (ready_descriptor_ < 0) return Ok{};
  // One line is less than a pipe takes at once. Whoever waited may be gone: the farm stays for
  // others.
  const ssize_t ignored = ::write(ready_descriptor_, line.data(), line.size());
  static_cast<void>(ignored);
  ::close(ready_descriptor_);
  return Ok{};
}

void LocalPresence::Withdraw() { ::unlink(files_.record().c_str()); }

}  // namespace ptxfarm::farm

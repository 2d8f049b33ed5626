// Where the local farm of a user lives: the files that the CLI and `ptxfarm-serve` both know.
#pragma once

#include <optional>
#include <string>

#include "base/result.h"

namespace ptxfarm::local {

// Values of the environment, as they are; empty where they aren't set.
struct UserFolders {
  std::string xdg_runtime_dir;
  std::string xdg_cache_home;
  std::string home;
};

// That of this process.
UserFolders FoldersOfUser();

// The folder of sockets and locks: "$XDG_RUNTIME_DIR/ptxfarm", without that variable
// "/run/user/UID/ptxfarm" where that folder is the user's (so that logins and cron jobs meet), else
// "/tmp/ptxfarm-UID". Made with mode 0700 where it isn't.
//
// FAILED_PRECONDITION: it is a link, belongs to somebody else, or others may enter it: then
// somebody laid a trap, since everybody may write to /tmp. The message says what to do.
Result<std::string> MakeRuntimeFolder(const UserFolders& folders);

// The folder of store and log: "$XDG_CACHE_HOME/ptxfarm" or "~/.cache/ptxfarm". Made where it
// isn't.
Result<std::string> MakeCacheFolder(const UserFolders& folders);

// The files below the two folders.
struct FarmFiles {
  std::string runtime_folder;
  std::string cache_folder;

  std::string socket() const { return runtime_folder + "/farm.sock"; }
  // Held by whoever starts or ends the farm; flock.
  std::string start_lock() const { return runtime_folder + "/start.lock"; }
  // Held by the farm as long as it lives; a POSIX lock, because that tells who holds it.
  std::string life_lock() const { return runtime_folder + "/farm.lock"; }
  // What the farm says of itself (farm_record.h); there from when it is ready until it ends.
  std::string record() const { return runtime_folder + "/farm.json"; }
  std::string log() const { return cache_folder + "/farm.log"; }
  std::string store() const { return cache_folder + "/store"; }
  std::string address() const { return "unix:" + socket(); }
};

// Makes both folders. RESOURCE_EXHAUSTED: the path of the socket is longer than the system allows.
Result<FarmFiles> MakeFarmFiles(const UserFolders& folders);

}  // namespace ptxfarm::local

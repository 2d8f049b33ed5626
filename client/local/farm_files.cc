#include "client/local/farm_files.h"

#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <system_error>

namespace ptxfarm::local {
namespace {

std::string EnvironmentOf(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

bool IsOwnFolder(const std::string& path) {
  struct stat info {};
  return ::lstat(path.c_str(), &info) == 0 && S_ISDIR(info.st_mode) && info.st_uid == ::geteuid();
}

std::string RuntimeFolderOf(const UserFolders& folders) {
  // The XDG rule: a path that isn't absolute is as if it weren't there.
  if (folders.xdg_runtime_dir.starts_with('/')) return folders.xdg_runtime_dir + "/ptxfarm";
  const std::string login = fmt::format("/run/user/{}", ::geteuid());
  if (IsOwnFolder(login)) return login + "/ptxfarm";
  return fmt::format("/tmp/ptxfarm-{}", ::geteuid());
}

Status CheckTrusted(const std::string& folder) {
  struct stat info {};
  if (::lstat(folder.c_str(), &info) != 0) return ErrnoError(errno, fmt::format("stat {}", folder));
  const char* fault = nullptr;
  if (S_ISLNK(info.st_mode))
    fault = "is a link";
  else if (!S_ISDIR(info.st_mode))
    fault = "is not a folder";
  else if (info.st_uid != ::geteuid())
    fault = "belongs to another user";
  else if ((info.st_mode & 077) != 0)
    fault = "can be entered by others";
  if (fault == nullptr) return Ok{};
  return MakeError(Code::kFailedPrecondition,
                   "{} {}, so it isn't safe for the local farm; remove it, or set XDG_RUNTIME_DIR "
                   "to a folder of yours",
                   folder, fault);
}

}  // namespace

UserFolders FoldersOfUser() {
  return {.xdg_runtime_dir = EnvironmentOf("XDG_RUNTIME_DIR"),
          .xdg_cache_home = EnvironmentOf("XDG_CACHE_HOME"),
          .home = EnvironmentOf("HOME")};
}

Result<std::string> MakeRuntimeFolder(const UserFolders& folders) {
  const std::string folder = RuntimeFolderOf(folders);
  // mkdir takes no existing name, link or not: who makes it has it, and all others are checked.
  if (::mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST)
    return ErrnoError(errno, fmt::format("make the folder {} for the local farm", folder));
  PTXFARM_RETURN_IF_ERROR(CheckTrusted(folder));
  return folder;
}

Result<std::string> MakeCacheFolder(const UserFolders& folders) {
  std::string base = folders.xdg_cache_home;
  if (!base.starts_with('/')) {
    if (!folders.home.starts_with('/'))
      return MakeError(Code::kFailedPrecondition,
                       "no folder for the local farm's store: set HOME or XDG_CACHE_HOME");
    base = folders.home + "/.cache";
  }
  const std::string folder = base + "/ptxfarm";
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error)
    return ErrnoError(error.value(),
                      fmt::format("make the folder {} for the local farm's store", folder));
  return folder;
}

Result<FarmFiles> MakeFarmFiles(const UserFolders& folders) {
  FarmFiles files;
  PTXFARM_ASSIGN_OR_RETURN(files.runtime_folder, MakeRuntimeFolder(folders));
  PTXFARM_ASSIGN_OR_RETURN(files.cache_folder, MakeCacheFolder(folders));
  if (files.socket().size() >= sizeof(sockaddr_un::sun_path))
    return MakeError(Code::kResourceExhausted,
                     "{} is longer than the {} bytes that a socket's path may have; set "
                     "XDG_RUNTIME_DIR to a shorter one",
                     files.socket(), sizeof(sockaddr_un::sun_path) - 1);
  return files;
}

}  // namespace ptxfarm::local

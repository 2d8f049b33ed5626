#include "client/dropin/nvlink/link_files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <string_view>

#include "base/bytes.h"
#include "client/dropin/tool/environment.h"
#include "client/dropin/tool/file_digest.h"

namespace ptxfarm::dropin {
namespace {

constexpr u64 kElfMachineField = 18;
constexpr u16 kMachineCuda = 190;

bool Exists(const std::string& path) {
  struct stat info {};
  return ::stat(path.c_str(), &info) == 0;
}

std::optional<LinkFile> ReadLinkFile(std::string path, const LocalTier* tier) {
  const std::optional<Digest> digest = DigestOfFile(path, tier);
  if (!digest) return std::nullopt;
  return LinkFile{std::move(path), *digest};
}

// Empty where nvlink opens nothing.
std::string FindLibrary(const std::string& name, const std::vector<std::string>& folders) {
  for (const std::string& folder : folders)
    if (Exists(folder + "/lib" + name + ".so")) return {};
  for (const std::string& folder : folders)
    if (std::string path = folder + "/lib" + name + ".a"; Exists(path)) return path;
  return {};
}

// Objects of the host's machine, and archives of them.
bool NamesItself(const std::string& path) {
  char head[20] = {};
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  const ssize_t size = ::read(file, head, sizeof(head));
  ::close(file);
  if (size != sizeof(head)) return false;
  const std::string_view bytes(head, sizeof(head));
  if (bytes.starts_with("!<arch>\n")) return true;
  return bytes.starts_with(
             "\x7f"
             "ELF") &&
         ReadAt<u16>(bytes, kElfMachineField) != kMachineCuda;
}

}  // namespace

std::optional<LinkFiles> ReadLinkFiles(const NvlinkCall& call, const LocalTier* tier) {
  LinkFiles files;
  for (const std::string& input : call.inputs) {
    std::optional<LinkFile> file = ReadLinkFile(input, tier);
    if (!file) return std::nullopt;
    files.inputs.push_back(*std::move(file));
    files.registers_paths |= call.register_file && !NamesItself(input);
  }
  std::vector<std::string> folders = call.library_folders;
  for (std::string& folder : ColonParts(Variable("LIBRARY_PATH")))
    if (!folder.empty()) folders.push_back(std::move(folder));
  for (const std::string& library : call.libraries) {
    std::string path = FindLibrary(library, folders);
    std::optional<LinkFile> file;
    if (!path.empty()) {
      file = ReadLinkFile(std::move(path), tier);
      if (!file) return std::nullopt;
    }
    files.libraries.push_back(std::move(file));
  }
  if (call.optimizes_at_link_time()) {
    files.nvvm = ReadLinkFile(call.nvvm_path + "/lib64/libnvvm.so", tier);
    if (!files.nvvm) return std::nullopt;
  }
  return files;
}

}  // namespace ptxfarm::dropin

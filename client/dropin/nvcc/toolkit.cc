#include "client/dropin/nvcc/toolkit.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <vector>

#include "base/bytes.h"
#include "base/file.h"
#include "client/dropin/tier/sha256_stream.h"
#include "client/dropin/tool/environment.h"
#include "client/dropin/tool/file_digest.h"
#include "client/dropin/tool/tool.h"

extern char** environ;

namespace ptxfarm::dropin {
namespace {

namespace fs = std::filesystem;

constexpr u64 kAnswerBytesMax = 64 << 10;

// What of a toolkit takes part in making an object, below its root.
constexpr const char* kToolkitFiles[] = {
    "bin/nvcc",          "bin/nvcc.profile",
    "bin/cudafe++",      "bin/ptxas",
    "bin/fatbinary",     "bin/nvlink",
    "bin/crt/link.stub", "bin/crt/prelink.stub",
    "nvvm/bin/cicc",     "nvvm/libdevice/libdevice.10.bc",
};

// What of the host compiler does, as it names them itself.
constexpr const char* kHostParts[] = {"cc1plus", "as", "collect2"};

// What a program says on its standard output; nothing where it fails.
std::optional<std::string> Ask(const std::string& program, const std::string& question) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return std::nullopt;
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  const char* const words[] = {program.c_str(), question.c_str(), nullptr};
  pid_t pid = 0;
  const int failed =
      ::posix_spawn(&pid, program.c_str(), &actions, nullptr, const_cast<char**>(words), environ);
  ::posix_spawn_file_actions_destroy(&actions);
  ::close(ends[1]);
  Result<std::string> answer = failed != 0 ? Result<std::string>(ErrnoError(failed, program))
                                           : ReadDescriptor(ends[0], program, kAnswerBytesMax);
  ::close(ends[0]);
  int status = 0;
  if (failed == 0)
    while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {
    }
  if (!answer || status != 0) return std::nullopt;
  while (answer->ends_with('\n')) answer->pop_back();
  return *std::move(answer);
}

// Where the host compiler's parts are, asked once for each of its states.
std::optional<std::vector<std::string>> HostParts(const std::string& compiler,
                                                  const LocalTier* tier) {
  const std::optional<FileStamp> stamp = StampOf(compiler);
  if (!stamp) return std::nullopt;
  Sha256Stream name;
  name.UpdateField("host compiler parts 1");
  name.UpdateField(compiler);
  std::string bytes;
  AppendTo(bytes, *stamp);
  name.UpdateField(bytes);
  const Sha256 key = name.Finish();
  std::string text;
  if (const std::optional<LocalTier::Note> note =
          tier == nullptr ? std::nullopt : tier->GetNote(key)) {
    text = note->text;
  } else {
    for (const char* const part : kHostParts) {
      const std::optional<std::string> answer =
          Ask(compiler, fmt::format("-print-prog-name={}", part));
      if (!answer) return std::nullopt;
      text += *answer + '\n';
    }
    if (tier != nullptr) static_cast<void>(tier->PutNote(key, text));
  }
  std::vector<std::string> paths = {compiler};
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    std::string part = text.substr(begin, end - begin);
    begin = end + 1;
    if (part.find('/') == std::string::npos) part = FindOnPath(part);
    paths.push_back(part);
  }
  return paths;
}

Status Link(const std::string& target, const std::string& link) {
  if (::symlink(target.c_str(), link.c_str()) == 0) return Ok{};
  return ErrnoError(errno, fmt::format("make {}", link));
}

// The folders in `from`, but for the one that is made anew.
Status LinkFolders(const std::string& from, const std::string& to) {
  std::error_code failed;
  for (const fs::directory_entry& entry : fs::directory_iterator(from, failed))
    if (entry.is_directory(failed) && entry.path().filename() != "bin")
      PTXFARM_RETURN_IF_ERROR(Link(entry.path(), to + "/" + entry.path().filename().string()));
  return Ok{};
}

// The profile of the toolkit as nvcc reads it there, and our folder before its folders.
Result<std::string> ProfileFor(const NvccToolkit& toolkit, const std::string& folder) {
  PTXFARM_ASSIGN_OR_RETURN(std::string profile,
                           ReadFile(toolkit.bin + "/nvcc.profile", kAnswerBytesMax));
  constexpr std::string_view kHere = "$(_HERE_)";
  for (std::size_t at = profile.find(kHere); at != std::string::npos;
       at = profile.find(kHere, at + toolkit.bin.size()))
    profile.replace(at, kHere.size(), toolkit.bin);
  return profile + fmt::format("\nCICC_PATH = {0}\nPATH += {0}:\n", folder);
}

Status FillShadow(const NvccToolkit& toolkit, const std::string& self, const std::string& root,
                  const std::string& final_bin) {
  const std::string bin = root + "/bin";
  PTXFARM_RETURN_IF_ERROR(MakeFolder(bin));
  PTXFARM_RETURN_IF_ERROR(Link(toolkit.nvcc, bin + "/nvcc"));
  for (const char* const step : {"cicc", "cudafe++"})
    PTXFARM_RETURN_IF_ERROR(Link(self, bin + "/" + step));
  const std::string ours = self.substr(0, self.rfind('/') + 1);
  for (const char* const tool : {"ptxas", "fatbinary", "nvlink"})
    if (const std::string program = ours + "ptxfarm-" + tool; IsProgram(program))
      PTXFARM_RETURN_IF_ERROR(Link(program, bin + "/" + tool));
  // nvcc looks for folders of the target beside its own, and for stubs of the link in bin/crt.
  PTXFARM_RETURN_IF_ERROR(LinkFolders(toolkit.bin + "/..", root));
  PTXFARM_RETURN_IF_ERROR(LinkFolders(toolkit.bin, bin));
  PTXFARM_ASSIGN_OR_RETURN(const std::string profile, ProfileFor(toolkit, final_bin));
  return ReplaceFile(bin + "/nvcc.profile", profile, 0644);
}

}  // namespace

Result<NvccToolkit> FindNvccToolkit(const std::string& named, const LocalTier* tier) {
  // The launcher's own name is that of no nvcc.
  const std::optional<Tool> tool =
      named.find('/') != std::string::npos ? ToolAt(named, tier) : FindTool(named, "", tier);
  if (!tool)
    return MakeError(Code::kNotFound,
                     "there is no nvcc: looked for '{}' on the PATH, in $CUDA_HOME, $CUDA_PATH and "
                     "/usr/local/cuda",
                     named);
  std::error_code failed;
  NvccToolkit toolkit{.nvcc = fs::canonical(tool->path, failed),
                      .bin = tool->path.substr(0, tool->path.rfind('/'))};
  // A link from elsewhere: nvcc looks beside the name that it is called by, then where it is.
  if (!fs::exists(toolkit.bin + "/nvcc.profile", failed))
    toolkit.bin = fs::path(toolkit.nvcc).parent_path();
  std::vector<std::string> files;
  for (const char* const file : kToolkitFiles) files.push_back(toolkit.bin + "/../" + file);
  const std::optional<Sha256> identity = DigestOfFiles("nvcc toolkit 1", files, tier);
  if (!identity)
    return MakeError(Code::kUnavailable, "the toolkit of {} can't be read", tool->path);
  toolkit.identity = *identity;
  return toolkit;
}

std::optional<Sha256> HostCompilerIdentity(const std::string& named, const LocalTier* tier) {
  std::string compiler = !named.empty() ? named : Variable("NVCC_CCBIN");
  if (compiler.empty()) compiler = "gcc";
  std::error_code failed;
  if (fs::is_directory(compiler, failed)) compiler += "/gcc";
  if (compiler.find('/') == std::string::npos) compiler = FindOnPath(compiler);
  if (compiler.empty()) return std::nullopt;
  const std::optional<std::vector<std::string>> parts = HostParts(compiler, tier);
  if (!parts) return std::nullopt;
  return DigestOfFiles("host compiler 1", *parts, tier);
}

Result<std::string> ShadowNvcc(const NvccToolkit& toolkit, const std::string& self,
                               const LocalTier& tier) {
  // Another toolkit, other programs of ours: another folder.
  Sha256Stream name;
  name.UpdateField("nvcc shadow 2");
  for (const std::string_view word :
       {std::string_view(toolkit.nvcc), std::string_view(toolkit.bin), std::string_view(self)})
    name.UpdateField(word);
  std::string identity;
  AppendTo(identity, toolkit.identity);
  name.UpdateField(identity);
  const std::string root = tier.folder() + "/toolkits/" + NameOf(name.Finish()).substr(0, 16);
  const std::string nvcc = root + "/bin/nvcc";
  if (::access(nvcc.c_str(), X_OK) == 0) return nvcc;

  PTXFARM_RETURN_IF_ERROR(MakeFolder(tier.folder() + "/toolkits"));
  const std::string beside = root + "." + UniqueSuffix();
  const Status filled = FillShadow(toolkit, self, beside, root + "/bin");
  if (filled && ::rename(beside.c_str(), root.c_str()) == 0) return nvcc;
  std::error_code ignored;
  fs::remove_all(beside, ignored);
  if (::access(nvcc.c_str(), X_OK) == 0) return nvcc;  // Another process was quicker.
  if (!filled) return filled.error();
  return MakeError(Code::kUnavailable, "can't make the folder {}", root);
}

}  // namespace ptxfarm::dropin

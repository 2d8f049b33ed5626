#include "client/dropin/miss/tool_run.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "base/file.h"
#include "client/dropin/ptxas/key.h"
#include "client/dropin/ptxas/names_in_text.h"

namespace ptxfarm::dropin {
namespace {

constexpr u64 kObjectBytesMax = u64{2} << 30;

struct Pipe {
  int read = -1, write = -1;
  bool Open() {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) return false;
    read = ends[0];
    write = ends[1];
    return true;
  }
  ~Pipe() {
    CloseRead();
    CloseWrite();
  }
  void CloseRead() {
    if (read >= 0) ::close(std::exchange(read, -1));
  }
  void CloseWrite() {
    if (write >= 0) ::close(std::exchange(write, -1));
  }
};

[[noreturn]] void BecomeTool(const Tool& tool, char** argv, const std::string& folder,
                             const Pipe& out, const Pipe& err, pid_t parent) {
  // It must not outlive us: nobody would take its result.
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(127);
  if (!folder.empty() && ::chdir(folder.c_str()) != 0) ::_exit(127);
  ::dup2(out.write, STDOUT_FILENO);
  ::dup2(err.write, STDERR_FILENO);
  ExecTool(tool, argv);
  ::_exit(127);
}

// Reads both pipes until both are closed.
void Drain(const Pipe& out, const Pipe& err, ToolRan& ran) {
  pollfd waits[] = {{out.read, POLLIN, 0}, {err.read, POLLIN, 0}};
  std::string* const texts[] = {&ran.out, &ran.err};
  while (waits[0].fd >= 0 || waits[1].fd >= 0) {
    if (::poll(waits, 2, -1) < 0 && errno != EINTR) return;
    for (int i = 0; i < 2; ++i) {
      if (waits[i].fd < 0 || waits[i].revents == 0) continue;
      char buffer[1 << 14];
      const ssize_t count = ::read(waits[i].fd, buffer, sizeof(buffer));
      if (count > 0)
        texts[i]->append(buffer, static_cast<std::size_t>(count));
      else if (count == 0 || errno != EINTR)
        waits[i].fd = -1;
    }
  }
}

Result<ToolRan> Run(const Tool& tool, std::string name, std::vector<std::string> words,
                    const std::string& folder) {
  std::vector<char*> argv = {name.data()};
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  Pipe out, err;
  if (!out.Open() || !err.Open()) return ErrnoError(errno, "make a pipe");
  const pid_t parent = ::getpid();
  const pid_t child = ::fork();
  if (child < 0) return ErrnoError(errno, "start " + tool.path);
  if (child == 0) BecomeTool(tool, argv.data(), folder, out, err, parent);
  out.CloseWrite();
  err.CloseWrite();
  ToolRan ran;
  Drain(out, err, ran);
  while (::waitpid(child, &ran.wait_status, 0) < 0)
    if (errno != EINTR) return ErrnoError(errno, "wait for " + tool.path);
  if (WIFEXITED(ran.wait_status) && WEXITSTATUS(ran.wait_status) == 127)
    return MakeError(Code::kUnavailable, "{} doesn't start", tool.path);
  return ran;
}

// The call's words with the input's and the output's names replaced.
std::vector<std::string> WordsFor(const PtxasCall& call, const std::string& input,
                                  const std::string& output) {
  std::vector<std::string> words = call.words;
  if (!call.inputs[0].is_text) words[call.inputs[0].word] = input;
  if (call.output_given) {
    std::string& word = words[call.output_word];
    // "-o=k.cubin" is one word.
    word = word == call.output ? output : word.substr(0, word.find('=') + 1) + output;
  }
  return words;
}

}  // namespace

Result<ScratchFolder> ScratchFolder::Make(const std::string& parent) {
  PTXFARM_RETURN_IF_ERROR(MakeFolder(parent));
  std::string path = parent + "/run.XXXXXX";
  if (::mkdtemp(path.data()) == nullptr) return ErrnoError(errno, "make a folder in " + parent);
  return ScratchFolder(std::move(path));
}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;
  if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
}

bool ToolRan::ok() const { return WIFEXITED(wait_status) && WEXITSTATUS(wait_status) == 0; }

Result<ToolRan> RunTool(const Tool& tool, const PtxasCall& call, std::string_view input,
                        const std::string& scratch) {
  PTXFARM_ASSIGN_OR_RETURN(const ScratchFolder folder, ScratchFolder::Make(scratch));
  // No other word of a message looks like this name, so all places of it are the input's.
  const std::string input_folder = folder.path() + "/in";
  const std::string output_folder = folder.path() + "/out";
  PTXFARM_RETURN_IF_ERROR(MakeFolder(input_folder));
  PTXFARM_RETURN_IF_ERROR(MakeFolder(output_folder));
  std::string input_path = call.inputs[0].name;
  if (!call.inputs[0].is_text) {
    input_path = input_folder + "/" + std::string(BaseName(input_path));
    PTXFARM_RETURN_IF_ERROR(ReplaceFile(input_path, input, 0600));
  }
  const std::string output(BaseName(call.output));
  PTXFARM_ASSIGN_OR_RETURN(ToolRan ran,
                           Run(tool, "ptxas", WordsFor(call, input_path, output), output_folder));
  for (std::string* const text : {&ran.out, &ran.err}) {
    std::optional<std::string> nameless = WithoutName(*text, input_path);
    if (!nameless)
      return MakeError(Code::kUnimplemented, "{} prints control characters", tool.path);
    *text = *std::move(nameless);
  }
  const std::string object_path = output_folder + "/" + output;
  ran.has_object = ran.ok() && ::access(object_path.c_str(), F_OK) == 0;
  if (ran.has_object) {
    PTXFARM_ASSIGN_OR_RETURN(ran.object, ReadFile(object_path, kObjectBytesMax));
  }
  return ran;
}

Result<ToolRan> AskTool(const Tool& tool, const std::vector<std::string>& words,
                        std::string_view called_as) {
  return Run(tool, std::string(called_as), words, "");
}

void EndBySignal(int number) {
  const rlimit no_core{0, 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
  ::signal(number, SIG_DFL);
  ::raise(number);
}

}  // namespace ptxfarm::dropin

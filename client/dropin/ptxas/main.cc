// `ptxfarm-ptxas`, also under the name `ptxas`: serves hits, and becomes another program for all
// else.
//
// A hit has to cost what starting a process costs. So this program is linked statically, of the
// local tier and the option rows only; what talks to farms and runs compilers is `ptxfarm`, which
// it becomes (exec) on a miss. A call that isn't for us becomes the real tool.
#include <signal.h>
#include <unistd.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "base/drop_in_mark.h"
#include "client/dropin/ptxas/answer.h"
#include "client/dropin/ptxas/asked.h"
#include "client/dropin/tier/key_lock.h"

namespace ptxfarm::dropin {
namespace {

// Read by who looks for the real tool (base/drop_in_mark.h).
[[gnu::used]] constexpr char kMark[] = "ptxfarm-drop-in: not the compiler itself\n";
static_assert(std::string_view(kMark) == kDropInMark);

// `ptxfarm` as installed or built with this program. Returns only where it isn't there.
void BecomeMiss(int argc, char** argv) {
  char path[4096];
  const ssize_t size = ::readlink("/proc/self/exe", path, sizeof(path));
  if (size <= 0 || size == sizeof(path)) return;
  std::string folder(path, static_cast<std::size_t>(size));
  folder.resize(folder.rfind('/'));
  std::string command = "ptxas-miss";
  std::vector<char*> words = {nullptr, command.data()};
  words.insert(words.end(), argv, argv + argc);
  words.push_back(nullptr);
  for (const char* const place : {"/ptxfarm", "/../../bin/ptxfarm"}) {
    std::string program = folder + place;
    words[0] = program.data();
    ::execv(program.c_str(), words.data());
  }
}

int Main(int argc, char** argv) {
  if (argc < 1) return kPtxasFailed;
  // A file that may not grow is an error of its write.
  ::signal(SIGXFSZ, SIG_IGN);
  const Asked asked = LookAt(argc, argv);
  if (const std::optional<int> exit_code = AnswerFromTier(asked)) return *exit_code;
  if (!asked.key && asked.tool) {
    if (asked.tier) asked.tier->Count(Counter::kPassed);
    ExecTool(*asked.tool, argv);
  }
  // Waiting for another process is done here, where it costs little.
  const std::optional<KeyLock> lock =
      asked.tier && asked.key ? KeyLock::Take(asked.tier->locks(), *asked.key, kLockPatience)
                              : std::nullopt;
  if (lock && lock->waited())
    if (const std::optional<int> made = AnswerFromTier(asked, Counter::kJoined)) return *made;
  if (lock) lock->Bequeath();
  BecomeMiss(argc, argv);
  if (asked.tool) ExecTool(*asked.tool, argv);
  PrintTo(STDERR_FILENO,
          "ptxas fatal   : ptxfarm: neither the program 'ptxfarm' beside this one nor a ptxas is "
          "here\n");
  return kPtxasFailed;
}

}  // namespace
}  // namespace ptxfarm::dropin

int main(int argc, char** argv) { return ptxfarm::dropin::Main(argc, argv); }

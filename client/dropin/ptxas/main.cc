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
#include "client/dropin/tool/become.h"
#include "client/dropin/tool/output_file.h"

namespace ptxfarm::dropin {
namespace {

// Read by who looks for the real tool (base/drop_in_mark.h).
[[gnu::used]] constexpr char kMark[] = "ptxfarm-drop-in: not the compiler itself\n";
static_assert(std::string_view(kMark) == kDropInMark);

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
  BecomeMiss("ptxas-miss", argc, argv);
  if (asked.tool) ExecTool(*asked.tool, argv);
  PrintTo(STDERR_FILENO,
          "ptxas fatal   : ptxfarm: neither the program 'ptxfarm' beside this one nor a ptxas is "
          "here\n");
  return kPtxasFailed;
}

}  // namespace
}  // namespace ptxfarm::dropin

int main(int argc, char** argv) { return ptxfarm::dropin::Main(argc, argv); }

// `ptxfarm-nvlink`, also under the name `nvlink`: serves hits, and becomes another program for all
// else, as ptxfarm-ptxas does and for the same reasons.
#include <signal.h>
#include <unistd.h>

#include <string>
#include <string_view>

#include "base/drop_in_mark.h"
#include "client/dropin/nvlink/asked.h"
#include "client/dropin/tier/key_lock.h"
#include "client/dropin/tool/become.h"
#include "client/dropin/tool/output_file.h"

namespace ptxfarm::dropin {
namespace {

// Read by who looks for the real tool (base/drop_in_mark.h).
[[gnu::used]] constexpr char kMark[] = "ptxfarm-drop-in: not the compiler itself\n";
static_assert(std::string_view(kMark) == kDropInMark);

int Main(int argc, char** argv) {
  if (argc < 1) return kNvlinkFailed;
  std::string name = "nvlink";  // As the tool calls itself in what it says.
  // A file that may not grow is an error of its write.
  ::signal(SIGXFSZ, SIG_IGN);
  const AskedLink asked = LookAtLink(argc, argv);
  if (const std::optional<int> exit_code = AnswerLinkFromTier(asked)) return *exit_code;
  if (!asked.files && asked.tool) {
    if (asked.tier) asked.tier->Count(Counter::kPassed);
    argv[0] = name.data();
    ExecTool(*asked.tool, argv);
  }
  // Waiting for another process is done here, where it costs little.
  const std::optional<KeyLock> lock =
      asked.tier && asked.key ? KeyLock::Take(asked.tier->locks(), *asked.key, kLockPatience)
                              : std::nullopt;
  if (lock && lock->waited())
    if (const std::optional<int> made = AnswerLinkFromTier(asked, Counter::kJoined)) return *made;
  if (lock) lock->Bequeath();
  BecomeMiss("nvlink-miss", argc, argv);
  argv[0] = name.data();
  if (asked.tool) ExecTool(*asked.tool, argv);
  PrintTo(
      STDERR_FILENO,
      "nvlink fatal   : ptxfarm: neither the program 'ptxfarm' beside this one nor an nvlink is "
      "here\n");
  return kNvlinkFailed;
}

}  // namespace
}  // namespace ptxfarm::dropin

int main(int argc, char** argv) { return ptxfarm::dropin::Main(argc, argv); }

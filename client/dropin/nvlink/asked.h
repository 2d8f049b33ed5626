// What a call of nvlink asks, and all that is known of it before anything is linked: the same in
// the small program that serves hits and in the one that it becomes on a miss.
#pragma once

#include <optional>
#include <string_view>

#include "base/digest.h"
#include "client/dropin/nvlink/link_files.h"
#include "client/dropin/nvlink/nvlink_call.h"
#include "client/dropin/tier/local_tier.h"
#include "client/dropin/tier/record.h"
#include "client/dropin/tool/packed_files.h"
#include "client/dropin/tool/tool.h"

namespace ptxfarm::dropin {

struct AskedLink {
  NvlinkCall call;
  std::optional<LocalTier> tier;
  std::optional<Tool> tool;        // The one that would run without us.
  std::optional<LinkFiles> files;  // Nothing where the call isn't for the tier.
  std::optional<Sha256> key;
};

// `argv` as main() has it.
AskedLink LookAtLink(int argc, char** argv);

// The key: equal ones mean equal bytes of both files, and equal words printed. It holds the bytes
// of nvlink, of libnvvm where that runs, of every input and library; the names of inputs as given,
// since messages have them; all options as nvlink records them in the object, folders of libraries
// among them. Names of outputs enter only where they are recorded (-g).
Sha256 KeyOfLink(const NvlinkCall& call, const LinkFiles& files, const Sha256& nvlink);

// Serves the call from the tier; nothing where that doesn't have it.
std::optional<int> AnswerLinkFromTier(const AskedLink& asked, Counter counter = Counter::kHit);

// The object and the register file, as the object of a record.
inline constexpr std::size_t kLinkOutputs = 2;

// The whole answer, and the exit code: nvlink's words where an output can't be written.
int AnswerLink(const NvlinkCall& call, int exit_code, std::string_view out, std::string_view err,
               const Files& outputs);

inline constexpr int kNvlinkFailed = 1;

}  // namespace ptxfarm::dropin

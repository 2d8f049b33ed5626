// Which compilers there are: those of the workers here now, and those met before. A key needs a
// compiler's identity also while its workers are away, so that hits are found; the identities are
// kept in the store across restarts.
#pragma once

#include <atomic>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "action/action_result.h"
#include "action/compiler.h"
#include "base/result.h"
#include "store/fact_store.h"
#include "toolchain/target/target.h"

namespace ptxfarm::server {

inline constexpr std::string_view kPtxasBackend = "ptxas";
inline constexpr std::string_view kBundlerBackend = "ptxfarm";

class CompilerRegistry {
 public:
  // Reads what the store remembers. `facts` outlives the registry.
  explicit CompilerRegistry(FactStore& facts);

  // A worker has come or gone. A store that can't remember costs hits after a restart, nothing
  // else.
  void Join(const std::vector<action::Compiler>& compilers);
  void Leave(const std::vector<action::Compiler>& compilers);

  // The compiler for a module of `version`, for `target`: the newest that can, of those with a
  // worker here if there is one, else of those known. `wanted` narrows: "", "ptxas@13.0.88",
  // "ptxas@13.0". Where none can, the failed result says why and what could.
  Result<action::CompilerIdentity, action::ActionResult> ChooseForPtx(
      const Target& target, PtxVersion version, const std::string& wanted) const;
  // The newest version that ChooseForPtx finds a compiler for; nothing where there is no compiler.
  std::optional<PtxVersion> NewestVersion(const std::string& wanted) const;
  // Why waiting for that compiler is in vain: workers are here, and none of them has it. Nothing
  // where one has, and where no worker is here at all, since its workers may come back then.
  std::optional<action::ActionResult> WhyAbsent(const action::CompilerIdentity& identity,
                                                const Target& target) const;
  // Likewise what makes fat binaries.
  Result<action::CompilerIdentity, action::ActionResult> ChooseBundler() const;

  // Those with a worker here, and those without; newest first.
  std::vector<action::Compiler> Here() const { return List(/*here=*/true); }
  std::vector<action::Compiler> Remembered() const { return List(/*here=*/false); }
  // No worker has ever come.
  bool Empty() const;
  // Grows whenever a compiler comes or goes, which may change what is chosen.
  u64 generation() const { return generation_.load(std::memory_order_acquire); }

 private:
  struct Known {
    action::Compiler compiler;
    std::size_t workers = 0;
  };

  std::vector<action::Compiler> List(bool here) const;
  std::vector<const Known*> Candidates(std::string_view backend,
                                       std::string_view wanted_version) const;

  FactStore& facts_;
  mutable std::mutex mutex_;
  std::map<action::CompilerIdentity, Known> known_;
  std::atomic<u64> generation_ = 0;
};

}  // namespace ptxfarm::server

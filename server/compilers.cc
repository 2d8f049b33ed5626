#include "server/compilers.h"

#include <algorithm>

#include "base/text.h"
#include "rpc/convert.h"

namespace ptxfarm::server {
namespace {

constexpr std::size_t kRemembered = 1000;

std::string FactKey(const action::CompilerIdentity& identity) {
  return fmt::format("{} {} {}", identity.backend, identity.version, HexOf(identity.sha256));
}

action::ActionResult TooOld(std::string kind, std::string message) {
  return action::Failed(action::Outcome::kToolchainTooOld, std::move(kind), std::move(message));
}

action::ActionResult NoCompiler(std::string_view lacking, const Target& target) {
  return TooOld("no-compiler",
                fmt::format("no worker has {}, so nothing can be compiled for {}: install one on a "
                            "worker, or ask for compute_{} in a fat binary, which the driver "
                            "compiles",
                            lacking, target, target.number()));
}

// "13.0" takes 13.0.88, but not 13.01.
bool IsVersion(std::string_view version, std::string_view wanted) {
  return version.starts_with(wanted) &&
         (version.size() == wanted.size() || wanted.empty() || version[wanted.size()] == '.');
}

// "13.0" of "ptxas@13.0", "" of ""; nothing where it is no such name.
std::optional<std::string_view> WantedVersion(std::string_view wanted) {
  if (wanted.empty()) return wanted;
  if (!wanted.starts_with(kPtxasBackend) || !wanted.substr(kPtxasBackend.size()).starts_with('@'))
    return std::nullopt;
  return wanted.substr(kPtxasBackend.size() + 1);
}

}  // namespace

CompilerRegistry::CompilerRegistry(FactStore& facts) : facts_(facts) {
  const auto remembered = facts_.List(FactKind::kCompiler, kRemembered);
  if (!remembered)
    return;  // A store that can't be read is met, and reported, at the first request.
  for (const auto& [key, bytes] : *remembered)
    if (Result<action::Compiler> compiler = rpc::ParseCompiler(bytes))
      known_[compiler->identity].compiler = *std::move(compiler);
}

void CompilerRegistry::Join(const std::vector<action::Compiler>& compilers) {
  for (const action::Compiler& compiler : compilers) {
    bool is_new = false;
    {
      const std::lock_guard lock(mutex_);
      Known& known = known_[compiler.identity];
      is_new = known.compiler != compiler;
      known.compiler = compiler;
      ++known.workers;
      ++generation_;
    }
    if (!is_new) continue;
    const Status ignored =
        facts_.Put(FactKind::kCompiler, FactKey(compiler.identity), rpc::Serialize(compiler));
  }
}

void CompilerRegistry::Leave(const std::vector<action::Compiler>& compilers) {
  const std::lock_guard lock(mutex_);
  for (const action::Compiler& compiler : compilers) {
    const auto known = known_.find(compiler.identity);
    PTXFARM_CHECK(known != known_.end() && known->second.workers > 0,
                  action::NameOf(compiler.identity));
    --known->second.workers;
    ++generation_;
  }
}

Result<action::CompilerIdentity, action::ActionResult> CompilerRegistry::ChooseForPtx(
    const Target& target, PtxVersion version, const std::string& wanted) const {
  const std::optional<std::string_view> wanted_version = WantedVersion(wanted);
  if (!wanted_version)
    return action::Failed(
        action::Outcome::kInputError, "unknown-compiler",
        fmt::format("compiler '{}' is not known: write ptxas@VERSION, as in ptxas@13.0",
                    Shortened(wanted)));

  const std::lock_guard lock(mutex_);
  const std::vector<const Known*> candidates = Candidates(kPtxasBackend, *wanted_version);
  if (candidates.empty()) {
    if (!wanted.empty())
      return TooOld(
          "no-compiler",
          fmt::format("no worker has {}; `ptxfarm status` lists the compilers", Shortened(wanted)));
    return NoCompiler("a CUDA toolkit", target);
  }
  const std::string name = target.ToString();
  const Known* reads_version = nullptr;
  for (const Known* const known : candidates) {
    const bool reads = version <= known->compiler.ptx_version_max;
    if (reads && known->compiler.HasTarget(name)) return known->compiler.identity;
    if (reads && reads_version == nullptr) reads_version = known;
  }
  const action::Compiler& newest = candidates.front()->compiler;
  if (reads_version == nullptr)
    return TooOld("toolchain-too-old",
                  fmt::format(".version {} is newer than {} reads; its highest is {}: install a "
                              "newer CUDA toolkit on a "
                              "worker, or have the module written for {}",
                              version, action::NameOf(newest.identity), newest.ptx_version_max,
                              newest.ptx_version_max));
  return TooOld("toolchain-lacks-target",
                fmt::format("{} does not compile for {}; PTX {} has it, so a CUDA toolkit of that "
                            "or a later version does",
                            action::NameOf(reads_version->compiler.identity), target,
                            target.ptx_version_min()));
}

std::optional<PtxVersion> CompilerRegistry::NewestVersion(const std::string& wanted) const {
  const std::optional<std::string_view> wanted_version = WantedVersion(wanted);
  if (!wanted_version) return std::nullopt;
  const std::lock_guard lock(mutex_);
  std::optional<PtxVersion> newest;
  for (const Known* const known : Candidates(kPtxasBackend, *wanted_version))
    newest = std::max(newest.value_or(PtxVersion{}), known->compiler.ptx_version_max);
  return newest;
}

std::optional<action::ActionResult> CompilerRegistry::WhyAbsent(
    const action::CompilerIdentity& identity, const Target& target) const {
  const std::lock_guard lock(mutex_);
  bool any_worker = false;
  bool any_toolkit = false;
  for (const auto& [known_identity, known] : known_) {
    if (known.workers == 0) continue;
    if (known_identity == identity) return std::nullopt;
    any_worker = true;
    any_toolkit |= known_identity.backend == identity.backend;
  }
  if (!any_worker) return std::nullopt;
  return NoCompiler(any_toolkit ? fmt::format("{} any more", action::NameOf(identity))
                                : std::string("a CUDA toolkit any more"),
                    target);
}

Result<action::CompilerIdentity, action::ActionResult> CompilerRegistry::ChooseBundler() const {
  const std::lock_guard lock(mutex_);
  const std::vector<const Known*> candidates = Candidates(kBundlerBackend, "");
  if (candidates.empty())
    return action::Failed(action::Outcome::kFault, "no-worker",
                          "no worker has come yet that could make a fat binary");
  return candidates.front()->compiler.identity;
}

std::vector<action::Compiler> CompilerRegistry::List(bool here) const {
  const std::lock_guard lock(mutex_);
  std::vector<action::Compiler> compilers;
  for (const auto& [identity, known] : known_)
    if ((known.workers > 0) == here) compilers.push_back(known.compiler);
  std::stable_sort(compilers.begin(), compilers.end(),
                   [](const action::Compiler& a, const action::Compiler& b) {
                     return action::VersionLess(b.identity.version, a.identity.version);
                   });
  return compilers;
}

bool CompilerRegistry::Empty() const {
  const std::lock_guard lock(mutex_);
  return known_.empty();
}

// Newest first; only those with a worker, where any has one. mutex_ is held.
std::vector<const CompilerRegistry::Known*> CompilerRegistry::Candidates(
    std::string_view backend, std::string_view wanted_version) const {
  std::vector<const Known*> candidates;
  bool any_here = false;
  for (const auto& [identity, known] : known_) {
    if (identity.backend != backend || !IsVersion(identity.version, wanted_version)) continue;
    candidates.push_back(&known);
    any_here |= known.workers > 0;
  }
  if (any_here) std::erase_if(candidates, [](const Known* known) { return known->workers == 0; });
  std::stable_sort(candidates.begin(), candidates.end(), [](const Known* a, const Known* b) {
    return action::VersionLess(b->compiler.identity.version, a->compiler.identity.version);
  });
  return candidates;
}

}  // namespace ptxfarm::server

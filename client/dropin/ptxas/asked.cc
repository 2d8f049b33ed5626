#include "client/dropin/ptxas/asked.h"

#include "client/dropin/ptxas/answer.h"
#include "client/dropin/ptxas/farm_memory.h"
#include "client/dropin/ptxas/key.h"

namespace ptxfarm::dropin {
namespace {

std::optional<Sha256> CompilerOf(const Asked& asked) {
  if (asked.tool) return asked.tool->is_program ? std::optional(asked.tool->sha256) : std::nullopt;
  if (!asked.tier) return std::nullopt;
  const std::optional<FarmCompiler> remembered = RememberedCompiler(*asked.tier);
  return remembered && !remembered->is_old ? std::optional(remembered->sha256) : std::nullopt;
}

std::optional<Sha256> KeyOf(const Asked& asked) {
  if (!asked.compiler) return std::nullopt;
  switch (asked.call.kind) {
    case CallKind::kCompile: return KeyOfCompile(asked.call, *asked.compiler);
    case CallKind::kQuery: return KeyOfQuery(asked.call, *asked.compiler);
    case CallKind::kOther: return std::nullopt;
  }
  return std::nullopt;
}

}  // namespace

Asked LookAt(int argc, char** argv) {
  Asked asked;
  asked.call = ReadPtxasCall({argv + 1, static_cast<std::size_t>(argc - 1)});
  asked.tier = LocalTier::OfUser();
  asked.tool = FindTool("ptxas", argv[0], asked.tier ? &*asked.tier : nullptr);
  asked.compiler = CompilerOf(asked);
  asked.key = KeyOf(asked);
  return asked;
}

std::optional<int> AnswerFromTier(const Asked& asked, Counter counter) {
  if (!asked.tier || !asked.key) return std::nullopt;
  const std::optional<Record> record = asked.tier->Get(*asked.key);
  if (!record) return std::nullopt;
  const int exit_code = Answer(asked.call, PartsOf(*record));
  asked.tier->Count(counter);
  return exit_code;
}

}  // namespace ptxfarm::dropin

#include "client/dropin/ptxas/farm_memory.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <vector>

#include "base/bytes.h"
#include "client/dropin/tier/sha256_stream.h"
#include "client/dropin/tool/environment.h"
#include "client/dropin/tool/file_stamp.h"

namespace ptxfarm::dropin {
namespace {

// The files that config/ may read, by their stamps: reading them would cost more than a hit.
std::vector<std::string> ConfigFiles() {
  return {Variable("PTXFARM_CONFIG"), Variable("XDG_CONFIG_HOME") + "/ptxfarm/config.toml",
          Variable("HOME") + "/.config/ptxfarm/config.toml", "/etc/ptxfarm/config.toml"};
}

// All that may choose a farm; not what we tell ourselves (PTXFARM_PTXAS_TRIED, …_LOCK).
Sha256 NameOfFarm(std::string_view kind, std::string_view part = {}) {
  Sha256Stream stream;
  stream.UpdateField(kind);
  stream.UpdateField(part);
  std::vector<std::string_view> variables;
  for (char** at = environ; *at != nullptr; ++at)
    if (const std::string_view variable = *at;
        variable.starts_with("PTXFARM_") && !variable.starts_with("PTXFARM_PTXAS_"))
      variables.push_back(variable);
  std::ranges::sort(variables);
  for (const std::string_view variable : variables) stream.UpdateField(variable);
  for (const std::string& path : ConfigFiles()) {
    stream.UpdateField(path);
    const std::optional<FileStamp> stamp = StampOf(path);
    stream.UpdateNumber(stamp ? static_cast<u64>(stamp->changed_ns) : 0);
    stream.UpdateNumber(stamp ? stamp->inode : 0);
  }
  return stream.Finish();
}

Sha256 NameOfLacking(const Sha256& compiler) {
  std::string bytes;
  AppendTo(bytes, compiler);
  return NameOfFarm("farm lacks 1", bytes);
}

bool IsYoung(const std::optional<LocalTier::Note>& note, i64 seconds) {
  return note && note->age_seconds >= 0 && note->age_seconds <= seconds;
}

}  // namespace

std::optional<FarmCompiler> RememberedCompiler(const LocalTier& tier) {
  const std::optional<LocalTier::Note> note = tier.GetNote(NameOfFarm("farm compiler 1"));
  if (!note) return std::nullopt;
  const std::optional<Sha256> sha256 = ReadAt<Sha256>(note->text, 0);
  if (!sha256) return std::nullopt;
  const bool is_old = note->age_seconds < 0 || note->age_seconds > kFarmCompilerSeconds;
  return FarmCompiler{*sha256, note->text.substr(sizeof(Sha256)), is_old};
}

void RememberCompiler(const LocalTier& tier, const FarmCompiler& compiler) {
  std::string text;
  AppendTo(text, compiler.sha256);
  text += compiler.version;
  // Where nothing can be kept, the next call asks again.
  static_cast<void>(tier.PutNote(NameOfFarm("farm compiler 1"), text));
}

bool IsFarmAway(const LocalTier& tier) {
  return IsYoung(tier.GetNote(NameOfFarm("farm away 1")), kFarmAwaySeconds);
}

void RememberAway(const LocalTier& tier, bool away) {
  if (away)
    static_cast<void>(tier.PutNote(NameOfFarm("farm away 1"), ""));
  else
    tier.RemoveNote(NameOfFarm("farm away 1"));
}

bool FarmLacks(const LocalTier& tier, const Sha256& compiler) {
  return IsYoung(tier.GetNote(NameOfLacking(compiler)), kFarmLacksSeconds);
}

void RememberLacking(const LocalTier& tier, const Sha256& compiler) {
  static_cast<void>(tier.PutNote(NameOfLacking(compiler), ""));
}

}  // namespace ptxfarm::dropin

#include "client/commands/cache_command.h"

#include <functional>

#include "client/dropin/tier/local_tier.h"
#include "client/dropin/tier/trim.h"
#include "client/report/figures.h"
#include "client/report/json.h"

namespace ptxfarm::client {
namespace {

using dropin::LocalTier;
using dropin::Record;

// Runs `work` on this user's tier.
ExitCode WithTier(const Session& session, std::string_view command,
                  const std::function<ExitCode(const LocalTier&)>& work) {
  const std::optional<LocalTier> tier = LocalTier::OfUser();
  if (!tier)
    return session.Fail(command,
                        MakeError(Code::kFailedPrecondition,
                                  "there are no local results: PTXFARM_LOCAL_RESULTS says none, or "
                                  "neither HOME nor XDG_CACHE_HOME names a folder"),
                        ExitCode::kUsage);
  return work(*tier);
}

ExitCode Stats(const Session& session, const DropInOptions& drop_in, const LocalTier& tier) {
  const dropin::TierUse use = dropin::UseOf(tier);
  std::optional<dropin::Counters> counters = tier.OpenCounters();
  if (session.options().json) {
    Json document = Document("cache-stats");
    document["folder"] = tier.folder();
    document["results"] = use.results;
    document["bytes"] = use.bytes;
    document["bytes_max"] = drop_in.local_results_bytes_max;
    for (const dropin::CounterRow& row : dropin::CounterRows())
      if (row.counter != dropin::Counter::kBytes)
        document["counts"][row.name] = counters ? counters->Get(row.counter) : 0;
    return session.Print(Print(document));
  }
  std::string text =
      fmt::format("{}\n{} results, {} of at most {}\n", tier.folder(), use.results,
                  FormatSize(use.bytes), FormatSize(drop_in.local_results_bytes_max));
  for (const dropin::CounterRow& row : dropin::CounterRows())
    if (row.counter != dropin::Counter::kBytes)
      text += fmt::format("{:>10}  {}\n", counters ? counters->Get(row.counter) : 0, row.meaning);
  return session.Print(text);
}

ExitCode PrintRemoved(const Session& session, std::string_view command, u64 looked_at, u64 removed,
                      std::string_view what) {
  if (session.options().json) {
    Json document = Document(command);
    document["results"] = looked_at;
    document["removed"] = removed;
    return session.Print(Print(document));
  }
  if (session.options().quiet) return ExitCode::kOk;
  return session.Print(fmt::format("{} results, {} {} removed\n", looked_at, removed, what));
}

ExitCode Clear(const Session& session, const LocalTier& tier) {
  const u64 results = dropin::UseOf(tier).results;
  if (const Status cleared = dropin::Clear(tier); !cleared)
    return session.Fail("cache-clear", cleared.error(), ExitCode::kFile);
  return PrintRemoved(session, "cache-clear", results, results, "were");
}

ExitCode Verify(const Session& session, const LocalTier& tier) {
  u64 looked_at = 0;
  const u64 removed =
      dropin::RemoveResultsIf(tier, [&](const Sha256&, const std::optional<Record>& record) {
        ++looked_at;
        return !record.has_value();
      });
  return PrintRemoved(session, "cache-verify", looked_at, removed, "damaged ones");
}

// A maker is "ptxas 13.0.88 <sha256>".
bool IsMadeBy(std::string_view maker, std::string_view recalled) {
  const std::size_t digest = maker.rfind(' ');
  if (digest == std::string_view::npos) return false;
  const std::string_view name = maker.substr(0, digest);
  return name == recalled || name.substr(name.rfind(' ') + 1) == recalled ||
         (recalled.size() >= 8 && maker.substr(digest + 1).starts_with(recalled));
}

ExitCode Recall(const Session& session, const CacheOptions& options, const LocalTier& tier) {
  u64 looked_at = 0;
  const u64 removed =
      dropin::RemoveResultsIf(tier, [&](const Sha256&, const std::optional<Record>& record) {
        ++looked_at;
        return record && IsMadeBy(record->maker(), options.recalled);
      });
  return PrintRemoved(session, "cache-recall", looked_at, removed, "of that compiler");
}

}  // namespace

config::Command CacheCommand(const CliOptions& cli, DropInOptions& drop_in, CacheOptions& o) {
  config::Command command{
      .name = "cache",
      .summary = "the local results of the drop-ins",
      .description =
          "Results that ptxfarm-ptxas has kept on this machine, in $PTXFARM_LOCAL_RESULTS or "
          "$XDG_CACHE_HOME/ptxfarm/results. Any of this may run while builds go on.",
      .options = DropInGroups(drop_in),
  };
  const auto add = [&](std::string name, std::string summary, std::string description, auto work) {
    config::Command row{
        .name = name, .summary = std::move(summary), .description = std::move(description)};
    row.run = [&cli, name, work] {
      const Session session(cli);
      return static_cast<int>(WithTier(session, "cache-" + name,
                                       [&](const LocalTier& tier) { return work(session, tier); }));
    };
    command.commands.push_back(std::move(row));
  };
  add("stats", "shows how many results there are, and how often they served", "",
      [&drop_in](const Session& session, const LocalTier& tier) {
        return Stats(session, drop_in, tier);
      });
  add("clear", "removes all local results", "", Clear);
  add("verify", "reads all local results, and removes damaged ones",
      "A damaged result is never served: a call that meets one removes it and compiles.", Verify);
  add("recall", "removes the local results of one compiler",
      "For a compiler that turned out to be wrong: its version (13.0.88), or at least 8 digits of "
      "the SHA-256 of its bytes.",
      [&o](const Session& session, const LocalTier& tier) { return Recall(session, o, tier); });
  command.commands.back().arguments = {
      {"COMPILER", "The version, or the digest's beginning.", config::Text(&o.recalled)}};
  return command;
}

}  // namespace ptxfarm::client

#include "tests/worker/confined.h"

#include <algorithm>
#include <cstdlib>

#include <gtest/gtest.h>

namespace ptxfarm::worker {

std::string HelperPath() {
  const char* const folder = std::getenv("PTXFARM_BIN");
  return std::string(folder == nullptr ? "." : folder) + "/ptxfarm-confine";
}

std::string BreakoutPath() {
  const char* const folder = std::getenv("PTXFARM_BIN");
  return std::string(folder == nullptr ? "." : folder) + "/../tests/breakout";
}

Command BreakoutCommand(const std::string& folder, std::vector<std::string> words,
                        Confinement confinement) {
  words.insert(words.begin(), BreakoutPath());
  return Command{.arguments = std::move(words),
                 .folder = folder,
                 .confinement = confinement,
                 .read_paths = SystemReadPaths(),
                 .limits = {.wall_time = std::chrono::seconds(60), .threads = 16}};
}

ProcessResult RunBreakout(const std::string& folder, std::vector<std::string> words,
                          Confinement confinement) {
  const Command command = BreakoutCommand(folder, std::move(words), confinement);
  Result<ProcessResult> ran = RunProcess(HelperPath(), command, Cancellation());
  EXPECT_TRUE(ran) << ran.error().ToString();
  return ran ? *std::move(ran) : ProcessResult{};
}

bool ConfinementIsWhole() {
  const Result<std::vector<ProtectionStatus>> rows = ProbeConfinement(HelperPath());
  return rows && std::all_of(rows->begin(), rows->end(),
                             [](const ProtectionStatus& row) { return row.available; });
}

}  // namespace ptxfarm::worker

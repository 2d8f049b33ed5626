// The farm that the CLI starts for itself where no server is configured: one a user, shared by all
// calls, gone when it was idle for a while. A crashed, stale or outdated one is replaced by the
// next call.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "client/local/farm_files.h"
#include "client/local/farm_record.h"

namespace ptxfarm::local {

struct LocalFarmOptions {
  FarmFiles files;
  std::string program;                 // `ptxfarm-serve`
  std::vector<std::string> arguments;  // What it is given, beside nothing: all it needs to know.
  std::string version;                 // Of the caller: an older farm is replaced.
  std::chrono::milliseconds start_timeout{60'000};
  std::chrono::milliseconds drain_timeout{35'000};  // For what an outdated farm has under way;
                                                    // longer than its own patience.
  std::function<void(const std::string&)>
      notice;  // What takes time, for a person: "starting the local farm".
};

// Makes sure that a farm answers on files.socket(), and says what it is. Any number of processes
// may call it at once: one starts the farm, the others wait for it. Where it runs already this
// takes some microseconds.
//
// UNAVAILABLE: it didn't start; the message has the end of its log.
Result<FarmRecord> EnsureFarm(const LocalFarmOptions& options);

// The farm that runs and accepts connections now, if any.
std::optional<FarmRecord> FindFarm(const FarmFiles& files);

// Ends the farm: what is under way is finished first, within `drain_timeout`. False: none ran.
Result<bool> StopFarm(const FarmFiles& files, std::chrono::milliseconds drain_timeout);

// `ptxfarm-serve` as installed with this program: in ../libexec/ptxfarm, or beside it. NOT_FOUND
// says where it was looked for.
Result<std::string> FindServeProgram();

// Whether a farm is older than its caller, or its program was built or installed anew since it
// started.
bool IsOutdated(const FarmRecord& farm, const std::string& version);

}  // namespace ptxfarm::local

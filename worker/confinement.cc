#include "worker/confinement.h"

#include <unistd.h>

#include <filesystem>
#include <sstream>
#include <system_error>

#include "worker/cancellation.h"
#include "worker/process.h"

namespace ptxfarm::worker {
namespace {

// "landlock<TAB>ok<TAB>reading the machine's files"
Result<ProtectionStatus> ReadRow(const std::string& line) {
  std::istringstream fields(line);
  ProtectionStatus row;
  if (!std::getline(fields, row.name, '\t') || !std::getline(fields, row.why, '\t') ||
      !std::getline(fields, row.stops))
    return MakeError(Code::kInternal, "ptxfarm-confine --probe said '{}'", line);
  row.available = row.why == "ok";
  if (row.available) row.why.clear();
  return row;
}

}  // namespace

std::string_view NameOf(Confinement confinement) {
  switch (confinement) {
    case Confinement::kOff: return "off";
    case Confinement::kBestEffort: return "best-effort";
    case Confinement::kRequired: return "required";
  }
  PTXFARM_CHECK(false, "no such confinement");
}

Result<std::vector<ProtectionStatus>> ProbeConfinement(const std::string& helper) {
  const Command command{.arguments = {helper, "--folder=/", "--probe"},
                        .folder = "/",
                        .confinement = Confinement::kOff,
                        .limits = {.wall_time = std::chrono::seconds(10)}};
  PTXFARM_ASSIGN_OR_RETURN(const ProcessResult ran, RunProcess(helper, command, Cancellation()));
  if (ran.ending != Ending::kExited || ran.exit_code != 0)
    return MakeError(Code::kInternal, "{} --probe failed: {}", helper, ran.output);
  std::vector<ProtectionStatus> rows;
  std::istringstream lines(ran.output);
  for (std::string line; std::getline(lines, line);) {
    PTXFARM_ASSIGN_OR_RETURN(ProtectionStatus row, ReadRow(line));
    rows.push_back(std::move(row));
  }
  return rows;
}

Result<std::string> FindConfineHelper() {
  std::error_code failed;
  const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", failed);
  if (failed) return ErrnoError(failed.value(), "read /proc/self/exe");
  const std::string helper = self.parent_path() / "ptxfarm-confine";
  if (::access(helper.c_str(), X_OK) == 0) return helper;
  return MakeError(Code::kNotFound, "{} is missing: it is installed beside the other programs",
                   helper);
}

std::vector<std::string> SystemReadPaths() {
  return {"/lib",       "/lib32",         "/lib64",          "/usr/lib",
          "/usr/lib64", "/usr/local/lib", "/etc/ld.so.cache"};
}

}  // namespace ptxfarm::worker

#include "worker/ptxas/toolkit.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <filesystem>
#include <set>
#include <sstream>
#include <system_error>

#include "base/drop_in_mark.h"
#include "base/file.h"
#include "base/text.h"
#include "base/wrapper_script.h"
#include "worker/cancellation.h"
#include "worker/process.h"

namespace ptxfarm::worker {
namespace {

namespace fs = std::filesystem;

// ptxas answers in 2 ms; a file system that has to be woken may take seconds.
constexpr std::chrono::seconds kAnswerTime{20};
constexpr u64 kProgramBytesMax = u64{1} << 30;

// ---- Where to look

void AddTree(const fs::path& parent, std::vector<std::string>& places) {
  std::error_code failed;
  std::vector<std::string> found;
  for (const fs::directory_entry& entry : fs::directory_iterator(parent, failed)) {
    const std::string name = entry.path().filename();
    if (name == "cuda" || name.starts_with("cuda-")) found.push_back(entry.path());
  }
  std::sort(found.begin(), found.end());
  places.insert(places.end(), found.begin(), found.end());
}

std::vector<std::string> Places(const ToolkitSearch& search) {
  if (!search.named.empty()) return search.named;
  std::vector<std::string> places;
  for (const char* const name : {"CUDA_HOME", "CUDA_PATH"})
    if (const std::optional<std::string> root = search.environment(name)) places.push_back(*root);
  for (const std::string& parent : search.usual_parents) AddTree(parent, places);
  if (const std::optional<std::string> path = search.environment("PATH")) {
    std::istringstream folders(*path);
    for (std::string folder; std::getline(folders, folder, ':');)
      if (folder.starts_with('/')) places.push_back(folder);
  }
  return places;
}

// A script that only executes another program is that program; one that goes round in a circle
// stays what it is.
std::string BehindScripts(const std::string& path) {
  constexpr int kScriptsMax = 8;
  std::string behind = path;
  for (int scripts = 0; scripts <= kScriptsMax; ++scripts) {
    const Result<std::string> text = ReadFile(behind, kWrapperBytesMax);
    const std::optional<std::string> executed =
        text ? ExecutedByScript(*text) : std::optional<std::string>();
    if (!executed) return behind;
    std::error_code failed;
    behind = fs::canonical(*executed, failed);
    if (failed) return path;
  }
  return path;
}

// The ptxas of a place: a root, a bin folder, or the program itself; empty where there is none.
// Where our drop-in took its name, the toolkit's own is beside it as ptxas.real.
std::string PtxasOf(const std::string& place) {
  for (const char* const below : {"/bin/ptxas.real", "/ptxas.real", "/bin/ptxas", "/ptxas", ""}) {
    const std::string candidate = place + below;
    std::error_code failed;
    if (!fs::is_regular_file(candidate, failed)) continue;
    const fs::path real = fs::canonical(candidate, failed);
    if (!failed) return BehindScripts(real);
  }
  return {};
}

// ---- What it answers

Result<std::string> Ask(const std::string& helper, const std::string& ptxas, const char* question) {
  const Command command{.arguments = {ptxas, question},
                        .folder = "/",
                        .confinement = Confinement::kOff,
                        .limits = {.wall_time = kAnswerTime}};
  PTXFARM_ASSIGN_OR_RETURN(const ProcessResult ran, RunProcess(helper, command, Cancellation()));
  if (ran.ending == Ending::kTimedOut)
    return MakeError(Code::kDeadlineExceeded, "no answer to {} within {} s", question,
                     kAnswerTime.count());
  if (ran.ending != Ending::kExited || ran.exit_code != 0)
    return MakeError(Code::kUnavailable, "{} failed: {}", question, Shortened(ran.output));
  return ran.output;
}

// "Cuda compilation tools, release 13.0, V13.0.88" → "13.0.88"
Result<std::string> ReadVersion(const std::string& text) {
  const std::size_t at = text.find(", V");
  const bool is_ptxas = text.find("ptxas: ") != std::string::npos;
  const std::size_t end = text.find_first_not_of("0123456789.", at + 3);
  if (!is_ptxas || at == std::string::npos || end == at + 3)
    return MakeError(Code::kUnavailable, "--version says '{}', which isn't ptxas",
                     Shortened(text.substr(0, text.find('\n'))));
  return text.substr(at + 3, end - at - 3);
}

// The highest of lines "8.7".
Result<PtxVersion> ReadPtxVersionMax(const std::string& text) {
  PtxVersion highest;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    PtxVersion version;
    const char* const end = line.data() + line.size();
    const auto [dot, bad_major] = std::from_chars(line.data(), end, version.major);
    if (bad_major != std::errc() || dot == end || *dot != '.') continue;
    const auto [stop, bad_minor] = std::from_chars(dot + 1, end, version.minor);
    if (bad_minor == std::errc() && stop == end) highest = std::max(highest, version);
  }
  if (highest.major == 0) return Error{Code::kUnavailable, "--list-version names no PTX versions"};
  return highest;
}

// "sm_", digits, and at most one letter.
bool IsTargetName(std::string_view name) {
  const std::size_t digits_end = std::min(name.find_first_not_of("0123456789", 3), name.size());
  return name.size() <= 12 && digits_end > 3 && name.size() - digits_end <= 1;
}

// Every 'sm_90a' in quotes: the help lists the values of --gpu-name so.
Result<std::vector<std::string>> ReadTargets(const std::string& text) {
  std::set<std::string> targets;
  for (std::size_t at = text.find("'sm_"); at != std::string::npos;
       at = text.find("'sm_", at + 1)) {
    const std::size_t end = text.find('\'', at + 1);
    if (end == std::string::npos) break;
    const std::string name = text.substr(at + 1, end - at - 1);
    if (IsTargetName(name)) targets.insert(name);
  }
  if (targets.empty()) return Error{Code::kUnavailable, "--help names no targets"};
  return std::vector<std::string>(targets.begin(), targets.end());
}

// ---- Its identity

// FAILED_PRECONDITION: it is our drop-in, which would ask a farm, and so this worker, again; or a
// script, whose bytes stay the same when the compiler behind it changes. Who names a script says
// that it is the compiler.
Result<Sha256> IdentityOf(const std::string& path, bool is_named) {
  PTXFARM_ASSIGN_OR_RETURN(const std::string bytes, ReadFile(path, kProgramBytesMax));
  if (HasDropInMark(bytes))
    return Error{Code::kFailedPrecondition, "it is ptxfarm's drop-in, not the compiler itself"};
  if (bytes.starts_with("#!") && !is_named)
    return Error{Code::kFailedPrecondition,
                 "it is a script that may call any compiler; name that one with --cuda"};
  return DigestOf(bytes).sha256;
}

Result<Toolkit> Examine(const std::string& helper, const std::string& ptxas, bool is_named) {
  if (::access(ptxas.c_str(), X_OK) != 0) return ErrnoError(errno, fmt::format("run {}", ptxas));
  Toolkit toolkit{.ptxas = ptxas};
  PTXFARM_ASSIGN_OR_RETURN(toolkit.stamp, StampOf(ptxas));
  PTXFARM_ASSIGN_OR_RETURN(toolkit.compiler.identity.sha256, IdentityOf(ptxas, is_named));
  PTXFARM_ASSIGN_OR_RETURN(const std::string version, Ask(helper, ptxas, "--version"));
  PTXFARM_ASSIGN_OR_RETURN(toolkit.compiler.identity.version, ReadVersion(version));
  PTXFARM_ASSIGN_OR_RETURN(const std::string versions, Ask(helper, ptxas, "--list-version"));
  PTXFARM_ASSIGN_OR_RETURN(toolkit.compiler.ptx_version_max, ReadPtxVersionMax(versions));
  PTXFARM_ASSIGN_OR_RETURN(const std::string help, Ask(helper, ptxas, "--help"));
  PTXFARM_ASSIGN_OR_RETURN(toolkit.compiler.targets, ReadTargets(help));
  toolkit.compiler.identity.backend = "ptxas";
  return toolkit;
}

}  // namespace

Result<FileStamp> StampOf(const std::string& path) {
  struct stat info {};
  if (::stat(path.c_str(), &info) != 0) return ErrnoError(errno, fmt::format("stat {}", path));
  return FileStamp{info.st_dev, info.st_ino, static_cast<u64>(info.st_size),
                   i64{info.st_mtim.tv_sec} * 1'000'000'000 + info.st_mtim.tv_nsec};
}

std::map<std::string, FileStamp> ToolkitStamps(const ToolkitSearch& search) {
  std::map<std::string, FileStamp> stamps;
  for (const std::string& place : Places(search)) {
    const std::string ptxas = PtxasOf(place);
    if (ptxas.empty()) continue;
    if (const Result<FileStamp> stamp = StampOf(ptxas)) stamps.emplace(ptxas, *stamp);
  }
  return stamps;
}

FoundToolkits FindToolkits(const ToolkitSearch& search) {
  FoundToolkits found;
  std::set<std::string> seen;
  std::set<action::CompilerIdentity> identities;
  for (const std::string& place : Places(search)) {
    const std::string ptxas = PtxasOf(place);
    if (ptxas.empty()) {
      if (!search.named.empty()) found.skipped.push_back({place, "there is no ptxas here"});
      continue;
    }
    if (!seen.insert(ptxas).second) continue;
    Result<Toolkit> toolkit = Examine(search.helper, ptxas, !search.named.empty());
    if (!toolkit) {
      found.skipped.push_back({ptxas, toolkit.error().message});
    } else if (!identities.insert(toolkit->compiler.identity).second) {
      found.skipped.push_back({ptxas, "the same compiler as one found before"});
    } else {
      found.toolkits.push_back(*std::move(toolkit));
    }
  }
  std::stable_sort(
      found.toolkits.begin(), found.toolkits.end(), [](const Toolkit& a, const Toolkit& b) {
        return action::VersionLess(b.compiler.identity.version, a.compiler.identity.version);
      });
  return found;
}

}  // namespace ptxfarm::worker

#include "worker/control_group.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <sstream>
#include <string_view>
#include <system_error>

#include "base/file.h"
#include "worker/descriptor.h"

namespace ptxfarm::worker {
namespace {

namespace fs = std::filesystem;

constexpr u64 kProcBytesMax = 1 << 20;
// Then the number of the process that made it, and another one.
constexpr std::string_view kGroupPrefix = "ptxfarm-";

// Files of a control group take one write a value and are never made.
Status WriteValue(const std::string& path, std::string_view value) {
  const Descriptor file(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
  if (!file) return ErrnoError(errno, fmt::format("open {}", path));
  if (::write(file.get(), value.data(), value.size()) != static_cast<ssize_t>(value.size()))
    return ErrnoError(errno, fmt::format("write {}", path));
  return Ok{};
}

// The number behind `key` in a file of "key number" lines; with an empty key, of the only number.
u64 ReadNumber(const std::string& path, std::string_view key) {
  const Result<std::string> text = ReadFile(path, kProcBytesMax);
  if (!text) return 0;
  std::istringstream lines(*text);
  std::string name;
  u64 number = 0;
  if (key.empty()) return lines >> number ? number : 0;
  while (lines >> name >> number)
    if (name == key) return number;
  return 0;
}

// Removes what workers that are gone have left: a group with processes in it stays by itself.
void RemoveAbandoned(const std::string& own) {
  std::error_code failed;
  for (const fs::directory_entry& entry : fs::directory_iterator(own, failed)) {
    const std::string name = entry.path().filename();
    if (!name.starts_with(kGroupPrefix)) continue;
    const pid_t owner = std::atoi(name.c_str() + kGroupPrefix.size());
    if (owner > 0 && ::kill(owner, 0) != 0 && errno == ESRCH) ::rmdir(entry.path().c_str());
  }
}

// A new group; what is made in the kernel's file system comes with its files.
Result<std::string> MakeGroupFolder(const std::string& own) {
  constexpr int kTriesMax = 10'000;
  for (int i = 0; i < kTriesMax; ++i) {
    std::string path = fmt::format("{}/{}{}-{}", own, kGroupPrefix, ::getpid(), i);
    if (::mkdir(path.c_str(), 0755) == 0) return path;
    if (errno != EEXIST) return ErrnoError(errno, fmt::format("make {}", path));
  }
  return MakeError(Code::kResourceExhausted, "too many groups in {}", own);
}

std::string Number(u64 value, std::string_view none) {
  return value == 0 ? std::string(none) : fmt::format("{}", value);
}

// Version 1: memory and processes are two trees.
class GroupV1 final : public ControlGroup {
 public:
  ~GroupV1() override {
    if (!memory_.empty()) ::rmdir(memory_.c_str());
    if (!pids_.empty()) ::rmdir(pids_.c_str());
  }

  Status Make(const std::string& memory, const std::string& pids, u64 processes_max) {
    PTXFARM_ASSIGN_OR_RETURN(memory_, MakeGroupFolder(memory));
    PTXFARM_ASSIGN_OR_RETURN(pids_, MakeGroupFolder(pids));
    return WriteValue(pids_ + "/pids.max", Number(processes_max, "max"));
  }

  std::vector<std::string> JoinFiles() const override {
    return {memory_ + "/tasks", pids_ + "/tasks"};
  }

  Status Prepare(u64 memory_bytes) override {
    PTXFARM_RETURN_IF_ERROR(
        WriteValue(memory_ + "/memory.limit_in_bytes", Number(memory_bytes, "-1")));
    PTXFARM_RETURN_IF_ERROR(WriteValue(memory_ + "/memory.max_usage_in_bytes", "0"));
    kills_ = Kills();
    return Ok{};
  }

  GroupUsage Usage() const override {
    return {.killed_for_memory = Kills() > kills_,
            .memory_bytes_max = ReadNumber(memory_ + "/memory.max_usage_in_bytes", "")};
  }

 private:
  u64 Kills() const { return ReadNumber(memory_ + "/memory.oom_control", "oom_kill"); }

  std::string memory_, pids_;
  u64 kills_ = 0;
};

// Version 2: one tree.
class GroupV2 final : public ControlGroup {
 public:
  ~GroupV2() override {
    if (!folder_.empty()) ::rmdir(folder_.c_str());
  }

  Status Make(const std::string& own, u64 processes_max) {
    PTXFARM_ASSIGN_OR_RETURN(folder_, MakeGroupFolder(own));
    PTXFARM_RETURN_IF_ERROR(WriteValue(folder_ + "/pids.max", Number(processes_max, "max")));
    return WriteValue(folder_ + "/memory.oom.group", "1");
  }

  std::vector<std::string> JoinFiles() const override { return {folder_ + "/cgroup.procs"}; }

  Status Prepare(u64 memory_bytes) override {
    PTXFARM_RETURN_IF_ERROR(WriteValue(folder_ + "/memory.max", Number(memory_bytes, "max")));
    kills_ = Kills();
    return Ok{};
  }

  // memory.peak can be reset from Linux 6.12 on only: the figure of the process stands instead.
  GroupUsage Usage() const override { return {.killed_for_memory = Kills() > kills_}; }

 private:
  u64 Kills() const { return ReadNumber(folder_ + "/memory.events", "oom_kill"); }

  std::string folder_;
  u64 kills_ = 0;
};

bool HasWord(std::string_view list, std::string_view word) {
  for (std::size_t at = 0; at <= list.size();) {
    const std::size_t comma = std::min(list.find_first_of(", ", at), list.size());
    if (list.substr(at, comma - at) == word) return true;
    at = comma + 1;
  }
  return false;
}

// The path of our group in one tree: of the line "4:memory:/a/b", or "0::/a/b" for version 2.
std::optional<std::string> OwnPath(const std::string& cgroup, std::string_view controller) {
  std::istringstream lines(cgroup);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t first = line.find(':');
    const std::size_t second = line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string_view controllers =
        std::string_view(line).substr(first + 1, second - first - 1);
    if (controller.empty() ? controllers.empty() : HasWord(controllers, controller))
      return line.substr(second + 1);
  }
  return std::nullopt;
}

// Our group's folder: the mount of the tree, and our path below what is mounted there.
// "36 35 0:30 /root /mount options … - cgroup source memory"
std::optional<std::string> OwnFolder(const GroupPlace& place, std::string_view type,
                                     std::string_view controller) {
  const std::optional<std::string> path = OwnPath(place.cgroup, controller);
  if (!path) return std::nullopt;
  std::istringstream lines(place.mountinfo);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string word, root, mount, found_type, source, options;
    words >> word >> word >> word >> root >> mount;
    while (words >> word && word != "-") {
    }
    words >> found_type >> source >> options;
    if (found_type != type || (!controller.empty() && !HasWord(options, controller))) continue;
    if (root == "/") return *path == "/" ? mount : mount + *path;
    // In a container the mount shows a part of the tree, and our path may lie outside of it.
    if (path->starts_with(root)) return mount + path->substr(root.size());
    return mount;
  }
  return std::nullopt;
}

// Whether a worker made this group: "ptxfarm-" and two numbers.
bool IsOurs(std::string_view name) {
  if (!name.starts_with(kGroupPrefix)) return false;
  name.remove_prefix(kGroupPrefix.size());
  const std::size_t dash = name.find('-');
  const auto is_number = [](std::string_view word) {
    return !word.empty() && word.find_first_not_of("0123456789") == std::string_view::npos;
  };
  return dash != std::string_view::npos && is_number(name.substr(0, dash)) &&
         is_number(name.substr(dash + 1));
}

using Groups = std::vector<std::unique_ptr<ControlGroup>>;

Result<Groups> MakeV2(std::string own, std::size_t count, u64 processes_max) {
  // A worker before this one, in this process or in its parent, has moved it into a leaf already:
  // the new groups stand beside that leaf, not in it, or each restart would go one level deeper.
  while (IsOurs(fs::path(own).filename().native())) own = fs::path(own).parent_path();
  RemoveAbandoned(own);
  // Processes live in the leaves only: bounds can be handed to our children once this process has
  // moved into one, if it is alone here. It stays there.
  PTXFARM_ASSIGN_OR_RETURN(const std::string self, MakeGroupFolder(own));
  PTXFARM_RETURN_IF_ERROR(WriteValue(self + "/cgroup.procs", "0"));
  PTXFARM_RETURN_IF_ERROR(WriteValue(own + "/cgroup.subtree_control", "+memory +pids"));
  Groups groups;
  for (std::size_t i = 0; i < count; ++i) {
    auto group = std::make_unique<GroupV2>();
    PTXFARM_RETURN_IF_ERROR(group->Make(own, processes_max));
    groups.push_back(std::move(group));
  }
  return groups;
}

Result<Groups> MakeV1(const std::string& memory, const std::string& pids, std::size_t count,
                      u64 processes_max) {
  RemoveAbandoned(memory);
  RemoveAbandoned(pids);
  Groups groups;
  for (std::size_t i = 0; i < count; ++i) {
    auto group = std::make_unique<GroupV1>();
    PTXFARM_RETURN_IF_ERROR(group->Make(memory, pids, processes_max));
    groups.push_back(std::move(group));
  }
  return groups;
}

}  // namespace

Result<GroupPlace> ReadGroupPlace() {
  GroupPlace place;
  PTXFARM_ASSIGN_OR_RETURN(place.cgroup, ReadFile("/proc/self/cgroup", kProcBytesMax));
  PTXFARM_ASSIGN_OR_RETURN(place.mountinfo, ReadFile("/proc/self/mountinfo", kProcBytesMax));
  return place;
}

Result<Groups> MakeControlGroups(const GroupPlace& place, std::size_t count, u64 processes_max) {
  if (const std::optional<std::string> own = OwnFolder(place, "cgroup2", "")) {
    const Result<std::string> controllers = ReadFile(*own + "/cgroup.controllers", kProcBytesMax);
    const std::string names = controllers ? controllers->substr(0, controllers->find('\n')) : "";
    if (HasWord(names, "memory") && HasWord(names, "pids"))
      return MakeV2(*own, count, processes_max);
  }
  const std::optional<std::string> memory = OwnFolder(place, "cgroup", "memory");
  const std::optional<std::string> pids = OwnFolder(place, "cgroup", "pids");
  if (memory && pids) return MakeV1(*memory, *pids, count, processes_max);
  return Error{Code::kUnavailable, "no control groups for memory and processes are mounted here"};
}

}  // namespace ptxfarm::worker

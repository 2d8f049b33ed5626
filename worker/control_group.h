// Control groups: the kernel's own bound on the memory and processes of a compile, where the worker
// may make groups (version 1 as root, version 2 where it is delegated). Elsewhere the limits of the
// process alone hold.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/int.h"
#include "base/result.h"

namespace ptxfarm::worker {

struct GroupUsage {
  bool killed_for_memory = false;  // Since Prepare().
  u64 memory_bytes_max = 0;        // Since Prepare(); 0 where the kernel doesn't say.
};

// A group that one process after another is put into; removed with the object.
class ControlGroup {
 public:
  virtual ~ControlGroup() = default;

  // The files into which a process writes itself to join.
  virtual std::vector<std::string> JoinFiles() const = 0;
  // Sets the bound for the next process (0: none) and forgets what the last one took.
  virtual Status Prepare(u64 memory_bytes) = 0;
  virtual GroupUsage Usage() const = 0;
};

// Where this process stands: the text of /proc/self/cgroup and of /proc/self/mountinfo.
struct GroupPlace {
  std::string cgroup;
  std::string mountinfo;
};
Result<GroupPlace> ReadGroupPlace();

// Makes groups below the place's own, each with at most `processes_max` processes and threads, and
// removes those of workers that are gone. UNAVAILABLE and the like, with the reason, where that
// isn't possible here.
Result<std::vector<std::unique_ptr<ControlGroup>>> MakeControlGroups(const GroupPlace& place,
                                                                     std::size_t count,
                                                                     u64 processes_max);

}  // namespace ptxfarm::worker

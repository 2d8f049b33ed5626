// A user of `ptxfarm` with folders of their own, and so with a local farm of their own, which ends
// with the test.
#pragma once

#include <sys/types.h>

#include <map>
#include <optional>
#include <string>

#include <nlohmann/json.hpp>

#include "client/local/farm_files.h"
#include "client/local/farm_record.h"
#include "tests/support/temp_dir.h"

namespace ptxfarm::test {

struct CliRan {
  int exit_code = -1;
  std::string out;
  std::string err;

  // The document on standard output; discarded where it is none.
  nlohmann::json Json() const { return nlohmann::json::parse(out, nullptr, false); }
};

class CliFarm {
 public:
  CliFarm();
  ~CliFarm();

  // `words` is a piece of a shell's command line behind "ptxfarm"; it runs in work().
  CliRan Run(const std::string& words) const;
  // The same, with a command before and a pipe between.
  CliRan RunPiped(const std::string& before, const std::string& words) const;

  // For programs that are started otherwise.
  const std::map<std::string, std::string>& environment() const { return environment_; }
  void SetEnvironment(const std::string& name, const std::string& value) {
    environment_[name] = value;
  }
  // Use the programs of this folder.
  void SetPrograms(const std::string& folder) { programs_ = folder; }

  std::string work() const { return folder_ / "work"; }
  std::string In(const std::string& name) const { return work() + "/" + name; }
  void Write(const std::string& name, const std::string& text) const;
  std::string Read(const std::string& name) const;
  bool Exists(const std::string& name) const;

  local::FarmFiles files() const;
  std::optional<local::FarmRecord> farm() const;
  std::string log() const;

 private:
  std::string Command(const std::string& words) const;

  TempDir folder_;
  std::string programs_;
  std::map<std::string, std::string> environment_;
};

// A module of one kernel.
std::string SmallModule(const std::string& entry = "k");
// A module of about so many instructions in one block, over which a compiler sits for a second or two.
std::string SlowModule(int instructions = 15'000);

// Waits until the process is gone; false after a minute.
bool WaitForEnd(pid_t process);

}  // namespace ptxfarm::test

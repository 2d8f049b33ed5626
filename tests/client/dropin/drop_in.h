// A user whose PATH leads to the drop-in under the name ptxas, with local results of their own.
#pragma once

#include <map>
#include <string>

#include "client/dropin/tier/counters.h"
#include "tests/support/temp_dir.h"

namespace ptxfarm::test {

struct DropInRan {
  int exit_code = -1;  // 128 + signal where one ended it.
  std::string out;
  std::string err;  // Without the clock that ptxas prints.

  friend bool operator==(const DropInRan&, const DropInRan&) = default;
};

class DropIn {
 public:
  DropIn();
  ~DropIn();

  // A shell's command line in work(): "ptxas -v k.ptx". Behind the drop-in the toolkit's own folder
  // is on the PATH. No farm is asked unless the environment is changed so.
  DropInRan Run(const std::string& command) const;
  // The same with the toolkit's own ptxas on the PATH instead, in the folder `direct`.
  DropInRan RunDirect(const std::string& command) const;

  // Added to the environment of both; an empty value takes the variable out.
  void SetEnvironment(const std::string& name, const std::string& value) {
    environment_[name] = value;
  }

  std::string folder() const { return folder_.path(); }
  std::string work() const { return folder_ / "work"; }
  std::string direct() const { return folder_ / "direct"; }
  std::string bin() const { return folder_ / "bin"; }
  std::string results() const { return folder_ / "results"; }

  // Into work() and direct().
  void Write(const std::string& name, const std::string& text) const;
  // Of work(); "(none)" where there is no such file.
  std::string Read(const std::string& name) const;
  std::string ReadDirect(const std::string& name) const;

  u64 Count(dropin::Counter counter) const;

 private:
  DropInRan RunIn(const std::string& folder, const std::string& bin,
                  const std::string& command) const;

  TempDir folder_;
  std::map<std::string, std::string> environment_;
};

}  // namespace ptxfarm::test

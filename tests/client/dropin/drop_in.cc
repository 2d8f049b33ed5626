#include "tests/client/dropin/drop_in.h"

#include <sys/stat.h>
#include <unistd.h>

#include <fmt/format.h>

#include "base/check.h"
#include "base/file.h"
#include "client/dropin/tier/local_tier.h"
#include "tests/support/program.h"
#include "tests/support/toolkit.h"

namespace ptxfarm::test {
namespace {

// "Compile time = 7.140 ms" differs from run to run.
std::string WithoutClock(std::string text) {
  constexpr std::string_view kClock = "Compile time = ";
  for (std::size_t at = text.find(kClock); at != std::string::npos; at = text.find(kClock, at)) {
    at += kClock.size();
    text.replace(at, text.find(" ms", at) - at, "-");
  }
  return text;
}

}  // namespace

DropIn::DropIn() {
  for (const char* name : {"work", "direct", "bin", "run", "cache", "config"})
    PTXFARM_CHECK(::mkdir((folder_ / name).c_str(), 0700) == 0);
  PTXFARM_CHECK(::symlink(ProgramPath("ptxfarm-ptxas").c_str(), (bin() + "/ptxas").c_str()) == 0);
  environment_ = {{"XDG_RUNTIME_DIR", folder_ / "run"},
                  {"XDG_CACHE_HOME", folder_ / "cache"},
                  {"XDG_CONFIG_HOME", folder_ / "config"},
                  {"PTXFARM_LOCAL_RESULTS", results()},
                  {"PTXFARM_DROP_IN_FARM", "false"},
                  {"PTXFARM_SERVER", ""},
                  {"PTXFARM_PTXAS", ""},
                  {"NO_COLOR", ""}};
}

DropIn::~DropIn() {
  // A local farm that a call started.
  Run(ProgramPath("ptxfarm") + " stop --wait 0s");
}

DropInRan DropIn::RunIn(const std::string& folder, const std::string& bin,
                        const std::string& command) const {
  std::string unset, set;
  for (const auto& [name, value] : environment_) {
    if (value.empty())
      unset += fmt::format(" -u {}", name);
    else
      set += fmt::format(" {}={}", name, ShellQuote(value));
  }
  const std::string out = folder_ / "out", err = folder_ / "err";
  const Ran ran = RunShell(fmt::format("cd {} && env{}{} PATH={}:\"$PATH\" sh -c {} >{} 2>{}",
                                       ShellQuote(folder), unset, set, ShellQuote(bin),
                                       ShellQuote(command), ShellQuote(out), ShellQuote(err)));
  return {ran.exit_code, *ReadFile(out, 1 << 30), WithoutClock(*ReadFile(err, 1 << 30))};
}

DropInRan DropIn::Run(const std::string& command) const {
  return RunIn(work(), bin() + ":" + *ToolkitRoot() + "/bin", command);
}

DropInRan DropIn::RunDirect(const std::string& command) const {
  return RunIn(direct(), *ToolkitRoot() + "/bin", command);
}

void DropIn::Write(const std::string& name, const std::string& text) const {
  for (const std::string& folder : {work(), direct()})
    PTXFARM_CHECK(WriteFileAtomically(folder + "/" + name, text).has_value());
}

std::string DropIn::Read(const std::string& name) const {
  return ReadFile(work() + "/" + name, 1 << 30).value_or("(none)");
}

std::string DropIn::ReadDirect(const std::string& name) const {
  return ReadFile(direct() + "/" + name, 1 << 30).value_or("(none)");
}

u64 DropIn::Count(dropin::Counter counter) const {
  const auto counters = dropin::LocalTier(results()).OpenCounters();
  return counters ? counters->Get(counter) : 0;
}

}  // namespace ptxfarm::test

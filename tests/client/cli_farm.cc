#include "tests/client/cli_farm.h"

#include <poll.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <fmt/format.h>

#include "base/check.h"
#include "base/file.h"
#include "client/local/local_farm.h"
#include "tests/support/program.h"
#include "tests/support/toolkit.h"

namespace ptxfarm::test {

CliFarm::CliFarm() : programs_(ProgramPath("")) {
  for (const char* name : {"run", "cache", "work"})
    PTXFARM_CHECK(::mkdir((folder_ / name).c_str(), 0700) == 0);
  environment_ = {{"XDG_RUNTIME_DIR", folder_ / "run"},
                  {"XDG_CACHE_HOME", folder_ / "cache"},
                  {"XDG_CONFIG_HOME", folder_ / "config"},
                  {"PTXFARM_SERVER", ""},
                  {"NO_COLOR", ""}};
}

CliFarm::~CliFarm() { Run("stop --wait 0s"); }

std::string CliFarm::Command(const std::string& words) const {
  std::string unset, set;
  for (const auto& [name, value] : environment_) {
    if (value.empty())
      unset += fmt::format(" -u {}", name);
    else
      set += fmt::format(" {}={}", name, ShellQuote(value));
  }
  return fmt::format("env{}{} {}ptxfarm {}", unset, set, programs_, words);
}

CliRan CliFarm::Run(const std::string& words) const { return RunPiped("", words); }

CliRan CliFarm::RunPiped(const std::string& before, const std::string& words) const {
  const std::string out = folder_ / "out", err = folder_ / "err";
  const std::string pipe = before.empty() ? "" : before + " | ";
  const Ran ran = RunShell(
      fmt::format("cd {} && {}{} >{} 2>{}", ShellQuote(work()), pipe, Command(words), out, err));
  return {ran.exit_code, *ReadFile(out, 1 << 30), *ReadFile(err, 1 << 30)};
}

void CliFarm::Write(const std::string& name, const std::string& text) const {
  PTXFARM_CHECK(WriteFileAtomically(In(name), text).has_value());
}

std::string CliFarm::Read(const std::string& name) const {
  return ReadFile(In(name), 1 << 30).value_or("");
}

bool CliFarm::Exists(const std::string& name) const {
  return ::access(In(name).c_str(), F_OK) == 0;
}

local::FarmFiles CliFarm::files() const {
  return {folder_ / "run/ptxfarm", folder_ / "cache/ptxfarm"};
}

std::optional<local::FarmRecord> CliFarm::farm() const { return local::FindFarm(files()); }

std::string CliFarm::log() const { return ReadFile(files().log(), 1 << 30).value_or(""); }

std::string SmallModule(const std::string& entry) {
  return fmt::format(
      ".version 7.0\n.target sm_75\n.address_size 64\n\n.visible .entry {}(.param .u64 p)\n{{\n"
      "  .reg .u64 %rd<2>;\n  ld.param.u64 %rd1, [p];\n  st.global.u32 [%rd1], 7;\n  ret;\n}}\n",
      entry);
}

std::string SlowModule(int instructions) {
  std::string text =
      ".version 7.0\n.target sm_75\n.address_size 64\n\n.visible .entry slow(.param .u64 p)\n{\n"
      "  .reg .u64 %rd<2>;\n  .reg .f32 %f<64>;\n  ld.param.u64 %rd1, [p];\n";
  for (int i = 0; i < 64; ++i) text += fmt::format("  ld.global.f32 %f{}, [%rd1+{}];\n", i, 4 * i);
  for (int i = 0; i < instructions; ++i)
    text += fmt::format("  fma.rn.f32 %f{}, %f{}, %f{}, %f{};\n", i % 64, i * 7 % 64, i * 13 % 64,
                        i * 29 % 64);
  for (int i = 0; i < 64; ++i) text += fmt::format("  st.global.f32 [%rd1+{}], %f{};\n", 4 * i, i);
  return text + "  ret;\n}\n";
}

bool WaitForEnd(pid_t process) {
  const int handle = static_cast<int>(::syscall(SYS_pidfd_open, process, 0));
  if (handle < 0) return true;
  pollfd descriptor{handle, POLLIN, 0};
  const bool ended = ::poll(&descriptor, 1, 60'000) == 1;
  ::close(handle);
  return ended;
}

}  // namespace ptxfarm::test

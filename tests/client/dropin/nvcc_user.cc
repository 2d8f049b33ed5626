#include "tests/client/dropin/nvcc_user.h"

#include <cstdlib>
#include <filesystem>
#include <optional>

#include <fmt/format.h>

#include "base/file.h"

namespace ptxfarm::dropin {

void NvccUser::Write(const std::string& name, std::string_view text) const {
  std::filesystem::create_directories(std::filesystem::path(dir_ / name).parent_path());
  ASSERT_TRUE(WriteFileAtomically(dir_ / name, text));
}

std::string NvccUser::Contents(const std::string& name) const {
  const Result<std::string> text = ReadFile(dir_ / name, 1 << 26);
  return text ? *text : "";
}

std::string NvccUser::Setting() const {
  return fmt::format(
      "cd {} && mkdir -p tmp && export TMPDIR=$PWD/tmp PTXFARM_LOCAL_RESULTS={} "
      "PTXFARM_DROP_IN_FARM=false && ",
      test::ShellQuote(dir_.path()), test::ShellQuote(tier_.folder()));
}

test::Ran NvccUser::Shell(const std::string& command) const {
  return test::RunShell(Setting() + command);
}

std::string NvccUser::Launcher() {
  return fmt::format("{}/ptxfarm-nvcc", std::getenv("PTXFARM_BIN"));
}

test::Ran NvccUser::Launch(const std::string& words) const {
  return Shell(fmt::format("{} {} {}", Launcher(), test::ToolkitTool("nvcc"), words));
}

NvccUser::Counts NvccUser::Counted() const {
  const std::optional<Counters> counters = tier_.OpenCounters();
  if (!counters) return {};
  return {counters->Get(Counter::kNvccHit), counters->Get(Counter::kNvccMiss)};
}

std::string NvccUser::WithoutProcessNumber(std::string object) {
  constexpr std::string_view kStart = "tmpxft_", kNone = "00000000_00000000";
  for (std::size_t at = object.find(kStart); at != std::string::npos;
       at = object.find(kStart, at + 1))
    if (at + kStart.size() + kNone.size() <= object.size())
      object.replace(at + kStart.size(), kNone.size(), kNone);
  return object;
}

std::size_t NvccUser::FilesLike(std::string_view start) const {
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(dir_.path()))
    files += entry.path().filename().string().starts_with(start) ? 1 : 0;
  return files;
}

}  // namespace ptxfarm::dropin

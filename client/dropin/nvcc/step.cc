#include "client/dropin/nvcc/step.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <set>

#include <fmt/format.h>

#include "base/file.h"
#include "client/dropin/nvcc/cicc.h"
#include "client/dropin/nvcc/include_scan.h"

namespace ptxfarm::dropin {
namespace {

constexpr u64 kTextBytesMax = u64{4} << 30;
constexpr std::string_view kCicc = "cicc";
constexpr std::string_view kCudafe = "cudafe++";

std::string_view NameOfProgram(std::string_view called_as) {
  return called_as.substr(called_as.rfind('/') + 1);
}

// A line of its own, for what no file is named.
constexpr std::string_view kDeviceLine = "/device/";
constexpr std::string_view kHostLine = "/host/";
constexpr std::string_view kFailedLine = "/failed/";

// One write of whole lines: steps run side by side append to one file.
void NoteNames(const char* seen, std::string_view step, const std::string& preprocessed) {
  const Result<std::string> text = ReadFile(preprocessed, kTextBytesMax);
  std::string lines = fmt::format("{}\n", text ? step : kFailedLine);
  if (text)
    for (const std::string& name : FilesOfPreprocessed(*text)) lines += name + '\n';
  const int file = ::open(seen, O_WRONLY | O_APPEND | O_CLOEXEC);
  if (file < 0) return;  // Then its line is missing.
  if (::write(file, lines.data(), lines.size()) != static_cast<ssize_t>(lines.size())) {
    lines = fmt::format("\n{}\n", kFailedLine);
    static_cast<void>(::write(file, lines.data(), lines.size()));
  }
  ::close(file);
}

}  // namespace

bool IsStep(std::string_view called_as) {
  const std::string_view name = NameOfProgram(called_as);
  return (name == kCicc || name == kCudafe) && std::getenv(kToolkitVariable) != nullptr;
}

int RunStep(int argc, char** argv) {
  const bool is_cicc = NameOfProgram(argv[0]) == kCicc;
  if (const char* const seen = std::getenv(kSeenVariable))
    for (int i = 1; i < argc; ++i)
      if (std::string_view(argv[i]).ends_with(".ii"))
        NoteNames(seen, is_cicc ? kDeviceLine : kHostLine, argv[i]);
  const std::string bin = std::getenv(kToolkitVariable);
  if (is_cicc) return RunCicc(bin, argc, argv);
  const std::string program = bin + "/cudafe++";
  ::execv(program.c_str(), argv);
  std::fprintf(stderr, "ptxfarm-nvcc: can't run %s: %s\n", program.c_str(), std::strerror(errno));
  return 127;
}

std::optional<SeenNames> ReadSeenNames(const std::string& file) {
  const Result<std::string> text = ReadFile(file, kTextBytesMax);
  if (!text) return std::nullopt;
  SeenNames seen;
  std::set<std::string_view> names;
  for (std::size_t begin = 0; begin < text->size();) {
    const std::size_t end = std::min(text->find('\n', begin), text->size());
    const std::string_view line = std::string_view(*text).substr(begin, end - begin);
    begin = end + 1;
    if (line.empty() || line == kFailedLine) return std::nullopt;
    if (line == kDeviceLine)
      seen.device = true;
    else if (line == kHostLine)
      seen.host = true;
    else
      names.insert(line);
  }
  seen.names.assign(names.begin(), names.end());
  return seen;
}

}  // namespace ptxfarm::dropin

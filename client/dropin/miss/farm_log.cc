#include "client/dropin/miss/farm_log.h"

#include <cstdio>
#include <vector>

#include "client/dropin/ptxas/names_in_text.h"
#include "toolchain/target/target.h"

namespace ptxfarm::dropin {
namespace {

constexpr std::string_view kInfo = "ptxas info    : ";
constexpr std::string_view kWarning = "ptxas warning : ";
// The farm compiles under this name (worker/ptxas).
constexpr std::string_view kFarmName = "input.ptx";

std::vector<std::string_view> LinesOf(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

// Of -v: advice has a number ("ptxas info    : (C7508) …") and is printed always.
bool IsReport(std::string_view line) {
  if (line.starts_with("    ")) return true;
  return line.starts_with(kInfo) && !line.substr(kInfo.size()).starts_with("(C");
}

bool IsWarning(std::string_view line) {
  return line.starts_with(kWarning) || line.find("; warning : ") != std::string_view::npos;
}

// "ptxas info    : Function properties for k", and below "    864 bytes stack frame, 800 bytes
// spill stores, 800 bytes spill loads": what --warn-on-spills says of it.
std::string SpillWarnings(const std::vector<std::string_view>& lines) {
  constexpr std::string_view kProperties = "ptxas info    : Function properties for ";
  std::string warnings;
  for (std::size_t i = 0; i + 1 < lines.size(); ++i) {
    if (!lines[i].starts_with(kProperties)) continue;
    unsigned long long frame = 0, stores = 0, loads = 0;
    const std::string below(lines[i + 1]);
    if (std::sscanf(below.c_str(),
                    " %llu bytes stack frame, %llu bytes spill stores, %llu bytes spill loads",
                    &frame, &stores, &loads) != 3 ||
        stores + loads == 0)
      continue;
    warnings += fmt::format(
        "{}Registers are spilled to local memory in function '{}', {} bytes spill stores, {} bytes "
        "spill loads\n",
        kWarning, lines[i].substr(kProperties.size()), stores, loads);
  }
  return warnings;
}

}  // namespace

std::string LogText(const PtxasCall& call, std::string_view log) {
  const bool verbose = call.Has("verbose");
  const bool silent = call.Has("disable-warnings");
  const std::vector<std::string_view> lines = LinesOf(log);
  std::string spills = call.Has("warn-on-spills") && !silent ? SpillWarnings(lines) : std::string();
  std::string text;
  for (const std::string& option : call.redefined)
    text += fmt::format(
        "{}incompatible redefinition for option '{}', the last value of this option was used\n",
        kWarning, option);
  for (const std::string_view line : lines) {
    if (IsReport(line)) {
      // The warnings stand before the listing.
      if (line.find(" bytes gmem") != std::string_view::npos)
        text += std::exchange(spills, std::string());
      if (!verbose) continue;
    }
    if (silent && IsWarning(line)) continue;
    text += line;
    text += '\n';
  }
  text += spills;
  return WithoutName(text, kFarmName).value_or("");
}

bool HasPlaces(std::string_view log) { return log.find(kFarmName) != std::string_view::npos; }

std::string FailureText(const PtxasCall& call, const action::ActionResult& result) {
  // Callers ask what a compiler can by trying, and look for these very words.
  if (!call.target.empty() &&
      (!ParseTarget(call.target) || result.outcome == action::Outcome::kToolchainTooOld))
    return fmt::format("ptxas fatal   : Value '{}' is not defined for option 'gpu-name'\n",
                       call.target);
  return DiagnosticsText(result.diagnostics);
}

std::string DiagnosticsText(const Diagnostics& diagnostics) {
  std::string text;
  for (const Diagnostic& diagnostic : diagnostics) {
    const std::string_view severity =
        diagnostic.severity == Severity::kError ? "error   " : "warning ";
    if (diagnostic.place.line != 0)
      text += fmt::format("ptxas {}, line {}; {}: {}\n", kNamePlace, diagnostic.place.line,
                          severity, diagnostic.message);
    else
      text += fmt::format("ptxas {}: {}\n", severity, diagnostic.message);
  }
  return text + "ptxas fatal   : Ptx assembly aborted due to errors\n";
}

std::string VersionText(const std::string& version, const Sha256& sha256) {
  const std::size_t minor = version.find('.');
  const std::string release = version.substr(0, version.find('.', minor + 1));
  return fmt::format(
      "ptxas: ptxfarm, in place of the farm's ptxas\nCuda compilation tools, release {}, "
      "V{}\nCompiler sha256:{}\n",
      release, version, HexOf(sha256));
}

}  // namespace ptxfarm::dropin

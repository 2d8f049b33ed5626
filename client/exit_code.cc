#include "client/exit_code.h"

#include "base/check.h"

namespace ptxfarm::client {
namespace {

// clang-format off
constexpr ExitCodeRow kExitCodes[] = {
    {ExitCode::kOk,      "ok",      "all that was asked was done"},
    {ExitCode::kInput,   "input",   "an input was wrong; the diagnostics say what"},
    {ExitCode::kUsage,   "usage",   "the command line or the configuration was wrong; nothing was done"},
    {ExitCode::kService, "service", "the farm could not do it: no server, a wrong token or certificate, a limit, a fault, "
                                    "no compiler that fits"},
    {ExitCode::kFile,    "file",    "a file could not be read or written"},
};
// clang-format on

}  // namespace

std::span<const ExitCodeRow> ExitCodes() { return kExitCodes; }

std::string_view NameOf(ExitCode code) {
  for (const ExitCodeRow& row : kExitCodes)
    if (row.code == code) return row.name;
  PTXFARM_CHECK(false, "an exit code without a row");
}

ExitCode ExitCodeOf(action::Outcome outcome) {
  switch (outcome) {
    case action::Outcome::kOk: return ExitCode::kOk;
    case action::Outcome::kInputError:
    case action::Outcome::kResourceLimit: return ExitCode::kInput;
    case action::Outcome::kToolchainTooOld:
    case action::Outcome::kCrashed:
    case action::Outcome::kServiceLimit:
    case action::Outcome::kCancelled:
    case action::Outcome::kFault: return ExitCode::kService;
  }
  return ExitCode::kService;
}

ExitCode ExitCodeOfCall(const Error& error) {
  return error.code == Code::kInvalidArgument ? ExitCode::kUsage : ExitCode::kService;
}

ExitCode ExitCodeOfRead(const Error& error) {
  return error.code == Code::kInvalidArgument || error.code == Code::kDataLoss ? ExitCode::kInput
                                                                               : ExitCode::kFile;
}

}  // namespace ptxfarm::client

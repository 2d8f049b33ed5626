#include "action/action_result.h"

#include "base/check.h"

namespace ptxfarm::action {
namespace {

// docs/design.md §5.
constexpr OutcomeRow kOutcomes[] = {
    {Outcome::kOk, "ok", Retention::kStored},
    {Outcome::kInputError, "input_error", Retention::kStored},
    {Outcome::kResourceLimit, "resource_limit", Retention::kStored},
    // Its key holds the compiler's identity, so a newer toolkit is asked anew.
    {Outcome::kToolchainTooOld, "toolchain_too_old", Retention::kStored},
    {Outcome::kCrashed, "crashed", Retention::kBriefly},
    {Outcome::kServiceLimit, "service_limit", Retention::kNever},
    {Outcome::kCancelled, "cancelled", Retention::kNever},
    {Outcome::kFault, "fault", Retention::kNever},
};

}  // namespace

const OutcomeRow& RowOf(Outcome outcome) {
  const auto index = static_cast<std::size_t>(outcome);
  PTXFARM_CHECK(index < std::size(kOutcomes) && kOutcomes[index].outcome == outcome);
  return kOutcomes[index];
}

std::string_view NameOf(ObjectKind kind) {
  switch (kind) {
    case ObjectKind::kNone: return "";
    case ObjectKind::kExecutable: return "executable";
    case ObjectKind::kRelocatable: return "relocatable";
    case ObjectKind::kExtensible: return "extensible";
  }
  return "";
}

const Digest* ActionResult::OutputOf(OutputRole role) const {
  for (const Output& output : outputs)
    if (output.role == role) return &output.digest;
  return nullptr;
}

ActionResult Failed(Outcome outcome, std::string kind, std::string message) {
  ActionResult result;
  result.outcome = outcome;
  result.diagnostics.push_back(
      {.severity = Severity::kError, .kind = std::move(kind), .message = std::move(message)});
  return result;
}

}  // namespace ptxfarm::action

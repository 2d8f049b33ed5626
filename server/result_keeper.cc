#include "server/result_keeper.h"

#include <algorithm>

#include "rpc/convert.h"

namespace ptxfarm::server {
namespace {

// Long enough to spare the farm a storm of equal requests, short enough to outlive a bad day.
constexpr std::chrono::minutes kBriefly{10};

bool AllAtHand(const Finished& finished) {
  return std::all_of(finished.result.outputs.begin(), finished.result.outputs.end(),
                     [&](const action::Output& output) {
                       return std::any_of(
                           finished.outputs.begin(), finished.outputs.end(),
                           [&](const Blob& blob) { return blob.digest == output.digest; });
                     });
}

}  // namespace

ResultKeeper::Kept ResultKeeper::Keep(const Sha256& action, Finished finished) {
  const action::Retention retention = action::RowOf(finished.result.outcome).retention;
  Status stored = StoreOutputs(finished);
  if (stored && retention != action::Retention::kNever) {
    ActionRecord record{.bytes = rpc::Serialize(finished.result)};
    for (const action::Output& output : finished.result.outputs)
      record.outputs.push_back(output.digest);
    if (retention == action::Retention::kBriefly) record.expires = clock_.WallNow() + kBriefly;
    stored = store_.actions().Put(action, record);
  }
  if (!stored && !AllAtHand(finished)) {
    action::ActionResult fault =
        action::Failed(action::Outcome::kFault, "store",
                       fmt::format("the result could not be stored: {}", stored.error().message));
    fault.compiler = finished.result.compiler;
    fault.execution = finished.result.execution;
    finished = Finished{.result = std::move(fault)};
  }
  return Kept{.finished = std::make_shared<const Finished>(std::move(finished)),
              .stored = std::move(stored)};
}

Status ResultKeeper::StoreOutputs(const Finished& finished) {
  for (const Blob& blob : finished.outputs) PTXFARM_RETURN_IF_ERROR(store_.blobs().Put(blob));
  std::vector<Digest> outputs;
  for (const action::Output& output : finished.result.outputs) outputs.push_back(output.digest);
  if (outputs.empty()) return Ok{};
  PTXFARM_ASSIGN_OR_RETURN(const std::vector<Digest> missing, store_.blobs().FindMissing(outputs));
  if (!missing.empty())
    return MakeError(Code::kFailedPrecondition,
                     "the worker reported output {}, but did not upload it", missing.front());
  return Ok{};
}

std::optional<action::ActionResult> ResultKeeper::Find(const Sha256& action) {
  Result<std::optional<ActionRecord>> record = store_.actions().Get(action);
  // A store that fails to read costs a compile; it reports itself through its own metrics.
  if (!record || !record->has_value()) return std::nullopt;
  Result<action::ActionResult> result = rpc::ParseActionResult((*record)->bytes);
  if (result) return *std::move(result);
  Forget(action);
  return std::nullopt;
}

void ResultKeeper::Forget(const Sha256& action) {
  const Status ignored =
      store_.actions().Remove(action);  // It is found out again at the next look.
}

}  // namespace ptxfarm::server

// Stores what came out, and finds it again: action results with their outputs, as one.
#pragma once

#include <memory>
#include <optional>

#include "action/action_result.h"
#include "base/clock.h"
#include "server/action_queue.h"
#include "store/stores.h"

namespace ptxfarm::server {

class ResultKeeper {
 public:
  // Both outlive the keeper.
  ResultKeeper(Store& store, const Clock& clock) : store_(store), clock_(clock) {}

  // Stores the outputs, checks that all are there, then writes the record, as the outcome's
  // retention says. What can't be stored (disk full) is still good for those who wait, as long as
  // its outputs are at hand; where they aren't, the answer is a fault. The status is for the log.
  struct Kept {
    std::shared_ptr<const Finished> finished;
    Status stored = Ok{};
  };
  Kept Keep(const Sha256& action, Finished finished);

  // The stored result of an action. A record that can't be read is as none, and is dropped.
  std::optional<action::ActionResult> Find(const Sha256& action);

  // An output turned out to be gone or damaged: the record is worth nothing.
  void Forget(const Sha256& action);

 private:
  Status StoreOutputs(const Finished& finished);

  Store& store_;
  const Clock& clock_;
};

}  // namespace ptxfarm::server

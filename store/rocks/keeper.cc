#include "store/rocks/keeper.h"

namespace ptxfarm::rocks {
namespace {

// How much of the uses a crash may forget, and how long a full disk may go unnoticed to have room
// again.
constexpr std::chrono::seconds kInterval(10);
constexpr std::chrono::seconds kIntervalWhileFailing(1);

}  // namespace

void Keeper::Start() { thread_ = std::thread(&Keeper::Run, this); }

void Keeper::Stop() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void Keeper::Wake() {
  {
    const std::lock_guard lock(mutex_);
    if (woken_) return;
    woken_ = true;
  }
  wake_.notify_all();
}

Status Keeper::Round() {
  const std::lock_guard lock(round_);
  database_.Recover();
  PTXFARM_RETURN_IF_ERROR(uses_.Flush());
  return evictor_.Evict();
}

Status Keeper::MakeRoom() {
  if (evictor_.IsFarOver()) return Round();
  if (evictor_.IsOver()) Wake();
  return Ok{};
}

void Keeper::Run() {
  std::unique_lock lock(mutex_);
  while (!stopping_) {
    wake_.wait_for(lock, database_.writable() ? kInterval : kIntervalWhileFailing,
                   [&] { return woken_ || stopping_; });
    if (stopping_) break;
    woken_ = false;
    lock.unlock();
    Report(Round());
    lock.lock();
  }
}

// Whoever writes next is told too, and the next round tries again.
void Keeper::Report(const Status& round) {
  const std::string error = round ? "" : round.error().ToString();
  if (error == reported_) return;
  reported_ = error;
  if (!error.empty() && observer_ != nullptr) observer_->Warned(error);
}

}  // namespace ptxfarm::rocks

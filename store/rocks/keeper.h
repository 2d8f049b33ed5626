// The background work of the store: writes down uses, evicts, and brings the database back after
// the disk was full.
#pragma once

#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

#include "base/result.h"
#include "store/observer.h"
#include "store/rocks/database.h"
#include "store/rocks/evictor.h"
#include "store/rocks/use_index.h"

namespace ptxfarm::rocks {

class Keeper {
 public:
  // The observer, if there is one, hears of rounds that fail.
  Keeper(Database& database, UseIndex& uses, Evictor& evictor, StoreObserver* observer)
      : database_(database), uses_(uses), evictor_(evictor), observer_(observer) {}
  ~Keeper() { Stop(); }

  void Start();
  // Waits for the round under way.
  void Stop();

  // Asks for a round soon.
  void Wake();
  // One round, in the caller's thread. One at a time: the second waits, and then finds little to
  // do.
  Status Round();

  // After something was put: wakes the keeper, or works for it where the writers are faster than it
  // is.
  Status MakeRoom();

 private:
  void Run();
  void Report(const Status& round);

  Database& database_;
  UseIndex& uses_;
  Evictor& evictor_;
  StoreObserver* const observer_;
  std::string reported_;  // The last error, so that one that lasts is said once. The thread's own.
  std::mutex round_;
  std::mutex mutex_;
  std::condition_variable wake_;
  bool woken_ = false;
  bool stopping_ = false;
  std::thread thread_;
};

}  // namespace ptxfarm::rocks

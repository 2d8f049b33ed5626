// How the local farm of a user makes itself known: its lock, its record, and the line that tells
// who started it.
#pragma once

#include <memory>
#include <string>

#include "base/result.h"
#include "client/local/farm_files.h"
#include "client/local/farm_record.h"
#include "client/local/lock.h"

namespace ptxfarm::farm {

class LocalPresence {
 public:
  // Takes the lock before anything of the farm is opened. ALREADY_EXISTS: another farm has it.
  static Result<std::unique_ptr<LocalPresence>> Take(const local::FarmFiles& files,
                                                     int ready_descriptor);

  // The record goes first: the next caller must not find a ready farm that says nothing of itself.
  ~LocalPresence();
  LocalPresence(const LocalPresence&) = delete;
  LocalPresence& operator=(const LocalPresence&) = delete;

  // Writes the record and tells whoever waits on the descriptor.
  Status Announce(const std::string& page);
  // Takes the record away: from now on callers wait for the lock, and start another farm.
  void Withdraw();

 private:
  LocalPresence(local::FarmFiles files, int ready_descriptor, local::FileLock lock,
                local::ProgramStamp program);

  const local::FarmFiles files_;
  const int ready_descriptor_;
  const local::FileLock lock_;
  const local::ProgramStamp program_;
};

}  // namespace ptxfarm::farm

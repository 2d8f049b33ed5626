// Answers to look-ups, as they were sent: a hot one is found by its request's bytes and sent again,
// with no reading, planning or copying in between.
//
// An answer holds all that it says, outputs included, so nothing can have been lost from the store
// that it still needs. It is asked of the store anew after a while, so that the store knows what is
// in use, and whenever a compiler has come or gone, since another may be the newest then.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include <grpcpp/support/byte_buffer.h>

#include "base/clock.h"
#include "rpc/calls.h"
#include "store/lru_map.h"

namespace ptxfarm::server {

struct Answer {
  grpc::ByteBuffer bytes;                  // The message; copies share it.
  std::vector<rpc::TargetResult> counted;  // What metrics ask: targets, outcomes, actions.
  Digest source;
  u64 output_bytes = 0;  // As stored.
};

// Safe to call from many threads.
class AnswerCache {
 public:
  explicit AnswerCache(const Clock& clock) : clock_(clock) {}

  // Null where there is none that holds still. `generation` counts the comings and goings of
  // compilers.
  std::shared_ptr<const Answer> Find(const std::string& request, u64 generation);
  // Keeps the answer unless it is too large. `generation` is what it was before the look-up began.
  void Keep(const std::string& request, u64 generation, Answer answer);

 private:
  struct Kept {
    std::shared_ptr<const Answer> answer;
    u64 generation = 0;
    TimePoint until;
  };

  const Clock& clock_;
  std::mutex mutex_;
  LruMap<std::string, Kept> kept_;
};

}  // namespace ptxfarm::server

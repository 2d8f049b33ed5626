// What all calls of a server share.
#pragma once

#include <atomic>

#include "action/action.h"
#include "base/clock.h"
#include "rpc/calls.h"
#include "server/action_queue.h"
#include "server/compilers.h"
#include "server/module.h"
#include "server/result_keeper.h"
#include "server/thread_pool.h"
#include "store/stores.h"

namespace ptxfarm::server {

struct CoreOptions {
  u64 source_bytes_max = 64 << 20;
  u64 source_bytes_held_max = u64{512} << 20;  // Of all calls together.
  action::Limits limits{.wall_time = std::chrono::minutes(10),
                        .memory_bytes = u64{8} << 30,
                        .output_bytes = u64{1} << 30};
  bool verifies = true;  // Texts, before they are planned.
};

// Who asks, as found out before the call begins.
struct Caller {
  std::string tenant;
  std::string traceparent;
};

struct CallSummary {
  Code code = Code::kOk;
  Digest source;  // Zero where the call was refused before it was read.
  u64 source_bytes = 0;
  u64 output_bytes = 0;  // As stored.
  std::chrono::microseconds elapsed{0};
};

// Told what happens, for metrics and logs. Called from any thread; must not block.
class CoreObserver {
 public:
  virtual ~CoreObserver() = default;
  virtual void OnTarget(const rpc::TargetResult& result, const Caller& caller) = 0;
  // A text was read, and verified unless nobody wanted it.
  virtual void OnRead(bool is_accepted, std::chrono::microseconds duration) = 0;
  // An action that this call queued has begun to run.
  virtual void OnWaited(std::chrono::microseconds waited) = 0;
  virtual void OnCallEnd(const CallSummary& summary, const Caller& caller) = 0;
  virtual void OnActionFinished(const Task& task, const action::ActionResult& result,
                                const Status& stored) = 0;
};

// From here on texts are read one after the other: to verify one takes five times its size in
// memory.
inline constexpr u64 kReadAloneBytesMin = 4 << 20;

struct Core {
  Core(const Clock& the_clock, Store& the_store, CoreOptions the_options,
       QueueOptions queue_options, std::size_t threads, CoreObserver& the_observer)
      : clock(the_clock),
        store(the_store),
        options(the_options),
        observer(the_observer),
        compilers(the_store.facts()),
        keeper(the_store, the_clock),
        queue(the_clock, queue_options,
              [this](const Task& task, const action::ActionResult& result) {
                const ResultKeeper::Kept kept =
                    keeper.Keep(task.digest, Finished{.result = result});
                observer.OnActionFinished(task, result, kept.stored);
              }),
        call_ended_last(the_clock.Now()),
        pool(threads) {}

  // A target has been answered.
  void Count(const rpc::TargetResult& answer, const Caller& caller) {
    if (answer.action_sha256) {
      std::atomic<u64>& count = answer.served == rpc::Served::kHit    ? hits
                                : answer.served == rpc::Served::kMiss ? misses
                                                                      : joined;
      count.fetch_add(1, std::memory_order_relaxed);
    }
    observer.OnTarget(answer, caller);
  }

  // Where a text of that size is read.
  ThreadPool& PoolFor(u64 source_bytes) {
    return source_bytes < kReadAloneBytesMin ? pool : large_texts;
  }

  const Clock& clock;
  Store& store;
  const CoreOptions options;
  CoreObserver& observer;
  CompilerRegistry compilers;
  ResultKeeper keeper;
  ModuleCache modules;
  ActionQueue queue;
  std::atomic<u64> source_bytes_held = 0;
  std::atomic<u64> hits = 0;
  std::atomic<u64> misses = 0;
  std::atomic<u64> joined = 0;
  std::atomic<u64> calls = 0;              // Compile calls under way.
  std::atomic<TimePoint> call_ended_last;  // Of any; the server's start before the first.
  ThreadPool large_texts{1};  // Last, with `pool`: their threads end before what they use.
  ThreadPool pool;
};

}  // namespace ptxfarm::server

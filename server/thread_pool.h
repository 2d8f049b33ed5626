// A few threads for what would hold up the callbacks of gRPC: large texts, the store's disk.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace ptxfarm::server {

class ThreadPool {
 public:
  explicit ThreadPool(std::size_t threads);
  // Runs what was given before, then ends the threads.
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  // In the order given, as threads become free. Callers are bounded elsewhere (server/limits.h), so
  // the line is not.
  void Run(std::function<void()> work);

 private:
  void Loop();

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> line_;
  bool ending_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace ptxfarm::server

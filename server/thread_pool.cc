#include "server/thread_pool.h"

#include <utility>

namespace ptxfarm::server {

ThreadPool::ThreadPool(std::size_t threads) {
  for (std::size_t i = 0; i < threads; ++i) threads_.emplace_back([this] { Loop(); });
}

ThreadPool::~ThreadPool() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  changed_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void ThreadPool::Run(std::function<void()> work) {
  {
    const std::lock_guard lock(mutex_);
    line_.push_back(std::move(work));
  }
  changed_.notify_one();
}

void ThreadPool::Loop() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [this] { return ending_ || !line_.empty(); });
    if (line_.empty()) return;
    const std::function<void()> work = std::move(line_.front());
    line_.pop_front();
    lock.unlock();
    work();
    lock.lock();
  }
}

}  // namespace ptxfarm::server

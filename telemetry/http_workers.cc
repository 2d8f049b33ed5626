#include "telemetry/http_workers.h"

#include "base/check.h"

namespace ptxfarm::telemetry {

HttpWorkers::HttpWorkers(std::size_t threads, const std::function<Serve()>& make_serve,
                         Return give_back)
    : give_back_(std::move(give_back)) {
  PTXFARM_CHECK(threads >= 2, "one thread is kept for urgent requests");
  for (std::size_t i = 0; i < threads; ++i)
    threads_.emplace_back([this, i, serve = make_serve()] { Work(i == 0, serve); });
}

HttpWorkers::~HttpWorkers() { Stop(std::chrono::milliseconds(0)); }

void HttpWorkers::Add(std::unique_ptr<HttpConnection> connection, bool is_urgent) {
  {
    const std::lock_guard lock(mutex_);
    (is_urgent ? urgent_ : others_).push_back(std::move(connection));
  }
  // All: whom one wake-up reached might be the thread that takes urgent ones only.
  changed_.notify_all();
}

std::size_t HttpWorkers::Busy() const {
  const std::lock_guard lock(mutex_);
  return urgent_.size() + others_.size() + served_.size();
}

std::unique_ptr<HttpConnection> HttpWorkers::Take(bool urgent_only) {
  std::unique_lock lock(mutex_);
  const auto has_one = [&] { return !urgent_.empty() || (!urgent_only && !others_.empty()); };
  changed_.wait(lock, [&] { return has_one() || stopping_; });
  if (!has_one()) return nullptr;
  Queue& queue = urgent_.empty() ? others_ : urgent_;
  std::unique_ptr<HttpConnection> connection = std::move(queue.front());
  queue.pop_front();
  served_.insert(connection.get());
  if (aborted_) connection->Abort();
  return connection;
}

void HttpWorkers::Work(bool urgent_only, const Serve& serve) {
  while (std::unique_ptr<HttpConnection> connection = Take(urgent_only)) {
    const bool goes_on = serve(*connection);
    {
      const std::lock_guard lock(mutex_);
      served_.erase(connection.get());
    }
    if (goes_on) give_back_(std::move(connection));
    connection.reset();
    changed_.notify_all();
  }
}

void HttpWorkers::Stop(std::chrono::milliseconds timeout) {
  {
    std::unique_lock lock(mutex_);
    stopping_ = true;
    changed_.notify_all();
    const auto idle = [this] { return urgent_.empty() && others_.empty() && served_.empty(); };
    if (!changed_.wait_for(lock, timeout, idle)) {
      aborted_ = true;
      for (HttpConnection* connection : served_) connection->Abort();
    }
  }
  for (std::thread& thread : threads_) {
    if (thread.joinable()) thread.join();
  }
}

}  // namespace ptxfarm::telemetry

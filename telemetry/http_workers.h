// The threads that answer whole requests.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <set>
#include <thread>
#include <vector>

#include "telemetry/http_connection.h"

namespace ptxfarm::telemetry {

class HttpWorkers {
 public:
  // Serves what is whole on a connection; returns whether it can go on.
  using Serve = std::function<bool(HttpConnection& connection)>;
  // Takes connections that go on. Called from the threads.
  using Return = std::function<void(std::unique_ptr<HttpConnection>)>;

  // `make_serve` is called once a thread. The first thread serves urgent requests only.
  HttpWorkers(std::size_t threads, const std::function<Serve()>& make_serve, Return give_back);
  ~HttpWorkers();

  void Add(std::unique_ptr<HttpConnection> connection, bool is_urgent);

  // Connections that wait for a thread or are being served.
  std::size_t Busy() const;

  // Serves what was added, for as long as `timeout`; then aborts the connections. Returns when the
  // threads ended.
  void Stop(std::chrono::milliseconds timeout);

 private:
  using Queue = std::deque<std::unique_ptr<HttpConnection>>;
  void Work(bool urgent_only, const Serve& serve);
  // The next connection, or null when there will be none.
  std::unique_ptr<HttpConnection> Take(bool urgent_only);

  const Return give_back_;

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  Queue urgent_, others_;
  std::set<HttpConnection*> served_;
  bool stopping_ = false;
  bool aborted_ = false;

  std::vector<std::thread> threads_;
};

}  // namespace ptxfarm::telemetry

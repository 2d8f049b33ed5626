// Accepts connections and holds those that wait for a request: one thread, which never blocks on a
// peer.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "telemetry/http_connection.h"
#include "telemetry/http_socket.h"

namespace ptxfarm::telemetry {

class HttpLoop {
 public:
  struct Options {
    std::size_t connections_max;
    std::size_t header_bytes_max;
    std::chrono::milliseconds idle_timeout;
    std::chrono::milliseconds header_timeout;
    // Takes a connection whose header is whole.
    std::function<void(std::unique_ptr<HttpConnection>)> dispatch;
    // How many connections are elsewhere, being served.
    std::function<std::size_t()> busy;
  };

  // `tls` is null for plain HTTP, and must outlive the loop.
  static Result<std::unique_ptr<HttpLoop>> Make(Descriptor listener, TlsSource* tls,
                                                Options options);
  ~HttpLoop();

  // Once: connections are taken from here on.
  void Start();

  // Takes back a connection that goes on. From any thread; closes it once the loop has stopped.
  void Return(std::unique_ptr<HttpConnection> connection);

  // Stops listening and closes the connections that wait.
  void Stop();

 private:
  using Time = std::chrono::steady_clock::time_point;
  struct Waiting {
    std::unique_ptr<HttpConnection> connection;
    Time since;  // Of the last request's end.
    Time deadline;
    bool midway = false;
  };

  HttpLoop(Descriptor listener, TlsSource* tls, Options options);
  void Run();
  void Accept(Time now);
  void TakeReturned(Time now);
  // Waits for a connection's next bytes, or dispatches it if they are here.
  void Hold(std::unique_ptr<HttpConnection> connection, Time now);
  void GoOn(int socket, Time now);
  void CloseExpired(Time now);
  // Closes the connection that waits for the longest; false where none does.
  bool EvictOne();
  std::unique_ptr<HttpConnection> Remove(int socket);
  int MillisecondsToWait(Time now) const;
  void Listen(bool on);

  Descriptor listener_;
  TlsSource* const tls_;
  const Options options_;
  Descriptor epoll_, wake_;
  bool is_listening_ = false;
  Time listen_again_{};
  std::map<int, Waiting> waiting_;

  std::mutex mutex_;
  bool stopping_ = false;
  std::vector<std::unique_ptr<HttpConnection>> returned_;

  std::thread thread_;
};

}  // namespace ptxfarm::telemetry

// One HTTP port: metrics, health, a page for people, and whatever else brings a route (a cache for
// other tools).
//
// Open connections cost a file descriptor and no thread: a loop gathers each request's header, and
// a bounded number of threads answers requests that are whole. So neither idle connections nor
// peers that send a byte a minute keep a probe waiting.
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "telemetry/http.h"
#include "telemetry/http_runner.h"
#include "telemetry/http_tls.h"

namespace ptxfarm::telemetry {

struct HttpServerOptions {
  std::string listen = "127.0.0.1:0";  // As http_socket.h's Listen takes it.
  TlsFiles tls = {};
  HttpAuthorize authorize = nullptr;  // Asked for every route that isn't open; null: all may pass.

  std::size_t threads = 8;            // One of them is kept for urgent routes.
  std::size_t connections_max = 256;  // Beyond, the one that waits for the longest is closed.
  std::size_t header_bytes_max = 16 * 1024;
  u32 requests_per_connection_max = 1000;
  std::chrono::milliseconds idle_timeout = std::chrono::seconds(30);  // Between requests.
  std::chrono::milliseconds header_timeout =
      std::chrono::seconds(5);  // From the first byte to the whole header.
  std::chrono::milliseconds stall_timeout =
      std::chrono::seconds(20);  // Without a byte of a body or a response.
  // Of a body or a response, over the time that we wait for the peer, once that is more than
  // stall_timeout: a peer that sends a byte a second must not hold a thread for a day.
  u64 bytes_per_second_min = 4 * 1024;
  std::chrono::milliseconds stop_timeout =
      std::chrono::seconds(5);  // For requests under way when it stops.
};

class HttpServer {
 public:
  // Listens when it returns. Paths of routes are unique. The process ignores SIGPIPE from then on:
  // a peer that goes away is an error of a write.
  static Result<std::unique_ptr<HttpServer>> Start(HttpServerOptions options,
                                                   std::vector<HttpRoute> routes);
  // Stops.
  ~HttpServer();

  // "127.0.0.1:43211", with the port that was taken.
  const std::string& address() const;
  // "https://127.0.0.1:43211"
  std::string Url() const;

  // Takes no more requests, lets those under way end (cuts them off after stop_timeout), and waits
  // for the threads.
  void Stop();

 private:
  HttpServer();
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace ptxfarm::telemetry

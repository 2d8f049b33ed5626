#include "telemetry/http_server.h"

#include <algorithm>

#include "base/check.h"
#include "telemetry/http_loop.h"
#include "telemetry/http_workers.h"

namespace ptxfarm::telemetry {

struct HttpServer::State {
  HttpServerOptions options;
  std::vector<HttpRoute> routes;
  std::unique_ptr<TlsSource> tls;
  std::string address;
  std::unique_ptr<HttpWorkers> workers;
  std::unique_ptr<HttpLoop> loop;

  // Answers all requests that are whole already, one after the other.
  bool Serve(HttpRunner& runner, HttpConnection& connection) const {
    do {
      connection.SetPace(options.stall_timeout, options.bytes_per_second_min);
      const bool is_last = ++connection.requests >= options.requests_per_connection_max;
      if (!runner.Run(connection, is_last)) return false;
    } while (!connection.Header().empty());
    return true;
  }

  // Urgent by its request line: "GET /healthz HTTP/1.1".
  bool IsUrgent(std::string_view header) const {
    const std::size_t begin = header.find(' ');
    if (begin == std::string_view::npos) return false;
    const std::string_view target =
        header.substr(begin + 1, header.find_first_of(" ?\r", begin + 1) - begin - 1);
    const HttpRoute* const route = FindRoute(routes, target);
    return route != nullptr && route->is_urgent;
  }
};

HttpServer::HttpServer() : state_(std::make_unique<State>()) {}

HttpServer::~HttpServer() { Stop(); }

Result<std::unique_ptr<HttpServer>> HttpServer::Start(HttpServerOptions options,
                                                      std::vector<HttpRoute> routes) {
  std::unique_ptr<HttpServer> server(new HttpServer());
  State& state = *server->state_;
  state.options = std::move(options);
  state.routes = std::move(routes);
  for (const HttpRoute& route : state.routes)
    PTXFARM_CHECK(FindRoute(state.routes, route.path) == &route, route.path);
  PTXFARM_ASSIGN_OR_RETURN(state.tls, TlsSource::Make(state.options.tls));
  PTXFARM_ASSIGN_OR_RETURN(Listener listener, Listen(state.options.listen));
  state.address = listener.address;

  const auto make_serve = [&state]() -> HttpWorkers::Serve {
    const auto runner = std::make_shared<HttpRunner>(state.routes, state.options.authorize);
    return
        [&state, runner](HttpConnection& connection) { return state.Serve(*runner, connection); };
  };
  // No connection reaches the workers before the loop starts, so none comes back before it is
  // there.
  state.workers = std::make_unique<HttpWorkers>(
      state.options.threads, make_serve, [&state](std::unique_ptr<HttpConnection> connection) {
        state.loop->Return(std::move(connection));
      });
  HttpLoop::Options loop{
      .connections_max = state.options.connections_max,
      .header_bytes_max = state.options.header_bytes_max,
      .idle_timeout = state.options.idle_timeout,
      .header_timeout = state.options.header_timeout,
      .dispatch =
          [&state](std::unique_ptr<HttpConnection> connection) {
            const bool is_urgent = state.IsUrgent(connection->Header());
            state.workers->Add(std::move(connection), is_urgent);
          },
      .busy = [&state] { return state.workers->Busy(); },
  };
  PTXFARM_ASSIGN_OR_RETURN(
      state.loop, HttpLoop::Make(std::move(listener.socket), state.tls.get(), std::move(loop)));
  state.loop->Start();
  return server;
}

const std::string& HttpServer::address() const { return state_->address; }

std::string HttpServer::Url() const {
  return fmt::format("{}://{}", state_->tls == nullptr ? "http" : "https", state_->address);
}

void HttpServer::Stop() {
  if (state_->loop != nullptr) state_->loop->Stop();
  if (state_->workers != nullptr) state_->workers->Stop(state_->options.stop_timeout);
}

}  // namespace ptxfarm::telemetry

// cpp-httplib 0.11 gives the grammar of HTTP: request line, header, chunks, Expect, compression,
// the form of the response. Sockets, threads, TLS, routes and bounds are ours, since the library's
// own
//  - hold a thread for each open connection, also an idle one: as many idle ones as threads, and
//  /healthz is dead;
//  - let a chunked body and the count of headers grow without bound;
//  - match paths, and ranges before a handler sees them, by recursion over what the peer wrote;
//  - leave an unread body in the connection, to be taken for the next request.
#include "telemetry/http_runner.h"

#include <strings.h>

#include <algorithm>

#include <httplib.h>

namespace ptxfarm::telemetry {
namespace {

// Chunked bodies have a frame around each chunk; the decoded bytes are counted exactly.
constexpr u64 kFrameBytes = 64 * 1024;

// The connection as the library reads and writes it.
class ConnectionStream final : public httplib::Stream {
 public:
  explicit ConnectionStream(HttpConnection& connection) : connection_(connection) {}

  bool is_readable() const override { return true; }
  bool is_writable() const override { return true; }
  ssize_t read(char* bytes, size_t size) override { return connection_.Read(bytes, size); }
  ssize_t write(const char* bytes, size_t size) override {
    return connection_.Write({bytes, size}) ? static_cast<ssize_t>(size) : -1;
  }
  void get_remote_ip_and_port(std::string& ip, int& port) const override {
    ip = connection_.peer();
    port = 0;
  }
  void get_local_ip_and_port(std::string& ip, int& port) const override {
    ip.clear();
    port = 0;
  }
  // Only compared with a bound of the library that doesn't hold for poll.
  socket_t socket() const override { return 0; }

 private:
  HttpConnection& connection_;
};

bool EqualWithoutCase(std::string_view a, std::string_view b) {
  return a.size() == b.size() && ::strncasecmp(a.data(), b.data(), a.size()) == 0;
}

// Ranges are optional for a server (RFC 9110 §14.2), and the library reads them by recursion,
// without a bound on how many there are or where they end. A header of another name is one that it
// doesn't know.
void HideRanges(HttpConnection& connection) {
  const std::string_view header = connection.Header();
  constexpr std::string_view kName = "range";
  for (std::size_t line = 0; line < header.size();) {
    const std::size_t end = header.find('\n', line);
    if (EqualWithoutCase(header.substr(line, kName.size()), kName))
      connection.MutableHeader()[line] = 'x';
    line = end + 1;
  }
}

bool HasBody(const std::string& method) {
  return method == "POST" || method == "PUT" || method == "PATCH" || method == "DELETE";
}

HttpResponse TextResponse(int status, const std::string& text) {
  return {.status = status, .body = text + "\n"};
}

}  // namespace

class HttpRunner::Grammar final : public httplib::Server {
 public:
  Grammar(const std::vector<HttpRoute>& routes, const HttpAuthorize& authorize)
      : routes_(routes), authorize_(authorize) {
    svr_sock_ = 0;  // Any but "none": the library stops streaming where it has no listening socket.
    set_pre_routing_handler([this](const httplib::Request& request, httplib::Response& response) {
      return Admit(request, response);
    });
    // Reached by requests with a body that were admitted. The path was replaced by "/" (Prepare).
    const auto with_body = [this](const httplib::Request& request, httplib::Response& response,
                                  const httplib::ContentReader& reader) {
      Fill(response, route_->handler(View(request, &reader)));
    };
    Post("/", with_body);
    Put("/", with_body);
    Patch("/", with_body);
    Delete("/", with_body);
    set_expect_100_continue_handler(
        [this](const httplib::Request& request, httplib::Response& response) {
          return Refuse(request, response) ? response.status : 100;
        });
    set_post_routing_handler([this](const httplib::Request&, httplib::Response& response) {
      if (!HasToClose()) return;
      response.headers.erase("Keep-Alive");
      response.headers.erase("Connection");
      response.set_header("Connection", "close");
    });
    set_exception_handler([](const httplib::Request&, httplib::Response& response,
                             std::exception_ptr) { response.status = 500; });
  }

  bool Run(HttpConnection& connection, bool is_last) {
    connection_ = &connection;
    route_ = nullptr;
    body_is_unread_ = true;  // Until the header says otherwise.
    is_last_ = is_last;
    connection.AllowBody(0);
    HideRanges(connection);
    ConnectionStream stream(connection);
    bool peer_closes = false;
    const bool answered = process_request(stream, is_last, peer_closes,
                                          [this](httplib::Request& request) { Prepare(request); });
    return answered && !peer_closes && !HasToClose();
  }

 private:
  // What the peer sends behind a body that nobody read would be taken for a request.
  bool HasToClose() const { return is_last_ || body_is_unread_; }

  // The header was read.
  void Prepare(httplib::Request& request) {
    path_ = std::move(request.path);
    request.path = "/";
    route_ = FindRoute(routes_, path_);
    const std::string length = request.get_header_value("Content-Length");
    body_is_unread_ = request.has_header("Transfer-Encoding") || (!length.empty() && length != "0");
    // Without either, the library would read until the peer closes.
    has_body_ = body_is_unread_ && HasBody(request.method);
    if (route_ != nullptr && has_body_)
      connection_->AllowBody(2 * route_->body_bytes_max + kFrameBytes);
    // The library's brotli is at its slowest setting: a second for a page of metrics.
    const bool gzip = request.get_header_value("Accept-Encoding").find("gzip") != std::string::npos;
    request.headers.erase("Accept-Encoding");
    if (gzip) request.set_header("Accept-Encoding", "gzip");
  }

  HandlerResponse Admit(const httplib::Request& request, httplib::Response& response) {
    if (Refuse(request, response)) return HandlerResponse::Handled;
    if (HasBody(request.method)) {
      if (has_body_) return HandlerResponse::Unhandled;
      Fill(response, route_->handler(View(request, nullptr)));
      return HandlerResponse::Handled;
    }
    Fill(response, route_->handler(View(request, nullptr)));
    return HandlerResponse::Handled;
  }

  // Answers what must not reach the handler.
  bool Refuse(const httplib::Request& request, httplib::Response& response) const {
    const std::string method = request.method == "HEAD" ? "GET" : request.method;
    if (route_ == nullptr) return Fill(response, TextResponse(404, "nothing is here")), true;
    if (std::find(route_->methods.begin(), route_->methods.end(), method) ==
        route_->methods.end()) {
      Fill(response, TextResponse(405, "this path doesn't take " + method));
      std::string allowed;
      for (const std::string& name : route_->methods)
        allowed += (allowed.empty() ? "" : ", ") + name + (name == "GET" ? ", HEAD" : "");
      response.set_header("Allow", allowed);
      return true;
    }
    if (authorize_ != nullptr && !route_->is_open) {
      Status passed =
          authorize_(View(request, nullptr), TokenOf(request.get_header_value("Authorization")));
      if (!passed) return Fill(response, ErrorResponse(passed.error())), true;
    }
    if (request.is_multipart_form_data())
      return Fill(response, TextResponse(415, "forms aren't read here")), true;
    const auto length = request.get_header_value<u64>("Content-Length");
    if (has_body_ && length > route_->body_bytes_max)
      return Fill(response, TextResponse(413, fmt::format("a body here has {} bytes at most",
                                                          route_->body_bytes_max))),
             true;
    return false;
  }

  HttpRequest View(const httplib::Request& request, const httplib::ContentReader* reader) const {
    return {
        .method = request.method == "HEAD" ? "GET" : request.method,
        .is_head = request.method == "HEAD",
        .path = path_,
        .parameters = request.params,
        .peer = request.remote_addr,
        .header =
            [&request](const std::string& name) { return request.get_header_value(name.c_str()); },
        .read_body =
            [this, reader](const HttpRequest::Receive& receive) {
              return reader == nullptr ? Status(Ok{}) : ReadPieces(*reader, receive);
            },
    };
  }

  Status ReadPieces(const httplib::ContentReader& reader,
                    const HttpRequest::Receive& receive) const {
    Status received = Ok{};
    u64 left = route_->body_bytes_max;
    const bool whole = reader([&](const char* bytes, std::size_t size) {
      if (size > left) {
        received = MakeError(Code::kResourceExhausted, "a body here has {} bytes at most",
                             route_->body_bytes_max);
        return false;
      }
      left -= size;
      received = receive({bytes, size});
      return received.has_value();
    });
    if (whole) body_is_unread_ = false;
    if (!received || whole) return received;
    return Error{Code::kUnavailable, "the body ended early"};
  }

  static void Fill(httplib::Response& response, HttpResponse from) {
    response.status = from.status;
    for (const auto& [name, value] : from.headers) response.set_header(name.c_str(), value);
    response.set_header("X-Content-Type-Options", "nosniff");
    response.set_header("Accept-Ranges", "none");  // The library would promise them to HEAD.
    if (from.stream == nullptr || from.stream_bytes == 0) {
      response.set_content(std::move(from.body), from.content_type.c_str());
      return;
    }
    response.set_content_provider(
        from.stream_bytes, from.content_type.c_str(),
        [stream = std::move(from.stream)](std::size_t offset, std::size_t length,
                                          httplib::DataSink& sink) {
          const Result<std::string> piece = stream(offset);
          if (!piece || piece->empty()) return false;
          return sink.write(piece->data(), std::min(piece->size(), length));
        });
  }

  const std::vector<HttpRoute>& routes_;
  const HttpAuthorize& authorize_;

  // Of the request under way.
  HttpConnection* connection_ = nullptr;
  std::string path_;
  const HttpRoute* route_ = nullptr;
  bool has_body_ = false;
  mutable bool body_is_unread_ = false;
  bool is_last_ = false;
};

HttpRunner::HttpRunner(const std::vector<HttpRoute>& routes, const HttpAuthorize& authorize)
    : grammar_(std::make_unique<Grammar>(routes, authorize)) {}
HttpRunner::~HttpRunner() = default;

bool HttpRunner::Run(HttpConnection& connection, bool is_last) {
  return grammar_->Run(connection, is_last);
}

}  // namespace ptxfarm::telemetry

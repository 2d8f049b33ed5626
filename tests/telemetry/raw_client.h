// A socket that says to an HTTP server what a test wants it to say, right or wrong.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

namespace ptxfarm::telemetry {

class RawClient {
 public:
  // Connects to "127.0.0.1:43211" or "[::1]:43211".
  explicit RawClient(const std::string& address);
  ~RawClient();
  RawClient(RawClient&& other) noexcept;
  RawClient& operator=(RawClient&&) = delete;

  bool connected() const { return connected_; }
  // Whether all of it was taken; a peer that closed is no failure of the test.
  bool Send(std::string_view bytes);
  // All until the server closes; waits for that.
  std::string ReadToEnd();
  // Whether the server sent something or closed, waiting for that at most so long.
  bool IsReadable(std::chrono::milliseconds wait) const;
  // One response, header and body, by its Content-Length.
  std::string ReadResponse();

 private:
  bool ReadSome();

  int socket_;
  bool connected_ = false;
  std::string received_;
};

// "GET /healthz HTTP/1.1" with a host and these further lines of header, each with its "\r\n".
std::string Get(const std::string& path, const std::string& lines = "");

}  // namespace ptxfarm::telemetry

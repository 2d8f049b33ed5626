// One connection: its socket, its TLS session, and the bytes that came and weren't used.
//
// Until a request's header is whole, the loop reads and never waits (Gather). Then a worker has the
// connection for itself, and its reads and writes wait, but only while the peer keeps a pace.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "base/int.h"
#include "telemetry/http_socket.h"
#include "telemetry/http_tls.h"

namespace ptxfarm::telemetry {

class HttpConnection {
 public:
  // `socket` doesn't block; `session` may be null, for plain HTTP.
  HttpConnection(Descriptor socket, TlsSession session);
  // Says goodbye as far as that takes no waiting.
  ~HttpConnection();
  HttpConnection(const HttpConnection&) = delete;
  HttpConnection& operator=(const HttpConnection&) = delete;

  enum class Gathered : u8 { kWhole, kWantsRead, kWantsWrite, kTooLarge, kEnded };
  // Goes on with the handshake and reading, until a header is whole or there are no more bytes for
  // now.
  Gathered Gather(std::size_t header_bytes_max);
  // Whether a handshake or a header has begun and isn't whole: the peer owes us bytes.
  bool IsMidway() const { return in_handshake_ || used_ < buffer_.size(); }
  // With the empty line at its end; empty where it isn't whole.
  std::string_view Header() const;
  // The same, to be changed in place.
  char* MutableHeader() { return buffer_.data() + used_; }

  // How many bytes behind the header may still be read.
  void AllowBody(u64 bytes) { body_bytes_left_ = bytes; }
  // For one request: how long to wait without a byte, and, waits longer than that taken together,
  // how many bytes a second have to move.
  void SetPace(std::chrono::milliseconds stall_timeout, u64 bytes_per_second_min);
  // Some bytes; 0 at the end, or where the allowed ones are used up; -1 on failure or timeout.
  ssize_t Read(char* bytes, std::size_t size);
  // All or nothing.
  bool Write(std::string_view bytes);
  // Makes reads and writes that wait in another thread fail.
  void Abort();

  int socket() const { return socket_.get(); }
  const std::string& peer() const { return peer_; }
  u32 requests = 0;  // Served so far.

 private:
  // As recv and send: -1 with `wants_` set where it would block.
  ssize_t ReceiveSome(char* bytes, std::size_t size);
  ssize_t SendSome(const char* bytes, std::size_t size);
  ssize_t TlsResult(int result);
  bool Handshake();
  bool WaitFor(Gathered what);
  std::chrono::milliseconds PatienceLeft() const;

  Descriptor socket_;
  TlsSession session_;
  const std::string peer_;
  bool in_handshake_;
  std::string buffer_;
  std::size_t used_ = 0;  // The rest of the buffer was received and isn't used yet.
  u64 body_bytes_left_ = 0;
  std::chrono::milliseconds stall_timeout_{0};
  u64 bytes_per_second_min_ = 1;
  // Of the request under way: bytes that went through the socket, and how long we waited for it.
  u64 moved_bytes_ = 0;
  std::chrono::steady_clock::duration waited_{0};
  // What the last call that could not go on waits for; kEnded: it can't at all.
  Gathered wants_ = Gathered::kWantsRead;
};

}  // namespace ptxfarm::telemetry

#include "telemetry/http_loop.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <openssl/ssl.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace ptxfarm::telemetry {
namespace {

constexpr int kEventsMax = 64;
// Out of file descriptors, and none to close: the listening socket would be ready for ever.
constexpr std::chrono::milliseconds kAcceptPause(100);

constexpr std::string_view kTimedOut =
    "HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Length: 0\r\n\r\n";
constexpr std::string_view kHeaderTooLarge =
    "HTTP/1.1 431 Request Header Fields Too Large\r\nConnection: close\r\nContent-Length: "
    "0\r\n\r\n";

void Watch(int epoll, int operation, int socket, u32 events) {
  epoll_event event{};
  event.events = events;
  event.data.fd = socket;
  ::epoll_ctl(epoll, operation, socket, &event);
}

}  // namespace

Result<std::unique_ptr<HttpLoop>> HttpLoop::Make(Descriptor listener, TlsSource* tls,
                                                 Options options) {
  std::unique_ptr<HttpLoop> loop(new HttpLoop(std::move(listener), tls, std::move(options)));
  if (loop->epoll_.get() < 0 || loop->wake_.get() < 0)
    return ErrnoError(errno, "make an event loop");
  Watch(loop->epoll_.get(), EPOLL_CTL_ADD, loop->wake_.get(), EPOLLIN);
  loop->Listen(true);
  return loop;
}

void HttpLoop::Start() {
  thread_ = std::thread([this] { Run(); });
}

HttpLoop::HttpLoop(Descriptor listener, TlsSource* tls, Options options)
    : listener_(std::move(listener)),
      tls_(tls),
      options_(std::move(options)),
      epoll_(::epoll_create1(EPOLL_CLOEXEC)),
      wake_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {}

HttpLoop::~HttpLoop() { Stop(); }

void HttpLoop::Return(std::unique_ptr<HttpConnection> connection) {
  const std::lock_guard lock(mutex_);
  if (stopping_) return;
  returned_.push_back(std::move(connection));
  ::eventfd_write(wake_.get(), 1);
}

void HttpLoop::Stop() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
    ::eventfd_write(wake_.get(), 1);
  }
  if (thread_.joinable()) thread_.join();
}

void HttpLoop::Run() {
  epoll_event events[kEventsMax];
  while (true) {
    const int count = ::epoll_wait(epoll_.get(), events, kEventsMax,
                                   MillisecondsToWait(std::chrono::steady_clock::now()));
    const Time now = std::chrono::steady_clock::now();
    for (int i = 0; i < count; ++i) {
      const int socket = events[i].data.fd;
      if (socket == listener_.get()) {
        Accept(now);
      } else if (socket != wake_.get()) {
        GoOn(socket, now);
      }
    }
    TakeReturned(now);
    CloseExpired(now);
    if (!is_listening_ && now >= listen_again_) Listen(true);
    const std::lock_guard lock(mutex_);
    if (stopping_) break;
  }
  listener_ = Descriptor();
  waiting_.clear();
  const std::lock_guard lock(mutex_);
  returned_.clear();
}

void HttpLoop::Listen(bool on) {
  Watch(epoll_.get(), on ? EPOLL_CTL_ADD : EPOLL_CTL_DEL, listener_.get(), EPOLLIN);
  is_listening_ = on;
}

void HttpLoop::Accept(Time now) {
  while (true) {
    Descriptor socket(::accept4(listener_.get(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC));
    if (socket.get() < 0) {
      if (errno == EINTR || errno == ECONNABORTED) continue;
      const bool none_left =
          errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM;
      if (!none_left) return;
      if (EvictOne()) continue;
      Listen(false);
      listen_again_ = now + kAcceptPause;
      return;
    }
    // With all of them being served, the newcomer is the one to go.
    const bool is_full = waiting_.size() + options_.busy() >= options_.connections_max;
    if (is_full && !EvictOne()) continue;
    const int on = 1;
    ::setsockopt(socket.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
    TlsSession session(tls_ == nullptr ? nullptr : ::SSL_new(tls_->Current()));
    if (tls_ != nullptr && session == nullptr) continue;
    Hold(std::make_unique<HttpConnection>(std::move(socket), std::move(session)), now);
  }
}

void HttpLoop::TakeReturned(Time now) {
  eventfd_t ignored = 0;
  ::eventfd_read(wake_.get(), &ignored);
  std::vector<std::unique_ptr<HttpConnection>> returned;
  {
    const std::lock_guard lock(mutex_);
    returned.swap(returned_);
  }
  for (std::unique_ptr<HttpConnection>& connection : returned) Hold(std::move(connection), now);
}

void HttpLoop::Hold(std::unique_ptr<HttpConnection> connection, Time now) {
  const int socket = connection->socket();
  waiting_.insert_or_assign(socket,
                            Waiting{std::move(connection), now, now + options_.idle_timeout});
  Watch(epoll_.get(), EPOLL_CTL_ADD, socket, EPOLLIN);
  // TLS may hold bytes that the socket doesn't show any more.
  GoOn(socket, now);
}

void HttpLoop::GoOn(int socket, Time now) {
  const auto found = waiting_.find(socket);
  if (found == waiting_.end()) return;  // Evicted since the event.
  Waiting& waiting = found->second;
  const HttpConnection::Gathered gathered = waiting.connection->Gather(options_.header_bytes_max);
  switch (gathered) {
    case HttpConnection::Gathered::kWhole: options_.dispatch(Remove(socket)); return;
    case HttpConnection::Gathered::kEnded: Remove(socket); return;
    case HttpConnection::Gathered::kTooLarge: Remove(socket)->Write(kHeaderTooLarge); return;
    case HttpConnection::Gathered::kWantsRead:
    case HttpConnection::Gathered::kWantsWrite: break;
  }
  if (waiting.connection->IsMidway() != waiting.midway) {
    waiting.midway = !waiting.midway;
    waiting.deadline =
        waiting.midway ? now + options_.header_timeout : waiting.since + options_.idle_timeout;
  }
  Watch(epoll_.get(), EPOLL_CTL_MOD, socket,
        gathered == HttpConnection::Gathered::kWantsRead ? EPOLLIN : EPOLLOUT);
}

std::unique_ptr<HttpConnection> HttpLoop::Remove(int socket) {
  Watch(epoll_.get(), EPOLL_CTL_DEL, socket, 0);
  const auto found = waiting_.find(socket);
  std::unique_ptr<HttpConnection> connection = std::move(found->second.connection);
  waiting_.erase(found);
  // What is said before a goodbye must not wait; the workers set a timeout of their own.
  connection->SetPace(std::chrono::milliseconds(0), 1);
  return connection;
}

void HttpLoop::CloseExpired(Time now) {
  std::vector<int> expired;
  for (const auto& [socket, waiting] : waiting_) {
    if (waiting.deadline <= now) expired.push_back(socket);
  }
  for (const int socket : expired) {
    const bool midway = waiting_.at(socket).midway;
    const std::unique_ptr<HttpConnection> connection = Remove(socket);
    if (midway) connection->Write(kTimedOut);
  }
}

bool HttpLoop::EvictOne() {
  const auto oldest = std::min_element(
      waiting_.begin(), waiting_.end(),
      [](const auto& a, const auto& b) { return a.second.since < b.second.since; });
  if (oldest == waiting_.end()) return false;
  Remove(oldest->first);
  return true;
}

int HttpLoop::MillisecondsToWait(Time now) const {
  Time first = Time::max();
  for (const auto& [socket, waiting] : waiting_) first = std::min(first, waiting.deadline);
  if (!is_listening_) first = std::min(first, listen_again_);
  if (first == Time::max()) return -1;
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(first - now);
  return static_cast<int>(std::clamp<i64>(left.count(), 0, 60'000));
}

}  // namespace ptxfarm::telemetry

#include "farm/farm.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <filesystem>

namespace ptxfarm::farm {

// A folder that only this user may enter, for the socket between the two; gone with the farm.
class Farm::SocketFolder {
 public:
  static Result<std::unique_ptr<SocketFolder>> Make() {
    std::string path = "/tmp/ptxfarm-serve-XXXXXX";
    if (::mkdtemp(path.data()) == nullptr)
      return ErrnoError(errno, "make a folder for the worker's socket in /tmp");
    return std::unique_ptr<SocketFolder>(new SocketFolder(path));
  }
  ~SocketFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  SocketFolder(const SocketFolder&) = delete;
  SocketFolder& operator=(const SocketFolder&) = delete;

  std::string address() const { return "unix:" + path_ + "/farm.sock"; }

 private:
  explicit SocketFolder(std::string path) : path_(std::move(path)) {}
  const std::string path_;
};

Farm::Farm(FarmOptions options, FarmWorld world) : options_(std::move(options)), world_(world) {}

Result<std::unique_ptr<Farm>> Farm::Start(FarmOptions options, FarmWorld world) {
  std::unique_ptr<Farm> farm(new Farm(std::move(options), world));
  server::ServerOptions server = farm->options_.server;
  const auto is_unix = [](const std::string& address) { return address.starts_with("unix:"); };
  auto own = std::ranges::find_if(server.listen, is_unix);
  if (own == server.listen.end()) {
    PTXFARM_ASSIGN_OR_RETURN(farm->socket_folder_, SocketFolder::Make());
    own = server.listen.insert(server.listen.end(), farm->socket_folder_->address());
  }
  worker::WorkerOptions worker = farm->options_.worker;
  worker.servers = {*own};
  PTXFARM_ASSIGN_OR_RETURN(farm->server_,
                           server::Server::Start(server, world.clock, world.logger, world.metrics));
  PTXFARM_ASSIGN_OR_RETURN(
      farm->worker_, WorkerKeeper::Start(std::move(worker), {world.clock, world.logger,
                                                             world.metrics, world.environment}));
  return farm;
}

Farm::~Farm() {
  worker_.reset();
  server_.reset();
}

Result<bool> Farm::WaitUntilReady(const service::EndSignals& signals,
                                  std::chrono::milliseconds timeout) const {
  const TimePoint deadline = world_.clock.Now() + timeout;
  while (true) {
    const Status ready = worker_->Ready();
    if (ready) return true;
    if (world_.clock.Now() >= deadline)
      return Error(ready.error()).Wrap("the farm's worker doesn't reach its server");
    if (signals.Wait(std::chrono::milliseconds(2))) return false;
  }
}

std::optional<int> Farm::WaitForEnd(const service::EndSignals& signals) const {
  using std::chrono::milliseconds;
  if (options_.idle_time.count() == 0) return signals.Wait();
  while (true) {
    const auto idle =
        std::chrono::duration_cast<milliseconds>(world_.clock.Now() - server_->LastActive());
    const bool is_idle = server_->Idle();
    if (is_idle && idle >= options_.idle_time) return std::nullopt;
    // While something is under way the earliest end is a whole idle time away.
    const milliseconds wait = is_idle ? options_.idle_time - idle : options_.idle_time;
    if (const std::optional<int> signal = signals.Wait(std::max(wait, milliseconds(1))))
      return signal;
  }
}

void Farm::Stop() {
  worker_->Release();
  // The worker stays until the calls under way have what they wait for.
  server_->Stop(options_.server.drain_timeout);
  worker_.reset();
}

}  // namespace ptxfarm::farm

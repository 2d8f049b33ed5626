#include "farm/options.h"

#include "client/local/farm_files.h"
#include "config/value.h"

namespace ptxfarm::farm {

std::vector<config::OptionGroup> OptionGroups(FarmOptions& o) {
  using config::Reach;
  using std::chrono::hours;
  using std::chrono::milliseconds;
  std::vector<config::OptionGroup> groups = server::OptionGroups(o.server);
  // Not the worker's bounds of one compile: they are said once, for the server, and taken over.
  groups.push_back(worker::WorkerOptionGroup(o.worker));
  groups.push_back(service::LogGroup(o.log, "server"));
  // clang-format off
  groups.push_back({"Farm", "server", {
      {"worker-token-file", "FILE",     "Where --tokens is given: a file with the token, of the role worker, by which this farm's own worker calls.",
                                         config::File(&o.worker_token_file)},
      {"idle-time",         "DURATION", "End after so long without a call or a compile; 0s for never.", config::Duration(&o.idle_time, {milliseconds(0), hours(24 * 365)}), {.reach = Reach::kFlag}},
      {"local-runtime",     "FOLDER",   "Be the local farm whose socket and locks are here, as ptxfarm starts it.", config::Folder(&o.local_runtime), {.reach = Reach::kFlag}},
      {"local-cache",       "FOLDER",   "The local farm's store.",                      config::Folder(&o.local_cache), {.reach = Reach::kFlag}},
      {"ready-descriptor",  "NUMBER",   "Write a line to this open descriptor when ready.", config::Count(&o.ready_descriptor, {0, 1 << 20}), {.reach = Reach::kFlag}},
  }});
  // clang-format on
  return groups;
}

Status Settle(FarmOptions& options) {
  if (options.local_runtime.empty() != options.local_cache.empty())
    return MakeError(Code::kInvalidArgument, "--local-runtime and --local-cache come together");
  if (options.is_local()) {
    const local::FarmFiles files{options.local_runtime, options.local_cache};
    options.server.listen = {files.address()};
    options.server.tls_cert = options.server.tls_key = options.server.tls_client_ca = "";
    options.server.tokens = "";
    options.server.http = "127.0.0.1:0";
    options.server.http_tls_cert = options.server.http_tls_key = "";
    options.server.http_cache = false;  // A port of the machine, and others may use the machine.
    options.server.store = files.store();
    options.log.file = "";  // Standard error, which leads to files.log().
  }
  if (!options.server.tokens.empty() && options.worker_token_file.empty())
    return MakeError(Code::kInvalidArgument,
                     "with --tokens this farm's own worker needs one too: give its file with "
                     "--worker-token-file");
  options.worker.channel.token_file = options.worker_token_file;
  options.worker.compile_time_max = options.server.compile_time_max;
  options.worker.compile_memory_bytes_max = options.server.compile_memory_bytes_max;
  options.worker.output_bytes_max = options.server.output_bytes_max;
  return Ok{};
}

}  // namespace ptxfarm::farm

#include "worker/options.h"

#include "config/value.h"

namespace ptxfarm::worker {

using config::kGiB;
using config::kKiB;
using config::kMiB;
using config::kTiB;

config::OptionGroup WorkerOptionGroup(WorkerOptions& options) {
  return {
      .title = "Worker",
      .table = "worker",
      .options = {
          {"worker-name", "NAME",
           "What people see of this worker; made of host and process where there is none.",
           config::Text(&options.name)},
          {"slots", "COUNT", "How many compiles run at once; 0 is one for each core.",
           config::Count<u32>(&options.slots, {0, 4096})},
          {"worker-memory-bytes-max", "SIZE",
           "Memory of all compiles together, by which servers plan; 0 is what the machine has.",
           config::Bytes(&options.memory_bytes_max, {0, 1024 * kTiB})},
          {"cuda", "PATH",
           "A CUDA toolkit's folder, or a ptxas. Where none is named, those of CUDA_HOME, "
           "CUDA_PATH, /usr/local, /opt and PATH are used, several versions side by side.",
           config::ListOfFiles(&options.cuda)},
          {"scratch", "FOLDER",
           "Where compiles have their files while they run; a folder in memory is quickest.",
           config::Folder(&options.scratch)},
          {"confinement", "MODE",
           "What compilers may do to this machine. required: nothing is compiled unless every "
           "protection of ptxfarm-confine holds; best-effort: those that the machine gives, and "
           "the log names the others; off: limits of time, memory and size only.",
           config::Choice<Confinement>(&options.confinement,
                                       {{"required", Confinement::kRequired},
                                        {"best-effort", Confinement::kBestEffort},
                                        {"off", Confinement::kOff}})},
          {"control-groups", "",
           "Bounds memory and processes of compiles by control groups, where this process may make "
           "some.",
           config::Flag(&options.control_groups)},
          {"confine-read", "PATH",
           "A file or folder that confined compilers may read, besides themselves and the system's "
           "libraries.",
           config::ListOfFiles(&options.read_paths)},
          {"confine-helper", "PATH",
           "The program ptxfarm-confine; looked for beside this program where none is named.",
           config::File(&options.confine_helper)},
      }};
}

config::OptionGroup WorkerLimitGroup(WorkerOptions& options) {
  using std::chrono::hours;
  using std::chrono::milliseconds;
  return {.title = "Limits",
          .table = "worker",
          .options = {
              {"compile-time-max", "DURATION",
               "Time of one compile. Servers name a limit too: the tighter one holds.",
               config::Duration(&options.compile_time_max, {milliseconds(100), hours(24)})},
              {"compile-memory-bytes-max", "SIZE", "Memory of one compile.",
               config::Bytes(&options.compile_memory_bytes_max, {64 * kMiB, kTiB})},
              {"output-bytes-max", "SIZE", "Size of one object.",
               config::Bytes(&options.output_bytes_max, {kKiB, 64 * kGiB})},
          }};
}

config::OptionGroup WorkerServerGroup(WorkerOptions& options) {
  rpc::ChannelOptions& channel = options.channel;
  return {
      .title = "Servers",
      .table = "worker",
      .options = {
          {"server", "ADDRESS",
           "A server to work for: unix:/path/farm.sock, host:port, [ipv6]:port.",
           config::List(&options.servers)},
          {"tls", "", "Encrypts with the system's certificate authorities.",
           config::Flag(&channel.tls)},
          {"tls-ca", "FILE", "Certificate authorities of the servers, PEM; switches TLS on.",
           config::File(&channel.tls_ca)},
          {"tls-cert", "FILE", "This worker's certificate for mutual TLS, PEM.",
           config::File(&channel.tls_cert)},
          {"tls-key", "FILE", "The key of that certificate, PEM.", config::File(&channel.tls_key)},
          {"tls-name", "NAME",
           "The name in the servers' certificate, where it isn't that of the address.",
           config::Text(&channel.tls_name)},
          {"plaintext", "", "Allows TCP without TLS to servers on other machines.",
           config::Flag(&channel.plaintext)},
          {"token-file", "FILE", "A file with this worker's token; read for each connection.",
           config::File(&channel.token_file)},
      }};
}

}  // namespace ptxfarm::worker

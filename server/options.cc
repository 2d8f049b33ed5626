#include "server/options.h"

#include "config/units.h"
#include "toolchain/ptx/token.h"

namespace ptxfarm::server {

std::vector<config::OptionGroup> OptionGroups(ServerOptions& o) {
  using config::Bytes;
  using config::Choice;
  using config::Count;
  using config::Duration;
  using config::File;
  using config::Flag;
  using config::Folder;
  using config::kGiB;
  using config::kKiB;
  using config::kMiB;
  using config::kTiB;
  using std::chrono::hours;
  using std::chrono::milliseconds;
  using std::chrono::minutes;
  using std::chrono::seconds;
  // clang-format off
  return {
      {"Where it listens", "server", {
          {"listen",        "ADDRESS", "Listen for clients and workers here: unix:/path/to.sock, host:port or [ipv6]:port; port 0 takes a free one.", config::List(&o.listen)},
          {"tls-cert",      "FILE",    "PEM file with the server's certificate and its chain; switches TLS on for TCP. Read anew when it changes.",    File(&o.tls_cert)},
          {"tls-key",       "FILE",    "PEM file with the certificate's key.",                                                                       File(&o.tls_key)},
          {"tls-client-ca", "FILE",    "PEM file with the authorities whose certificates clients and workers must have (mTLS).",                     File(&o.tls_client_ca)},
          {"plaintext",     "",        "Allow TCP without TLS on addresses that other machines reach.",                                              Flag(&o.plaintext)},
          {"tokens",        "FILE",    "Who may do what: lines of TOKEN ROLE[,ROLE] [TENANT]; roles are read, compile, worker, admin. Without it everybody may do everything.", File(&o.tokens)},
      }},
      {"Metrics and health", "server", {
          {"http",          "ADDRESS", "Serve /metrics, /healthz, /readyz and a page for people here; empty for nowhere.",                           config::Text(&o.http)},
          {"http-tls-cert", "FILE",    "PEM file with the certificate of that port; switches TLS on there.",                                         File(&o.http_tls_cert)},
          {"http-tls-key",  "FILE",    "PEM file with its key.",                                                                                     File(&o.http_tls_key)},
      }},
      {"HTTP cache", "server", {
          {"http-cache",           "",     "Be a cache for ccache, Bazel and others on the HTTP port too: /cas/…, /ac/… and /ccache/…, with --tokens for those who may.", Flag(&o.http_cache)},
          {"http-cache-bytes-max", "SIZE", "Largest value taken there.",                                                                           Bytes(&o.http_cache_bytes_max, {kKiB, 4 * kGiB})},
      }},
      {"Store", "server", {
          {"store",                  "FOLDER",   "Keep results here; empty to keep them in memory only.",                              Folder(&o.store)},
          {"store-bytes-max",        "SIZE",     "Room for results; the least recently used go first.",                                Bytes(&o.store_bytes_max, {kMiB, 1024 * kTiB})},
          {"store-age-max",          "DURATION", "Forget results that nobody used for so long; 0s for never.",                         Duration(&o.store_age_max, {seconds(0), hours(24 * 3650)})},
          {"store-memory-bytes-max", "SIZE",     "Room in memory for results used often.",                                             Bytes(&o.store_memory_bytes_max, {0, kTiB})},
          {"store-cache-bytes-max",  "SIZE",     "Room in memory for blocks of the database's files.",                                  Bytes(&o.store_cache_bytes_max, {kMiB, kTiB})},
          {"store-sync",             "",         "Wait for the disk before a result is told, so that it outlives a power failure too.", Flag(&o.store_sync)},
      }},
      {"Language", "server", {
          {"verify",        "HOW",     "Verify modules before they are planned: wrong PTX is answered here and reaches no worker. Off, the compiler finds its faults.", Choice<bool>(&o.verifies, {{"on", true}, {"off", false}})},
      }},
      {"Limits", "server", {
          {"source-bytes-max",         "SIZE",     "Largest module taken.",                                                            Bytes(&o.source_bytes_max, {kKiB, ptx::kSourceBytesMax.value})},
          {"source-bytes-held-max",    "SIZE",     "Modules of all calls under way, together.",                                        Bytes(&o.source_bytes_held_max, {kMiB, kTiB})},
          {"memory-bytes-max",         "SIZE",     "Memory of gRPC for calls under way.",                                              Bytes(&o.memory_bytes_max, {64 * kMiB, kTiB})},
          {"waiting-max",              "COUNT",    "Actions that wait for a worker; beyond it callers are asked to come back.",        Count(&o.waiting_max, {std::size_t{1}, std::size_t{10'000'000}})},
          {"compile-time-max",         "DURATION", "Time of one compile.",                                                             Duration(&o.compile_time_max, {milliseconds(100), hours(24)})},
          {"compile-memory-bytes-max", "SIZE",     "Memory of one compile.",                                                           Bytes(&o.compile_memory_bytes_max, {64 * kMiB, kTiB})},
          {"output-bytes-max",         "SIZE",     "Size of one object.",                                                              Bytes(&o.output_bytes_max, {kKiB, 64 * kGiB})},
      }},
      {"Workers and life", "server", {
          {"lease",             "DURATION", "A worker that is silent for so long has lost its work to others.",                     Duration(&o.lease, {milliseconds(500), hours(1)})},
          {"no-worker-timeout", "DURATION", "Fail an action that no worker here can do after so long.",                             Duration(&o.no_worker_timeout, {milliseconds(0), hours(24)})},
          {"threads",           "COUNT",    "Threads that read modules and store results; 0 for twice the processors.",             Count(&o.threads, {std::size_t{0}, std::size_t{1024}})},
          {"drain-timeout",     "DURATION", "When told to end (SIGTERM), wait so long for calls under way.",                        Duration(&o.drain_timeout, {milliseconds(0), hours(24)})},
      }},
  };
  // clang-format on
}

}  // namespace ptxfarm::server

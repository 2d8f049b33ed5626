// What a server is told: fields, and the rows that flags, environment, files and documents come
// from.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "base/int.h"
#include "config/program.h"

namespace ptxfarm::server {

struct ServerOptions {
  std::vector<std::string> listen{"127.0.0.1:8980"};
  std::string tls_cert;
  std::string tls_key;
  std::string tls_client_ca;
  bool plaintext = false;
  std::string tokens;

  std::string http = "127.0.0.1:8981";
  std::string http_tls_cert;
  std::string http_tls_key;
  bool http_cache = false;
  u64 http_cache_bytes_max = u64{1} << 30;

  std::string store = "/var/lib/ptxfarm";
  u64 store_bytes_max = u64{20} << 30;
  std::chrono::seconds store_age_max{0};
  u64 store_memory_bytes_max = u64{256} << 20;
  u64 store_cache_bytes_max = u64{64} << 20;  // The database's own: blocks of its files.
  bool store_sync = false;

  bool verifies = true;
  u64 source_bytes_max = (u64{64} << 20) - 1;
  u64 source_bytes_held_max = u64{512} << 20;
  u64 memory_bytes_max = u64{1} << 30;
  std::size_t waiting_max = 10'000;
  std::chrono::milliseconds lease{15'000};
  std::chrono::milliseconds no_worker_timeout{60'000};
  std::chrono::milliseconds compile_time_max{600'000};
  u64 compile_memory_bytes_max = u64{8} << 30;
  u64 output_bytes_max = u64{1} << 30;
  std::size_t threads = 0;  // 0: twice the processors.
  std::chrono::milliseconds drain_timeout{30'000};
};

// In the order in which --help shows them. The rows point into `options`.
std::vector<config::OptionGroup> OptionGroups(ServerOptions& options);

}  // namespace ptxfarm::server

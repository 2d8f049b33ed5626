// The options of drop-ins, which are read by the drop-ins themselves and by `ptxfarm cache`.
#pragma once

#include <chrono>
#include <vector>

#include "base/int.h"
#include "config/program.h"

namespace ptxfarm::client {

struct DropInOptions {
  bool ask_farm = true;
  u64 local_results_bytes_max = u64{5} << 30;
  std::chrono::milliseconds connect_timeout{2000};
  std::chrono::milliseconds patience{30'000};
};

// The rows; the struct must outlive them.
std::vector<config::OptionGroup> DropInGroups(DropInOptions& options);

}  // namespace ptxfarm::client

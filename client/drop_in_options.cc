#include "client/drop_in_options.h"

namespace ptxfarm::client {

std::vector<config::OptionGroup> DropInGroups(DropInOptions& o) {
  using namespace std::chrono_literals;
  std::vector<config::OptionGroup> groups;
  // clang-format off
  groups.push_back({"Drop-ins", "client", {
      {"drop-in-farm",    "",         "Lets drop-ins ask a farm for what isn't among the local results.", config::Flag(&o.ask_farm)},
      {"drop-in-connect-timeout", "DURATION", "How long a drop-in waits for a farm to answer at all, where a toolkit can compile "
                                              "instead.",
                                       config::Duration(&o.connect_timeout, {10ms, 10min})},
      {"drop-in-patience", "DURATION", "How long a drop-in waits for a farm to begin with its compile, where a toolkit can compile "
                                       "instead.",
                                       config::Duration(&o.patience, {10ms, 24h})},
      {"local-results-bytes-max", "SIZE", "The most that the local results may take; those that weren't used for longest go.",
                                       config::Bytes(&o.local_results_bytes_max, {u64{1} << 20, u64{1} << 50})},
  }});
  // clang-format on
  return groups;
}

}  // namespace ptxfarm::client

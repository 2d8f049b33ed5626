// `ptxfarm explain`: what the tables of PTX say of a word.
#pragma once

#include <string>
#include <vector>

#include "client/session.h"
#include "config/program.h"

namespace ptxfarm::client {

struct ExplainOptions {
  std::vector<std::string> words;
};

// The row; both structs must outlive it.
config::Command ExplainCommand(const CliOptions& cli, ExplainOptions& options);

}  // namespace ptxfarm::client

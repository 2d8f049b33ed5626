// All rows of `ptxfarm`, bound to one struct.
#pragma once

#include "client/commands/cache_command.h"
#include "client/commands/check_command.h"
#include "client/commands/compile_command.h"
#include "client/commands/explain_command.h"
#include "client/commands/farm_command.h"
#include "client/commands/fatbin_command.h"
#include "client/commands/format_command.h"
#include "client/commands/inspect_command.h"
#include "client/commands/plan_command.h"
#include "client/drop_in_options.h"
#include "client/session.h"
#include "config/program.h"

namespace ptxfarm::client {

struct AllOptions {
  CliOptions cli;
  CompileOptions compile;
  FatbinOptions fatbin;
  InspectOptions inspect;
  CheckOptions check;
  PlanOptions plan;
  FormatOptions format;
  ExplainOptions explain;
  StopOptions stop;
  CacheOptions cache;
  DropInOptions drop_in;
  std::string shell;              // Of `completion`.
  std::vector<std::string> page;  // Of `man`: the command's words.
};

// The options must outlive the program.
config::Program MakeProgram(AllOptions& options);

}  // namespace ptxfarm::client

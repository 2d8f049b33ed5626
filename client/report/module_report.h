// What became of one module in a call of `ptxfarm compile`: what the table, the lines and the JSON
// show.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "client/exit_code.h"
#include "client/files/output_plan.h"
#include "client/lib/client.h"

namespace ptxfarm::client {

struct WrittenFile {
  PlannedFile file;
  u64 size_bytes = 0;
};

struct ModuleReport {
  PlannedModule planned;
  std::string text;  // The module as it was read, for the lines that diagnostics point at.
  std::optional<CompileReply> reply;  // Nothing where the call failed as a whole.
  std::vector<WrittenFile> written;
  std::vector<Error>
      errors;  // Of the call and of files, each of which ends in its exit code below.
  ExitCode exit_code = ExitCode::kOk;

  void Add(Error error, ExitCode code) {
    errors.push_back(std::move(error));
    exit_code = Worse(exit_code, code);
  }
};

// All replies of a module: the targets in the order asked, then the fat binary's.
std::vector<const TargetReply*> RepliesOf(const ModuleReport& report);

// The file that was written for a target ("fatbin" too), or null.
const WrittenFile* WrittenFor(const ModuleReport& report, const std::string& target);

}  // namespace ptxfarm::client

// One run of the real tool for a call whose result is kept.
//
// It works on copies in a folder of its own: the text that was keyed is the text that is compiled,
// whatever happens to the file meanwhile, and its output is a file that nobody else sees until it
// is whole. Only last parts of names are recorded in an object, and those stay.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "client/dropin/ptxas/command_line.h"
#include "client/dropin/ptxas/tool.h"

namespace ptxfarm::dropin {

struct ToolRan {
  int wait_status = 0;  // As waitpid() has it.
  std::string out;      // With the input's name as kNamePlace.
  std::string err;
  bool has_object = false;
  std::string object;

  bool ok() const;
};

// `input` are the bytes of the call's input file; `scratch` a folder that is made where it isn't.
// Errors: no room or right for the copies, or the tool doesn't start.
Result<ToolRan> RunTool(const Tool& tool, const PtxasCall& call, std::string_view input,
                        const std::string& scratch);

// What it prints for these words, without an input: "--version".
Result<ToolRan> AskTool(const Tool& tool, const std::vector<std::string>& words);

}  // namespace ptxfarm::dropin

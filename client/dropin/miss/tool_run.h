// One run of the real tool for a call whose result is kept.
//
// It works on copies in a folder of its own: the text that was keyed is the text that is compiled,
// whatever happens to the file meanwhile, and its output is a file that nobody else sees until it
// is whole. Only last parts of names are recorded in an object, and those stay.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "client/dropin/ptxas/command_line.h"
#include "client/dropin/tool/tool.h"

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

// Runs it with these words as they are, in this folder; `called_as` is its name in what it says.
Result<ToolRan> AskTool(const Tool& tool, const std::vector<std::string>& words,
                        std::string_view called_as);

// Ends this process as a signal ended the tool: callers tell a crash by it.
void EndBySignal(int number);

// A folder that goes away with its object.
class ScratchFolder {
 public:
  static Result<ScratchFolder> Make(const std::string& parent);
  ScratchFolder(ScratchFolder&& other) noexcept : path_(std::exchange(other.path_, {})) {}
  ScratchFolder& operator=(ScratchFolder&&) = delete;
  ~ScratchFolder();

  const std::string& path() const { return path_; }

 private:
  explicit ScratchFolder(std::string path) : path_(std::move(path)) {}
  std::string path_;
};

}  // namespace ptxfarm::dropin

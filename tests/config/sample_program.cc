#include "tests/config/sample_program.h"

namespace ptxfarm::config {
namespace {

std::vector<OptionGroup> GlobalGroups(SampleOptions& o) {
  // clang-format off
  return {
      {"Common", "", {
          {"quiet",   "",        "Say nothing but errors.", Flag(&o.quiet), {.letter = 'q'}},
          {"color",   "WHEN",    "Colour the output.",
           Choice<Color>(&o.color, {{"auto", Color::kAuto}, {"always", Color::kAlways}, {"never", Color::kNever}})},
      }},
      {"Server", "client", {
          {"server",  "ADDRESS", "Where the server listens.", Text(&o.server)},
          {"lease",   "TIME",    "How long a lease lasts. Renewed at half of it.",
           Duration(&o.lease, {std::chrono::seconds(1), std::chrono::hours(1)})},
          {"idle",    "TIME",    "End after this time.", Duration(&o.idle)},
      }},
  };
  // clang-format on
}

std::vector<OptionGroup> CompileGroups(SampleOptions& o) {
  // clang-format off
  return {
      {"Compiling", "client", {
          {"targets", "LIST", "What to compile for.", List(&o.targets), {.letter = 't'}},
          {"emit",    "KIND", "What to write; it's \"cubin\" [or] 'fatbin' $HOME `x` \\ | all.",
           ListOf(&o.emit, {"cubin", "fatbin", "ptx"})},
          {"jobs",    "N",    "How many at a time.", Count(&o.jobs, {1, 1024})},
          {"share",   "PART", "Part of the machine.", Real(&o.share, 0, 1)},
          {"store-bytes-max", "SIZE", "Room for results.", Bytes(&o.store_bytes_max, {kMiB, kTiB})},
          {"verify",  "",     "Check what came back.", Flag(&o.verify)},
          {"output",  "PATH", "Where to write.", File(&o.output), {.letter = 'o', .reach = Reach::kFlag}},
          {"scratch", "FOLDER", "For files in between.", Folder(&o.scratch)},
      }},
  };
  // clang-format on
}

Command FatbinCommand(SampleOptions& o) {
  Command list{.name = "list",
               .summary = "lists the members of a fat binary",
               .description = "",
               .arguments = {{"FILE", "The fat binary.", File(&o.fatbin)},
                             {"MEMBER", "Only this one.", Text(&o.member), false}},
               .run = [&o] {
                 ++o.listed;
                 return 0;
               }};
  return {.name = "fatbin",
          .summary = "reads and writes fat binaries",
          .description = "",
          .commands = {std::move(list)}};
}

}  // namespace

Program SampleProgram(SampleOptions& o) {
  Command compile{
      .name = "compile",
      .summary = "compiles PTX modules",
      .description = "Compiles each FILE for each target.\n\n.Dots and 'quotes' stay.",
      .options = CompileGroups(o),
      .arguments = {{"FILE", "PTX to compile; - is standard input.", ListOfFiles(&o.inputs)}},
      .examples = {{"sample compile k.ptx --targets sm_90", "Compiles one module."}},
      .run = [&o] {
        ++o.compiled;
        return 7;
      }};
  return {.version = "1.2.3",
          .command = {.name = "sample",
                      .summary = "a program with every kind of option",
                      .description = "A program with every kind of option.",
                      .options = GlobalGroups(o),
                      .commands = {std::move(compile), FatbinCommand(o)}},
          .exit_statuses = {{1, "A module is wrong."}},
          .files = {{"~/.cache/sample", "Results."}}};
}

Environment EnvironmentOf(std::map<std::string, std::string> variables) {
  return [variables = std::move(variables)](const std::string& name) -> std::optional<std::string> {
    const auto found = variables.find(name);
    if (found == variables.end() || found->second.empty()) return std::nullopt;
    return found->second;
  };
}

}  // namespace ptxfarm::config

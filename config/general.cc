#include "config/general.h"

namespace ptxfarm::config {

OptionGroup GeneralGroup(GeneralOptions& options) {
  Value print = Choice<Print>(&options.print, {{"config", Print::kConfig},
                                               {"man", Print::kMan},
                                               {"markdown", Print::kMarkdown},
                                               {"bash", Print::kBash},
                                               {"zsh", Print::kZsh},
                                               {"fish", Print::kFish}});
  // clang-format off
  return {"General", "", {
      {"config",  "FILE", "Read this config file instead of the user's or the machine's.",
       File(&options.config), {.reach = Reach::kFlagAndEnvironment}},
      {"print",   "WHAT", "Print the settings in force and where each comes from, this command's man page, the "
                          "reference of all options in Markdown, or a shell's completion script; then exit.",
       std::move(print), {.reach = Reach::kFlag}},
      {"help",    "",     "Print this help and exit.", Flag(&options.help), {.letter = 'h', .reach = Reach::kFlag}},
      {"version", "",     "Print the version and exit.", Flag(&options.version), {.reach = Reach::kFlag}},
  }};
  // clang-format on
}

Program WithGeneralOptions(Program program, GeneralOptions& options) {
  program.command.options.push_back(GeneralGroup(options));
  return program;
}

}  // namespace ptxfarm::config

#include "client/dropin/miss/settings.h"

#include "config/environment.h"
#include "config/load.h"

namespace ptxfarm::dropin {

Status LoadSettings(client::AllOptions& options) {
  config::Program program = client::MakeProgram(options);
  // Loaded are the options of the program itself; those of `ptxfarm cache` are the drop-ins'.
  for (config::OptionGroup& group : client::DropInGroups(options.drop_in))
    program.command.options.push_back(std::move(group));
  std::erase_if(program.command.commands,
                [](const config::Command& command) { return command.name == "cache"; });
  return config::LoadWithoutFlags(program, config::ProcessEnvironment());
}

}  // namespace ptxfarm::dropin

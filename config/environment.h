// The environment as a dependency, so that tests have one of their own.
#pragma once

#include <functional>
#include <optional>
#include <string>

namespace ptxfarm::config {

// The value of a variable. A variable that is set to nothing counts as not set: shells and compose
// files leave such ones behind.
using Environment = std::function<std::optional<std::string>(const std::string& name)>;

// That of this process. Read it before threads start that might change it.
Environment ProcessEnvironment();

}  // namespace ptxfarm::config

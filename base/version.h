// The version of ptxfarm. CMake reads it from here.
#pragma once

#include <string_view>

namespace ptxfarm {

inline constexpr std::string_view kVersion = "0.1.0";

}  // namespace ptxfarm

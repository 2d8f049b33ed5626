// PTX modules whose cubins have, between them, every kind of section that ptxas makes for
// hand-written PTX.
#pragma once

#include <span>
#include <string_view>

namespace ptxfarm::object::test {

struct SampleModule {
  std::string_view name;
  int since_sm;  // The first target that takes it.
  std::string_view text;
};

std::span<const SampleModule> SampleModules();

}  // namespace ptxfarm::object::test

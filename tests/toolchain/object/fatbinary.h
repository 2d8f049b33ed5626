// Runs the toolkit's fatbinary, for tests that compare with it.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "toolchain/object/fatbin/write.h"

namespace ptxfarm::object::test {

// The file that `fatbinary --create k.fatbin <options>` makes of the members, in their order.
Result<std::string> RunFatbinary(std::span<const fatbin::Member> members, std::string_view options);

}  // namespace ptxfarm::object::test

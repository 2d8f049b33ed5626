// The rows of an instruction in words.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace ptxfarm::ptx::isa {

// What the table has of an instruction: of each form its syntax, its sets and rules, its operands,
// the version and the targets that have it, and its section. Of a name with modifiers ("mul.wide")
// only the forms that have them all. Nothing where no form is called so.
std::optional<std::string> ExplainInstruction(std::string_view name);

}  // namespace ptxfarm::ptx::isa

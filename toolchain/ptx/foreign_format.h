// What an input is that is no PTX: a wrong file handed over is the commonest slip.
#pragma once

#include <optional>
#include <string_view>

namespace ptxfarm::ptx {

// "an ELF file (a cubin or a host object)", or nothing where no other format is recognized. Looks
// at the first bytes only.
std::optional<std::string_view> ForeignFormat(std::string_view bytes);

}  // namespace ptxfarm::ptx

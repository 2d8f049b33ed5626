// cicc that remembers: a text that was compiled before gets its PTX back.
#pragma once

#include <string>

namespace ptxfarm::dropin {

// `bin` is the toolkit's folder of programs, argv the call of its cicc. Returns the exit code, or
// becomes the real one.
int RunCicc(const std::string& bin, int argc, char** argv);

}  // namespace ptxfarm::dropin

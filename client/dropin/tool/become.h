// What a drop-in turns into where it has no hit.
#pragma once

namespace ptxfarm::dropin {

// Becomes `ptxfarm <command> <argv>…`, the one that was installed or built with this program.
// Returns only where it isn't there.
void BecomeMiss(const char* command, int argc, char** argv);

}  // namespace ptxfarm::dropin

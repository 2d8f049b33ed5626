// What `ptxfarm-nvlink` becomes where the local tier doesn't have the answer.
#pragma once

namespace ptxfarm::dropin {

// `argv` as the drop-in had it. Returns the exit code of the call.
int MissLink(int argc, char** argv);

}  // namespace ptxfarm::dropin

// Landlock (Linux 5.13): an unprivileged process takes the file system away from itself.
#pragma once

#include "worker/confine/request.h"

namespace ptxfarm::confine {

// Afterwards files can be written in the request's folder only, and read in its read paths and the
// program alone; where the kernel knows how (ABI 4 and 6), TCP is gone as well, and signals and
// abstract sockets reach nobody outside. Read paths that don't exist are passed over: they are a
// list for many distributions. Needs no_new_privs. 0 or errno.
int ApplyLandlock(const Request& request);

}  // namespace ptxfarm::confine

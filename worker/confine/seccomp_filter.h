// The system calls that a compiler needs, and no others.
#pragma once

#include "base/int.h"

namespace ptxfarm::confine {

// From here on this process can read and write what it has open or may open, use memory, time and
// threads; sockets, new processes, other processes, mounts, keys and the like are gone. One execve
// remains: that of exactly the pointer `program_path`; another ends the process. Needs
// no_new_privs. 0 or errno.
int ApplySeccomp(const char* program_path);

// Whether this kernel would take the filter.
bool SeccompIsThere();

}  // namespace ptxfarm::confine

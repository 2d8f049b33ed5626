// What `ptxfarm-ptxas` becomes where the local tier has no answer: asks the farm, else the toolkit;
// keeps what came out, and answers.
#pragma once

namespace ptxfarm::dropin {

// `argv` as the drop-in was called, its name first. Returns the exit status; doesn't return where
// the call goes to the real tool as it is, or ends as the tool did, by a signal.
int Miss(int argc, char** argv);

}  // namespace ptxfarm::dropin

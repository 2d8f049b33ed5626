// The option line that ptxas 13.0 records in an object (.note.nv.tkinfo).
//
// The farm compiles with options in one order, without those that change no code, and so its object
// records another line than a direct call's. Where an object has to equal that of a direct call
// byte for byte, object::cubin::WithToolOptions() puts this line in.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "action/options.h"

namespace ptxfarm::action {

// Recorded with -g only, without their folders.
struct RecordedNames {
  std::string_view input = "input.ptx";
  std::string_view output;  // Empty where the call names none.
};

// `target` as given to the call ("sm_90a"), empty where it gives none; of an option that is given
// twice the last value counts, but for maxntid, whose values add up. ptxas keeps the value's own
// spelling ("0x20"), and has an order of its own for the options, which isn't that of the call.
std::string OptionLine(std::string_view target, std::span<const GivenOption> given,
                       const RecordedNames& names = {});

}  // namespace ptxfarm::action

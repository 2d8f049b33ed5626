// Giving a result to the caller: its words on the two streams, its object under the name asked.
#pragma once

#include "client/dropin/ptxas/command_line.h"
#include "client/dropin/tier/record.h"

namespace ptxfarm::dropin {

// The whole answer, and the exit code: 255 and ptxas's words where the output can't be written.
int Answer(const PtxasCall& call, const RecordParts& result);
RecordParts PartsOf(const Record& record);

inline constexpr int kPtxasFailed = 255;

}  // namespace ptxfarm::dropin

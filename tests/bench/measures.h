// What farm_bench measures; each prints its lines of the table.
#pragma once

#include <string>

#include "tests/bench/rivals.h"

namespace ptxfarm::bench {

// Hits against echoes of the same sizes: one at a time, and from many threads.
void MeasureHits(Rivals& rivals, const std::string& cuda);

// Misses against ptxas itself, and many clients that miss together against one.
void MeasureMisses(Rivals& rivals, const std::string& cuda);

// A large blob up and down against a bare stream of as many bytes.
void MeasureStreams(Rivals& rivals);

// What the server takes after rounds of large and small blobs against what it took after the first
// ones.
void MeasureMemory(Rivals& rivals);

}  // namespace ptxfarm::bench

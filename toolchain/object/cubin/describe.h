// A cubin as text for people, a fact a line: `ptxfarm inspect`.
#pragma once

#include <string>

#include "toolchain/object/cubin/cubin.h"

namespace ptxfarm::object::cubin {

struct DescribeOptions {
  bool attributes = false;  // All attribute records too.
  bool sections = false;    // The section table too.
};

// Deterministic, and free of addresses and paths: golden tests hold it.
std::string Describe(const Cubin& cubin, const DescribeOptions& options = {});

}  // namespace ptxfarm::object::cubin

// Fat binaries as text for people, a member a line: `ptxfarm fatbin list`.
#pragma once

#include <string>

#include "toolchain/object/fatbin/fatbin.h"
#include "toolchain/object/fatbin/find.h"

namespace ptxfarm::object::fatbin {

// "elf 90a, version 1.8, 5,120 bytes, zstd 812 bytes, options …"
std::string DescribeMember(const MemberView& member);

// The container with its members.
std::string DescribeFatbin(const Container& container);

// All that was found in a file, with its places and damages.
std::string DescribeFindings(const Findings& findings);

}  // namespace ptxfarm::object::fatbin

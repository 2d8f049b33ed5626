// Numbers as people read them.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "base/int.h"

namespace ptxfarm::client {

// Three digits and a unit: "0.41 ms", "41.3 ms", "2.08 s", "3 m 05 s".
std::string FormatTime(std::chrono::microseconds time);

// "812 B", "5.2 KiB", "31.0 MiB"
std::string FormatSize(u64 bytes);

// A long name with its middle left out, so that a column of names stays narrow. Mangled names begin
// alike: the end tells them apart, so most of what stays is the end.
std::string ShortName(const std::string& name, std::size_t columns_max);

// "1 kernel", "3 kernels"
std::string Plural(u64 count, std::string_view noun);

}  // namespace ptxfarm::client

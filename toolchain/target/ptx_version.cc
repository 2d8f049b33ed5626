#include "toolchain/target/ptx_version.h"

#include <algorithm>

namespace ptxfarm {
namespace {

// PTX ISA 9.4 §13, "Release Notes".
// clang-format off
constexpr PtxVersion kPublished[] = {
    {1, 0}, {1, 1}, {1, 2}, {1, 3}, {1, 4}, {1, 5},
    {2, 0}, {2, 1}, {2, 2}, {2, 3},
    {3, 0}, {3, 1}, {3, 2},
    {4, 0}, {4, 1}, {4, 2}, {4, 3},
    {5, 0},
    {6, 0}, {6, 1}, {6, 2}, {6, 3}, {6, 4}, {6, 5},
    {7, 0}, {7, 1}, {7, 2}, {7, 3}, {7, 4}, {7, 5}, {7, 6}, {7, 7}, {7, 8},
    {8, 0}, {8, 1}, {8, 2}, {8, 3}, {8, 4}, {8, 5}, {8, 6}, {8, 7}, {8, 8},
    {9, 0}, {9, 1}, {9, 2}, {9, 3}, {9, 4},
};
// clang-format on
static_assert(std::is_sorted(std::begin(kPublished), std::end(kPublished)));

}  // namespace

std::string PtxVersion::ToString() const { return fmt::format("{}.{}", major, minor); }

std::span<const PtxVersion> PublishedPtxVersions() { return kPublished; }

bool IsPublished(PtxVersion version) {
  return std::binary_search(std::begin(kPublished), std::end(kPublished), version);
}

}  // namespace ptxfarm

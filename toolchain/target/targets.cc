// The table of targets. To add one, add its row; where a generation is new, its family too.
#include <algorithm>
#include <array>

#include "toolchain/target/target.h"

namespace ptxfarm {
namespace {

constexpr TargetSuffix kPlain = TargetSuffix::kNone;
constexpr TargetSuffix kF = TargetSuffix::kFamily;
constexpr TargetSuffix kA = TargetSuffix::kArchitecture;
constexpr TargetFamily kNone = TargetFamily::kNone;
constexpr TargetFamily k10x = TargetFamily::k10x;
constexpr TargetFamily k11x = TargetFamily::k11x;
constexpr TargetFamily k12x = TargetFamily::k12x;
using enum TargetStatus;
constexpr bool kEmbedded = true;

// PTX ISA 9.4 §11.1.2. The versions are the manual's; where it is silent (sm_21, sm_82), those that
// ptxas 13.0 asks for. Which GPUs are embedded no table of the manual says: those of the boards named
// Jetson and Drive, and sm_88, of which nothing is promised.
// clang-format off
constexpr TargetDesc kTargets[] = {
    // number suffix  family since   status      last toolkit / new number
    { 10, kPlain, kNone, {1, 0}, kRemoved,     6, 0},
    { 11, kPlain, kNone, {1, 0}, kRemoved,     6, 0},
    { 12, kPlain, kNone, {1, 2}, kRemoved,     6, 0},
    { 13, kPlain, kNone, {1, 2}, kRemoved,     6, 0},
    { 20, kPlain, kNone, {2, 0}, kRemoved,     8, 0},
    { 21, kPlain, kNone, {2, 0}, kRemoved,     8, 0},
    { 30, kPlain, kNone, {3, 0}, kRemoved,    10, 0},
    { 32, kPlain, kNone, {4, 0}, kRemoved,    10, 0, kEmbedded},
    { 35, kPlain, kNone, {3, 1}, kRemoved,    11, 0},
    { 37, kPlain, kNone, {4, 1}, kRemoved,    11, 0},
    { 50, kPlain, kNone, {4, 0}, kRemoved,    12, 0},
    { 52, kPlain, kNone, {4, 1}, kRemoved,    12, 0},
    { 53, kPlain, kNone, {4, 2}, kRemoved,    12, 0, kEmbedded},
    { 60, kPlain, kNone, {5, 0}, kRemoved,    12, 0},
    { 61, kPlain, kNone, {5, 0}, kRemoved,    12, 0},
    { 62, kPlain, kNone, {5, 0}, kRemoved,    12, 0, kEmbedded},
    { 70, kPlain, kNone, {6, 0}, kRemoved,    12, 0},
    { 72, kPlain, kNone, {6, 1}, kRemoved,    12, 0, kEmbedded},
    { 75, kPlain, kNone, {6, 3}, kCurrent,     0, 0},
    { 80, kPlain, kNone, {7, 0}, kCurrent,     0, 0},
    { 82, kPlain, kNone, {6, 2}, kModuleOnly,  0, 0},
    { 86, kPlain, kNone, {7, 1}, kCurrent,     0, 0},
    { 87, kPlain, kNone, {7, 4}, kCurrent,     0, 0, kEmbedded},
    { 88, kPlain, kNone, {9, 0}, kCurrent,     0, 0, kEmbedded},  // ptxas 13.0 takes it from 7.3 on.
    { 89, kPlain, kNone, {7, 8}, kCurrent,     0, 0},
    { 90, kPlain, kNone, {7, 8}, kCurrent,     0, 0},
    { 90, kA,     kNone, {8, 0}, kCurrent,     0, 0},
    {100, kPlain, k10x,  {8, 6}, kCurrent,     0, 0},
    {100, kF,     k10x,  {8, 8}, kCurrent,     0, 0},
    {100, kA,     k10x,  {8, 6}, kCurrent,     0, 0},
    {101, kPlain, k11x,  {8, 6}, kRenamed,     0, 110, kEmbedded},
    {101, kF,     k11x,  {8, 8}, kRenamed,     0, 110, kEmbedded},
    {101, kA,     k11x,  {8, 6}, kRenamed,     0, 110, kEmbedded},
    {103, kPlain, k10x,  {8, 8}, kCurrent,     0, 0},
    {103, kF,     k10x,  {8, 8}, kCurrent,     0, 0},
    {103, kA,     k10x,  {8, 8}, kCurrent,     0, 0},
    {107, kPlain, k10x,  {9, 4}, kCurrent,     0, 0},
    {107, kF,     k10x,  {9, 4}, kCurrent,     0, 0},
    {107, kA,     k10x,  {9, 4}, kCurrent,     0, 0},
    {110, kPlain, k11x,  {9, 0}, kCurrent,     0, 0, kEmbedded},
    {110, kF,     k11x,  {9, 0}, kCurrent,     0, 0, kEmbedded},
    {110, kA,     k11x,  {9, 0}, kCurrent,     0, 0, kEmbedded},
    {120, kPlain, k12x,  {8, 7}, kCurrent,     0, 0},
    {120, kF,     k12x,  {8, 8}, kCurrent,     0, 0},
    {120, kA,     k12x,  {8, 7}, kCurrent,     0, 0},
    {121, kPlain, k12x,  {8, 8}, kCurrent,     0, 0},
    {121, kF,     k12x,  {8, 8}, kCurrent,     0, 0},
    {121, kA,     k12x,  {8, 8}, kCurrent,     0, 0},
};
// clang-format on

constexpr bool IsSorted() {
  for (std::size_t i = 1; i < std::size(kTargets); ++i) {
    const TargetDesc& a = kTargets[i - 1];
    const TargetDesc& b = kTargets[i];
    if (a.number > b.number || (a.number == b.number && a.suffix >= b.suffix)) return false;
  }
  return true;
}
static_assert(IsSorted(), "targets compare by their row: the table is in ascending order");
static_assert(std::size(kTargets) < 256, "a target holds its row in a byte");

}  // namespace

const TargetDesc& Target::desc() const { return kTargets[row_]; }

std::span<const Target> AllTargets() {
  static const std::vector<Target> all = [] {
    std::vector<Target> targets;
    for (std::size_t row = 0; row < std::size(kTargets); ++row)
      targets.push_back(Target(static_cast<u8>(row), TargetKind::kReal));
    return targets;
  }();
  return all;
}

}  // namespace ptxfarm

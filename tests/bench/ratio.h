// Rivals measured in turn, as ratios.
//
// On a shared machine a time alone says little: the neighbours are in it. Two rivals whose rounds
// take turns have the same neighbours, so that the ratio of two rounds beside each other holds, and
// the median over the rounds forgets those that were disturbed.
#pragma once

#include <chrono>
#include <functional>
#include <string>

namespace ptxfarm::bench {

// One round: what it took, in the row's unit.
using Round = std::function<double()>;

struct Ratio {
  double farm = 0;  // Medians of the rounds.
  double bare = 0;
  double ratio = 0;       // Median of farm ÷ bare of each pair of rounds.
  double difference = 0;  // Median of farm − bare.
};

// Farm, bare, farm, bare, …: `rounds` of each, after one of each that isn't counted.
Ratio Compare(int rounds, const Round& farm, const Round& bare);

// Milliseconds that `work` takes.
template <typename Work>
double Milliseconds(const Work& work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin)
      .count();
}

// The head of the table, and its lines. `goal` is the largest ratio that is good enough; 0 where a
// line only explains another.
void PrintHead();
void PrintRow(const std::string& what, const Ratio& ratio, double goal, const std::string& unit);

}  // namespace ptxfarm::bench

#include "tests/bench/ratio.h"

#include <algorithm>
#include <cstdio>
#include <vector>

#include <fmt/format.h>

namespace ptxfarm::bench {
namespace {

double Median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

}  // namespace

Ratio Compare(int rounds, const Round& farm, const Round& bare) {
  farm();
  bare();
  std::vector<double> farms, bares, ratios, differences;
  for (int i = 0; i < rounds; ++i) {
    farms.push_back(farm());
    bares.push_back(bare());
    ratios.push_back(farms.back() / bares.back());
    differences.push_back(farms.back() - bares.back());
  }
  return {Median(farms), Median(bares), Median(ratios), Median(differences)};
}

void PrintHead() {
  fmt::print("{:<52}{:>11}{:>11}{:>11}{:>8}  {}\n", "", "farm", "bare", "farm-bare", "ratio",
             "goal");
}

void PrintRow(const std::string& what, const Ratio& ratio, double goal, const std::string& unit) {
  std::string verdict;
  if (goal != 0)
    verdict = fmt::format("<= {:.2f}  {}", goal, ratio.ratio <= goal ? "reached" : "missed");
  fmt::print("{:<52}{:>8.2f} {:<2}{:>8.2f} {:<2}{:>8.2f} {:<2}{:>8.2f}  {}\n", what, ratio.farm,
             unit, ratio.bare, unit, ratio.difference, unit, ratio.ratio, verdict);
  std::fflush(stdout);
}

}  // namespace ptxfarm::bench

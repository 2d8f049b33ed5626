// Who calls nvcc through the launcher: a folder of sources, a local tier of its own, and counts.
#pragma once

#include <ostream>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "client/dropin/tier/local_tier.h"
#include "tests/support/temp_dir.h"
#include "tests/support/toolkit.h"

namespace ptxfarm::dropin {

class NvccUser : public testing::Test {
 protected:
  struct Counts {
    u64 hits = 0, misses = 0;
    friend bool operator==(const Counts&, const Counts&) = default;
    friend void PrintTo(const Counts& counts, std::ostream* out) {
      *out << counts.hits << " hits, " << counts.misses << " misses";
    }
  };

  void SetUp() override { PTXFARM_NEED_TOOLKIT(); }

  void Write(const std::string& name, std::string_view text) const;
  std::string Contents(const std::string& name) const;
  // Goes to the folder and names the tier; the user's own farm is not asked, and what a killed nvcc
  // leaves behind goes with the folder.
  std::string Setting() const;
  // In that setting.
  test::Ran Shell(const std::string& command) const;
  test::Ran Launch(const std::string& words) const;
  // "…/ptxfarm-nvcc", for the shell.
  static std::string Launcher();
  Counts Counted() const;
  // An object holds the names of nvcc's temporary files in its symbols: tmpxft_<its process>_<how
  // often it looked for free names>-…. nvcc by itself gives others each time; nothing else may
  // differ.
  static std::string WithoutProcessNumber(std::string object);
  // The files whose names begin so.
  std::size_t FilesLike(std::string_view start) const;

  const test::TempDir dir_;
  const LocalTier tier_{dir_ / "tier"};
};

}  // namespace ptxfarm::dropin

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
  // In the folder, with the tier.
  test::Ran Shell(const std::string& command) const;
  test::Ran Launch(const std::string& words) const;
  // "…/ptxfarm-nvcc", for the shell.
  static std::string Launcher();
  Counts Counted() const;
  // An object holds the names of nvcc's temporary files, tmpxft_<process number>_…, in its symbols
  // and in what is made of them. nvcc by itself gives another one each time; nothing else may
  // differ.
  static std::string WithoutProcessNumber(std::string object);
  // The files whose names begin so.
  std::size_t FilesLike(std::string_view start) const;

  const test::TempDir dir_;
  const LocalTier tier_{dir_ / "tier"};
};

}  // namespace ptxfarm::dropin

#include "server/http_cache/spool.h"

#include <filesystem>

#include <gtest/gtest.h>

#include "store/blob_hasher.h"
#include "tests/store/stacks.h"
#include "tests/support/temp_dir.h"

namespace ptxfarm::http_cache {
namespace {

// Keeps what it is given.
class Collector final : public BlobWriter {
 public:
  Status Append(Chunk chunk) override {
    chunks.push_back(std::move(chunk));
    return Ok{};
  }
  Status Commit() override { return Ok{}; }

  std::vector<Chunk> chunks;
};

TEST(SpoolTest, GivesBackWhatItTookWhereverItLay) {
  const test::TempDir folder;
  // Some of it in memory, most in the file; what compresses and what doesn't.
  const std::vector<std::string> pieces = {
      std::string(1000, 'a'), test::Noise(kChunkBytes - 1, 1), std::string(kChunkBytes, 'b'),
      test::Noise(70'000, 2), test::Noise(kChunkBytes, 3),     "x"};
  Spool spool(folder.path());
  for (const std::string& piece : pieces) ASSERT_TRUE(spool.Append(MakeChunk(piece)));
  EXPECT_TRUE(std::filesystem::is_empty(folder.path())) << "a file that outlives a kill -9";
  for (int round = 0; round < 2; ++round) {
    Collector collector;
    ASSERT_TRUE(spool.CopyTo(collector));
    ASSERT_EQ(collector.chunks.size(), pieces.size());
    for (std::size_t i = 0; i < pieces.size(); ++i)
      EXPECT_EQ(PlainOf(collector.chunks[i]).value(), pieces[i]);
  }
}

TEST(SpoolTest, SaysWhereItCannotWrite) {
  Spool spool("/nowhere/at/all");
  ASSERT_TRUE(spool.Append(MakeChunk("small enough for memory")));
  const Status full = spool.Append(MakeChunk(test::Noise(kChunkBytes)));
  ASSERT_FALSE(full);
  EXPECT_NE(full.error().message.find("/nowhere/at/all"), std::string::npos);
}

}  // namespace
}  // namespace ptxfarm::http_cache

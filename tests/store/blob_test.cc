#include "store/blob.h"

#include <gtest/gtest.h>

#include "tests/store/stacks.h"

namespace ptxfarm {
namespace {

using test::Noise;

struct Case {
  const char* name;
  std::string plain;
  std::size_t chunks;
  Encoding encoding;
};
class BlobTest : public testing::TestWithParam<Case> {};

TEST_P(BlobTest, GivesBackItsBytesInTheRightChunks) {
  const Case& c = GetParam();
  const Blob blob = MakeBlob(c.plain);
  EXPECT_EQ(blob.digest, DigestOf(c.plain));
  EXPECT_EQ(blob.chunks.size(), c.chunks);
  EXPECT_LE(blob.stored_bytes(), c.plain.size());
  for (const Chunk& chunk : blob.chunks) {
    EXPECT_TRUE(CheckShape(chunk).has_value());
    EXPECT_EQ(chunk.encoding, c.encoding);
  }
  EXPECT_EQ(blob.Plain().value(), c.plain);
}

INSTANTIATE_TEST_SUITE_P(
    Sizes, BlobTest,
    testing::Values(Case{"Empty", "", 0, Encoding::kIdentity},
                    Case{"OneByte", "x", 1, Encoding::kIdentity},
                    Case{"TooSmallToCompress", std::string(1023, 'a'), 1, Encoding::kIdentity},
                    Case{"SmallestCompressed", std::string(1024, 'a'), 1, Encoding::kZstd},
                    Case{"Incompressible", Noise(5000), 1, Encoding::kIdentity},
                    Case{"OneFullChunk", std::string(kChunkBytes, 'a'), 1, Encoding::kZstd},
                    Case{"OneByteOver", std::string(kChunkBytes + 1024, 'a'), 2, Encoding::kZstd},
                    Case{"ManyChunks", Noise(3 * kChunkBytes + 7), 4, Encoding::kIdentity}),
    [](const testing::TestParamInfo<Case>& i) { return i.param.name; });

struct BadChunk {
  const char* name;
  Chunk chunk;
};
class BadChunkTest : public testing::TestWithParam<BadChunk> {};

TEST_P(BadChunkTest, IsRefused) {
  EXPECT_EQ(CheckShape(GetParam().chunk).error().code, Code::kInvalidArgument);
  EXPECT_EQ(PlainOf(GetParam().chunk).error().code, Code::kDataLoss);
}

std::shared_ptr<const std::string> Bytes(std::size_t size) {
  return std::make_shared<const std::string>(size, 'a');
}

INSTANTIATE_TEST_SUITE_P(
    Shapes, BadChunkTest,
    testing::Values(BadChunk{"Null", {Encoding::kIdentity, 1, nullptr}},
                    BadChunk{"Empty", {Encoding::kIdentity, 0, Bytes(0)}},
                    BadChunk{"TooBig",
                             {Encoding::kIdentity, kChunkBytes + 1, Bytes(kChunkBytes + 1)}},
                    BadChunk{"ClaimsMore", {Encoding::kIdentity, 10, Bytes(9)}},
                    BadChunk{"ClaimsLess", {Encoding::kIdentity, 9, Bytes(10)}},
                    BadChunk{"Swollen", {Encoding::kZstd, 9, Bytes(10)}},
                    BadChunk{"UnknownEncoding", {static_cast<Encoding>(7), 9, Bytes(9)}}),
    [](const testing::TestParamInfo<BadChunk>& i) { return i.param.name; });

TEST(BlobTest, DamagedFramesAreDataLoss) {
  const Blob whole = MakeBlob(std::string(100000, 'a'));
  for (std::size_t i = 0; i < whole.chunks[0].bytes->size(); ++i) {
    std::string bytes = *whole.chunks[0].bytes;
    bytes[i] = static_cast<char>(bytes[i] ^ 0x41);
    Blob damaged = whole;
    damaged.chunks[0].bytes = std::make_shared<const std::string>(bytes);
    // zstd has no checksum here: a flip may give other bytes, but never more or fewer.
    if (const Result<std::string> plain = damaged.Plain()) {
      EXPECT_EQ(plain->size(), 100000u);
    } else {
      EXPECT_EQ(plain.error().code, Code::kDataLoss);
    }
  }
}

TEST(BlobTest, ALostChunkIsDataLoss) {
  Blob blob = MakeBlob(Noise(2 * kChunkBytes));
  blob.chunks.pop_back();
  EXPECT_EQ(blob.Plain().error().code, Code::kDataLoss);
}

}  // namespace
}  // namespace ptxfarm

#include "worker/lease_work.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "rpc/policies.h"
#include "store/stores.h"
#include "tests/support/temp_dir.h"
#include "worker/cancellation.h"
#include "worker/scratch.h"

namespace ptxfarm::worker {
namespace {

using action::Outcome;
using testing::HasSubstr;

// Text that doesn't compress below half: names of files in hexadecimal.
std::string LargeText(std::size_t bytes) {
  std::string text = ".version 8.0\n.target sm_75\n.address_size 64\n.file 1 \"";
  for (u64 i = 0; text.size() < bytes; ++i) text += HexOf(DigestOf(std::to_string(i)).sha256);
  return text + "\"\n";
}

class LeaseWorkTest : public testing::Test {
 protected:
  LeaseWorkTest()
      : scratch_(*Scratch::Make(folder_.path())), store_(*OpenStore({.path = ""}, clock_)) {}

  rpc::Lease BundleLease(const Digest& input) {
    rpc::Lease lease{.id = "l1"};
    lease.action = {.kind = action::Kind::kBundleFatbin,
                    .inputs = {{"compute_75", input}},
                    .options = {"--compress=none"},
                    .compiler = BundlerIdentity()};
    return lease;
  }
  rpc::FinishedLease Do(const rpc::Lease& lease, BlobStore* blobs) {
    return DoLease({.workshop = workshop_, .scratch = scratch_, .worker_name = "here"}, lease,
                   blobs, nullptr, cancellation_, traffic_);
  }

  RealClock clock_;
  test::TempDir folder_;
  Workshop workshop_;
  Scratch scratch_;
  std::unique_ptr<Store> store_;
  Cancellation cancellation_;
  LeaseTraffic traffic_;
};

TEST_F(LeaseWorkTest, SmallOnesRideInTheLeaseAndTheReport) {
  const Blob text = MakeBlob(LargeText(1000));
  rpc::Lease lease = BundleLease(text.digest);
  lease.inputs = {text};
  const rpc::FinishedLease finished = Do(lease, nullptr);
  EXPECT_EQ(finished.lease_id, "l1");
  ASSERT_EQ(finished.result.outcome, Outcome::kOk);
  EXPECT_EQ(finished.result.execution.worker, "here");
  EXPECT_GT(finished.result.execution.finished, WallTime{});
  ASSERT_EQ(finished.outputs.size(), 1u);
  EXPECT_EQ(finished.outputs[0].digest, finished.result.outputs[0].digest);
  EXPECT_GT(traffic_.input_bytes, 0u);
  EXPECT_GT(traffic_.output_bytes, 0u);
}

TEST_F(LeaseWorkTest, LargeOnesGoThroughTheServersBlobs) {
  const Blob text = MakeBlob(LargeText(3 * rpc::kLeaseOutputInlineBytesMax));
  ASSERT_GT(text.stored_bytes(), rpc::kLeaseOutputInlineBytesMax);
  ASSERT_TRUE(store_->blobs().Put(text));
  const rpc::FinishedLease finished = Do(BundleLease(text.digest), &store_->blobs());
  ASSERT_EQ(finished.result.outcome, Outcome::kOk);
  EXPECT_TRUE(finished.outputs.empty());
  const Result<Blob> output = store_->blobs().Get(finished.result.outputs.at(0).digest);
  EXPECT_TRUE(output) << output.error().ToString();
}

TEST_F(LeaseWorkTest, InputsThatCannotBeHadAreFaults) {
  const Blob text = MakeBlob("text");
  rpc::FinishedLease finished = Do(BundleLease(text.digest), &store_->blobs());
  EXPECT_EQ(finished.result.outcome, Outcome::kFault);
  EXPECT_THAT(finished.result.diagnostics.at(0).message, HasSubstr("NOT_FOUND"));
  finished = Do(BundleLease(text.digest), nullptr);
  EXPECT_THAT(finished.result.diagnostics.at(0).message, HasSubstr("can't be reached"));
  // Other bytes under that name.
  Blob forged = MakeBlob("tex!");
  forged.digest = text.digest;
  rpc::Lease lease = BundleLease(text.digest);
  lease.inputs = {forged};
  finished = Do(lease, nullptr);
  EXPECT_THAT(finished.result.diagnostics.at(0).message, HasSubstr("arrived as other bytes"));
  // More than a worker holds.
  finished = Do(BundleLease({.size_bytes = u64{1} << 40}), &store_->blobs());
  EXPECT_THAT(finished.result.diagnostics.at(0).message, HasSubstr("lease_input_bytes_max"));
}

TEST_F(LeaseWorkTest, OutputsThatCannotBeHandedOverAreFaults) {
  const Blob text = MakeBlob(LargeText(3 * rpc::kLeaseOutputInlineBytesMax));
  rpc::Lease lease = BundleLease(text.digest);
  lease.inputs = {text};
  const rpc::FinishedLease finished = Do(lease, nullptr);
  EXPECT_EQ(finished.result.outcome, Outcome::kFault);
  EXPECT_EQ(finished.result.diagnostics.at(0).kind, "upload");
  EXPECT_TRUE(finished.outputs.empty());
  EXPECT_TRUE(finished.result.outputs.empty());
}

TEST_F(LeaseWorkTest, LeavesNothingInTheScratchFolder) {
  const Blob text = MakeBlob(LargeText(1000));
  rpc::Lease lease = BundleLease(text.digest);
  lease.inputs = {text};
  const Result<std::string> first = scratch_.MakeFolder();
  scratch_.RemoveFolder(*first);
  Do(lease, nullptr);
  const Result<std::string> probe = scratch_.MakeFolder();
  ASSERT_TRUE(probe) << "a folder of that number is free again";
}

}  // namespace
}  // namespace ptxfarm::worker

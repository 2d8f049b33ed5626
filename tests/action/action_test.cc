#include "action/action.h"

#include <functional>
#include <set>

#include <gtest/gtest.h>

#include "action/action_result.h"

namespace ptxfarm::action {
namespace {

Action Sample() {
  return {.kind = Kind::kCompilePtx,
          .inputs = {{"ptx", DigestOf("text")}},
          .target = "sm_90",
          .options = {"--maxrregcount=64"},
          .compiler = {"ptxas", "13.0.88", DigestOf("bytes").sha256}};
}

TEST(ActionDigestTest, EqualActionsHaveEqualDigests) {
  EXPECT_EQ(ActionDigest(Sample()), ActionDigest(Sample()));
}

TEST(ActionDigestTest, EveryFieldChangesIt) {
  const std::vector<std::function<void(Action&)>> changes = {
      [](Action&) {},
      [](Action& a) { a.kind = Kind::kBundleFatbin; },
      [](Action& a) { a.inputs[0].role = "cubin"; },
      [](Action& a) { a.inputs[0].digest = DigestOf("Text"); },
      [](Action& a) { a.inputs[0].digest.size_bytes += 1; },
      [](Action& a) { a.inputs.push_back(a.inputs[0]); },
      [](Action& a) { a.target = "sm_90a"; },
      [](Action& a) { a.options = {"--maxrregcount=65"}; },
      [](Action& a) {
        a.options = {"--maxrregcount=64", ""};
      },
      [](Action& a) { a.options.clear(); },
      [](Action& a) { a.compiler.backend = "native"; },
      [](Action& a) { a.compiler.version = "13.0.89"; },
      [](Action& a) { a.compiler.sha256[31] ^= 1; },
  };
  std::set<Sha256> digests;
  for (const auto& change : changes) {
    Action action = Sample();
    change(action);
    digests.insert(ActionDigest(action));
  }
  EXPECT_EQ(digests.size(), changes.size());
}

TEST(ActionDigestTest, StaysWhatItIs) {
  // Every stored result hangs on this value. A change of it is a change of kFormatVersion, with a
  // reason.
  EXPECT_EQ(HexOf(ActionDigest(Sample())),
            "6e5ede47bafd881dcbd2c70c22df30096553c9eae8887f5d6afa7db41dd77aa5");
}

TEST(LimitsTest, TheTighterBoundWinsAndZeroIsNone) {
  using std::chrono::milliseconds;
  const Limits limits = Tighter({milliseconds(5), 0, 7}, {milliseconds(9), 3, 6});
  EXPECT_EQ(limits, (Limits{milliseconds(5), 3, 6}));
}

TEST(OutcomeTest, OnlyVerdictsAreStored) {
  EXPECT_EQ(RowOf(Outcome::kInputError).retention, Retention::kStored);
  EXPECT_EQ(RowOf(Outcome::kCrashed).retention, Retention::kBriefly);
  for (const Outcome outcome : {Outcome::kServiceLimit, Outcome::kCancelled, Outcome::kFault})
    EXPECT_EQ(RowOf(outcome).retention, Retention::kNever) << RowOf(outcome).name;
}

}  // namespace
}  // namespace ptxfarm::action

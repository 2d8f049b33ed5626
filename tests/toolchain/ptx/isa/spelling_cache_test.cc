#include "toolchain/ptx/isa/spelling_cache.h"

#include <set>
#include <thread>

#include <gtest/gtest.h>

#include "tests/toolchain/ptx/isa/random_spelling.h"
#include "toolchain/ptx/isa/instructions.h"

namespace ptxfarm::ptx::isa {
namespace {

ModuleHead HeadOf(PtxVersion version, std::string_view target) {
  return {.version = version, .target = *ParseModuleTarget(target)};
}

TEST(SpellingCacheTest, FindsWhatItResolved) {
  SpellingCache cache;
  const ModuleHead head = HeadOf({8, 0}, "sm_90a");
  const std::shared_ptr<const Spelling> first = cache.Find("add.s32", head);
  EXPECT_EQ(first->words.size(), 2u);
  EXPECT_EQ(cache.Find(std::string("add.s32"), head), first);
  EXPECT_EQ(cache.size(), 1u);
}

// What a spelling may be depends on the module's version and target, suffix and all.
TEST(SpellingCacheTest, EveryHeadHasItsOwn) {
  SpellingCache cache;
  std::set<const Spelling*> found;
  for (const PtxVersion version : {PtxVersion{8, 0}, PtxVersion{8, 6}})
    for (const std::string_view target : {"sm_90", "sm_90a", "sm_100"})
      found.insert(cache.Find("wgmma.fence.sync.aligned", HeadOf(version, target)).get());
  EXPECT_EQ(found.size(), 6u);
  EXPECT_TRUE(
      cache.Find("wgmma.fence.sync.aligned", HeadOf({8, 0}, "sm_90a"))->overloads[0].is_met);
  EXPECT_FALSE(
      cache.Find("wgmma.fence.sync.aligned", HeadOf({8, 0}, "sm_90"))->overloads[0].is_met);
}

TEST(SpellingCacheTest, KeepsNoneThatIsWrong) {
  SpellingCache cache;
  const ModuleHead head = HeadOf({8, 0}, "sm_90");
  EXPECT_FALSE(cache.Find("add.s33", head)->issues.empty());
  EXPECT_EQ(cache.size(), 0u);
}

std::vector<std::string> ManySpellings() {
  std::mt19937 random(1);
  std::vector<std::string> spellings;
  for (const std::string_view opcode : Opcodes())
    for (const Form& form : FormsOf(opcode))
      if (const std::optional<std::string> text = RandomSpelling(form, random))
        spellings.push_back(*text);
  return spellings;
}

TEST(SpellingCacheTest, IsBounded) {
  SpellingCache cache;
  const std::vector<std::string> spellings = ManySpellings();
  std::size_t asked = 0;
  for (const Target& target : AllTargets()) {
    for (const std::string& text : spellings) cache.Find(text, HeadOf({9, 0}, target.ToString()));
    asked += spellings.size();
    EXPECT_LE(cache.size(), kSpellingsCachedMax.value);
    if (asked > 2 * kSpellingsCachedMax.value) break;
  }
  EXPECT_GT(asked, kSpellingsCachedMax.value);
}

TEST(SpellingCacheTest, ServesManyThreads) {
  SpellingCache cache;
  const std::vector<std::string> spellings = ManySpellings();
  const ModuleHead head = HeadOf({9, 0}, "sm_100a");
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&] {
      for (const std::string& text : spellings) EXPECT_EQ(cache.Find(text, head)->text, text);
    });
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace ptxfarm::ptx::isa

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>

#include <gtest/gtest.h>

#include "base/drop_in_mark.h"
#include "base/file.h"
#include "client/dropin/ptxas/names_in_text.h"
#include "client/dropin/tier/key_lock.h"
#include "client/dropin/tier/local_tier.h"
#include "client/dropin/tier/sha256_stream.h"
#include "client/dropin/tier/trim.h"
#include "tests/support/temp_dir.h"

namespace ptxfarm::dropin {
namespace {

using test::TempDir;

Sha256 Key(std::string_view name) { return Sha256Of(name); }

TEST(Sha256StreamTest, IsTheDigestOfTheHouse) {
  for (const std::size_t size : {0, 1, 55, 56, 63, 64, 65, 100'000}) {
    const std::string bytes(size, 'x');
    EXPECT_EQ(Sha256Of(bytes), DigestOf(bytes).sha256) << size;
  }
  EXPECT_EQ(NameOf(Key("a")), DigestOf("a").Hex());
}

TEST(RecordTest, ReadsBackWhatWasPacked) {
  const std::string bytes = PackRecord(Key("k"), {.exit_code = 3,
                                                  .has_object = true,
                                                  .out = "out",
                                                  .err = "",
                                                  .maker = "ptxas 13.0.88 ab",
                                                  .object = std::string_view("\0\1", 2)});
  const std::optional<Record> record = Record::Unpack(bytes, Key("k"));
  ASSERT_TRUE(record);
  EXPECT_EQ(record->exit_code(), 3);
  EXPECT_TRUE(record->has_object());
  EXPECT_EQ(record->out(), "out");
  EXPECT_EQ(record->err(), "");
  EXPECT_EQ(record->maker(), "ptxas 13.0.88 ab");
  EXPECT_EQ(record->object(), std::string_view("\0\1", 2));
  EXPECT_EQ(KeyInHead(bytes), Key("k"));
}

TEST(RecordTest, RefusesEveryChangedByteAndEveryLength) {
  const std::string bytes = PackRecord(Key("k"), {.err = "text", .object = "object"});
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    std::string changed = bytes;
    changed[i] = static_cast<char>(changed[i] ^ 0x40);
    EXPECT_FALSE(Record::Unpack(changed, Key("k"))) << "byte " << i;
    EXPECT_FALSE(Record::Unpack(bytes.substr(0, i), Key("k"))) << "length " << i;
  }
  EXPECT_FALSE(Record::Unpack(bytes + "x", Key("k")));
  EXPECT_FALSE(Record::Unpack(bytes, Key("another"))) << "a file under another's name";
}

TEST(LocalTierTest, KeepsAndGives) {
  const TempDir folder;
  const LocalTier tier(folder / "deep/results");
  EXPECT_FALSE(tier.Get(Key("k")));
  ASSERT_TRUE(tier.Put(Key("k"), {.has_object = true, .object = "bytes"}));
  ASSERT_TRUE(tier.Get(Key("k")));
  EXPECT_EQ(tier.Get(Key("k"))->object(), "bytes");
  EXPECT_EQ(UseOf(tier).results, 1u);
}

TEST(LocalTierTest, DropsADamagedFile) {
  const TempDir folder;
  const LocalTier tier(folder / "results");
  ASSERT_TRUE(tier.Put(Key("k"), {.has_object = true, .object = "bytes"}));
  ASSERT_TRUE(tier.Put(Key("other"), {.has_object = true, .object = "bytes"}));
  std::filesystem::copy_file(tier.PathOf(Key("other")), tier.PathOf(Key("k")),
                             std::filesystem::copy_options::overwrite_existing);
  EXPECT_FALSE(tier.Get(Key("k")));
  EXPECT_FALSE(std::filesystem::exists(tier.PathOf(Key("k"))));
  EXPECT_EQ(tier.OpenCounters()->Get(Counter::kDamaged), 1u);
  EXPECT_TRUE(tier.Get(Key("other")));
}

TEST(LocalTierTest, NotesSurviveAndTellTheirAge) {
  const TempDir folder;
  const LocalTier tier(folder / "results");
  EXPECT_FALSE(tier.GetNote(Key("n")));
  ASSERT_TRUE(tier.PutNote(Key("n"), "text"));
  const std::optional<LocalTier::Note> note = tier.GetNote(Key("n"));
  ASSERT_TRUE(note);
  EXPECT_EQ(note->text, "text");
  EXPECT_LE(note->age_seconds, 60);
  const timespec future[2] = {{.tv_sec = 4'000'000'000, .tv_nsec = 0},
                              {.tv_sec = 4'000'000'000, .tv_nsec = 0}};
  ASSERT_EQ(::utimensat(AT_FDCWD, (tier.notes() + "/" + NameOf(Key("n"))).c_str(), future, 0), 0);
  EXPECT_LT(tier.GetNote(Key("n"))->age_seconds, 0) << "the clock was set back";
}

TEST(CountersTest, MendsAShortFile) {
  const TempDir folder;
  ASSERT_TRUE(WriteFileAtomically(folder / "counters", "short"));
  std::optional<Counters> counters = Counters::Open(folder / "counters");
  ASSERT_TRUE(counters);
  counters->Set(Counter::kHit, 5);
  EXPECT_EQ(counters->Add(Counter::kHit, 1), 6u);
  EXPECT_EQ(Counters::Open(folder / "counters")->Get(Counter::kHit), 6u);
  EXPECT_FALSE(Counters::Open(folder / "no/such/folder"));
}

TEST(TrimTest, RemovesWhatWasNotUsedForLongest) {
  const TempDir folder;
  const LocalTier tier(folder / "results");
  const std::string object(10'000, 'x');
  for (int i = 0; i < 10; ++i) {
    const Sha256 key = Key(std::to_string(i));
    ASSERT_TRUE(tier.Put(key, {.has_object = true, .object = object}));
    const timespec used[2] = {{.tv_sec = 1'000'000 + i, .tv_nsec = 0},
                              {.tv_sec = 1'000'000 + i, .tv_nsec = 0}};
    ASSERT_EQ(::utimensat(AT_FDCWD, tier.PathOf(key).c_str(), used, 0), 0);
  }
  // A hit marks the oldest as used.
  ASSERT_TRUE(tier.Get(Key("0")));
  ASSERT_TRUE(Trim(tier, 1'000'000));
  EXPECT_EQ(UseOf(tier).results, 10u) << "nothing is removed below the bound";
  ASSERT_TRUE(Trim(tier, 60'000));
  EXPECT_LE(UseOf(tier).bytes, 54'000u);
  EXPECT_TRUE(tier.Get(Key("0")));
  EXPECT_TRUE(tier.Get(Key("9")));
  EXPECT_FALSE(tier.Get(Key("1")));
  EXPECT_EQ(tier.OpenCounters()->Get(Counter::kBytes), UseOf(tier).bytes);
}

TEST(TrimTest, RemovesOldLeftoversOnly) {
  const TempDir folder;
  const LocalTier tier(folder / "results");
  ASSERT_TRUE(tier.Put(Key("k"), {}));
  ASSERT_TRUE(MakeFolder(tier.scratch()));
  const std::string path = tier.PathOf(Key("k"));
  for (const char* const name : {"/old.tmp", "/new.tmp"})
    ASSERT_TRUE(WriteFileAtomically(path.substr(0, path.rfind('/')) + name, "x"));
  const timespec old[2] = {{.tv_sec = 1, .tv_nsec = 0}, {.tv_sec = 1, .tv_nsec = 0}};
  const std::string leftover = path.substr(0, path.rfind('/')) + "/old.tmp";
  ASSERT_EQ(::utimensat(AT_FDCWD, leftover.c_str(), old, 0), 0);
  ASSERT_TRUE(Trim(tier, 1'000'000));
  EXPECT_FALSE(std::filesystem::exists(leftover));
  EXPECT_TRUE(std::filesystem::exists(path.substr(0, path.rfind('/')) + "/new.tmp"));
  ASSERT_TRUE(Clear(tier));
  EXPECT_EQ(UseOf(tier).results, 0u);
}

TEST(KeyLockTest, OneHolderAtATimeAndFreeWhenItDies) {
  const TempDir folder;
  constexpr std::chrono::milliseconds kNoPatience{0};
  std::optional<KeyLock> first = KeyLock::Take(folder / "locks", Key("k"), kNoPatience);
  ASSERT_TRUE(first);
  EXPECT_FALSE(first->waited());
  EXPECT_FALSE(KeyLock::Take(folder / "locks", Key("k"), kNoPatience));
  EXPECT_TRUE(KeyLock::Take(folder / "locks", Key("other"), kNoPatience));
  first.reset();
  // A process that dies with it.
  const pid_t child = ::fork();
  if (child == 0) ::_exit(KeyLock::Take(folder / "locks", Key("k"), kNoPatience) ? 0 : 1);
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_TRUE(KeyLock::Take(folder / "locks", Key("k"), kNoPatience));
}

TEST(KeyLockTest, IsLeftToTheNextProgramOfTheProcess) {
  const TempDir folder;
  const std::string locks = folder / "locks";
  EXPECT_FALSE(KeyLock::Inherit(locks, Key("k")));
  std::optional<KeyLock> first = KeyLock::Take(locks, Key("k"), std::chrono::milliseconds(0));
  ASSERT_TRUE(first);
  first->Bequeath();
  EXPECT_FALSE(KeyLock::Inherit(locks, Key("other"))) << "it is of another key";
  first->Bequeath();
  // As after an exec: nothing of the first one is left but its descriptor.
  const std::optional<KeyLock> second = KeyLock::Inherit(locks, Key("k"));
  ASSERT_TRUE(second);
  EXPECT_FALSE(KeyLock::Inherit(locks, Key("k"))) << "only once";
}

TEST(NamesInTextTest, TakesTheNameOutAndPutsAnotherIn) {
  const std::string text =
      "ptxas /s/in/k.ptx, line 7; warning : x\nptxas fatal : '/s/in/k.ptx'\nk\n";
  const std::optional<std::string> nameless = WithoutName(text, "/s/in/k.ptx");
  ASSERT_TRUE(nameless);
  EXPECT_EQ(WithName(*nameless, "a b"), "ptxas a b, line 7; warning : x\nptxas fatal : 'a b'\nk\n");
  EXPECT_FALSE(WithoutName("a\x01", "k")) << "the mark stands there already";
}

}  // namespace
}  // namespace ptxfarm::dropin

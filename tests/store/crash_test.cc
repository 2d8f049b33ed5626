// kill -9 at random moments: what was acknowledged is there and whole, and nothing is there by
// half.
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <set>

#include <gtest/gtest.h>

#include "store/rocks/database.h"
#include "store/rocks/layout.h"
#include "store/stores.h"
#include "tests/store/crash_items.h"
#include "tests/support/temp_dir.h"

namespace ptxfarm {
namespace {

// The numbers that the child acknowledged before it was killed, which was after `acknowledgements`
// of them.
std::set<u64> WriteAndKill(const std::string& folder, u64 first, u64 acknowledgements) {
  const std::string program =
      std::filesystem::read_symlink("/proc/self/exe").parent_path() / "store_crash_writer";
  int ends[2];
  PTXFARM_CHECK(::pipe2(ends, O_CLOEXEC) == 0);
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  std::string first_text = std::to_string(first), folder_text = folder, program_text = program;
  char* arguments[] = {program_text.data(), folder_text.data(), first_text.data(), nullptr};
  pid_t child = 0;
  PTXFARM_CHECK(::posix_spawn(&child, program.c_str(), &actions, nullptr, arguments, environ) == 0,
                program);
  ::posix_spawn_file_actions_destroy(&actions);
  ::close(ends[1]);

  std::set<u64> acknowledged;
  u64 number = 0;
  while (::read(ends[0], &number, sizeof(number)) == sizeof(number)) {
    acknowledged.insert(number);
    if (acknowledged.size() == acknowledgements) ::kill(child, SIGKILL);
  }
  ::close(ends[0]);
  int status = 0;
  ::waitpid(child, &status, 0);
  EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL) << "it ended by itself";
  return acknowledged;
}

void ExpectThere(Store& store, u64 number) {
  const Blob wanted = test::CrashBlob(number);
  const Result<Blob> found = store.blobs().Get(wanted.digest);  // Checks the digest.
  ASSERT_TRUE(found) << number << ": " << found.error().ToString();
  const Result<std::optional<ActionRecord>> record =
      store.actions().Get(test::ActionNumber(number));
  ASSERT_TRUE(record && *record) << number;
  EXPECT_EQ((*record)->bytes, test::CrashRecord(number, wanted.digest).bytes);
}

// What was under way may be there or not; what is there is whole.
void ExpectWholeOrAbsent(Store& store, u64 number) {
  const Blob wanted = test::CrashBlob(number);
  const Result<Blob> found = store.blobs().Get(wanted.digest);
  if (!found) {
    EXPECT_EQ(found.error().code, Code::kNotFound) << found.error().ToString();
  }
  const auto record = store.actions().Get(test::ActionNumber(number)).value();
  EXPECT_TRUE(found || !record) << "a record without its output: " << number;
}

// Chunks that belong to no blob would stay for ever.
void ExpectNoOrphans(const std::string& folder) {
  const auto database = rocks::Database::Open({.path = folder, .cache_bytes = 1 << 20}).value();
  std::set<rocks::UploadId> owned, there;
  const auto uses = database->NewIterator(rocks::Family::kUse);
  for (uses->Seek("k"); uses->Valid() && uses->key().starts_with("k"); uses->Next())
    owned.insert(rocks::DecodeUseRow(uses->value().ToStringView()).value().upload);
  const auto chunks = database->NewIterator(rocks::Family::kChunks);
  for (chunks->SeekToFirst(); chunks->Valid(); chunks->Next())
    there.insert(rocks::ParseChunkKey(chunks->key().ToStringView()).value());
  owned.erase(0);
  EXPECT_GT(there.size(), 0u);
  EXPECT_EQ(there, owned);
  EXPECT_TRUE(std::filesystem::is_empty(folder + "/incoming"));
}

TEST(CrashTest, WhatWasAcknowledgedSurvivesKill9AndNothingIsHalf) {
  const test::TempDir dir;
  const std::string folder = dir / "store";
  std::mt19937_64 random(std::random_device{}());
  std::set<u64> acknowledged;
  u64 first = 1;
  for (int round = 0; round < 20; ++round) {
    const std::set<u64> of_round = WriteAndKill(folder, first, 1 + random() % 60);
    ASSERT_FALSE(of_round.empty());
    acknowledged.insert(of_round.begin(), of_round.end());

    const RealClock clock;
    const Result<std::unique_ptr<Store>> store = OpenStore({.path = folder}, clock);
    ASSERT_TRUE(store) << store.error().ToString();
    // Three writers: at most so many items behind the last that was acknowledged were begun.
    const u64 last = *of_round.rbegin() + 4;
    for (u64 number = first; number <= last; ++number)
      if (!acknowledged.contains(number)) ExpectWholeOrAbsent(**store, number);
    for (const u64 number : of_round) ExpectThere(**store, number);
    first = last + 1;
  }
  {
    const RealClock clock;
    const std::unique_ptr<Store> store = OpenStore({.path = folder}, clock).value();
    for (const u64 number : acknowledged) ExpectThere(*store, number);
    EXPECT_EQ(store->Figures().quarantined, 0u);
  }
  ExpectNoOrphans(folder);
}

}  // namespace
}  // namespace ptxfarm

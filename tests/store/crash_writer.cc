// Writes to a store from several threads until it is killed, and says on standard output what was
// acknowledged: the number of each item, eight bytes. For crash_test.cc, which kills it.
//
//   store_crash_writer FOLDER FIRST_NUMBER
#include <unistd.h>

#include <atomic>
#include <charconv>
#include <cstring>
#include <thread>
#include <vector>

#include <fmt/format.h>

#include "store/stores.h"
#include "tests/store/crash_items.h"

namespace ptxfarm {
namespace {

Status PutItem(Store& store, u64 number) {
  const Blob blob = test::CrashBlob(number);
  if (number % 3 == 0) {
    PTXFARM_ASSIGN_OR_RETURN(const std::unique_ptr<BlobWriter> writer,
                             store.blobs().Create(blob.digest));
    for (const Chunk& chunk : blob.chunks) PTXFARM_RETURN_IF_ERROR(writer->Append(chunk));
    PTXFARM_RETURN_IF_ERROR(writer->Commit());
  } else {
    PTXFARM_RETURN_IF_ERROR(store.blobs().Put(blob));
  }
  return store.actions().Put(test::ActionNumber(number), test::CrashRecord(number, blob.digest));
}

int Write(const std::string& folder, u64 first) {
  const RealClock clock;
  const Result<std::unique_ptr<Store>> store =
      OpenStore({.path = folder, .sync_actions = first % 2 == 0}, clock);
  if (!store) {
    fmt::print(stderr, "{}\n", store.error().ToString());
    return 1;
  }
  std::atomic<u64> next = first;
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i)
    threads.emplace_back([&] {
      while (true) {
        const u64 number = next++;
        if (const Status put = PutItem(**store, number); !put) {
          fmt::print(stderr, "{}\n", put.error().ToString());
          ::_exit(1);
        }
        if (::write(STDOUT_FILENO, &number, sizeof(number)) != sizeof(number)) ::_exit(1);
      }
    });
  for (std::thread& thread : threads) thread.join();
  return 0;
}

}  // namespace
}  // namespace ptxfarm

int main(int argc, char** argv) {
  ptxfarm::u64 first = 0;
  if (argc != 3) return 2;
  std::from_chars(argv[2], argv[2] + std::strlen(argv[2]), first);
  return ptxfarm::Write(argv[1], first);
}

#include "server/status_sections.h"

#include <fmt/format.h>

namespace ptxfarm::server {
namespace {

std::string Bytes(u64 bytes) {
  if (bytes < u64{10} << 10) return fmt::format("{} B", bytes);
  if (bytes < u64{10} << 20) return fmt::format("{} KiB", bytes >> 10);
  if (bytes < u64{10} << 30) return fmt::format("{} MiB", bytes >> 20);
  return fmt::format("{} GiB", bytes >> 30);
}

std::string CompilersOf(const rpc::WorkerDescription& worker) {
  std::string names;
  for (const action::Compiler& compiler : worker.compilers)
    names += (names.empty() ? "" : ", ") + action::NameOf(compiler.identity);
  return names;
}

}  // namespace

std::vector<telemetry::StatusSection> StatusSections(const Core& core) {
  const QueueCounts counts = core.queue.Counts();
  const u64 asked = core.hits + core.misses + core.joined;
  const std::string ratio =
      asked == 0 ? "none asked yet" : fmt::format("{} %", 100 * core.hits / asked);
  const StoreFigures figures = core.store.Figures();
  std::vector<telemetry::StatusSection> sections;
  sections.push_back(
      {.title = "Work",
       .rows = {{"calls under way", fmt::format("{}", core.calls.load())},
                {"actions waiting", fmt::format("{}", counts.waiting)},
                {"actions running", fmt::format("{}", counts.running)},
                {"hits / misses / joined", fmt::format("{} / {} / {}", core.hits.load(),
                                                       core.misses.load(), core.joined.load())},
                {"hit ratio", ratio}}});
  telemetry::StatusSection workers{
      .title = "Workers", .columns = {"name", "slots", "busy", "finished", "compilers", "state"}};
  for (const rpc::WorkerStatus& status : core.queue.Workers())
    workers.rows.push_back({status.worker.name, fmt::format("{}", status.worker.slots),
                            fmt::format("{}", status.slots_busy),
                            fmt::format("{}", status.actions_finished), CompilersOf(status.worker),
                            status.draining ? "draining" : "working"});
  sections.push_back(std::move(workers));
  sections.push_back(
      {.title = "Store",
       .rows = {
           {"results", fmt::format("{}", figures.actions)},
           {"blobs", fmt::format("{}", figures.blobs)},
           {"size", fmt::format("{} of {}", Bytes(figures.blob_bytes + figures.action_bytes),
                                figures.bytes_max == 0 ? "no bound" : Bytes(figures.bytes_max))},
           {"in memory", Bytes(figures.memory_bytes)},
           {"evicted", fmt::format("{}", figures.evicted_blobs)},
           {"found damaged", fmt::format("{}", figures.quarantined)},
           {"takes writes", figures.writable ? "yes" : "no: its disk is full or failing"}}});
  return sections;
}

}  // namespace ptxfarm::server

#include "client/report/compile_report.h"

#include <algorithm>

#include <fmt/ranges.h>

#include "client/report/figures.h"
#include "client/report/table.h"

namespace ptxfarm::client {
namespace {

bool IsPtxMember(const TargetReply& reply) { return reply.target.starts_with("compute_"); }

Style StyleOf(const TargetReply& reply) {
  if (!reply.ok()) return Style::kRed;
  if (IsPtxMember(reply)) return Style::kPlain;
  switch (reply.served) {
    case Served::kHit: return Style::kGreen;
    case Served::kJoined: return Style::kCyan;
    case Served::kMiss: return Style::kYellow;
  }
  return Style::kPlain;
}

// With the columns beside it a line then fits a terminal of 120 columns.
constexpr std::size_t kKernelColumnsMax = 48;

std::vector<Table::Cell> KernelCells(const action::KernelResources& kernel) {
  const u64 spills = kernel.spill_store_bytes + kernel.spill_load_bytes;
  return {ShortName(Printable(kernel.name), kKernelColumnsMax), std::to_string(kernel.registers),
          std::to_string(kernel.shared_bytes),
          Table::Cell(std::to_string(spills), spills > 0 ? Style::kRed : Style::kPlain)};
}

void AddTarget(Table& table, const std::string& module, const TargetReply& reply,
               std::size_t kernels_max) {
  std::vector<Table::Cell> row = {
      module, reply.target, Table::Cell(OutcomeText(reply), StyleOf(reply)),
      FormatTime(reply.elapsed),
      reply.object.empty() ? std::string() : FormatSize(reply.object.size())};
  const std::vector<action::KernelResources>& kernels = reply.result.kernels;
  // One more than the bound is shown rather than "1 more".
  const std::size_t shown = kernels.size() <= kernels_max + 1 ? kernels.size() : kernels_max;
  for (std::size_t i = 0; i < shown; ++i) {
    for (Table::Cell& cell : KernelCells(kernels[i])) row.push_back(std::move(cell));
    table.Add(std::move(row));
    row = std::vector<Table::Cell>(5);
  }
  if (shown == 0) table.Add(std::move(row));
  if (shown < kernels.size())
    table.Add({"", "", "", "", "",
               Table::Cell(fmt::format("… {} more", kernels.size() - shown), Style::kDim)});
}

}  // namespace

std::string OutcomeText(const TargetReply& reply) {
  // Nothing was compiled, so nothing was hit or missed.
  if (reply.ok() && IsPtxMember(reply)) return "ptx";
  if (reply.ok()) return std::string(rpc::NameOf(reply.served));
  std::string name = action::RowOf(reply.result.outcome).name;
  std::ranges::replace(name, '_', ' ');
  return name;
}

std::string RenderTable(std::span<const ModuleReport> reports, std::size_t kernels_max,
                        bool color) {
  using enum Table::Align;
  Table table({{"module", kLeft},
               {"target", kLeft},
               {"outcome", kLeft},
               {"time", kRight},
               {"size", kRight},
               {"kernel", kLeft},
               {"registers", kRight},
               {"shared", kRight},
               {"spills", kRight}});
  for (const ModuleReport& report : reports) {
    std::string name = Printable(report.planned.name);
    if (!report.reply) table.Add({name, "", Table::Cell("failed", Style::kRed)});
    for (const TargetReply* reply : RepliesOf(report)) {
      AddTarget(table, name, *reply, kernels_max);
      name.clear();
    }
  }
  return table.Render(color);
}

std::string RenderLines(const ModuleReport& report, bool color) {
  std::string out;
  for (const TargetReply* reply : RepliesOf(report)) {
    std::vector<std::string> parts = {Styled(OutcomeText(*reply), StyleOf(*reply), color),
                                      FormatTime(reply->elapsed)};
    if (!reply->object.empty()) parts.push_back(FormatSize(reply->object.size()));
    if (!reply->result.kernels.empty())
      parts.push_back(Plural(reply->result.kernels.size(), "kernel"));
    if (const WrittenFile* written = WrittenFor(report, reply->target))
      parts.push_back(Printable(written->file.path));
    out += fmt::format("{} {}: {}\n", Printable(report.planned.name), reply->target,
                       fmt::join(parts, ", "));
  }
  return out;
}

std::string RenderSummary(std::span<const ModuleReport> reports,
                          std::chrono::microseconds wall_time) {
  u64 targets = 0, hits = 0, misses = 0, joined = 0, failed = 0;
  for (const ModuleReport& report : reports) {
    if (!report.reply) ++failed;
    for (const TargetReply* reply : RepliesOf(report)) {
      ++targets;
      if (!reply->ok()) {
        ++failed;
        continue;
      }
      if (IsPtxMember(*reply)) continue;
      switch (reply->served) {
        case Served::kHit: ++hits; break;
        case Served::kMiss: ++misses; break;
        case Served::kJoined: ++joined; break;
      }
    }
  }
  std::vector<std::string> parts;
  if (hits > 0) parts.push_back(Plural(hits, "hit"));
  if (misses > 0) parts.push_back(fmt::format("{} miss{}", misses, misses == 1 ? "" : "es"));
  if (joined > 0) parts.push_back(fmt::format("{} joined", joined));
  if (failed > 0) parts.push_back(fmt::format("{} failed", failed));
  return fmt::format("{} of {}: {}; {}\n", Plural(targets, "output"),
                     Plural(reports.size(), "module"), fmt::join(parts, ", "),
                     FormatTime(wall_time));
}

}  // namespace ptxfarm::client

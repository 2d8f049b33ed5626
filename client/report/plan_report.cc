#include "client/report/plan_report.h"

#include <fmt/ranges.h>

namespace ptxfarm::client {
namespace {

PlannedHead WithPlaces(const ptx::LowestHead& head, const ptx::Source& source) {
  const auto placed = [&source](const ptx::Reason& reason) -> PlannedHead::Reason {
    return {reason.what, reason.offset ? source.PlaceAt(*reason.offset) : Place{}};
  };
  return {head.version, placed(head.version_reason), head.target, placed(head.target_reason)};
}

// " for 'cp.async' (12:3)"; " since below sm_70 …", where it is no construct.
std::string Words(const PlannedHead::Reason& reason) {
  if (reason.what.empty()) return "";
  const std::string what = Printable(reason.what);
  if (reason.place == Place{}) return fmt::format(" ({})", what);
  return fmt::format(" for {} ({}:{})", what, reason.place.line, reason.place.column);
}

std::string Names(const std::vector<Target>& targets) {
  return fmt::format("{}", fmt::join(targets, " "));
}

// What `ptxfarm compile --targets` takes; empty where there is nothing to compile for.
std::string TargetList(const Cover& cover) {
  std::vector<Target> targets;
  for (const CoveringCubin& cubin : cover.cubins) targets.push_back(cubin.target);
  if (targets.empty()) return "";
  if (cover.text) targets.push_back(*cover.text);
  return fmt::format("{}", fmt::join(targets, ","));
}

Json ToJson(const PlannedHead::Reason& reason) {
  if (reason.what.empty()) return nullptr;
  return {{"what", reason.what}, {"line", reason.place.line}, {"column", reason.place.column}};
}

Json ToJson(const std::optional<PlannedHead>& head) {
  if (!head) return nullptr;
  return {{"ptx_version", head->version.ToString()},
          {"ptx_version_for", ToJson(head->version_reason)},
          {"ptx_target", head->target.ToString()},
          {"ptx_target_for", ToJson(head->target_reason)}};
}

Json ToJson(const std::vector<Target>& targets) {
  Json json = Json::array();
  for (const Target& target : targets) json.push_back(target.ToString());
  return json;
}

// Lines "  label  text".
class Lines {
 public:
  Lines(std::string title, bool color)
      : text_(Styled(title, Style::kBold, color) + '\n'), color_(color) {}

  void Add(std::string_view label, std::string_view line, Style style = Style::kDim) {
    constexpr std::size_t kLabelColumns = 9;
    const std::string padding(kLabelColumns - label.size(), ' ');
    text_ += fmt::format("  {}{}{}\n", Styled(label, style, color_), padding, line);
  }
  std::string Take() { return std::move(text_); }

 private:
  std::string text_;
  const bool color_;
};

}  // namespace

ModulePlan PlanOf(const ptx::Source& source, const ptx::CheckResult& checked,
                  std::span<const Target> gpus) {
  const ptx::ModuleHead& head = *checked.head;
  std::optional<PlannedHead> lowest;
  if (const auto found = ptx::FindLowestHead(head, checked.needs))
    lowest = WithPlaces(*found, source);
  ModulePlan plan{head.version, head.target, std::move(lowest), GpusOf(head.target), {}, {}};
  plan.cover = CoverOf(head.target, gpus.empty() ? plan.gpus : gpus);
  for (const UncoveredGpu& uncovered : plan.cover.uncovered) {
    const auto other = ptx::FindHeadFor(head, checked.needs, uncovered.gpu);
    plan.other_heads.push_back(other ? std::optional(WithPlaces(*other, source)) : std::nullopt);
  }
  return plan;
}

std::string RenderPlan(const ModulePlan& plan, const std::string& file, bool color) {
  Lines lines(
      fmt::format("{}: .version {}, .target {}", Printable(file), plan.version, plan.target),
      color);
  if (plan.lowest) {
    const PlannedHead& lowest = *plan.lowest;
    lines.Add("lowest", fmt::format(".version {}{}", lowest.version, Words(lowest.version_reason)));
    lines.Add("", fmt::format(".target {}{}", lowest.target, Words(lowest.target_reason)));
  }
  lines.Add("GPUs", plan.gpus.empty() ? "none of today" : Names(plan.gpus));
  for (const CoveringCubin& cubin : plan.cover.cubins)
    lines.Add("cubin", fmt::format("{} for {}: {}", cubin.target, Names(cubin.gpus), cubin.why));
  if (plan.cover.text)
    lines.Add("ptx", fmt::format("{}: {}", *plan.cover.text, plan.cover.text_why));
  else
    lines.Add("no ptx", plan.cover.text_why);
  for (std::size_t i = 0; i < plan.cover.uncovered.size(); ++i) {
    const UncoveredGpu& uncovered = plan.cover.uncovered[i];
    lines.Add("missing", fmt::format("{}: {}", uncovered.gpu, uncovered.why), Style::kRed);
    if (const std::optional<PlannedHead>& other = plan.other_heads[i])
      lines.Add("",
                fmt::format("under .version {} and .target {} its contents can be compiled for it",
                            other->version, other->target));
  }
  if (const std::string targets = TargetList(plan.cover); !targets.empty())
    lines.Add("do", fmt::format("ptxfarm compile {} --targets {}", Printable(file), targets));
  return lines.Take();
}

Json ToJson(const ModulePlan& plan) {
  Json cubins = Json::array(), uncovered = Json::array();
  for (const CoveringCubin& cubin : plan.cover.cubins)
    cubins.push_back(
        {{"target", cubin.target.ToString()}, {"gpus", ToJson(cubin.gpus)}, {"why", cubin.why}});
  for (std::size_t i = 0; i < plan.cover.uncovered.size(); ++i)
    uncovered.push_back({{"gpu", plan.cover.uncovered[i].gpu.ToString()},
                         {"why", plan.cover.uncovered[i].why},
                         {"other_head", ToJson(plan.other_heads[i])}});
  return {{"ptx_version", plan.version.ToString()},
          {"ptx_target", plan.target.ToString()},
          {"lowest", ToJson(plan.lowest)},
          {"gpus", ToJson(plan.gpus)},
          {"cubins", std::move(cubins)},
          {"ptx_member", plan.cover.text ? Json(plan.cover.text->ToString()) : Json(nullptr)},
          {"ptx_member_why", plan.cover.text_why},
          {"uncovered", std::move(uncovered)},
          {"targets", TargetList(plan.cover)}};
}

}  // namespace ptxfarm::client

// The cubins that run on one GPU are those of the lower numbers of its group (major, family, or it
// alone), and of these the one that is made for the lowest GPU asked runs on all that any of them
// runs on. So taking, from below, for each GPU that has no cubin yet the one made for it gives the
// fewest.
#include "toolchain/target/cover.h"

#include <algorithm>

#include "toolchain/target/reach.h"

namespace ptxfarm {
namespace {

std::optional<Target> FindTarget(u16 number, TargetSuffix suffix) {
  for (const Target& target : AllTargets())
    if (target.number() == number && target.suffix() == suffix) return target;
  return std::nullopt;
}

// Each once, as its plain target of today.
std::vector<Target> PlainOnes(std::span<const Target> gpus) {
  std::vector<Target> plain;
  for (const Target& gpu : gpus) {
    const bool is_renamed = gpu.status() == TargetStatus::kRenamed;
    const u16 number = is_renamed ? gpu.desc().renamed_to : gpu.number();
    if (const std::optional<Target> target = FindTarget(number, TargetSuffix::kNone))
      plain.push_back(*target);
  }
  std::sort(plain.begin(), plain.end());
  plain.erase(std::unique(plain.begin(), plain.end()), plain.end());
  return plain;
}

// The target that a module is compiled for where it is to run on `gpu`: with the module's suffix.
std::optional<Target> CubinFor(const Target& module, const Target& gpu) {
  const std::optional<Target> target = FindTarget(gpu.number(), module.suffix());
  if (!target || target->status() != TargetStatus::kCurrent || !CanCompile(module, *target))
    return std::nullopt;
  return target;
}

std::string WhyCubin(const Target& cubin) {
  switch (cubin.suffix()) {
    case TargetSuffix::kArchitecture: return "features with 'a' are those of this GPU alone";
    case TargetSuffix::kFamily:
      return "features with 'f' are those of the later GPUs of its family";
    case TargetSuffix::kNone: break;
  }
  if (cubin.desc().is_embedded) return "an embedded GPU runs only what is compiled for it";
  return "a cubin runs on the later minor revisions of its major";
}

void DecideText(const Target& module, Cover& cover) {
  const bool is_renamed =
      module.status() == TargetStatus::kRenamed && module.suffix() != TargetSuffix::kNone;
  const u16 number = is_renamed ? module.desc().renamed_to : module.number();
  const Target text = FindTarget(number, module.suffix())->As(TargetKind::kVirtual);
  switch (module.suffix()) {
    case TargetSuffix::kNone:
      cover.text = text;
      cover.text_why = "the driver compiles it for every later GPU";
      return;
    case TargetSuffix::kFamily:
      cover.text = text;
      cover.text_why = "the driver compiles it for later GPUs of its family";
      return;
    case TargetSuffix::kArchitecture:
      cover.text_why = fmt::format("as {} it would run on sm_{} alone, which needs a cubin only",
                                   text, text.number());
      return;
  }
}

}  // namespace

Cover CoverOf(const Target& module, std::span<const Target> gpus) {
  Cover cover;
  for (const Target& gpu : PlainOnes(gpus)) {
    const auto runs =
        std::find_if(cover.cubins.begin(), cover.cubins.end(),
                     [&gpu](const CoveringCubin& cubin) { return CubinRunsOn(cubin.target, gpu); });
    if (runs != cover.cubins.end()) {
      runs->gpus.push_back(gpu);
    } else if (const std::optional<Target> target = CubinFor(module, gpu)) {
      cover.cubins.push_back({*target, {gpu}, WhyCubin(*target)});
    } else {
      cover.uncovered.push_back({gpu, WhyNot(module, gpu)});
    }
  }
  DecideText(module, cover);
  return cover;
}

std::vector<Target> GpusOf(const Target& module) {
  std::vector<Target> gpus;
  for (const Target& target : AllTargets())
    if (target.suffix() == TargetSuffix::kNone && target.status() == TargetStatus::kCurrent &&
        CubinFor(module, target))
      gpus.push_back(target);
  return gpus;
}

}  // namespace ptxfarm

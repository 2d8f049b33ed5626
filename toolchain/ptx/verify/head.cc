// .version, .target and .address_size. PTX ISA 9.4 §11.1.
#include "toolchain/ptx/verify/verifier.h"
#include "toolchain/target/reach.h"

namespace ptxfarm::ptx {
namespace {

struct TargetOption {
  std::string_view name;
  PtxVersion since;
};

constexpr TargetOption kTargetOptions[] = {
    {"texmode_unified", {1, 5}},
    {"texmode_independent", {1, 5}},
    {"debug", {3, 0}},
    {"map_f64_to_f32", {1, 0}},
};

const TargetOption* FindOption(std::string_view name) {
  for (const TargetOption& option : kTargetOptions)
    if (option.name == name) return &option;
  return nullptr;
}

}  // namespace

void Verifier::VerifyHead() {
  const PtxVersion version = module_.head.version;
  if (!IsPublished(version)) {
    const PtxVersion newest = PublishedPtxVersions().back();
    Report<kinds::kUnknownVersion>(module_.header.version, version,
                                   version > newest
                                       ? fmt::format("the newest known here is {}", newest)
                                       : std::string("it was never published"))
        .section = "11.1.1";
  }
  target_number_ = module_.head.target.number();
  VerifyTargetNames(module_.header.targets);
  if (module_.header.address_size)
    CheckGate(FindDirective(".address_size")->gate, module_.header.address_size, "'.address_size'",
              "11.1.3");
  VerifyReach();
}

// The names of one or more .target: the architecture first, then options.
void Verifier::VerifyTargetNames(Range names) {
  bool has_architecture = false;
  TokenId unified;
  TokenId independent;
  for (const ListedName& listed : Module::Of(module_.names, names)) {
    const std::string_view name = Text(listed.name);
    if (const TargetOption* const option = FindOption(name)) {
      if (!has_architecture)
        Report<kinds::kBadTargetOption>(listed.name, name, "the architecture stands first")
            .section = "11.1.2";
      CheckGate({option->since}, listed.name, fmt::format("'{}'", name), "11.1.2");
      if (name == "texmode_unified") unified = listed.name;
      if (name == "texmode_independent") independent = listed.name;
      continue;
    }
    const Result<Target> target = ParseModuleTarget(name);
    if (!target) {
      Report<kinds::kUnknownTarget>(listed.name, target.error().message).section = "11.1.2";
      continue;
    }
    has_architecture = true;
    if (name != target->ToString())
      Report<kinds::kUnknownTarget>(
          listed.name, fmt::format("'{}' is no name of a .target; write '{}'", name, *target))
          .section = "11.1.2";
    JudgeGate({target->ptx_version_min()}, listed.name, fmt::format("'.target {}'", *target),
              "11.1.2");
    target_number_ = std::max(target_number_, target->number());
  }
  const bool says_both = unified && (independent || module_.head.has_independent_textures);
  if (says_both)
    Report<kinds::kExclusive>(unified, "texmode_unified", "texmode_independent").section = "11.1.2";
  if (independent && !module_.head.has_independent_textures)
    Report<kinds::kExclusive>(independent, "texmode_independent", "texmode_unified").section =
        "11.1.2";
}

void Verifier::VerifyReach() {
  for (const Target& gpu : options_.gpus) {
    if (CanCompile(module_.head.target, gpu)) continue;
    const TokenId at = module_.names[module_.header.targets.begin].name;
    Report<kinds::kTargetMismatch>(at, gpu, WhyNot(module_.head.target, gpu)).section = "11.1.2";
  }
}

}  // namespace ptxfarm::ptx

#include "server/plan.h"

#include <algorithm>

#include "base/text.h"
#include "server/limits.h"
#include "toolchain/target/reach.h"

namespace ptxfarm::server {
namespace {

action::ActionResult InputError(std::string kind, std::string message, Place place = {}) {
  action::ActionResult result =
      action::Failed(action::Outcome::kInputError, std::move(kind), std::move(message));
  result.diagnostics.front().place = place;
  return result;
}

// Why a well-named target can't be served, whatever compilers there are.
std::optional<action::ActionResult> Refusal(const Target& target,
                                            const rpc::CompileRequest& request,
                                            const action::CompileOptions& options,
                                            const ModuleFacts& module) {
  switch (target.kind()) {
    case TargetKind::kReal: break;
    case TargetKind::kVirtual:
      if (!request.want_fatbin)
        return InputError(
            "virtual-target",
            fmt::format("{} is PTX text for the driver, which only a fat binary can hold: ask for "
                        "a fat binary, or name the GPU (sm_{})",
                        target, target.number()));
      break;
    case TargetKind::kLinkTime:
      return InputError(
          "link-time-target",
          fmt::format("{} is a form for link-time optimization, which no tool makes from PTX: "
                      "name the GPU (sm_{})",
                      target, target.number()));
  }
  if (!CanCompile(module.target, target))
    return InputError("target-out-of-reach", WhyNot(module.target, target), module.target_place);
  if (module.is_debug && options.optimization_level.value_or(0) > 0)
    return InputError("optimized-debugging",
                      fmt::format("the module's .target says 'debug', and the option "
                                  "--opt-level={} asks to optimize: drop one",
                                  *options.optimization_level),
                      module.target_place);
  return std::nullopt;
}

PlannedTarget PlanTarget(const std::string& name, const rpc::CompileRequest& request,
                         const Plan& plan, const ModuleFacts& module,
                         const CompilerRegistry& compilers) {
  PlannedTarget planned{.name = name};
  Result<Target> target = ParseTarget(name);
  if (!target) {
    planned.failure = InputError("unknown-target", std::move(target).error().message);
    return planned;
  }
  planned.target = *target;
  planned.name = target->ToString();
  planned.failure = Refusal(*target, request, plan.options, module);
  if (planned.failure || planned.IsMember()) return planned;
  Result<action::CompilerIdentity, action::ActionResult> compiler =
      compilers.ChooseForPtx(*target, module.version, request.compiler);
  if (!compiler) {
    planned.failure = std::move(compiler).error();
    Diagnostic& diagnostic = planned.failure->diagnostics.front();
    if (diagnostic.kind == "toolchain-too-old") {
      diagnostic.place = module.version_place;
      if (const std::optional<PtxVersion> bridge = BridgeOf(request, module, compilers))
        diagnostic.hint = fmt::format(
            "what it contains needs .version {} only, so --bridge (CompileRequest.bridge) compiles "
            "it as {}",
            module.lowest_version, *bridge);
    }
    return planned;
  }
  planned.action = action::Action{.kind = action::Kind::kCompilePtx,
                                  .inputs = {{"ptx", plan.exact ? module.exact : module.canonical}},
                                  .target = planned.name,
                                  .options = plan.options.canonical,
                                  .compiler = *std::move(compiler)};
  return planned;
}

template <typename Build>
std::vector<PlannedTarget> EachOnce(const std::vector<std::string>& names, Build build) {
  std::vector<PlannedTarget> targets;
  for (const std::string& name : names) {
    PlannedTarget planned = build(name);
    const bool repeated =
        std::any_of(targets.begin(), targets.end(),
                    [&](const PlannedTarget& other) { return other.name == planned.name; });
    if (!repeated) targets.push_back(std::move(planned));
  }
  return targets;
}

}  // namespace

Result<action::CompileOptions> CheckRequest(const rpc::CompileRequest& request) {
  if (request.targets.empty())
    return MakeError(Code::kInvalidArgument,
                     "the request names no target: ask for one or more, as sm_90 or compute_75");
  if (request.targets.size() > kTargetsMax.value)
    return kTargetsMax.Exceeded("the number of targets", request.targets.size());
  if (!request.want_cubins && !request.want_fatbin)
    return MakeError(Code::kInvalidArgument,
                     "the request asks for no output: ask for cubins, a fat binary, or both");
  if (request.options.size() > kOptionsMax.value)
    return kOptionsMax.Exceeded("the number of options", request.options.size());
  u64 option_bytes = 0;
  for (const std::string& option : request.options) option_bytes += option.size();
  if (option_bytes > kOptionBytesMax.value)
    return kOptionBytesMax.Exceeded("the size of the options", option_bytes);
  if (request.fatbin_identifier.size() > kIdentifierBytesMax.value)
    return kIdentifierBytesMax.Exceeded("the size of the identifier",
                                        request.fatbin_identifier.size());
  if (request.bridge && request.unverified)
    return MakeError(Code::kInvalidArgument,
                     "what a module needs is the verifier's to say: ask for bridge or unverified, "
                     "not for both");
  return action::NormalizeOptions(request.options);
}

Reading ReadingOf(const rpc::CompileRequest& request, const action::CompileOptions& options,
                  bool server_verifies) {
  if (!server_verifies || request.unverified) return {.verifies = false};
  // ptxas resolves functions elsewhere for a patch and an extensible object too. Variables it does
  // not, which is its own to say.
  const bool is_patch =
      std::ranges::find(options.canonical, "--compile-as-tools-patch") != options.canonical.end();
  return {.is_relocatable = options.relocatable || options.extensible || is_patch};
}

std::optional<PtxVersion> BridgeOf(const rpc::CompileRequest& request, const ModuleFacts& module,
                                   const CompilerRegistry& compilers) {
  const std::optional<PtxVersion> newest = compilers.NewestVersion(request.compiler);
  if (!newest || module.version <= *newest || module.lowest_version > *newest) return std::nullopt;
  return newest;
}

bool MayTakeStructure(const rpc::CompileRequest& request, const action::CompileOptions& options,
                      const ModuleFacts& module) {
  if (request.key_tier != rpc::KeyTier::kStructural || !module.reading.verifies) return false;
  if (module.lines_matter || options.lines_matter || module.reading.is_relocatable) return false;
  return std::ranges::none_of(request.targets, [](const std::string& name) {
    const Result<Target> target = ParseTarget(name);
    return target && target->kind() == TargetKind::kVirtual;
  });
}

void NoteBridge(rpc::ModuleInfo& info, const ModuleFacts& written, const ModuleFacts& bridged) {
  info.compiled_as = bridged.version;
  info.diagnostics.push_back(
      {.severity = Severity::kNote,
       .kind = "bridged",
       .message = fmt::format("compiled as .version {}: no compiler here reads {}, and the module "
                              "needs {} only",
                              bridged.version, written.version, written.lowest_version),
       .place = written.version_place});
}

rpc::ModuleInfo InfoOf(const ModuleFacts& module) {
  return {.version = module.version,
          .target = module.target.ToString(),
          .entries = module.entries,
          .digest = module.source,
          .diagnostics = module.warnings};
}

Plan MakePlan(const rpc::CompileRequest& request, action::CompileOptions options,
              const ModuleFacts& module, const CompilerRegistry& compilers) {
  Plan plan{.options = std::move(options)};
  plan.exact =
      module.lines_matter || plan.options.lines_matter || request.key_tier == rpc::KeyTier::kExact;
  plan.tier = plan.exact                     ? rpc::KeyTier::kExact
              : module.reading.is_structural ? rpc::KeyTier::kStructural
                                             : rpc::KeyTier::kLexical;
  plan.targets = EachOnce(request.targets, [&](const std::string& name) {
    return PlanTarget(name, request, plan, module, compilers);
  });
  return plan;
}

std::optional<Diagnostic> WarningOf(const Plan& plan, const ModuleFacts& module) {
  const bool compiles = std::ranges::any_of(
      plan.targets, [](const PlannedTarget& target) { return target.action.has_value(); });
  if (!module.is_debug || plan.options.debug || plan.options.optimization_level || !compiles)
    return std::nullopt;
  return Diagnostic{.severity = Severity::kWarning,
                    .kind = "debug-unoptimized",
                    .message =
                        "the module's .target says 'debug', so nothing was optimized (as with "
                        "--opt-level=0): take the word out, or ask for -g or -O0",
                    .place = module.target_place};
}

Plan MakeFailedPlan(const rpc::CompileRequest& request, const Diagnostics& errors) {
  const bool is_limit = std::ranges::all_of(errors, [](const Diagnostic& diagnostic) {
    return diagnostic.severity != Severity::kError || diagnostic.allowed != 0;
  });
  const action::Outcome outcome =
      is_limit ? action::Outcome::kResourceLimit : action::Outcome::kInputError;
  Plan plan{.exact = true, .tier = rpc::KeyTier::kExact};
  plan.targets = EachOnce(request.targets, [&errors, outcome](const std::string& name) {
    PlannedTarget planned{.name = name};
    planned.failure.emplace();
    planned.failure->outcome = outcome;
    planned.failure->diagnostics = errors;
    return planned;
  });
  return plan;
}

action::Action BundleAction(const rpc::CompileRequest& request,
                            const action::CompileOptions& options, std::vector<Member> members,
                            const action::CompilerIdentity& bundler) {
  std::sort(members.begin(), members.end(), [](const Member& a, const Member& b) {
    const auto order = [](const Member& member) {
      return std::tuple(member.target.number(), member.target.kind(), member.target.suffix());
    };
    return order(a) < order(b);
  });
  action::Action action{.kind = action::Kind::kBundleFatbin, .compiler = bundler};
  for (const Member& member : members)
    action.inputs.push_back({member.target.ToString(), member.digest});
  action.options.push_back(fmt::format("--compress={}", rpc::NameOf(request.fatbin_compression)));
  if (!request.fatbin_identifier.empty())
    action.options.push_back(fmt::format("--identifier={}", request.fatbin_identifier));
  if (options.debug) action.options.push_back("--debug");
  return action;
}

}  // namespace ptxfarm::server

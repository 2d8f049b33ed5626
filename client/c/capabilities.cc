#include <algorithm>
#include <memory>
#include <set>

#include "client/c/farm.h"
#include "client/c/guard.h"
#include "toolchain/target/target.h"

struct ptxfarm_capabilities {
  std::string server_version;
  std::vector<std::string> targets;
  struct Names {
    std::string name, backend, version;
  };
  std::vector<Names> names;  // What the compilers' fields point into.
  std::vector<ptxfarm_compiler> compilers;
};

using namespace ptxfarm;

namespace {

std::unique_ptr<ptxfarm_capabilities> Make(client::Capabilities from) {
  auto made = std::make_unique<ptxfarm_capabilities>();
  made->server_version = std::move(from.server_version);
  // What bundles fat binaries is a backend too, but compiles for nothing.
  std::erase_if(from.compilers, [](const auto& compiler) { return compiler.targets.empty(); });
  std::sort(from.compilers.begin(), from.compilers.end(), [](const auto& a, const auto& b) {
    return action::VersionLess(a.identity.version, b.identity.version);
  });
  std::set<std::string> targets;
  for (const action::Compiler& compiler : from.compilers) {
    targets.insert(compiler.targets.begin(), compiler.targets.end());
    const action::CompilerIdentity& identity = compiler.identity;
    made->names.push_back(
        {identity.backend + "@" + identity.version, identity.backend, identity.version});
  }
  for (std::size_t i = 0; i < made->names.size(); ++i)
    made->compilers.push_back({.name = made->names[i].name.c_str(),
                               .backend = made->names[i].backend.c_str(),
                               .version = made->names[i].version.c_str(),
                               .ptx_version_major = from.compilers[i].ptx_version_max.major,
                               .ptx_version_minor = from.compilers[i].ptx_version_max.minor});
  // In the order of the table of targets: sm_90 stands before sm_100.
  for (const Target& target : AllTargets())
    if (targets.erase(target.ToString()) != 0) made->targets.push_back(target.ToString());
  made->targets.insert(made->targets.end(), targets.begin(), targets.end());
  return made;
}

}  // namespace

ptxfarm_status ptxfarm_get_capabilities(const ptxfarm_farm* farm, ptxfarm_cancel* cancel,
                                        ptxfarm_capabilities** capabilities,
                                        ptxfarm_error** error) {
  return c_api::Guard(capabilities, error, [&]() -> Result<std::unique_ptr<ptxfarm_capabilities>> {
    if (farm == nullptr) return Error{Code::kInvalidArgument, "the farm is NULL"};
    PTXFARM_ASSIGN_OR_RETURN(client::Capabilities from,
                             farm->client.GetCapabilities(c_api::TokenOf(cancel)));
    return Make(std::move(from));
  });
}

void ptxfarm_capabilities_free(ptxfarm_capabilities* capabilities) { delete capabilities; }

const char* ptxfarm_capabilities_server_version(const ptxfarm_capabilities* capabilities) {
  return capabilities->server_version.c_str();
}
size_t ptxfarm_capabilities_target_count(const ptxfarm_capabilities* capabilities) {
  return capabilities->targets.size();
}
const char* ptxfarm_capabilities_target(const ptxfarm_capabilities* capabilities, size_t index) {
  return index < capabilities->targets.size() ? capabilities->targets[index].c_str() : nullptr;
}
size_t ptxfarm_capabilities_compiler_count(const ptxfarm_capabilities* capabilities) {
  return capabilities->compilers.size();
}
const ptxfarm_compiler* ptxfarm_capabilities_compiler(const ptxfarm_capabilities* capabilities,
                                                      size_t index) {
  return index < capabilities->compilers.size() ? &capabilities->compilers[index] : nullptr;
}

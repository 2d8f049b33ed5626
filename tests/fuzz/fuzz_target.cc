// Names and lists of targets, over anything: what is read prints back, and every refusal says why.
#include <string_view>

#include "toolchain/target/reach.h"
#include "toolchain/target/target.h"

extern "C" int LLVMFuzzerTestOneInput(const ptxfarm::u8* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const ptxfarm::Result<ptxfarm::Target> target = ptxfarm::ParseTarget(text);
  if (target) PTXFARM_CHECK(target->ToString() == text, "a name that doesn't print back");
  const ptxfarm::Result<ptxfarm::TargetList> list = ptxfarm::ParseTargetList(text);
  if (!list) return 0;
  PTXFARM_CHECK(!list->targets.empty(), "an empty list was taken");
  for (const ptxfarm::Target& module : list->targets)
    for (const ptxfarm::Target& gpu : list->targets)
      PTXFARM_CHECK(CanCompile(module, gpu) == WhyNot(module, gpu).empty(), "no reason given");
  return 0;
}

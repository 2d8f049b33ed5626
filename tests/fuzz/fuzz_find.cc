// The search for GPU code, over anything: what it finds lies where it says.
#include <string_view>

#include "base/check.h"
#include "toolchain/object/fatbin/describe.h"
#include "toolchain/object/fatbin/find.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace ptxfarm::object;  // NOLINT: the fuzzer's own file
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const auto findings = fatbin::FindGpuCode(bytes);
  if (!findings) return 0;
  (void)fatbin::DescribeFindings(*findings);
  for (const fatbin::FoundContainer& found : findings->containers)
    PTXFARM_CHECK(fatbin::LooksLikeFatbin(bytes.substr(found.offset)));
  for (const fatbin::FoundDamage& found : findings->damages)
    PTXFARM_CHECK(found.offset <= bytes.size());
  return 0;
}

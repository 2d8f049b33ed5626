// The reader of fat binaries and what it decompresses, over anything.
#include <string_view>

#include "toolchain/object/fatbin/describe.h"
#include "toolchain/object/fatbin/fatbin.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace ptxfarm::object;  // NOLINT: the fuzzer's own file
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const auto containers = fatbin::ReadFatbin(bytes);
  if (!containers) return 0;
  for (const fatbin::Container& container : *containers) {
    (void)fatbin::DescribeFatbin(container);
    for (const fatbin::MemberView& member : container.members) (void)fatbin::Image(member);
  }
  return 0;
}

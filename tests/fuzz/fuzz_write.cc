// The writer of fat binaries: any image that it takes reads back. The first two bytes choose kind
// and mode.
#include <string_view>

#include "base/check.h"
#include "toolchain/object/fatbin/fatbin.h"
#include "toolchain/object/fatbin/ptx_text.h"
#include "toolchain/object/fatbin/write.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace ptxfarm::object;  // NOLINT: the fuzzer's own file
  if (size < 2) return 0;
  constexpr fatbin::MemberKind kKinds[] = {fatbin::MemberKind::kPtx, fatbin::MemberKind::kCubin,
                                           fatbin::MemberKind::kLtoIr};
  constexpr fatbin::CompressMode kModes[] = {
      fatbin::CompressMode::kNone, fatbin::CompressMode::kDefault, fatbin::CompressMode::kSpeed};
  const std::string_view image(reinterpret_cast<const char*>(data) + 2, size - 2);
  const fatbin::Member member{kKinds[data[0] % 3], {.sm = 80, .suffix = 0}, image};
  const auto written = fatbin::WriteFatbin(
      {&member, 1}, {.compress = kModes[data[1] % 3], .compress_all = true, .identifier = "f"});
  if (!written) return 0;
  const auto container = fatbin::ReadContainer(*written);
  PTXFARM_CHECK(container.has_value());
  const auto read = fatbin::Image(container->members.at(0));
  PTXFARM_CHECK(read.has_value());
  if (member.kind == fatbin::MemberKind::kPtx) {
    const std::string text = fatbin::RewritePtx(image);
    PTXFARM_CHECK(*read == text.substr(0, text.find('\0')));
  }
  return 0;
}

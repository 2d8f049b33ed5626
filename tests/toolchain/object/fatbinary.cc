#include "tests/toolchain/object/fatbinary.h"

#include <fmt/format.h>

#include "base/file.h"
#include "tests/support/temp_dir.h"
#include "tests/support/toolkit.h"

namespace ptxfarm::object::test {
namespace {

std::string_view KindWord(fatbin::MemberKind kind) {
  switch (kind) {
    case fatbin::MemberKind::kPtx: return "ptx";
    case fatbin::MemberKind::kCubin: return "elf";
    case fatbin::MemberKind::kLtoIr: return "nvvm";
  }
  return "";
}

}  // namespace

Result<std::string> RunFatbinary(std::span<const fatbin::Member> members,
                                 std::string_view options) {
  const ptxfarm::test::TempDir folder;
  std::string command = fmt::format("cd {} && {} --create k.fatbin {}", folder.path(),
                                    ptxfarm::test::ToolkitTool("fatbinary"), options);
  for (std::size_t i = 0; i < members.size(); ++i) {
    PTXFARM_RETURN_IF_ERROR(
        WriteFileAtomically(folder / fmt::format("image{}", i), members[i].image));
    command += fmt::format(" --image3=kind={},sm={},file=image{}", KindWord(members[i].kind),
                           fatbin::TargetText(members[i].target), i);
  }
  const ptxfarm::test::Ran ran = ptxfarm::test::RunShell(command);
  if (ran.exit_code != 0) return MakeError(Code::kInvalidArgument, "fatbinary: {}", ran.output);
  return ReadFile(folder / "k.fatbin", u64{1} << 30);
}

}  // namespace ptxfarm::object::test

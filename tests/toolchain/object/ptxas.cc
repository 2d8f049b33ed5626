#include "tests/toolchain/object/ptxas.h"

#include <fmt/format.h>

#include "base/file.h"
#include "tests/support/temp_dir.h"
#include "tests/support/toolkit.h"

namespace ptxfarm::object::test {

Result<PtxasRun> RunPtxasLogged(std::string_view ptx, std::string_view options) {
  const ptxfarm::test::TempDir folder;
  PTXFARM_RETURN_IF_ERROR(WriteFileAtomically(folder / "k.ptx", ptx));
  const ptxfarm::test::Ran ran =
      ptxfarm::test::RunShell(fmt::format("cd {} && {} {} k.ptx -o k.cubin", folder.path(),
                                          ptxfarm::test::ToolkitTool("ptxas"), options));
  if (ran.exit_code != 0) return MakeError(Code::kInvalidArgument, "ptxas: {}", ran.output);
  PTXFARM_ASSIGN_OR_RETURN(std::string cubin, ReadFile(folder / "k.cubin", u64{1} << 30));
  return PtxasRun{.cubin = std::move(cubin), .log = ran.output};
}

Result<std::string> RunPtxas(std::string_view ptx, std::string_view options) {
  PTXFARM_ASSIGN_OR_RETURN(PtxasRun run, RunPtxasLogged(ptx, options));
  return std::move(run.cubin);
}

}  // namespace ptxfarm::object::test

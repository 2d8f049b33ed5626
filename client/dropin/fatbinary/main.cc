// `ptxfarm-fatbinary`, also under the name `fatbinary`: makes fat binaries with our own writer
// where its bytes are the toolkit's, and becomes the toolkit's own for all else. Without a toolkit
// it makes those too, packed a little differently.
#include <cstdio>
#include <string>
#include <vector>

#include "base/drop_in_mark.h"
#include "client/dropin/fatbinary/build.h"
#include "client/dropin/tool/tool.h"

namespace ptxfarm::dropin {
namespace {

// Read by who looks for the real tool (base/drop_in_mark.h).
[[gnu::used]] constexpr char kMark[] = "ptxfarm-drop-in: not the compiler itself\n";
static_assert(std::string_view(kMark) == kDropInMark);

int Fail(const Error& error) {
  std::fprintf(stderr, "fatbinary fatal   : %s\n", error.message.c_str());
  return 1;
}

int Main(char** argv, const std::vector<std::string>& words) {
  const Result<FatbinaryCall> call = ReadFatbinaryCall(words);
  Status built = call ? BuildFatbinary(*call, Exactness::kToolkitBytes) : Status(call.error());
  if (built) return 0;
  // Also for what is wrong: nobody says it as the tool itself does.
  const std::optional<LocalTier> tier = LocalTier::OfUser();
  if (const std::optional<Tool> tool = FindTool("fatbinary", argv[0], tier ? &*tier : nullptr)) {
    std::string name = "fatbinary";  // As it calls itself in what it says.
    argv[0] = name.data();
    ExecTool(*tool, argv);
  }
  if (call && built.error().code == Code::kUnimplemented)
    built = BuildFatbinary(*call, Exactness::kAnyBytes);
  return built ? 0 : Fail(built.error());
}

}  // namespace
}  // namespace ptxfarm::dropin

int main(int argc, char** argv) {
  return ptxfarm::dropin::Main(argv, std::vector<std::string>(argv + 1, argv + argc));
}

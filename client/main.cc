// `ptxfarm`.
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

#include "client/dropin/miss/miss.h"
#include "client/dropin/miss/nvlink_miss.h"
#include "client/exit_code.h"
#include "client/program.h"
#include "config/run.h"

namespace ptxfarm::client {
namespace {

// A file opened in place of a closed standard stream would get what is meant for that stream.
void OpenStandardStreams() {
  int descriptor = ::open("/dev/null", O_RDWR);
  while (descriptor >= 0 && descriptor <= STDERR_FILENO) descriptor = ::dup(descriptor);
  if (descriptor > STDERR_FILENO) ::close(descriptor);
}

// Before the constructors of shared libraries: gRPC's opens an eventfd, which would be our standard
// input then.
[[gnu::section(".preinit_array"),
  gnu::used]] void (*const kBeforeLibraries)() = &OpenStandardStreams;

bool HasCommand(const std::vector<std::string>& words, std::string_view name) {
  const auto first =
      std::ranges::find_if(words, [](const std::string& word) { return !word.starts_with('-'); });
  return first != words.end() && *first == name;
}

// What stands behind "--" of `compile` is the compiler's, not ours.
std::vector<std::string> TakeCompilerOptions(std::vector<std::string>& words) {
  if (!HasCommand(words, "compile")) return {};
  const auto dashes = std::ranges::find(words, "--");
  if (dashes == words.end()) return {};
  std::vector<std::string> options(dashes + 1, words.end());
  words.erase(dashes, words.end());
  return options;
}

// As the launcher of a build (`ptxfarm /usr/local/cuda/bin/nvcc …`) and as a command. Returns only
// where its program isn't there.
int BecomeNvccLauncher(char** argv) {
  std::error_code failed;
  const std::string program =
      std::filesystem::read_symlink("/proc/self/exe", failed).replace_filename("ptxfarm-nvcc");
  argv[0] = const_cast<char*>(program.c_str());
  ::execv(program.c_str(), argv);
  std::fprintf(stderr, "ptxfarm: error: can't run %s, which belongs beside ptxfarm: %s\n",
               program.c_str(), std::strerror(errno));
  return static_cast<int>(ExitCode::kService);
}

int Main(int argc, char** argv) {
  if (argc > 1 && std::filesystem::path(argv[1]).filename() == "nvcc")
    return BecomeNvccLauncher(argv);
  // A reader that went away is an error of a write, not a reason to die in the middle of others.
  ::signal(SIGPIPE, SIG_IGN);
  if (argc > 1 && std::string_view(argv[1]) == "serve") return ExecServe({argv + 2, argv + argc});

  // gRPC reports on standard error what we report better; who debugs it sets the variable.
  ::setenv("GRPC_VERBOSITY", "NONE", /*overwrite=*/0);
  // What a drop-in becomes; no command for people.
  if (argc > 2 && std::string_view(argv[1]) == "ptxas-miss")
    return dropin::Miss(argc - 2, argv + 2);
  if (argc > 2 && std::string_view(argv[1]) == "nvlink-miss")
    return dropin::MissLink(argc - 2, argv + 2);
  std::vector<std::string> words(argv + std::min(argc, 1), argv + argc);
  AllOptions options;
  options.compile.ptxas_options_behind = TakeCompilerOptions(words);
  return config::Run(MakeProgram(options), words, config::ProcessEnvironment());
}

}  // namespace
}  // namespace ptxfarm::client

int main(int argc, char** argv) { return ptxfarm::client::Main(argc, argv); }

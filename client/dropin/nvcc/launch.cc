#include "client/dropin/nvcc/launch.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <optional>

#include <fmt/format.h>

#include "base/bytes.h"
#include "base/file.h"
#include "client/dropin/nvcc/manifest.h"
#include "client/dropin/nvcc/nvcc_call.h"
#include "client/dropin/nvcc/run_program.h"
#include "client/dropin/nvcc/step.h"
#include "client/dropin/nvcc/toolkit.h"
#include "client/dropin/tier/key_lock.h"
#include "client/dropin/tier/local_tier.h"
#include "client/dropin/tier/sha256_stream.h"
#include "client/dropin/tool/environment.h"
#include "client/dropin/tool/file_stamp.h"
#include "client/dropin/tool/output_file.h"
#include "client/dropin/tool/packed_files.h"

namespace ptxfarm::dropin {
namespace {

constexpr u64 kOutputBytesMax = u64{2} << 30;

constexpr const char* kServerVariable = "PTXFARM_SERVER";  // As ptxfarm and the drop-ins read it.
// More than a call of nvcc has targets: 11 in CUDA 13.0's `-arch=all`.
constexpr const char* kTargetsAtOnce = "32";

// Of what nvcc, its steps and the host compiler read.
constexpr const char* kVariables[] = {
    "CPATH",
    "C_INCLUDE_PATH",
    "CPLUS_INCLUDE_PATH",
    "GCC_EXEC_PREFIX",
    "COMPILER_PATH",
    "SOURCE_DATE_EPOCH",
    "NVCC_CCBIN",
    "NVCC_PREPEND_FLAGS",
    "NVCC_APPEND_FLAGS",
    "CICC_PREPEND_FLAGS",
    "PTXAS_PREPEND_FLAGS",
    "LANG",
    "LC_ALL",
    "LC_MESSAGES",
    "DEPENDENCIES_OUTPUT",
    "SUNPRO_DEPENDENCIES",
};

int BecomeNvcc(const std::string& nvcc, const std::vector<std::string>& words) {
  std::vector<char*> argv = {const_cast<char*>(nvcc.c_str())};
  for (const std::string& word : words) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  ::execv(nvcc.c_str(), argv.data());
  std::fprintf(stderr, "ptxfarm-nvcc: can't run %s: %s\n", nvcc.c_str(), std::strerror(errno));
  return 127;
}

std::string SelfPath() {
  char path[4096];
  const ssize_t size = ::readlink("/proc/self/exe", path, sizeof(path));
  return size <= 0 ? "" : std::string(path, static_cast<std::size_t>(size));
}

// With our programs between its steps, where that can be.
int BecomeNvccWithSteps(const NvccToolkit& toolkit, const LocalTier& tier,
                        const std::vector<std::string>& words) {
  const Result<std::string> shadow = ShadowNvcc(toolkit, SelfPath(), tier);
  if (!shadow) return BecomeNvcc(toolkit.nvcc, words);
  ::setenv(kToolkitVariable, toolkit.bin.c_str(), /*overwrite=*/1);
  return BecomeNvcc(*shadow, words);
}

// ---- One call

class Launch {
 public:
  Launch(NvccCall call, NvccToolkit toolkit, LocalTier tier, const Sha256& host)
      : call_(std::move(call)), toolkit_(std::move(toolkit)), tier_(std::move(tier)) {
    Sha256Stream key;
    key.UpdateField("nvcc 1");
    for (const Sha256* const identity : {&toolkit_.identity, &host}) {
      std::string bytes;
      AppendTo(bytes, *identity);
      key.UpdateField(bytes);
    }
    char folder[4096];
    key.UpdateField(::getcwd(folder, sizeof(folder)) == nullptr ? "" : folder);
    for (const char* const name : kVariables) key.UpdateField(Variable(name));
    for (const std::string& word : call_.key_words) key.UpdateField(word);
    key_ = key.Finish();
  }

  // The exit code where the outputs were remembered.
  std::optional<int> Recall() {
    std::optional<Record> record = tier_.Get(key_);
    if (!record) return std::nullopt;
    std::optional<Manifest> manifest = UnpackManifest(record->object());
    if (!manifest) return std::nullopt;
    manifest_ = *std::move(manifest);
    for (Variant& variant : manifest_) {
      const Match match = MatchFiles(variant);
      if (match == Match::kNo) continue;
      if (match == Match::kYesByContent) StoreManifest();
      if (const std::optional<int> exit_code = Serve(variant.result)) return exit_code;
      break;
    }
    return std::nullopt;
  }

  // Of calls that are equal and come together one compiles; the others wait, and take what it made.
  int RunOnce() {
    const std::optional<KeyLock> lock = KeyLock::Take(tier_.locks(), key_, kLockPatience);
    if (lock && lock->waited())
      if (const std::optional<int> exit_code = Recall()) return *exit_code;
    return Run();
  }

 private:
  int Run() {
    const std::string self = SelfPath();
    const Result<std::string> shadow = ShadowNvcc(toolkit_, self, tier_);
    const std::string seen = tier_.scratch() + "/seen." + UniqueSuffix();
    if (!shadow || !MakeFolder(tier_.scratch()) || !ReplaceFile(seen, "", 0600)) {
      tier_.Count(Counter::kNvccPassed);
      return BecomeNvcc(toolkit_.nvcc, call_.words);
    }
    // Beside the output's name and renamed, so that a kill leaves no half of it; where the
    // dependency file names the output, nvcc has to be told the name itself.
    std::vector<std::string> words = call_.words;
    const bool beside = (call_.dependency_file.empty() || call_.names_target) &&
                        (call_.output_word || !call_.names_output);
    const std::string written =
        beside ? fmt::format("{}.{}", call_.output, UniqueSuffix()) : call_.output;
    if (beside && call_.output_word) words[*call_.output_word] = written;
    if (beside && !call_.output_word) words.insert(words.end(), {"-o", written});
    // With a farm the steps of all targets wait for it at the same time.
    if (!call_.names_threads && !Variable(kServerVariable).empty())
      words.insert(words.end(), {"--threads", kTargetsAtOnce});

    const i64 since = NowNs();
    const ProgramRan ran = RunProgram(*shadow, words,
                                      {fmt::format("{}={}", kSeenVariable, seen),
                                       fmt::format("{}={}", kToolkitVariable, toolkit_.bin)});
    const std::optional<SeenNames> names = ReadSeenNames(seen);
    ::unlink(seen.c_str());
    if (ran.exit_code != 0 || ran.broken_off != 0) {
      if (beside) ::unlink(written.c_str());
      if (ran.broken_off != 0) EndBy(ran.broken_off);
      return ran.exit_code;
    }
    if (names) Remember(ran, *names, written, since);
    if (beside && ::rename(written.c_str(), call_.output.c_str()) != 0) {
      std::fprintf(stderr, "ptxfarm-nvcc: can't write %s: %s\n", call_.output.c_str(),
                   std::strerror(errno));
      ::unlink(written.c_str());
      return 1;
    }
    tier_.Count(Counter::kNvccMiss);
    return 0;
  }

  std::optional<int> Serve(const Sha256& result) {
    const std::optional<Record> record = tier_.Get(result);
    if (!record) return std::nullopt;
    // The output, and the dependency file.
    const std::optional<Files> files = UnpackFiles(record->object());
    if (!files || files->size() != 2 || !(*files)[0] ||
        (*files)[1].has_value() == call_.dependency_file.empty())
      return std::nullopt;
    if (!ReplaceFile(call_.output, *(*files)[0], 0666)) return std::nullopt;
    if ((*files)[1] && !ReplaceFile(call_.dependency_file, *(*files)[1], 0666)) return std::nullopt;
    PrintTo(STDOUT_FILENO, record->out());
    PrintTo(STDERR_FILENO, record->err());
    tier_.Count(Counter::kNvccHit);
    return record->exit_code();
  }

  void Remember(const ProgramRan& ran, const SeenNames& names, const std::string& written,
                i64 since) {
    if (!names.device || (call_.makes_object && !names.host)) return;
    const std::optional<SeenFiles> seen = ReadSeen(names.names, since);
    if (!seen) return;
    Result<std::string> output = ReadFile(written, kOutputBytesMax);
    if (!output) return;
    Files files = {*std::move(output), std::nullopt};
    if (!call_.dependency_file.empty()) {
      Result<std::string> dependencies = ReadFile(call_.dependency_file, kOutputBytesMax);
      if (!dependencies) return;
      files[1] = *std::move(dependencies);
    }
    Variant variant{.files = seen->files, .absent = AbsentPlaces(*seen, call_.include_folders)};
    Sha256Stream key;
    key.UpdateField("nvcc result 2");
    std::string bytes;
    AppendTo(bytes, key_);
    for (const SeenFile& file : variant.files) AppendTo(bytes, file.sha256);
    key.UpdateField(bytes);
    for (const SeenFile& file : variant.files) key.UpdateField(file.path);
    variant.result = key.Finish();

    if (!tier_.Put(variant.result, {.exit_code = 0,
                                    .has_object = true,
                                    .out = ran.out,
                                    .err = ran.err,
                                    .maker = "nvcc",
                                    .object = PackFiles(files)}))
      return;
    std::erase_if(manifest_, [&](const Variant& other) { return other.result == variant.result; });
    manifest_.insert(manifest_.begin(), std::move(variant));
    if (manifest_.size() > kVariantsMax) manifest_.resize(kVariantsMax);
    StoreManifest();
  }

  // What can't be kept is made again.
  void StoreManifest() {
    static_cast<void>(
        tier_.Put(key_, {.has_object = true, .maker = "nvcc", .object = PackManifest(manifest_)}));
  }

  const NvccCall call_;
  const NvccToolkit toolkit_;
  const LocalTier tier_;
  Sha256 key_{};
  Manifest manifest_;
};

}  // namespace

int LaunchNvcc(const std::string& nvcc, const std::vector<std::string>& words) {
  const std::optional<LocalTier> tier = LocalTier::OfUser();
  const Result<NvccToolkit> toolkit = FindNvccToolkit(nvcc, tier ? &*tier : nullptr);
  if (!toolkit) {
    std::fprintf(stderr, "ptxfarm-nvcc: %s\n", toolkit.error().message.c_str());
    return 127;
  }
  const std::string program = toolkit->bin + "/nvcc";
  if (!tier) return BecomeNvcc(program, words);
  NvccCall call =
      ReadNvccCall(words, Variable("NVCC_PREPEND_FLAGS"), Variable("NVCC_APPEND_FLAGS"));
  // A device or a pipe takes what is written as it comes.
  struct stat output {};
  if (call.why_not.empty() && ::stat(call.output.c_str(), &output) == 0 && !S_ISREG(output.st_mode))
    call.why_not = "its output is no regular file";
  if (call.why_not.empty() && HasNvvmVariables()) call.why_not = "the compiler is being debugged";
  const std::optional<Sha256> host =
      call.why_not.empty() ? HostCompilerIdentity(call.host_compiler, &*tier) : std::nullopt;
  if (!host) {
    tier->Count(Counter::kNvccPassed);
    return call.has_steps ? BecomeNvccWithSteps(*toolkit, *tier, words)
                          : BecomeNvcc(program, words);
  }
  Launch launch(std::move(call), *toolkit, *tier, *host);
  if (const std::optional<int> exit_code = launch.Recall()) return *exit_code;
  return launch.RunOnce();
}

}  // namespace ptxfarm::dropin

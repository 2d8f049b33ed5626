#include "client/dropin/nvcc/cicc.h"

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <utility>
#include <vector>

#include "base/bytes.h"
#include "base/file.h"
#include "client/dropin/nvcc/cicc_call.h"
#include "client/dropin/nvcc/run_program.h"
#include "client/dropin/tier/key_lock.h"
#include "client/dropin/tier/local_tier.h"
#include "client/dropin/tier/sha256_stream.h"
#include "client/dropin/tool/environment.h"
#include "client/dropin/tool/file_digest.h"
#include "client/dropin/tool/output_file.h"
#include "client/dropin/tool/packed_files.h"

namespace ptxfarm::dropin {
namespace {

constexpr u64 kBytesMax = u64{2} << 30;

int BecomeCicc(const std::string& program, char** argv) {
  ::execv(program.c_str(), argv);
  std::fprintf(stderr, "ptxfarm-nvcc: can't run %s: %s\n", program.c_str(), std::strerror(errno));
  return 127;
}

class CiccStep {
 public:
  CiccStep(CiccCall call, LocalTier tier, const Sha256& key)
      : call_(std::move(call)), tier_(std::move(tier)), key_(key) {}

  // The exit code where it was remembered.
  std::optional<int> Recall() const {
    const std::optional<Record> record = tier_.Get(key_);
    if (!record) return std::nullopt;
    const std::optional<Files> files = UnpackFiles(record->object());
    if (!files || files->size() != kCiccOutputs) return std::nullopt;
    for (std::size_t i = 0; i < kCiccOutputs; ++i)
      if ((*files)[i].has_value() == call_.outputs[i].empty()) return std::nullopt;
    for (std::size_t i = 0; i < kCiccOutputs; ++i)
      if ((*files)[i] && !PlaceObject(call_.outputs[i], WithNumber(*(*files)[i], call_.number)))
        return std::nullopt;
    PrintTo(STDOUT_FILENO, record->out());
    PrintTo(STDERR_FILENO, record->err());
    tier_.Count(Counter::kCiccHit);
    return record->exit_code();
  }

  int Run(const std::string& program, const std::vector<std::string>& words) const {
    const ProgramRan ran = RunProgram(program, words, {});
    if (ran.broken_off != 0) EndBy(ran.broken_off);
    tier_.Count(Counter::kCiccMiss);
    if (ran.exit_code == 0) Remember(ran);
    return ran.exit_code;
  }

 private:
  // What can't be kept is made again.
  void Remember(const ProgramRan& ran) const {
    if (NamesTemporaryFiles(ran.out) || NamesTemporaryFiles(ran.err)) return;
    Files files(kCiccOutputs);
    for (std::size_t i = 0; i < kCiccOutputs; ++i) {
      if (call_.outputs[i].empty()) continue;
      Result<std::string> bytes = ReadFile(call_.outputs[i], kBytesMax);
      if (!bytes) return;
      files[i] = WithoutNumber(*std::move(bytes), call_.number);
    }
    static_cast<void>(tier_.Put(key_, {.exit_code = 0,
                                       .has_object = true,
                                       .out = ran.out,
                                       .err = ran.err,
                                       .maker = "cicc",
                                       .object = PackFiles(files)}));
  }

  const CiccCall call_;
  const LocalTier tier_;
  const Sha256 key_;
};

// Over all that cicc's outputs depend on; nothing where that can't be read.
std::optional<Sha256> KeyOf(const CiccCall& call, const Sha256& cicc) {
  const Result<std::string> text = ReadFile(call.text, kBytesMax);
  // Names of temporary files in a user's own text would be taken for nvcc's.
  if (!text || NamesTemporaryFiles(*text)) return std::nullopt;
  Result<std::string> module_id = std::string();
  if (!call.module_id.empty()) module_id = ReadFile(call.module_id, kBytesMax);
  if (!module_id) return std::nullopt;
  char folder[4096];
  if (::getcwd(folder, sizeof(folder)) == nullptr) return std::nullopt;
  Sha256Stream key;
  key.UpdateField("cicc 1");
  std::string bytes;
  AppendTo(bytes, cicc);
  key.UpdateField(bytes);
  key.UpdateField(folder);  // Debug information holds it.
  key.UpdateNumber(call.key_words.size());
  for (const std::string& word : call.key_words) key.UpdateField(word);
  key.UpdateField(WithoutNumber(*std::move(module_id), call.number));
  key.UpdateField(*text);
  return key.Finish();
}

}  // namespace

int RunCicc(const std::string& bin, int argc, char** argv) {
  const std::string program = bin + "/../nvvm/bin/cicc";
  const std::optional<LocalTier> tier = LocalTier::OfUser();
  if (!tier) return BecomeCicc(program, argv);
  const std::vector<std::string> words(argv + 1, argv + argc);
  CiccCall call = ReadCiccCall(words);
  const std::optional<Sha256> cicc =
      call.why_not.empty() && !HasNvvmVariables()
          ? DigestOfFiles("cicc 1", {program, bin + "/../nvvm/libdevice/libdevice.10.bc"}, &*tier)
          : std::nullopt;
  const std::optional<Sha256> key = cicc ? KeyOf(call, *cicc) : std::nullopt;
  if (!key) {
    tier->Count(Counter::kCiccPassed);
    return BecomeCicc(program, argv);
  }
  const CiccStep step(std::move(call), *tier, *key);
  if (const std::optional<int> exit_code = step.Recall()) return *exit_code;
  const std::optional<KeyLock> lock = KeyLock::Take(tier->locks(), *key, kLockPatience);
  if (lock && lock->waited())
    if (const std::optional<int> exit_code = step.Recall()) return *exit_code;
  return step.Run(program, words);
}

}  // namespace ptxfarm::dropin

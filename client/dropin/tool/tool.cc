#include "client/dropin/tool/tool.h"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "base/bytes.h"
#include "base/drop_in_mark.h"
#include "base/file.h"
#include "base/wrapper_script.h"
#include "client/dropin/tier/sha256_stream.h"
#include "client/dropin/tool/environment.h"

namespace ptxfarm::dropin {
namespace {

constexpr u64 kToolBytesMax = u64{4} << 30;

// It is run in another folder.
std::string Absolute(const std::string& path) {
  if (path.starts_with('/')) return path;
  char folder[4096];
  return ::getcwd(folder, sizeof(folder)) == nullptr ? path : std::string(folder) + "/" + path;
}

std::vector<std::string> Places(const std::string& tool, std::string_view called_as) {
  std::vector<std::string> places;
  if (const std::size_t slash = called_as.rfind('/'); slash != std::string_view::npos)
    places.push_back(std::string(called_as.substr(0, slash)) + "/" + tool + ".real");
  for (const std::string& folder : ColonParts(Variable("PATH")))
    places.push_back((folder.empty() ? "." : folder) + "/" + tool);
  for (const char* const root : {"CUDA_HOME", "CUDA_PATH"})
    if (const std::string folder = Variable(root); !folder.empty())
      places.push_back(folder + "/bin/" + tool);
  places.push_back("/usr/local/cuda/bin/" + tool);
  return places;
}

// "PTXFARM_PTXAS"
std::string VariableOf(std::string_view tool) {
  std::string name = "PTXFARM_";
  for (const char c : tool) name += c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  return name;
}

// Scripts that execute scripts, at most so many; more go round in a circle.
constexpr int kWrappersMax = 8;

// What is remembered of a file.
struct Facts {
  Sha256 sha256{};
  bool is_program = false;
  bool is_drop_in = false;
  std::string executes;  // By a script that does nothing else.
};

// Digest, what it is, path.
std::string TextOf(const Facts& facts) {
  std::string text;
  AppendTo(text, facts.sha256);
  AppendTo(text, u8{facts.is_program});
  AppendTo(text, u8{facts.is_drop_in});
  return text + facts.executes;
}

std::optional<Facts> FactsIn(std::string_view text) {
  constexpr std::size_t kFlags = sizeof(Sha256);
  const std::optional<Sha256> sha256 = ReadAt<Sha256>(text, 0);
  if (!sha256 || text.size() < kFlags + 2) return std::nullopt;
  return Facts{.sha256 = *sha256,
               .is_program = text[kFlags] != 0,
               .is_drop_in = text[kFlags + 1] != 0,
               .executes = std::string(text.substr(kFlags + 2))};
}

Sha256 NoteName(const std::string& path, const FileStamp& stamp) {
  Sha256Stream stream;
  stream.UpdateField("tool 2");
  stream.UpdateField(path);
  for (const u64 number : {stamp.device, stamp.inode, stamp.size_bytes})
    stream.UpdateNumber(number);
  for (const i64 number : {stamp.modified_ns, stamp.changed_ns})
    stream.UpdateNumber(static_cast<u64>(number));
  return stream.Finish();
}

std::optional<Facts> ReadFacts(const std::string& path, const FileStamp& stamp) {
  const Result<std::string> bytes = ReadFile(path, kToolBytesMax);
  // Replaced in between: whoever comes next sees the new one.
  if (!bytes || StampOf(path) != stamp) return std::nullopt;
  return Facts{.sha256 = Sha256Of(*bytes),
               .is_program = bytes->starts_with("\x7f"
                                                "ELF"),
               .is_drop_in = HasDropInMark(*bytes),
               .executes = ExecutedByScript(*bytes).value_or("")};
}

std::optional<Facts> FactsOf(const std::string& path, const FileStamp& stamp,
                             const LocalTier* tier) {
  const Sha256 name = NoteName(path, stamp);
  if (tier != nullptr)
    if (const std::optional<LocalTier::Note> note = tier->GetNote(name))
      if (const std::optional<Facts> facts = FactsIn(note->text)) return facts;
  const std::optional<Facts> facts = ReadFacts(path, stamp);
  // A tier that can't be written costs the reading again.
  if (facts && tier != nullptr && IsSettled(stamp, NowNs()))
    static_cast<void>(tier->PutNote(name, TextOf(*facts)));
  return facts;
}

bool IsOurselves(const FileStamp& stamp) {
  const std::optional<FileStamp> self = StampOf("/proc/self/exe");
  return self && self->device == stamp.device && self->inode == stamp.inode;
}

bool WasTried(const std::string& path) {
  for (const std::string& tried : ColonParts(Variable(kTriedVariable)))
    if (tried == path) return true;
  return false;
}

}  // namespace

std::optional<Tool> ToolAt(const std::string& path, const LocalTier* tier) {
  std::string at = path;
  for (int wrappers = 0; wrappers <= kWrappersMax; ++wrappers) {
    const std::optional<FileStamp> stamp = StampOf(at);
    if (!stamp || ::access(at.c_str(), X_OK) != 0 || IsOurselves(*stamp) || WasTried(at))
      return std::nullopt;
    const std::optional<Facts> facts = FactsOf(at, *stamp, tier);
    if (!facts || facts->is_drop_in) return std::nullopt;
    if (facts->executes.empty()) return Tool{at, *stamp, facts->sha256, facts->is_program};
    at = facts->executes;
  }
  return std::nullopt;
}

std::optional<Tool> FindTool(std::string_view name, const char* called_as, const LocalTier* tier) {
  if (const std::string named = Variable(VariableOf(name).c_str()); !named.empty())
    return named == "none" ? std::nullopt : ToolAt(Absolute(named), tier);
  for (const std::string& place : Places(std::string(name), called_as))
    if (std::optional<Tool> tool = ToolAt(Absolute(place), tier)) return tool;
  return std::nullopt;
}

void NoteTried(const Tool& tool) {
  const std::string before = Variable(kTriedVariable);
  ::setenv(kTriedVariable, (before.empty() ? tool.path : before + ":" + tool.path).c_str(),
           /*overwrite=*/1);
}

int ExecTool(const Tool& tool, char** argv) {
  NoteTried(tool);
  for (const int number : {SIGPIPE, SIGXFSZ}) ::signal(number, SIG_DFL);
  ::execv(tool.path.c_str(), argv);
  return errno;
}

}  // namespace ptxfarm::dropin

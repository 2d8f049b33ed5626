#include "client/dropin/ptxas/key.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "action/option_line.h"
#include "client/dropin/tier/sha256_stream.h"

namespace ptxfarm::dropin {
namespace {

// Of this file's rules; a change of them is another number.
constexpr std::string_view kFormat = "ptxas call 1";

std::string_view View(const Sha256& sha256) {
  return {reinterpret_cast<const char*>(sha256.data()), sha256.size()};
}

// As UpdateField() of its bytes, which aren't kept: a hit needs no more of it than its digest.
bool AddFile(const std::string& path, Sha256Stream& stream) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  struct stat info {};
  bool whole = false;
  if (::fstat(file, &info) == 0 && S_ISREG(info.st_mode)) {
    u64 left = static_cast<u64>(info.st_size);
    stream.UpdateNumber(left);
    static char buffer[1 << 16];
    while (true) {
      const ssize_t count = ::read(file, buffer, sizeof(buffer));
      if (count < 0 && errno == EINTR) continue;
      if (count <= 0 || static_cast<u64>(count) > left) {
        whole = count == 0 && left == 0;
        break;
      }
      left -= static_cast<u64>(count);
      stream.Update({buffer, static_cast<std::size_t>(count)});
    }
  }
  ::close(file);
  return whole;
}

Sha256Stream StreamOf(const PtxasCall& call, const Sha256& compiler) {
  Sha256Stream stream;
  stream.UpdateField(kFormat);
  stream.Update(View(compiler));
  stream.UpdateField(call.target);
  stream.UpdateField(OptionLineOf(call));
  // Of a list the line has the last value only.
  if (call.lists_repeated)
    for (const action::GivenOption& given : call.options) {
      stream.UpdateField(given.row->name);
      stream.UpdateField(given.value);
    }
  stream.UpdateNumber(call.redefined.size());
  for (const std::string& option : call.redefined) stream.UpdateField(option);
  // The object's note has its own name then, also where the call gives none.
  if (call.Has("device-debug")) {
    stream.UpdateNumber(call.output_given ? 1 : 0);
    stream.UpdateField(BaseName(call.output));
  }
  // Messages have another name for a text.
  stream.UpdateNumber(call.inputs.front().is_text ? 1 : 0);
  return stream;
}

}  // namespace

std::optional<Sha256> KeyOfCompile(const PtxasCall& call, const Sha256& compiler) {
  const CallInput& input = call.inputs.front();
  if (input.is_text) return KeyOfText(call, compiler, input.text);
  Sha256Stream stream = StreamOf(call, compiler);
  if (!AddFile(input.name, stream)) return std::nullopt;
  return stream.Finish();
}

Sha256 KeyOfText(const PtxasCall& call, const Sha256& compiler, std::string_view text) {
  Sha256Stream stream = StreamOf(call, compiler);
  stream.UpdateField(text);
  return stream.Finish();
}

Sha256 KeyOfQuery(const PtxasCall& call, const Sha256& compiler) {
  Sha256Stream stream;
  stream.UpdateField("ptxas query 1");
  stream.Update(View(compiler));
  stream.UpdateField(call.query);
  return stream.Finish();
}

std::string OptionLineOf(const PtxasCall& call) {
  return action::OptionLine(
      call.target, call.options,
      {.input = BaseName(call.inputs.front().name),
       .output = call.output_given ? BaseName(call.output) : std::string_view()});
}

std::string_view BaseName(std::string_view path) { return path.substr(path.rfind('/') + 1); }

}  // namespace ptxfarm::dropin

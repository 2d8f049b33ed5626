#include "client/commands/format_command.h"

#include "base/file.h"
#include "client/files/input_file.h"
#include "client/report/diagnostics.h"
#include "toolchain/ptx/lex.h"
#include "toolchain/ptx/parse.h"
#include "toolchain/ptx/print.h"
#include "toolchain/ptx/token.h"

namespace ptxfarm::client {
namespace {

Result<std::string, Diagnostics> Formatted(const ptx::Source& source) {
  PTXFARM_ASSIGN_OR_RETURN(const ptx::TokenBuffer tokens, ptx::Lex(source));
  PTXFARM_ASSIGN_OR_RETURN(const ptx::Module module, ptx::Parse(tokens));
  return ptx::Print(module, {.keeps_comments = true});
}

ExitCode Format(const Session& session, const FormatOptions& options) {
  const Result<std::string> text = ReadInput(options.file, ptx::kSourceBytesMax.value);
  if (!text) return session.Fail("format", text.error(), ExitCode::kFile);
  const Result<std::string, Diagnostics> formatted =
      Formatted({.name = options.file, .text = *text});
  if (!formatted) {
    std::vector<ShownDiagnostic> shown;
    for (const Diagnostic& diagnostic : formatted.error()) shown.push_back({diagnostic, {}});
    const Terminal& err = session.err();
    fmt::print(stderr, "{}",
               RenderDiagnostics(shown, options.file, *text, err.interactive, err.color));
    return ExitCode::kInput;
  }
  if (options.output.empty() || options.output == "-") return session.Print(*formatted);
  if (const Status written = WriteFileAtomically(options.output, *formatted); !written)
    return session.Fail("format", written.error(), ExitCode::kFile);
  return ExitCode::kOk;
}

}  // namespace

config::Command FormatCommand(const CliOptions& cli, FormatOptions& o) {
  config::Command command{
      .name = "format",
      .summary = "prints PTX laid out as people read it",
      .description =
          "One statement a line, indented by blocks; comments stay. What is printed means the "
          "same, "
          "word for word. -o may name FILE itself; a module that doesn't parse leaves it as it "
          "was.",
  };
  // clang-format off
  command.options.push_back({"Format", "client", {
      {"output", "PATH", "Where to write, in place of the standard output.", config::File(&o.output), {.letter = 'o', .reach = config::Reach::kFlag}},
  }});
  // clang-format on
  command.arguments = {{"FILE", "PTX; - is standard input.", config::File(&o.file)}};
  command.run = [&cli, &o] { return static_cast<int>(Format(Session(cli), o)); };
  return command;
}

}  // namespace ptxfarm::client

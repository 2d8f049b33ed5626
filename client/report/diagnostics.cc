#include "client/report/diagnostics.h"

#include <algorithm>
#include <map>
#include <tuple>

#include <fmt/ranges.h>

namespace ptxfarm::client {
namespace {

// Columns of a source line that a snippet shows: generated PTX has lines of many thousands.
constexpr std::size_t kSnippetColumnsMax = 160;
// Nobody reads more of one module.
constexpr std::size_t kShownMax = 100;

// Joins equal diagnostics in the order in which they come. A module of thousands of faults has them
// for each target.
class Joiner {
 public:
  ShownDiagnostic& Add(const Diagnostic& diagnostic) {
    const auto key =
        std::tie(diagnostic.place, diagnostic.severity, diagnostic.kind, diagnostic.message);
    const auto [at, inserted] = index_.try_emplace(key, shown_.size());
    if (inserted) shown_.push_back({diagnostic, {}});
    return shown_[at->second];
  }
  bool Has(const Diagnostic& diagnostic) const {
    return index_.contains(
        {diagnostic.place, diagnostic.severity, diagnostic.kind, diagnostic.message});
  }
  std::vector<ShownDiagnostic>& shown() { return shown_; }

 private:
  std::vector<ShownDiagnostic> shown_;
  std::map<std::tuple<Place, Severity, std::string, std::string>, std::size_t> index_;
};

std::string_view LineOf(std::string_view text, u32 line) {
  for (u32 at = 1; at < line; ++at) {
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos) return {};
    text.remove_prefix(end + 1);
  }
  text = text.substr(0, text.find('\n'));
  if (text.ends_with('\r')) text.remove_suffix(1);
  return text;
}

// "   7 | fma.rn.bf16 %h0;" and the caret below. Only the part around the column of a long line.
std::string Snippet(std::string_view text, const Place& place, bool color) {
  if (place.line == 0) return "";
  std::string_view line = LineOf(text, place.line);
  if (line.find_first_not_of(" \t") == std::string_view::npos) return "";
  std::size_t column = std::min<std::size_t>(std::max<u32>(place.column, 1) - 1, line.size());
  if (line.size() > kSnippetColumnsMax) {
    const std::size_t begin = column > kSnippetColumnsMax / 2 ? column - kSnippetColumnsMax / 2 : 0;
    line = line.substr(begin, kSnippetColumnsMax);
    column -= begin;
  }
  std::string out = fmt::format("{:>6} | {}\n", place.line, Printable(line));
  if (place.column == 0) return out;
  // Escaped bytes are wider than they were, and UTF-8 narrower.
  const std::size_t caret = DisplayWidth(Printable(line.substr(0, column)));
  return out + fmt::format("{:>6} | {:{}}{}\n", "", "", caret, Styled("^", Style::kGreen, color));
}

Style StyleOf(Severity severity) {
  switch (severity) {
    case Severity::kError: return Style::kRed;
    case Severity::kWarning: return Style::kYellow;
    case Severity::kNote: return Style::kCyan;
  }
  return Style::kPlain;
}

// base/diagnostic.h has the form; here the severity gets its colour.
std::string Colored(const std::string& line, Severity severity, bool color) {
  for (const std::string_view word : {": error: ", ": warning: ", ": note: "}) {
    const std::size_t at = line.find(word);
    if (!color || at == std::string::npos) continue;
    const std::string_view name = word.substr(2, word.size() - 3);
    return fmt::format("{}: {} {}", Styled(line.substr(0, at), Style::kBold, true),
                       Styled(name, StyleOf(severity), true), line.substr(at + word.size()));
  }
  return line;
}

}  // namespace

std::vector<ShownDiagnostic> CollectDiagnostics(const CompileReply& reply) {
  Joiner joiner;
  for (const TargetReply& target : reply.targets) {
    for (const Diagnostic& diagnostic : target.result.diagnostics) {
      std::vector<std::string>& targets = joiner.Add(diagnostic).targets;
      if (targets.empty() || targets.back() != target.target) targets.push_back(target.target);
    }
  }
  for (ShownDiagnostic& shown : joiner.shown())
    if (shown.targets.size() == reply.targets.size() && shown.targets.size() > 1)
      shown.targets.clear();
  // What keeps the fat binary from being made is said by the targets, mostly.
  if (reply.fatbin) {
    for (const Diagnostic& diagnostic : reply.fatbin->result.diagnostics)
      if (!joiner.Has(diagnostic)) joiner.Add(diagnostic).targets = {reply.fatbin->target};
  }
  for (const Diagnostic& diagnostic : reply.module.diagnostics) joiner.Add(diagnostic);
  std::vector<ShownDiagnostic> shown = std::move(joiner.shown());
  // What has no place speaks of the whole, and is often what the others come to.
  std::ranges::stable_sort(shown, {}, [](const ShownDiagnostic& one) {
    return std::pair(one.diagnostic.place.line == 0, one.diagnostic.place);
  });
  return shown;
}

std::string RenderDiagnostics(std::span<const ShownDiagnostic> diagnostics, const std::string& file,
                              std::string_view text, bool snippets, bool color) {
  std::string out;
  for (const ShownDiagnostic& shown : diagnostics.first(std::min(diagnostics.size(), kShownMax))) {
    out += Colored(Printable(Format(shown.diagnostic, file)), shown.diagnostic.severity, color);
    if (!shown.targets.empty()) out += fmt::format(" ({})", fmt::join(shown.targets, ", "));
    out += '\n';
    if (snippets) out += Snippet(text, shown.diagnostic.place, color);
    for (const RelatedPlace& related : shown.diagnostic.related) {
      const Diagnostic note{
          .severity = Severity::kNote, .message = related.message, .place = related.place};
      out += Colored(Printable(Format(note, file)), note.severity, color) + '\n';
      if (snippets) out += Snippet(text, related.place, color);
    }
  }
  if (diagnostics.size() > kShownMax)
    out += fmt::format("{}: {} more; --json has them all\n", file, diagnostics.size() - kShownMax);
  return out;
}

}  // namespace ptxfarm::client

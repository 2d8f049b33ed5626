#include "toolchain/ptx/isa/spelling_faults.h"

#include <algorithm>

#include "base/text.h"
#include "toolchain/ptx/isa/instruction_kinds.h"
#include "toolchain/ptx/isa/instructions.h"

namespace ptxfarm::ptx::isa {
namespace {

using Words = std::span<const std::string_view>;

std::string Joined(Words words) {
  std::string text;
  for (const std::string_view word : words) text += word;
  return Shortened(text, 100);
}

// The words without one of them.
std::string JoinedWithout(Words words, std::size_t left_out) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i)
    if (i != left_out) text += words[i];
  return Shortened(text, 100);
}

template <const DiagnosticKind& kind, typename... Args>
SpellingIssue Issue(std::size_t first_word, std::size_t last_word, Args&&... args) {
  return {.diagnostic = Diagnose<kind>(Place{}, std::forward<Args>(args)...),
          .first_word = static_cast<u8>(first_word),
          .last_word = static_cast<u8>(last_word)};
}

std::string DidYouMean(std::string_view word, std::span<const std::string_view> candidates) {
  const std::optional<std::string_view> nearest = Nearest(word, candidates);
  return nearest ? fmt::format("did you mean '{}'?", *nearest) : "";
}

// The first words of what a node can be, "-" left out.
void AddBeginnings(const Form& form, const SyntaxNode& node, std::vector<std::string_view>& words) {
  const auto add = [&](std::string_view word) {
    if (std::find(words.begin(), words.end(), word) == words.end()) words.push_back(word);
  };
  switch (node.kind) {
    case SyntaxNode::Kind::kWord: return add(node.word);
    case SyntaxNode::Kind::kSet:
      for (const std::string_view value : form.sets[node.set].values)
        if (value != "-") add(value);
      return;
    case SyntaxNode::Kind::kOptional:
    case SyntaxNode::Kind::kChoice:
      for (const std::vector<SyntaxNode>& alternative : node.alternatives)
        AddBeginnings(form, alternative.front(), words);
  }
}

// Every word that a form can have.
void AddWords(const Form& form, std::span<const SyntaxNode> nodes,
              std::vector<std::string_view>& words) {
  for (const SyntaxNode& node : nodes) {
    if (node.kind == SyntaxNode::Kind::kWord) words.push_back(node.word);
    if (node.kind == SyntaxNode::Kind::kSet)
      for (const std::string_view value : form.sets[node.set].values)
        ForEachWord(value, [&](std::string_view word) { words.push_back(word); });
    for (const std::vector<SyntaxNode>& alternative : node.alternatives)
      AddWords(form, alternative, words);
  }
}

// ".u16, .u32 or .u64"; of many only the first ones.
std::string Listed(std::span<const std::string_view> words) {
  constexpr std::size_t kShownMax = 8;
  std::string text;
  for (std::size_t i = 0; i < std::min(words.size(), kShownMax); ++i) {
    if (i > 0) text += i + 1 == words.size() ? " or " : ", ";
    text += words[i];
  }
  return words.size() > kShownMax ? text + ", …" : text;
}

std::string Said(const Form& form, const Condition& condition) {
  std::string text;
  for (const Atom& atom : condition) {
    if (!text.empty()) text += " and ";
    std::vector<std::string_view> words;
    bool may_lack = false;
    for (const std::string_view value : atom.values) {
      if (value == "-")
        may_lack = true;
      else
        words.push_back(value);
    }
    for (const u16 set : atom.sets)
      for (const std::string_view value : form.sets[set].values)
        if (value != "-") words.push_back(value);
    if (may_lack) text += words.empty() ? "nothing" : "no state space or ";
    text += (atom.is_negated ? "not " : "") + Listed(words);
  }
  return text;
}

// The words of a condition that stand in the mnemonic: "'.v4' with '.f64'".
std::string Found(const Form& form, const Condition& condition, Words words) {
  std::string text;
  for (const Atom& atom : condition) {
    for (const std::string_view word : words.subspan(1)) {
      bool speaks = false;
      for (const std::string_view value : atom.values)
        speaks |= value == word || (value.size() > word.size() && value.starts_with(word));
      for (const u16 set : atom.sets)
        for (const std::string_view value : form.sets[set].values) speaks |= value == word;
      if (!speaks) continue;
      text += fmt::format("{}'{}'", text.empty() ? "" : " with ", word);
      break;
    }
  }
  return text.empty() ? "this" : text;
}

std::size_t PositionOf(const Form& form, const Condition& condition, Words words) {
  for (const Atom& atom : condition)
    for (std::size_t i = 1; i < words.size(); ++i) {
      for (const std::string_view value : atom.values)
        if (value == words[i]) return i;
      for (const u16 set : atom.sets)
        for (const std::string_view value : form.sets[set].values)
          if (value == words[i]) return i;
    }
  return words.size() - 1;
}

SpellingIssue Conflict(const Match& match, Words words) {
  const Form& form = *match.form;
  const Rule& rule = *match.broken_rule;
  const std::string left = Found(form, rule.left, words);
  const std::string message =
      rule.is_exclusion ? fmt::format("{} can't stand together", left)
                        : fmt::format("{} goes with {} only", left, Said(form, rule.right));
  const std::size_t at = PositionOf(form, rule.left, words);
  return Issue<kinds::kModifierConflict>(at, at, Joined(words), message);
}

// The nearest forms lack the same number of words: each may be meant.
SpellingIssue Missing(std::span<const Match> nearest, Words words) {
  std::vector<std::string_view> beginnings;
  for (const Match& match : nearest)
    if (!match.missing.empty()) AddBeginnings(*match.form, *match.missing[0], beginnings);
  return Issue<kinds::kMissingModifier>(0, words.size() - 1, Joined(words), Listed(beginnings));
}

// A word has no place where it stands; what is missing instead, if anything, would be right.
SpellingIssue Surplus(const Match& match, Words words) {
  const std::size_t at = match.surplus[0];
  SpellingIssue issue = Issue<kinds::kSurplusModifier>(at, at, words[at], JoinedWithout(words, at));
  if (match.missing.empty()) return issue;
  std::vector<std::string_view> beginnings;
  AddBeginnings(*match.form, *match.missing[0], beginnings);
  issue.diagnostic.hint = DidYouMean(words[at], beginnings);
  if (issue.diagnostic.hint.empty())
    issue.diagnostic.hint = fmt::format("{} would", Listed(beginnings));
  return issue;
}

// The first word that no form of the instruction has; 0 where each is in some.
std::size_t UnknownWord(Words words) {
  for (std::size_t i = 1; i < words.size(); ++i) {
    const std::span<const Form> forms = FormsOf(words[0]);
    if (std::none_of(forms.begin(), forms.end(),
                     [&](const Form& form) { return form.HasWord(words[i]); }))
      return i;
  }
  return 0;
}

// Those that are as near as the nearest one. Where one word is too many because a rule forbids it,
// the match that breaks the rule.
std::vector<Match> NearestMatches(Words words) {
  std::vector<Match> nearest;
  std::vector<Match> forbidden;
  for (const Form& form : FormsOf(words[0])) {
    for (const Match& match : MatchForm(form, words, Fit::kNear)) {
      if (match.surplus.empty() && match.missing.empty()) forbidden.push_back(match);
      if (!nearest.empty() && match.Distance() > nearest[0].Distance()) continue;
      if (!nearest.empty() && match.Distance() < nearest[0].Distance()) nearest.clear();
      nearest.push_back(match);
    }
  }
  if (nearest.empty() || nearest[0].surplus.size() != 1 || !nearest[0].missing.empty())
    return nearest;
  for (const Match& match : forbidden)
    if (match.broken_rule != nullptr &&
        PositionOf(*match.form, match.broken_rule->left, words) == nearest[0].surplus[0])
      return {match};
  return nearest;
}

}  // namespace

SpellingIssue UnknownInstruction(Words words) {
  if (words.size() > kWordsMax)
    return Issue<kinds::kTooManyModifiers>(0, 0, Shortened(words[0], 40), kWordsMax - 1);
  SpellingIssue issue = Issue<kinds::kUnknownInstruction>(0, 0, Shortened(words[0], 60));
  issue.diagnostic.hint = DidYouMean(words[0].substr(0, 40), Opcodes());
  return issue;
}

SpellingIssue WrongModifiers(Words words) {
  if (const std::size_t at = UnknownWord(words); at != 0) {
    SpellingIssue issue = Issue<kinds::kUnknownModifier>(at, at, Shortened(words[at]), words[0]);
    std::vector<std::string_view> candidates;
    for (const Form& form : FormsOf(words[0])) AddWords(form, form.syntax, candidates);
    issue.diagnostic.hint = DidYouMean(words[at], candidates);
    issue.diagnostic.section = FormsOf(words[0])[0].row->section;
    return issue;
  }

  const std::vector<Match> nearest = NearestMatches(words);
  SpellingIssue issue;
  if (nearest.empty()) {
    issue = Issue<kinds::kModifierConflict>(0, words.size() - 1, Joined(words),
                                            "no form of the instruction has these modifiers");
    issue.diagnostic.section = FormsOf(words[0])[0].row->section;
    return issue;
  }
  const Match& best = nearest[0];
  if (!best.surplus.empty())
    issue = Surplus(best, words);
  else if (!best.missing.empty())
    issue = Missing(nearest, words);
  else if (best.broken_rule != nullptr)
    issue = Conflict(best, words);
  else
    issue = Issue<kinds::kModifierConflict>(0, words.size() - 1, Joined(words),
                                            "the modifiers stand in a wrong order");
  issue.diagnostic.section = best.form->row->section;
  return issue;
}

SpellingIssue OddSpelling(const Match& match, Words words) {
  SpellingIssue issue;
  if (!match.repeated.empty()) {
    const std::size_t at = match.repeated[0];
    issue = Issue<kinds::kRepeatedModifier>(at, at, words[at], Joined(words));
  } else {
    std::string manual;
    for (const u8 at : match.order) manual += words[at];
    issue = Issue<kinds::kModifierOrder>(0, words.size() - 1, manual);
  }
  issue.diagnostic.section = match.form->row->section;
  return issue;
}

}  // namespace ptxfarm::ptx::isa

// A depth-first walk over the syntax with the words not yet used as its state. Forms have some ten
// nodes and few alternatives, and a mnemonic is matched once a module, so nothing is prepared; what
// a hostile mnemonic could blow up is bounded by a count of steps.
#include "toolchain/ptx/isa/match.h"

#include <algorithm>
#include <array>

namespace ptxfarm::ptx::isa {
namespace {

constexpr u32 kStepsMax = 20'000;
constexpr std::size_t kDistanceMax = 5;

// ptxas 13.0 takes these twice.
constexpr std::string_view kRepeatable[] = {".sat",  ".relu",     ".NaN", ".approx",   ".cc",
                                            ".sync", ".shiftamt", ".uni", ".satfinite"};

// Words that keep their order among those of their class, whoever reads them.
enum class WordClass : u8 { kNone, kType, kSpace, kLayout };

// u32, bf16x2, e4m3, ue8m0, b6x16_p32: a type's letters, then a number. Not f4e, a mode of prmt.
bool IsTypeLike(std::string_view name) {
  constexpr std::string_view kLetters[] = {"b", "u", "s", "f", "e", "bf", "tf", "ue"};
  const std::size_t digit = name.find_first_of("0123456789");
  if (digit == std::string_view::npos) return false;
  const std::size_t end = name.find_first_not_of("0123456789", digit);
  return std::find(std::begin(kLetters), std::end(kLetters), name.substr(0, digit)) !=
             std::end(kLetters) &&
         (end == std::string_view::npos ||
          std::string_view("xmf_").find(name[end]) != std::string_view::npos);
}

WordClass ClassOf(std::string_view word) {
  if (word == ".row" || word == ".col") return WordClass::kLayout;
  if (word == ".pred") return WordClass::kType;
  constexpr std::string_view kSpaces[] = {".const", ".global", ".local", ".param", ".shared"};
  for (const std::string_view space : kSpaces)
    if (word == space || (word.starts_with(space) && word.substr(space.size()).starts_with("::")))
      return WordClass::kSpace;
  return IsTypeLike(word.substr(1)) ? WordClass::kType : WordClass::kNone;
}

class Matcher {
 public:
  Matcher(const Form& form, std::span<const std::string_view> words, Fit fit)
      : form_(form), words_(words), fit_(fit) {
    match_.form = &form;
    match_.values.assign(form.sets.size(), "-");
  }

  std::vector<Match> Run() {
    const Frame top{.nodes = form_.syntax, .index = 0, .next = nullptr};
    Walk(top);
    if (best_.form != nullptr) found_.push_back(std::move(best_));
    if (forbidden_.form != nullptr) found_.push_back(std::move(forbidden_));
    return std::move(found_);
  }

 private:
  // What is still to be walked: the rest of a list of nodes, then the list around it.
  struct Frame {
    std::span<const SyntaxNode> nodes;
    std::size_t index;
    const Frame* next;
  };

  // True: enough was found.
  bool Walk(const Frame& frame) {
    if (++steps_ > kStepsMax) return true;
    if (frame.next == nullptr && frame.index == static_cast<std::size_t>(form_.row->head))
      head_words_ = match_.order.size();
    if (frame.index == frame.nodes.size())
      return frame.next != nullptr ? Walk(*frame.next) : AtEnd();

    const SyntaxNode& node = frame.nodes[frame.index];
    const Frame rest{frame.nodes, frame.index + 1, frame.next};
    switch (node.kind) {
      case SyntaxNode::Kind::kWord: return WalkWord(node, rest);
      case SyntaxNode::Kind::kSet: return WalkSet(node, rest);
      case SyntaxNode::Kind::kOptional:
      case SyntaxNode::Kind::kChoice: return WalkBrackets(node, rest);
    }
    return false;
  }

  bool WalkWord(const SyntaxNode& node, const Frame& rest) {
    const std::size_t used = match_.order.size();
    if (Use(node.word)) {
      if (Walk(rest)) return true;
      Unuse(used);
    }
    return WalkWithout(node, rest);
  }

  bool WalkSet(const SyntaxNode& node, const Frame& rest) {
    std::string_view& value = match_.values[node.set];
    const std::string_view before = value;
    for (const std::string_view candidate : form_.sets[node.set].values) {
      const std::size_t used = match_.order.size();
      bool fits = true;
      ForEachWord(candidate, [&](std::string_view word) { fits = fits && Use(word); });
      if (fits) {
        value = candidate;
        if (Walk(rest)) return true;
        value = before;
      }
      Unuse(used);
    }
    return WalkWithout(node, rest);
  }

  // With a word first where one fits, so that the longest match is found first.
  bool WalkBrackets(const SyntaxNode& node, const Frame& rest) {
    for (const std::vector<SyntaxNode>& alternative : node.alternatives) {
      const Frame inside{alternative, 0, &rest};
      // What is in optional brackets is never missing: it is left out.
      if (node.kind == SyntaxNode::Kind::kOptional && !Begins(alternative)) continue;
      if (Walk(inside)) return true;
    }
    return node.kind == SyntaxNode::Kind::kOptional ? Walk(rest) : WalkWithout(node, rest);
  }

  // Whether the next word of the text could begin these nodes.
  bool Begins(const std::vector<SyntaxNode>& nodes) const {
    const SyntaxNode& first = nodes.front();
    if (first.kind == SyntaxNode::Kind::kWord) return FindUnused(first.word) >= 0;
    if (first.kind == SyntaxNode::Kind::kSet) {
      for (const std::string_view value : form_.sets[first.set].values)
        if (value != "-" && FindUnused(WordAt(value)) >= 0) return true;
      return false;
    }
    return std::any_of(first.alternatives.begin(), first.alternatives.end(),
                       [&](const auto& alternative) { return Begins(alternative); });
  }

  bool WalkWithout(const SyntaxNode& node, const Frame& rest) {
    if (fit_ != Fit::kNear || match_.Distance() + 2 > kDistanceMax) return false;
    match_.missing.push_back(&node);
    const bool done = Walk(rest);
    if (!done) match_.missing.pop_back();
    return done;
  }

  // The word's first place that isn't used; -1 where there is none.
  int FindUnused(std::string_view word) const {
    if (fit_ == Fit::kExact) {
      const std::size_t next = match_.order.size();
      return next < words_.size() && words_[next] == word ? static_cast<int>(next) : -1;
    }
    for (std::size_t i = 0; i < words_.size(); ++i)
      if (words_[i] == word && (used_ >> i & 1u) == 0) return static_cast<int>(i);
    return -1;
  }

  bool Use(std::string_view word) {
    const int at = FindUnused(word);
    if (at < 0) return false;
    used_ |= u32{1} << at;
    match_.order.push_back(static_cast<u8>(at));
    return true;
  }

  void Unuse(std::size_t size) {
    while (match_.order.size() > size) {
      used_ &= ~(u32{1} << match_.order.back());
      match_.order.pop_back();
    }
  }

  bool AtEnd() {
    match_.repeated.clear();
    match_.surplus.clear();
    for (std::size_t i = 0; i < words_.size(); ++i) {
      if ((used_ >> i & 1u) != 0) continue;
      if (fit_ != Fit::kExact && IsRepeated(i))
        match_.repeated.push_back(static_cast<u8>(i));
      else
        match_.surplus.push_back(static_cast<u8>(i));
    }
    if (fit_ != Fit::kNear) return AtEndOfFit();

    match_.broken_rule = BrokenRule();
    // A head out of order is no head: its words are as good as missing.
    if (!KeepsOrder()) return false;
    if (match_.Distance() > kDistanceMax) return false;
    if (match_.surplus.empty() && match_.missing.empty() && match_.broken_rule != nullptr)
      forbidden_ = match_;
    else if (best_.form == nullptr || match_.Distance() < best_.Distance())
      best_ = match_;
    return false;
  }

  bool AtEndOfFit() {
    if (!match_.surplus.empty() || BrokenRule() != nullptr) return false;
    if (fit_ == Fit::kAnyOrder && !KeepsOrder()) return false;
    found_.push_back(match_);
    return true;
  }

  bool IsRepeated(std::size_t at) const {
    if (std::find(std::begin(kRepeatable), std::end(kRepeatable), words_[at]) ==
        std::end(kRepeatable))
      return false;
    return std::any_of(match_.order.begin(), match_.order.end(),
                       [&](u8 other) { return words_[other] == words_[at]; });
  }

  const Rule* BrokenRule() const {
    for (const Rule& rule : form_.rules)
      if (Holds(rule.left, match_, words_) &&
          (rule.is_exclusion || !Holds(rule.right, match_, words_)))
        return &rule;
    return nullptr;
  }

  bool KeepsOrder() const {
    for (std::size_t i = 0; i < std::min(head_words_, match_.order.size()); ++i)
      if (match_.order[i] != i) return false;
    std::array<int, 4> last{-1, -1, -1, -1};
    for (const u8 at : match_.order) {
      const WordClass word_class = ClassOf(words_[at]);
      if (word_class == WordClass::kNone) continue;
      int& before = last[static_cast<std::size_t>(word_class)];
      if (at < before) return false;
      before = at;
    }
    return true;
  }

  const Form& form_;
  std::span<const std::string_view> words_;
  const Fit fit_;
  u32 steps_ = 0;
  u32 used_ = 0;  // Words, a bit each.
  std::size_t head_words_ = 0;
  Match match_;
  Match best_;
  Match forbidden_;  // All words fit, but for a rule.
  std::vector<Match> found_;
};

bool Holds(const Atom& atom, const Match& match, std::span<const std::string_view> words) {
  switch (atom.kind) {
    case Atom::Kind::kPresent: {
      bool found = false;
      for (const std::string_view word : atom.values)
        found |= std::find(words.begin() + 1, words.end(), word) != words.end();
      for (const u16 set : atom.sets) found |= match.values[set] != "-";
      return found != atom.is_negated;
    }
    case Atom::Kind::kValue: {
      const bool found = std::find(atom.values.begin(), atom.values.end(),
                                   match.values[atom.set]) != atom.values.end();
      return found != atom.is_negated;
    }
    case Atom::Kind::kOnTarget:
    case Atom::Kind::kOperand:
    case Atom::Kind::kOperandRegister:
    case Atom::Kind::kOperandPair: return true;
  }
  return true;
}

}  // namespace

std::vector<Match> MatchForm(const Form& form, std::span<const std::string_view> words, Fit fit) {
  return Matcher(form, words, fit).Run();
}

bool Holds(const Condition& condition, const Match& match,
           std::span<const std::string_view> words) {
  return std::all_of(condition.begin(), condition.end(),
                     [&](const Atom& atom) { return Holds(atom, match, words); });
}

}  // namespace ptxfarm::ptx::isa

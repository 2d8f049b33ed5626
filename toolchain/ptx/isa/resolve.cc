// Words → the forms that have them, with what each asks of operands, version and target.
#include <algorithm>

#include "toolchain/ptx/isa/instruction_kinds.h"
#include "toolchain/ptx/isa/operand_spec.h"
#include "toolchain/ptx/isa/spelling.h"
#include "toolchain/ptx/isa/spelling_faults.h"

namespace ptxfarm::ptx::isa {
namespace {

using Words = std::span<const std::string_view>;

std::vector<Match> MatchesOf(Words words, Fit fit) {
  std::vector<Match> matches;
  for (const Form& form : FormsOf(words[0]))
    for (Match& match : MatchForm(form, words, fit)) matches.push_back(std::move(match));
  return matches;
}

// The words or the operand that a gate speaks of.
struct Asker {
  std::string what;
  u8 word = 0;
};

Asker AskerOf(const Gate& gate, const Match& match, Words words) {
  Asker asker;
  for (const Atom& atom : gate.condition) {
    if (atom.is_negated) continue;
    for (std::size_t i = 1; i < words.size(); ++i) {
      bool speaks = false;
      if (atom.kind == Atom::Kind::kPresent) {
        speaks = std::find(atom.values.begin(), atom.values.end(), words[i]) != atom.values.end();
        for (const u16 set : atom.sets) speaks |= match.values[set] == words[i];
      } else if (atom.kind == Atom::Kind::kValue) {
        speaks = match.values[atom.set].find(words[i]) != std::string_view::npos;
      }
      if (!speaks) continue;
      asker.what += (asker.what.empty() ? "" : " with ") + std::string(words[i]);
      if (asker.word == 0) asker.word = static_cast<u8>(i);
      break;
    }
  }
  if (asker.what.empty()) asker.what = words[0];
  if (asker.word == 0 && gate.condition_text.find("space=-") != std::string_view::npos)
    asker.what = fmt::format("{} of a generic address", words[0]);
  return asker;
}

Requirement Require(const Need& need, Asker asker) {
  return {.since = need.since,
          .targets_text = need.targets,
          .targets = TargetSet(need.targets),
          .what = std::move(asker.what),
          .word = asker.word};
}

void AddGates(Overload& overload, const Match& match, Words words) {
  for (const Gate& gate : overload.form->gates) {
    if (!Holds(gate.condition, match, words)) continue;
    Requirement requirement = Require(gate.need, AskerOf(gate, match, words));
    for (const Atom& atom : gate.condition) {
      if (atom.kind == Atom::Kind::kOnTarget) requirement.on_target = atom.target;
      if (atom.kind != Atom::Kind::kOperand && atom.kind != Atom::Kind::kOperandRegister &&
          atom.kind != Atom::Kind::kOperandPair)
        continue;
      requirement.when = atom.kind;
      requirement.what = words[0];
      const auto operand =
          std::find_if(overload.operands.begin(), overload.operands.end(),
                       [&](const OperandSpec& spec) { return spec.name == atom.values[0]; });
      requirement.operand = static_cast<u16>(operand - overload.operands.begin());
    }
    const bool is_of_nothing =
        requirement.when != Atom::Kind::kPresent && requirement.operand == overload.operands.size();
    if (is_of_nothing) continue;
    overload.has_conditional |= requirement.when != Atom::Kind::kPresent;
    overload.requirements.push_back(std::move(requirement));
  }
}

Overload OverloadOf(const Match& match, Words words, std::string_view text,
                    const ModuleHead& head) {
  const Form& form = *match.form;
  Overload overload{.form = &form, .operands = OperandsOf(match, words), .requirements = {}};
  overload.requirements.push_back(
      Require({form.row->since, form.row->targets}, {.what = std::string(text)}));
  AddGates(overload, match, words);
  for (const OperandSpec& operand : overload.operands)
    overload.operands_min = static_cast<u16>(overload.operands_min + !operand.is_optional);
  overload.is_met = std::all_of(
      overload.requirements.begin(), overload.requirements.end(),
      [&](const Requirement& one) { return one.when != Atom::Kind::kPresent || IsMet(one, head); });
  return overload;
}

}  // namespace

bool IsMet(const Requirement& requirement, const ModuleHead& head) {
  if (requirement.on_target != 0 && head.target.number() != requirement.on_target) return true;
  return requirement.since <= head.version && requirement.targets.Has(head.target);
}

std::unique_ptr<Spelling> Resolve(Words text_words, const ModuleHead& head) {
  auto spelling = std::make_unique<Spelling>();
  for (const std::string_view word : text_words) spelling->text += word;
  std::size_t at = 0;
  for (const std::string_view word : text_words) {
    spelling->words.push_back(std::string_view(spelling->text).substr(at, word.size()));
    at += word.size();
  }
  const Words words = spelling->words;
  if (words.size() > kWordsMax || FormsOf(words[0]).empty()) {
    spelling->issues.push_back(UnknownInstruction(words));
    return spelling;
  }

  std::vector<Match> matches = MatchesOf(words, Fit::kExact);
  if (matches.empty()) {
    matches = MatchesOf(words, Fit::kAnyOrder);
    if (!matches.empty()) spelling->issues.push_back(OddSpelling(matches[0], words));
  }
  for (const Match& match : matches)
    spelling->overloads.push_back(OverloadOf(match, words, spelling->text, head));
  if (matches.empty()) spelling->issues.push_back(WrongModifiers(words));
  return spelling;
}

}  // namespace ptxfarm::ptx::isa

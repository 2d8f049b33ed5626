// Our verdict on instructions against that of ptxas, over all rows of the table.
//
// Statements are made from the rows at random (PTXFARM_SWEEP=N: N times as many, another seed each)
// and judged one by one by us, and many in a module by ptxas: for a virtual architecture it only
// parses, and names the line of each error.
#include <cstdlib>
#include <fstream>
#include <map>
#include <set>

#include <gtest/gtest.h>

#include "tests/support/temp_dir.h"
#include "tests/support/toolkit.h"
#include "tests/toolchain/ptx/isa/statements.h"
#include "toolchain/ptx/check.h"
#include "toolchain/ptx/isa/instructions.h"
#include "toolchain/ptx/isa/spelling_faults.h"

namespace ptxfarm::ptx {
namespace {

constexpr PtxVersion kPtxasVersion{9, 0};  // The highest that ptxas 13.0 has.

struct Judged {
  MadeStatement statement;
  std::string family;  // The section of the form's chapter: "9.7.3".
  bool we_accept = false;
  bool ptxas_accepts = true;
  std::string our_words;
  std::string ptxas_words;
};

// A module's head and what is judged under it.
struct Group {
  PtxVersion version;
  Target target;
  bool has_independent_textures = false;

  auto Key() const { return std::tuple(version, target, has_independent_textures); }
  friend bool operator<(const Group& a, const Group& b) { return a.Key() < b.Key(); }
};

using Groups = std::map<Group, std::vector<Judged>>;

std::string FamilyOf(std::string_view section) {
  // "9.7.9.8" → "9.7.9"
  std::size_t dots = 0;
  for (std::size_t i = 0; i < section.size(); ++i)
    if (section[i] == '.' && ++dots == 3) return std::string(section.substr(0, i));
  return std::string(section);
}

// What ptxas can parse: targets that it has and no form that it lacks or crashes on.
bool IsOfToday(const Target& target) {
  return target.status() == TargetStatus::kCurrent && target.number() != 107;
}

// A target of today that has all of the overload, the lowest first.
std::optional<Target> TargetFor(const isa::Overload& overload) {
  for (const Target& target : AllTargets()) {
    if (!IsOfToday(target)) continue;
    if (std::all_of(overload.requirements.begin(), overload.requirements.end(),
                    [&](const isa::Requirement& one) {
                      return one.since <= kPtxasVersion && one.targets.Has(target);
                    }))
      return target;
  }
  return std::nullopt;
}

bool IsForThisTest(const isa::Form& form) {
  const std::string_view opcode = form.row->opcode();
  return opcode != "call" && opcode != "brx" && form.row->since <= kPtxasVersion;
}

void JudgeByUs(const Group& group, std::vector<Judged>& statements) {
  const std::string prologue =
      StatementPrologue(group.version, group.target, group.has_independent_textures);
  for (Judged& judged : statements) {
    const std::string text = prologue + "\t" + judged.statement.text + "\n" + kStatementEpilogue;
    const CheckResult checked = Check({"", text});
    judged.we_accept = true;
    for (const Diagnostic& diagnostic : checked.diagnostics) {
      if (diagnostic.severity != Severity::kError) continue;
      judged.we_accept = false;
      judged.our_words = Format(diagnostic, "");
      break;
    }
  }
}

u32 LinesOf(const std::string& text) {
  return static_cast<u32>(std::count(text.begin(), text.end(), '\n'));
}

// The number behind `word` in `line`, or 0.
u32 NumberBehind(const std::string& line, const std::string& word) {
  const std::size_t at = line.find(word);
  return at == std::string::npos ? 0 : static_cast<u32>(std::atoi(line.c_str() + at + word.size()));
}

// Statements of one module; a syntax error ends ptxas's reading, so the rest is read again.
void JudgeByPtxas(const Group& group, std::span<Judged> statements, const std::string& path) {
  const std::string prologue =
      StatementPrologue(group.version, group.target, group.has_independent_textures);
  const u32 first_line = LinesOf(prologue) + 1;
  std::string arch = group.target.As(TargetKind::kVirtual).ToString();
  if (group.target.number() < 75) arch = "compute_75";
  std::set<std::size_t> left_out;
  while (true) {
    std::ofstream file(path);
    file << prologue;
    for (std::size_t i = 0; i < statements.size(); ++i)
      file << (left_out.contains(i) ? "" : "\t" + statements[i].statement.text) << "\n";
    file << kStatementEpilogue;
    file.close();
    const test::Ran ran = test::RunShell(fmt::format("{} -arch={} {} -o /dev/null",
                                                     test::ShellQuote(test::ToolkitTool("ptxas")),
                                                     arch, test::ShellQuote(path)));
    std::size_t fatal = statements.size();
    std::istringstream lines(ran.output);
    for (std::string line; std::getline(lines, line);) {
      const bool is_fatal = line.find("; fatal ") != std::string::npos;
      const bool is_width = line.find("-bit address on line '") != std::string::npos &&
                            line.find("32-bit") != std::string::npos;
      u32 number = 0;
      if (is_fatal || line.find("; error ") != std::string::npos)
        number = NumberBehind(line, "line ");
      else if (is_width)
        number = NumberBehind(line, "on line '");
      if (number < first_line || number - first_line >= statements.size()) continue;
      const std::size_t at = number - first_line;
      statements[at].ptxas_accepts = false;
      if (statements[at].ptxas_words.empty()) statements[at].ptxas_words = line;
      if (is_fatal) fatal = at;
    }
    // After some errors ptxas crashes, with statements unread: then each alone.
    constexpr int kSignal = 128;
    if (ran.exit_code >= kSignal && statements.size() > 1) {
      for (std::size_t i = 0; i < statements.size(); ++i)
        JudgeByPtxas(group, statements.subspan(i, 1), path);
      return;
    }
    if (fatal == statements.size()) return;
    if (!left_out.insert(fatal).second) return;
  }
}

struct Share {
  int agree = 0;
  int all = 0;
  std::vector<const Judged*> differ;

  double percent() const { return all == 0 ? 100.0 : 100.0 * agree / all; }
};

class Comparison {
 public:
  // ptxas judges `statements_max` in a module: where most are wrong few, since it stops, or
  // crashes, after some errors.
  void Judge(Groups& groups, std::size_t statements_max) {
    for (auto& [group, statements] : groups) {
      JudgeByUs(group, statements);
      for (std::size_t at = 0; at < statements.size(); at += statements_max)
        JudgeByPtxas(
            group,
            std::span(statements).subspan(at, std::min(statements_max, statements.size() - at)),
            folder_.path() + "/module.ptx");
      for (const Judged& judged : statements) {
        Share& share = shares_[judged.family];
        ++share.all;
        if (judged.we_accept == judged.ptxas_accepts)
          ++share.agree;
        else
          share.differ.push_back(&judged);
      }
    }
  }

  // Prints the shares, with some of what differs, and gives that of all.
  double Report(const char* what) {
    Share all;
    const std::size_t shown_max = std::getenv("PTXFARM_SWEEP") != nullptr ? 1000 : 3;
    for (const auto& [family, share] : shares_) {
      fmt::print("{} §{}: {} of {} ({:.2f} %)\n", what, family, share.agree, share.all,
                 share.percent());
      for (std::size_t i = 0; i < std::min(shown_max, share.differ.size()); ++i) {
        const Judged& one = *share.differ[i];
        fmt::print("    {} [{}]\n        we: {}\n        ptxas: {}\n", one.statement.text,
                   one.statement.step, one.we_accept ? "accept" : one.our_words,
                   one.ptxas_accepts ? "accept" : one.ptxas_words);
      }
      all.agree += share.agree;
      all.all += share.all;
    }
    fmt::print("{} in all: {} of {} ({:.2f} %)\n", what, all.agree, all.all, all.percent());
    return all.percent();
  }

 private:
  test::TempDir folder_;
  std::map<std::string, Share> shares_;
};

int Rounds() {
  const char* const sweep = std::getenv("PTXFARM_SWEEP");
  return sweep == nullptr ? 1 : std::max(1, std::atoi(sweep));
}

// Calls `use` with a random spelling of each form, its overload and a target that has it.
template <typename Use>
void ForEachForm(u32 seed, int spellings, Use use) {
  std::mt19937 random(seed);
  for (const std::string_view opcode : isa::Opcodes()) {
    for (const isa::Form& form : isa::FormsOf(opcode)) {
      if (!IsForThisTest(form)) continue;
      for (int i = 0; i < spellings; ++i) {
        const std::optional<std::string> text = RandomSpelling(form, random);
        if (!text) continue;
        const std::vector<std::string_view> words = WordsOf(*text);
        ModuleHead head{.version = kPtxasVersion, .target = AllTargets().back()};
        const std::unique_ptr<isa::Spelling> spelling = isa::Resolve(words, head);
        for (const isa::Overload& overload : spelling->overloads) {
          if (overload.form != &form) continue;
          if (const std::optional<Target> target = TargetFor(overload))
            use(*spelling, overload, *target);
        }
      }
    }
  }
}

Group GroupOf(const isa::Overload& overload, PtxVersion version, const Target& target) {
  Group group{.version = version, .target = target};
  for (const isa::OperandSpec& operand : overload.operands)
    group.has_independent_textures |= operand.form == isa::OperandForm::kTextureAndSampler ||
                                      operand.form == isa::OperandForm::kSamplerName;
  return group;
}

TEST(DifferentialTest, LegalStatements) {
  PTXFARM_NEED_TOOLKIT();
  Groups groups;
  StatementMaker maker(1);
  for (int round = 0; round < Rounds(); ++round)
    ForEachForm(
        static_cast<u32>(round), 4,
        [&](const isa::Spelling& spelling, const isa::Overload& overload, const Target& target) {
          groups[GroupOf(overload, kPtxasVersion, target)].push_back(
              {.statement = maker.Legal(spelling, overload),
               .family = FamilyOf(overload.form->row->section)});
        });
  Comparison comparison;
  comparison.Judge(groups, 100);
  EXPECT_GE(comparison.Report("legal"), 99.0);
}

TEST(DifferentialTest, StatementsWrongByOneStep) {
  PTXFARM_NEED_TOOLKIT();
  Groups groups;
  StatementMaker maker(2);
  for (int round = 0; round < Rounds(); ++round)
    ForEachForm(
        1000 + static_cast<u32>(round), 1,
        [&](const isa::Spelling& spelling, const isa::Overload& overload, const Target& target) {
          const bool is_word = maker.random()() % 3 == 0;
          groups[GroupOf(overload, kPtxasVersion, target)].push_back(
              {.statement = is_word ? maker.WrongWord(spelling, overload)
                                    : maker.WrongOperand(spelling, overload),
               .family = FamilyOf(overload.form->row->section)});
        });
  Comparison comparison;
  comparison.Judge(groups, 8);
  EXPECT_GE(comparison.Report("wrong by one step"), 97.0);
}

// Each form in the version that brought it and in the one before, on a target that has it and on
// the one below.
TEST(DifferentialTest, VersionsAndTargets) {
  PTXFARM_NEED_TOOLKIT();
  Groups groups;
  StatementMaker maker(3);
  ForEachForm(
      2000, Rounds(),
      [&](const isa::Spelling& spelling, const isa::Overload& overload, const Target& target) {
        if (!overload.form->row->life.empty()) return;
        PtxVersion since{1, 4};  // Entries have parameters from here on.
        for (const isa::Requirement& one : overload.requirements)
          since = std::max(since, one.since);
        since = std::max(since, target.ptx_version_min());
        const MadeStatement statement = maker.Legal(spelling, overload);
        const auto add = [&](PtxVersion version, const Target& of, std::string step) {
          groups[GroupOf(overload, version, of)].push_back(
              {.statement = {statement.text, fmt::format("{} {} {}", version, of, step)},
               .family = FamilyOf(overload.form->row->section)});
        };
        add(since, target, "the first version");
        const std::span<const PtxVersion> versions = PublishedPtxVersions();
        const auto at = std::lower_bound(versions.begin(), versions.end(), since);
        if (at != versions.begin() && *(at - 1) >= target.ptx_version_min() &&
            *(at - 1) >= PtxVersion{1, 4})
          add(*(at - 1), target, "the version before");
        for (const Target& below : AllTargets()) {
          if (!IsOfToday(below) || below >= target) break;
          if (kPtxasVersion >= below.ptx_version_min() && maker.random()() % 16 == 0)
            add(kPtxasVersion, below, "another target");
        }
      });
  Comparison comparison;
  comparison.Judge(groups, 40);
  EXPECT_GE(comparison.Report("versions and targets"), 99.0);
}

}  // namespace
}  // namespace ptxfarm::ptx

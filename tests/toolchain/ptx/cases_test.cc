// The verifier against the verdicts of tests/golden/ptx-cases: what the manual says, where it
// speaks, else what ptxas 13.0 does. exceptions.txt beside the cases names those where we differ,
// each with its reason; docs/ptx-conformance.md speaks of them at length.
#include <map>
#include <sstream>

#include <gtest/gtest.h>

#include "tests/toolchain/ptx/cases.h"
#include "toolchain/ptx/check.h"

namespace ptxfarm::ptx {
namespace {

constexpr const char* kGroups[] = {
    "address",      "alias",          "call",        "cluster",          "constant",
    "control_flow", "debug",          "declaration", "float_constant",   "function",
    "gate",         "initialiser",    "instruction", "lexical",          "linking",
    "module",       "new_directives", "newer",       "operand",          "parameterized",
    "pragma",       "predicate",      "scope",       "special_register", "tuning",
    "vector",
};

struct Verdict {
  bool is_accepted = false;
  u32 line = 0;  // Of the first error.
  std::string message;
};

Verdict Judge(const std::string& text, const std::string& target, bool is_relocatable = false) {
  VerifyOptions options{.is_relocatable = is_relocatable};
  // Some cases are compiled for a target that no GPU of today is.
  if (const Result<Target> gpu = ParseTarget(target)) options.gpus.push_back(*gpu);
  const CheckResult result = Check({"k.ptx", text}, options);
  Verdict verdict{.is_accepted = result.is_accepted};
  for (const Diagnostic& diagnostic : result.diagnostics) {
    if (diagnostic.severity != Severity::kError) continue;
    verdict.line = diagnostic.place.line;
    verdict.message = Format(diagnostic, "");
    break;
  }
  return verdict;
}

// "name: reason" a line.
std::map<std::string, std::string> Exceptions() {
  std::map<std::string, std::string> exceptions;
  std::istringstream lines(*ReadFile(test::GoldenFolder("ptx-cases") + "/exceptions.txt", 1 << 20));
  for (std::string line; std::getline(lines, line);) {
    if (line.empty() || line[0] == '#') continue;
    const std::size_t colon = line.find(": ");
    PTXFARM_CHECK(colon != std::string::npos, line);
    exceptions[line.substr(0, colon)] = line.substr(colon + 2);
  }
  return exceptions;
}

struct Tally {
  int cases = 0;
  int agreeing = 0;
  int ptxas_positive = 0, ptxas_positive_agreeing = 0;
  int ptxas_negative = 0, ptxas_negative_agreeing = 0;
};

// Fields: name, target, "ptxas accept", "manual reject", "line 9", rule.
TEST(CasesTest, VerdictsAreThoseOfManualAndPtxas) {
  std::map<std::string, std::string> exceptions = Exceptions();
  Tally all;
  for (const char* const group : kGroups) {
    Tally tally;
    for (const test::PtxCase& one : test::ReadCases(std::string(group) + ".txt")) {
      const bool is_right = one.name().starts_with("ok_");
      const Verdict verdict = Judge(one.text, one.fields[1]);
      ++tally.cases;
      const bool agrees = verdict.is_accepted == is_right;
      if (agrees) ++tally.agreeing;
      const bool takes = one.fields[2] == "ptxas accept";
      ++(takes ? tally.ptxas_positive : tally.ptxas_negative);
      if (takes == verdict.is_accepted)
        ++(takes ? tally.ptxas_positive_agreeing : tally.ptxas_negative_agreeing);
      const bool is_exception = exceptions.erase(one.name()) != 0;
      EXPECT_NE(agrees, is_exception) << one.name() << " (" << one.fields.back() << ") "
                                      << verdict.message << (agrees ? " agrees now" : "");
    }
    std::printf("%-17s %4d of %4d as asked; ptxas accepts %d of %d, rejects %d of %d\n", group,
                tally.agreeing, tally.cases, tally.ptxas_positive_agreeing, tally.ptxas_positive,
                tally.ptxas_negative_agreeing, tally.ptxas_negative);
    all.cases += tally.cases;
    all.agreeing += tally.agreeing;
  }
  std::printf("%-17s %4d of %4d\n", "all", all.agreeing, all.cases);
  EXPECT_EQ(all.cases, 2180);
  EXPECT_TRUE(exceptions.empty()) << "no case is called " << exceptions.begin()->first;
}

// ptxas counts to the brace or the statement behind a fault, where it knows no better; we point at
// the fault. So ours never stands behind the reference's, but where that is the first line, since
// ptxas 13.0 knows no .version that new.
TEST(CasesTest, ErrorsPointAtTheFault) {
  int exact = 0;
  int earlier = 0;
  for (const char* const group : kGroups) {
    for (const test::PtxCase& one : test::ReadCases(std::string(group) + ".txt")) {
      if (one.name().starts_with("ok_") || one.fields[4] == "line -") continue;
      const Verdict verdict = Judge(one.text, one.fields[1]);
      if (verdict.is_accepted) continue;
      const auto line = static_cast<u32>(std::stoi(one.fields[4].substr(5)));
      if (line == 1) continue;
      EXPECT_LE(verdict.line, line) << one.name() << ' ' << verdict.message;
      ++(verdict.line == line ? exact : earlier);
    }
  }
  std::printf("%d on the reference's line, %d before it\n", exact, earlier);
}

// Fields: name, target, "whole" or "relocatable", verdict, "lines 9 10": those of all errors, or of
// all warnings of what is accepted.
TEST(CasesTest, FieldCasesAreJudgedAsTheyShouldBe) {
  for (const test::PtxCase& one : test::ReadCases("field.txt")) {
    VerifyOptions options{.gpus = {*ParseTarget(one.fields[1])},
                          .is_relocatable = one.fields[2] == "relocatable"};
    const CheckResult result = Check({one.name(), one.text}, options);
    const std::string where = one.name() + " for " + one.fields[1] + ", " + one.fields[2];
    EXPECT_EQ(result.is_accepted, one.fields[3] == "accept") << where;
    const Severity severity = result.is_accepted ? Severity::kWarning : Severity::kError;
    std::string lines = "lines";
    std::string messages;
    for (const Diagnostic& diagnostic : result.diagnostics) {
      messages += Format(diagnostic, one.name()) + "\n";
      if (diagnostic.severity == severity) lines += " " + std::to_string(diagnostic.place.line);
    }
    EXPECT_EQ(lines == "lines" ? "lines -" : lines, one.fields[4]) << where << "\n" << messages;
  }
}

}  // namespace
}  // namespace ptxfarm::ptx

// What a reader of SARIF 2.1.0 relies on; section numbers are the standard's.
#include "client/report/sarif.h"

#include <gtest/gtest.h>

#include "toolchain/ptx/inline_assembly/inline_kinds.h"
#include "toolchain/ptx/isa/instruction_kinds.h"

namespace ptxfarm::client {
namespace {

Diagnostic MakeDiagnostic(Place place, u32 length) {
  return {.severity = Severity::kError,
          .kind = "undeclared",
          .message = "'%r9' is not declared here",
          .place = place,
          .length = length,
          .section = "5.4",
          .hint = "did you mean '%r1'?"};
}

const Json& RunOf(const Json& log) { return log["runs"][0]; }

TEST(SarifTest, HasWhatTheStandardRequires) {
  SarifLog sarif;
  Diagnostic diagnostic = MakeDiagnostic({2, 3}, 3);
  diagnostic.related.push_back({{1, 1}, 2, "declared here"});
  sarif.Add("a b/k.ptx", "line one\n\t %r9;\n", std::vector{diagnostic, diagnostic});
  const Json log = Json::parse(sarif.Finish(ExitCode::kInput));
  EXPECT_EQ(log["version"], "2.1.0");  // §3.13.2
  EXPECT_TRUE(log["$schema"].is_string());
  ASSERT_EQ(log["runs"].size(), 1u);  // §3.13.4
  const Json& run = RunOf(log);
  EXPECT_EQ(run["tool"]["driver"]["name"], "ptxfarm");  // §3.19.8
  EXPECT_EQ(run["columnKind"], "utf16CodeUnits");       // §3.14.17
  ASSERT_EQ(run["results"].size(), 2u);

  const Json& rules = run["tool"]["driver"]["rules"];
  ASSERT_EQ(rules.size(), 1u) << "a rule a kind";
  EXPECT_EQ(rules[0]["id"], "undeclared");  // §3.49.3
  EXPECT_EQ(rules[0]["shortDescription"]["text"], "'…' is not declared here");
  EXPECT_FALSE(rules[0]["help"]["text"].get<std::string>().empty());

  const Json& result = run["results"][1];
  EXPECT_EQ(result["ruleId"], "undeclared");  // §3.27.5
  EXPECT_EQ(result["ruleIndex"], 0);          // §3.27.6
  EXPECT_EQ(result["level"], "error");        // §3.27.10
  EXPECT_EQ(result["message"]["text"], "'%r9' is not declared here; did you mean '%r1'?");
  const Json& physical = result["locations"][0]["physicalLocation"];  // §3.29
  EXPECT_EQ(physical["artifactLocation"]["uri"], "a%20b/k.ptx") << "RFC 3986";
  EXPECT_EQ(physical["region"], (Json{{"startLine", 2}, {"startColumn", 3}, {"endColumn", 6}}));
  const Json& related = result["relatedLocations"][0];  // §3.27.22
  EXPECT_EQ(related["id"], 1);
  EXPECT_EQ(related["message"]["text"], "declared here");
  EXPECT_EQ(related["physicalLocation"]["region"]["startLine"], 1);
  EXPECT_TRUE(run["invocations"][0]["executionSuccessful"].get<bool>());  // §3.20.14
}

TEST(SarifTest, ColumnsAreUtf16Units) {
  // é is two bytes and one unit, 😀 four bytes and two units.
  SarifLog sarif;
  sarif.Add("k.ptx", "// é😀 x\n", std::vector{MakeDiagnostic({1, 11}, 1)});
  const Json log = Json::parse(sarif.Finish(ExitCode::kInput));
  const Json& region = RunOf(log)["results"][0]["locations"][0]["physicalLocation"]["region"];
  EXPECT_EQ(region["startColumn"], 8);
  EXPECT_EQ(region["endColumn"], 9);
}

TEST(SarifTest, PlacesThatAreNotKnownAreLeftOut) {
  SarifLog sarif;
  sarif.Add("-", "", std::vector{MakeDiagnostic({}, 0), MakeDiagnostic({9, 9}, 4)});
  sarif.Add("/abs/k.ptx", "x", std::vector{MakeDiagnostic({1, 0}, 0)});
  const Json log = Json::parse(sarif.Finish(ExitCode::kInput));
  const Json& results = RunOf(log)["results"];
  const auto physical = [&](std::size_t at) {
    return results[at]["locations"][0]["physicalLocation"];
  };
  EXPECT_EQ(physical(0)["artifactLocation"]["uri"], "stdin");
  EXPECT_FALSE(physical(0).contains("region"));
  EXPECT_EQ(physical(1)["region"], (Json{{"startLine", 9}}));
  EXPECT_EQ(physical(2)["artifactLocation"]["uri"], "file:///abs/k.ptx");
}

TEST(SarifTest, ARunThatCouldNotLookSaysSo) {
  SarifLog sarif;
  sarif.AddFailure({Code::kNotFound, "open k.ptx: No such file or directory"});
  const Json log = Json::parse(sarif.Finish(ExitCode::kUsage));
  const Json& invocation = RunOf(log)["invocations"][0];
  EXPECT_FALSE(invocation["executionSuccessful"].get<bool>());
  EXPECT_EQ(invocation["exitCode"], 2);
  EXPECT_EQ(invocation["toolExecutionNotifications"][0]["message"]["text"],
            "open k.ptx: No such file or directory");
}

// No rule's text has a brace of its format left, and none is empty.
TEST(SarifTest, EveryKindHasASentence) {
  namespace kinds = ptx::kinds;
  Diagnostics all;
  for (const auto* const kind : kinds::kAll) all.push_back({.kind = std::string(kind->name)});
  for (const auto* const kind : kinds::kAllOfInstructions)
    all.push_back({.kind = std::string(kind->name)});
  for (const auto* const kind : kinds::kAllOfInline)
    all.push_back({.kind = std::string(kind->name)});
  SarifLog sarif;
  sarif.Add("k.ptx", "", all);
  const Json log = Json::parse(sarif.Finish(ExitCode::kInput));
  for (const Json& rule : RunOf(log)["tool"]["driver"]["rules"]) {
    const std::string text = rule["shortDescription"]["text"];
    EXPECT_GT(text.size(), 5u);
    EXPECT_EQ(text.find("{}"), std::string::npos) << text;
  }
}

}  // namespace
}  // namespace ptxfarm::client

// The words and columns that people see.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "client/report/compile_report.h"
#include "client/report/diagnostics.h"
#include "client/report/figures.h"
#include "client/report/json.h"
#include "client/report/table.h"

namespace ptxfarm::client {
namespace {

using std::chrono::microseconds;
using testing::ElementsAre;
using testing::HasSubstr;

TEST(FiguresTest, TimesHaveThreeDigitsAndAUnit) {
  const std::pair<i64, const char*> cases[] = {
      {0, "0.00 ms"},        {412, "0.41 ms"},          {41'260, "41.3 ms"},
      {2'083'000, "2.08 s"}, {185'000'000, "3 m 05 s"}, {7'260'000'000, "2 h 01 m"},
      {-5, "0.00 ms"},
  };
  for (const auto& [us, text] : cases) EXPECT_EQ(FormatTime(microseconds(us)), text) << us;
}

TEST(FiguresTest, SizesAreBinary) {
  const std::pair<u64, const char*> cases[] = {
      {0, "0 B"},        {1023, "1023 B"},     {1024, "1.0 KiB"},
      {5325, "5.2 KiB"}, {1048575, "1.0 MiB"}, {u64{3} << 30, "3.0 GiB"},
  };
  for (const auto& [bytes, text] : cases) EXPECT_EQ(FormatSize(bytes), text) << bytes;
}

TEST(FiguresTest, LongNamesKeepTheirEnds) {
  EXPECT_EQ(ShortName("saxpy", 10), "saxpy");
  EXPECT_EQ(ShortName("0123456789", 10), "0123456789");
  EXPECT_EQ(ShortName("_ZN7example4RowsI6__halfEEvi", 13), "_ZN7…halfEEvi");
  EXPECT_EQ(ShortName("κernel_with_a_long_name", 10), "κernel_with_a_long_name");
}

TEST(TableTest, AlignsAndLeavesNoBlanksAtLineEnds) {
  Table table({{"name"}, {"size", Table::Align::kRight}, {"note"}});
  table.Add({"a", "1", "x"});
  table.Add({"longer", "1000"});
  table.Add({"", "", "…"});
  EXPECT_EQ(table.Render(false),
            "name    size  note\n"
            "a          1  x\n"
            "longer  1000\n"
            "              …\n");
}

TEST(TableTest, ColorsTakeNoRoom) {
  Table table({{"a"}, {"b"}});
  table.Add({{"x", Style::kRed}, "y"});
  EXPECT_EQ(table.Render(true), "\x1b[1ma\x1b[0m  \x1b[1mb\x1b[0m\n\x1b[31mx\x1b[0m  y\n");
}

TargetReply OkReply(const std::string& target, Served served) {
  TargetReply reply{.target = target, .served = served};
  reply.result.outcome = action::Outcome::kOk;
  reply.elapsed = microseconds(41'260);
  reply.object = std::string(5325, 'x');
  return reply;
}

action::KernelResources Kernel(const std::string& name, u32 registers, u64 shared, u64 spills) {
  return {
      .name = name, .registers = registers, .shared_bytes = shared, .spill_store_bytes = spills};
}

ModuleReport SampleReport() {
  ModuleReport report;
  report.planned = {"kernels/k.ptx", "k", {}};
  report.reply.emplace();
  report.reply->targets.push_back(OkReply("sm_80", Served::kHit));
  report.reply->targets[0].result.kernels = {Kernel("saxpy", 12, 0, 0),
                                             Kernel("reduce", 40, 4096, 16)};
  TargetReply failed{.target = "sm_90a"};
  failed.result = action::Failed(action::Outcome::kInputError, "needs-target", "'x' needs sm_100");
  failed.result.diagnostics[0].place = {2, 3};
  failed.elapsed = microseconds(900);
  report.reply->targets.push_back(failed);
  report.written.push_back({{OutputKind::kCubin, "sm_80", "out/k.sm_80.cubin"}, 5325});
  report.exit_code = ExitCode::kInput;
  return report;
}

TEST(CompileReportTest, TheTableHasARowATargetAndItsKernels) {
  const ModuleReport reports[] = {SampleReport()};
  EXPECT_EQ(RenderTable(reports, 10, false),
            "module  target  outcome         time     size  kernel  registers  shared  spills\n"
            "k       sm_80   hit          41.3 ms  5.2 KiB  saxpy          12       0       0\n"
            "                                               reduce         40    4096      16\n"
            "        sm_90a  input error  0.90 ms\n");
}

TEST(CompileReportTest, TheTableCutsLongListsOfKernels) {
  ModuleReport report = SampleReport();
  std::vector<action::KernelResources>& kernels = report.reply->targets[0].result.kernels;
  for (int i = 0; i < 10; ++i) kernels.push_back(Kernel("more", 1, 0, 0));
  EXPECT_THAT(RenderTable({&report, 1}, 2, false), HasSubstr("  … 10 more\n"));
  EXPECT_THAT(RenderTable({&report, 1}, 11, false), testing::Not(HasSubstr("…")))
      << "one more is shown, not counted";
}

TEST(CompileReportTest, ALineATargetNamesItsFile) {
  EXPECT_EQ(RenderLines(SampleReport(), false),
            "k sm_80: hit, 41.3 ms, 5.2 KiB, 2 kernels, out/k.sm_80.cubin\n"
            "k sm_90a: input error, 0.90 ms\n");
}

TEST(CompileReportTest, TheSummaryCountsOutcomes) {
  const ModuleReport reports[] = {SampleReport()};
  EXPECT_EQ(RenderSummary(reports, microseconds(182'000)),
            "2 outputs of 1 module: 1 hit, 1 failed; 182.0 ms\n");
}

CompileReply ReplyWith(std::vector<std::pair<std::string, Diagnostics>> targets) {
  CompileReply reply;
  for (auto& [name, diagnostics] : targets) {
    TargetReply& target = reply.targets.emplace_back(TargetReply{.target = name});
    target.result.diagnostics = std::move(diagnostics);
  }
  return reply;
}

const Diagnostic kEarly{Severity::kError, "needs-target", "'x' needs sm_100", {2, 9}};
const Diagnostic kLate{Severity::kWarning, "unused", "'y' is unused", {3, 1}};

TEST(DiagnosticsTest, EqualOnesAreSaidOnceWithTheirTargets) {
  const CompileReply reply =
      ReplyWith({{"sm_80", {kLate, kEarly}}, {"sm_90", {kLate}}, {"sm_100", {kLate}}});
  const std::vector<ShownDiagnostic> shown = CollectDiagnostics(reply);
  ASSERT_EQ(shown.size(), 2u);
  EXPECT_EQ(shown[0].diagnostic, kEarly);
  EXPECT_THAT(shown[0].targets, ElementsAre("sm_80"));
  EXPECT_TRUE(shown[1].targets.empty()) << "all targets say it";
}

TEST(DiagnosticsTest, APersonSeesTheLineAndACaret) {
  const std::string text = ".version 8.0\n\tfma.rn.bf16 %h0;\n";
  const std::vector<ShownDiagnostic> shown = {{kEarly, {"sm_80"}}};
  EXPECT_EQ(RenderDiagnostics(shown, "k.ptx", text, true, false),
            "k.ptx:2:9: error: 'x' needs sm_100 [needs-target] (sm_80)\n"
            "     2 |  fma.rn.bf16 %h0;\n"
            "       |         ^\n");
  EXPECT_EQ(RenderDiagnostics(shown, "k.ptx", text, false, false),
            "k.ptx:2:9: error: 'x' needs sm_100 [needs-target] (sm_80)\n");
}

TEST(DiagnosticsTest, SurvivesPlacesThatAreNotThere) {
  for (const Place place :
       {Place{0, 0}, Place{1, 0}, Place{1, 4000}, Place{9, 9}, Place{4'000'000'000u, 1}}) {
    const std::vector<ShownDiagnostic> shown = {{{Severity::kNote, "", "m", place}, {}}};
    EXPECT_THAT(RenderDiagnostics(shown, "k", "abc", true, true), HasSubstr("m"));
  }
}

TEST(DiagnosticsTest, CutsALongLineAroundItsColumn) {
  const std::string text = std::string(5000, 'a') + "!" + std::string(5000, 'b');
  const std::vector<ShownDiagnostic> shown = {{{Severity::kError, "", "m", {1, 5001}}, {}}};
  const std::string out = RenderDiagnostics(shown, "k", text, true, false);
  EXPECT_LT(out.size(), 500u);
  const std::size_t line = out.find('\n') + 1;
  const std::size_t caret_line = out.find('\n', line) + 1;
  EXPECT_EQ(out[line + (out.find('^') - caret_line)], '!');
}

TEST(JsonTest, TheCompileDocumentHasItsSchemaAndNoBrokenText) {
  ModuleReport report = SampleReport();
  report.reply->targets[0].result.log = "bad \xff byte";
  const std::string text =
      Print(CompileDocument({&report, 1}, ExitCode::kInput, "unix:/x", microseconds(5)));
  const Json json = Json::parse(text, nullptr, false);
  ASSERT_FALSE(json.is_discarded());
  EXPECT_EQ(json.begin().key(), "schema");
  EXPECT_EQ(json["schema"], "ptxfarm.compile.v1");
  EXPECT_EQ(json["exit_code"], 1);
  const Json& module = json["modules"][0];
  EXPECT_EQ(module["results"][0]["served"], "hit");
  EXPECT_EQ(module["results"][0]["file"], "out/k.sm_80.cubin");
  EXPECT_EQ(module["results"][0]["kernels"][1]["registers"], 40);
  EXPECT_EQ(module["results"][1]["outcome"], "input_error");
  EXPECT_TRUE(module["results"][1]["served"].is_null());
  EXPECT_EQ(module["diagnostics"][0]["line"], 2);
}

TEST(JsonTest, AnErrorDocumentSaysWhy) {
  const Json json = ErrorDocument("status", {Code::kUnavailable, "no server"}, ExitCode::kService);
  EXPECT_EQ(json["schema"], "ptxfarm.status.v1");
  EXPECT_EQ(json["error"]["code"], "UNAVAILABLE");
  EXPECT_EQ(json["exit"], "service");
}

}  // namespace
}  // namespace ptxfarm::client

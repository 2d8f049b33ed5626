// What becomes of modules that compilers stumble over: the real ptxas, confined, on inputs that are
// wrong, too large, too slow, too new, or that it dies of.
#include "worker/ptxas/run.h"

#include <sys/mount.h>

#include <filesystem>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/file.h"
#include "tests/support/temp_dir.h"
#include "tests/support/toolkit.h"
#include "tests/worker/confined.h"

namespace ptxfarm::worker {
namespace {

using action::Outcome;
using testing::HasSubstr;

const Toolkit& TheToolkit() {
  static const Toolkit toolkit = [] {
    ToolkitSearch search;
    search.named = {*test::ToolkitRoot()};
    search.helper = HelperPath();
    return FindToolkits(search).toolkits.at(0);
  }();
  return toolkit;
}

std::string Module(const std::string& body, const std::string& target = "sm_80",
                   const std::string& version = "8.0") {
  return ".version " + version + "\n.target " + target + "\n.address_size 64\n" + body;
}

constexpr const char* kEmptyKernel = ".visible .entry k() { ret; }\n";

struct Asked {
  std::string target = "sm_80";
  std::vector<std::string> options = {};
  action::Limits limits = {.wall_time = std::chrono::seconds(120), .output_bytes = 64 << 20};
};

PtxasOutcome CompileIn(const std::string& scratch, const std::string& text, const Asked& asked = {},
                       const Toolkit& toolkit = TheToolkit(),
                       const Cancellation& cancellation = Cancellation()) {
  const action::Action action{
      .target = asked.target, .options = asked.options, .compiler = toolkit.compiler.identity};
  const PtxasSetting setting{.helper = HelperPath(), .confinement = Confinement::kBestEffort};
  return RunPtxas(setting,
                  {.toolkit = toolkit,
                   .action = action,
                   .text = text,
                   .limits = asked.limits,
                   .scratch = scratch},
                  cancellation);
}

PtxasOutcome Compile(const std::string& text, const Asked& asked = {}) {
  const test::TempDir scratch;
  return CompileIn(scratch.path(), text, asked);
}

std::string FirstMessage(const PtxasOutcome& out) {
  return out.result.diagnostics.empty() ? "" : out.result.diagnostics[0].message;
}

class PtxasRunTest : public testing::Test {
 protected:
  void SetUp() override { PTXFARM_NEED_TOOLKIT(); }
};

TEST_F(PtxasRunTest, GivesTheBytesOfADirectCall) {
  const std::string text = Module(
      ".visible .entry k(.param .u64 p) { .reg .b64 %a; .reg .b32 %v; ld.param.u64 %a,[p];\n"
      "ld.global.u32 %v,[%a]; add.u32 %v,%v,1; st.global.u32 [%a],%v; ret; }\n",
      "sm_75");
  const test::TempDir folder;
  ASSERT_TRUE(WriteFileAtomically(folder / "input.ptx", text));
  struct Case {
    const char* target;
    std::vector<std::string> options;
  };
  for (const Case& c : std::vector<Case>{{"sm_75", {}},
                                         {"sm_75", {"--def-load-cache=cg", "--fmad=false"}},
                                         {"sm_80", {"--maxrregcount=32", "--opt-level=1"}},
                                         {"sm_89", {"--device-debug"}},
                                         {"sm_90", {"--generate-line-info"}},
                                         {"sm_90a", {"--compile-only"}},
                                         {"sm_100", {}},
                                         {"sm_100a", {"--device-debug", "--compile-only"}},
                                         {"sm_103f", {"--generate-line-info"}},
                                         {"sm_120", {"--extensible-whole-program"}},
                                         {"sm_121a", {"--opt-level=0"}}}) {
    std::string line = test::ToolkitTool("ptxas") + " -arch=" + c.target;
    for (const std::string& option : c.options) line += " " + option;
    const test::Ran direct =
        test::RunShell("cd " + folder.path() + " && " + line + " input.ptx -o output.cubin");
    ASSERT_EQ(direct.exit_code, 0) << direct.output;
    const PtxasOutcome out = Compile(text, {c.target, c.options});
    ASSERT_EQ(out.result.outcome, Outcome::kOk) << FirstMessage(out);
    EXPECT_EQ(DigestOf(out.object), DigestOf(*ReadFile(folder / "output.cubin", 1 << 20))) << line;
    for (const Diagnostic& diagnostic : out.result.diagnostics)
      EXPECT_NE(diagnostic.kind, "verbose-flag") << diagnostic.message;
    EXPECT_EQ(out.result.compiler, TheToolkit().compiler.identity);
  }
}

TEST_F(PtxasRunTest, ReportsResourcesAsFields) {
  const PtxasOutcome out = Compile(Module(
      ".const .align 4 .f32 weights[16] = {0f3F800000};\n"
      ".visible .func (.param .f32 r) helper(.param .f32 a) { .local .align 8 .b8 depot[48];\n"
      " .reg .f32 %x; .reg .b64 %d, %t; ld.param.f32 %x,[a]; mov.u64 %d, depot;\n"
      " cvt.rzi.u64.f32 %t,%x; and.b64 %t,%t,44; add.s64 %d,%d,%t; st.local.f32 [%d],%x;\n"
      " ld.local.f32 %x,[depot+4]; st.param.f32 [r],%x; ret; }\n"
      ".visible .entry busy(.param .u64 out) .maxntid 128, 2 { .shared .align 4 .b8 tile[4096];\n"
      " .reg .f32 %f<4>; .reg .b32 %t; .reg .b64 %o, %c; mov.u32 %t, %tid.x;\n"
      " mul.wide.u32 %c,%t,4; mov.u64 %o, weights; add.s64 %o,%o,%c; ld.const.f32 %f1,[%o];\n"
      " st.shared.f32 [tile+16],%f1; barrier.sync 0; barrier.sync 3, 64;\n"
      " ld.shared.f32 %f2,[tile+20];\n"
      " { .param .f32 a0; .param .f32 r0; st.param.f32 [a0],%f2; call.uni (r0), helper, (a0);\n"
      "   ld.param.f32 %f3,[r0]; }\n"
      " ld.param.u64 %o,[out]; st.global.f32 [%o],%f3; ret; }\n"
      ".visible .entry idle() { ret; }\n"));
  ASSERT_EQ(out.result.outcome, Outcome::kOk) << FirstMessage(out);
  EXPECT_EQ(out.result.object_kind, action::ObjectKind::kExecutable);
  ASSERT_EQ(out.result.kernels.size(), 2u);
  const action::KernelResources& busy = out.result.kernels[0];
  EXPECT_EQ(busy.name, "busy");
  EXPECT_TRUE(busy.is_entry);
  EXPECT_EQ(busy.barriers, 4u);
  EXPECT_EQ(busy.shared_bytes, 4096u);
  EXPECT_EQ(busy.stack_bytes, 48u);
  EXPECT_EQ(busy.parameter_bytes, 8u);
  EXPECT_EQ(busy.threads_max, 256u);
  EXPECT_EQ(busy.constant_bytes.at(3), 64u);
  EXPECT_GT(busy.constant_bytes.at(0), 8u);
  EXPECT_GT(busy.code_bytes, 0u);
  // The registers are those that ptxas reports.
  EXPECT_THAT(out.result.log, HasSubstr(fmt::format("Used {} registers", busy.registers)));
  EXPECT_EQ(out.result.kernels[1].name, "idle");
  EXPECT_THAT(out.result.log, testing::Not(HasSubstr("Compile time")));
}

TEST_F(PtxasRunTest, CountsSpills) {
  std::string body =
      ".visible .entry k(.param .u64 p) { .reg .b64 %q; .reg .f32 %f<400>; ld.param.u64 %q,[p];\n";
  for (int i = 0; i < 100; ++i)
    body += fmt::format("ld.volatile.global.f32 %f{}, [%q+{}];\n", i, 4 * i);
  for (int i = 0; i < 100; ++i)
    body += fmt::format("st.volatile.global.f32 [%q+{}], %f{};\n", 4 * i, 99 - i);
  const PtxasOutcome out = Compile(Module(body + "ret; }\n"), {"sm_80", {"--maxrregcount=32"}});
  ASSERT_EQ(out.result.outcome, Outcome::kOk) << FirstMessage(out);
  EXPECT_GT(out.result.kernels.at(0).spill_store_bytes, 0u);
  EXPECT_GT(out.result.kernels[0].spill_load_bytes, 0u);
  EXPECT_LE(out.result.kernels[0].registers, 32u);
}

struct Wrong {
  const char* name;
  std::string text;
  Asked asked;
  Outcome outcome;
  const char* kind;
  const char* message;
  u32 line = 0;
};

class WrongTest : public testing::TestWithParam<Wrong> {};

TEST_P(WrongTest, IsToldApart) {
  PTXFARM_NEED_TOOLKIT();
  const PtxasOutcome out = Compile(GetParam().text, GetParam().asked);
  EXPECT_EQ(out.result.outcome, GetParam().outcome) << action::RowOf(out.result.outcome).name;
  ASSERT_FALSE(out.result.diagnostics.empty());
  EXPECT_EQ(out.result.diagnostics[0].kind, GetParam().kind);
  EXPECT_THAT(out.result.diagnostics[0].message, HasSubstr(GetParam().message));
  EXPECT_EQ(out.result.diagnostics[0].place.line, GetParam().line);
  EXPECT_TRUE(out.object.empty());
}

const Wrong kWrong[] = {
    {"Syntax", Module(".entry k( { ret; }\n"), {}, Outcome::kInputError, "syntax", "'{'", 4},
    {"Empty", "", {}, Outcome::kInputError, "missing-version", ".version", 1},
    {"NoModule", "hello\n", {}, Outcome::kInputError, "missing-version", ".version", 1},
    {"UnknownSymbol",
     Module(".entry k() { bra GONE; }\n"),
     {},
     Outcome::kInputError,
     "unknown-symbol",
     "GONE",
     4},
    {"VersionTooNew",
     Module(kEmptyKernel, "sm_80", "99.1"),
     {},
     Outcome::kToolchainTooOld,
     "toolchain-too-old",
     "says .version 99.1, and this ptxas reads up to",
     1},
    {"SharedOver48K",
     Module(".entry too_big() { .shared .b8 a[65536]; .reg .b32 %v; mov.b32 %v,0;\n"
            "st.shared.u32 [a+8],%v; ret; }\n"),
     {},
     Outcome::kResourceLimit,
     "shared-limit",
     "'too_big' asks for 65536 bytes of static shared "
     "memory, and 49152 are allowed",
     4},
    {"ConstantOver64K",
     Module(".const .b8 a[40000];\n.const .b8 b[25560];\n.entry k(.param .u64 p) { .reg .b64 %q;\n"
            ".reg .b32 %v; ld.param.u64 %q,[p]; ld.const.u32 %v,[a+4]; st.global.u32 [%q],%v;\n"
            "ld.const.u32 %v,[b+4]; st.global.u32 [%q+4],%v; ret; }\n"),
     {},
     Outcome::kResourceLimit,
     "constant-limit",
     "65560 bytes, and 65536 are allowed",
     4},
    {"ParametersOver4352",
     Module(".entry k(.param .b8 a[5000]) { ret; }\n"),
     {},
     Outcome::kResourceLimit,
     "parameter-limit",
     "5000 bytes of parameters, and 4352",
     4},
    {"OnlyDeclared",
     Module(".extern .func far();\n.entry k() { call.uni far; ret; }\n"),
     {},
     Outcome::kInputError,
     "unresolved-symbol",
     "'far' is only declared",
     5},
    {"NewerModuleTarget",
     Module(kEmptyKernel, "sm_90"),
     {},
     Outcome::kInputError,
     "target-reach",
     "newer than the target"},
    {"OtherFamily",
     Module(kEmptyKernel, "sm_100f", "8.8"),
     {"sm_120"},
     Outcome::kInputError,
     "target-reach",
     "sm_100f"},
    {"VirtualTarget",
     Module(kEmptyKernel),
     {"compute_80"},
     Outcome::kInputError,
     "unknown-target",
     "ask for sm_80"},
    {"RemovedTarget",
     Module(kEmptyKernel, "sm_50"),
     {"sm_70"},
     Outcome::kInputError,
     "unknown-target",
     "sm_70"},
    {"MisspeltTarget",
     Module(kEmptyKernel),
     {"sm80"},
     Outcome::kInputError,
     "unknown-target",
     "sm80"},
    {"WarningAsError",
     Module(".entry k(.param .u64 p) .maxnreg 300 { ret; }\n"),
     {"sm_80", {"--warning-as-error"}},
     Outcome::kInputError,
     "compiler-error",
     "maxnreg"},
    {"Crash",
     Module(".entry k(.param .u64 p) { .reg .b64 %o; .reg .b32 %v; ld.param.u64 %o,[p];\n"
            "{ .param .b32 slot; st.param.b32 [slot],42; ld.param.b32 %v,[slot]; }\n"
            "st.global.u32 [%o],%v; ret; }\n"),
     {"sm_80", {"--opt-level=1"}},
     Outcome::kCrashed,
     "compiler-crashed",
     "signal 11 (Segmentation fault) at: ptxas -v -arch=sm_80 --opt-level=1 input.ptx"},
    {"OutputLimit",
     Module(kEmptyKernel),
     {"sm_80", {}, {.output_bytes = 1000}},
     Outcome::kServiceLimit,
     "output-limit",
     "1000 bytes"},
};
INSTANTIATE_TEST_SUITE_P(All, WrongTest, testing::ValuesIn(kWrong),
                         [](const auto& row) { return row.param.name; });

// Straight-line code with thousands of values alive at once: ptxas takes many seconds over it.
std::string SlowModule() {
  constexpr int kValues = 4000;
  std::string body = fmt::format(
      ".visible .entry k(.param .u64 p) {{ .reg .b64 %q; .reg .f32 %f<{}>; ld.param.u64 %q,[p];\n",
      2 * kValues);
  for (int i = 0; i < kValues; ++i) body += fmt::format("ld.global.f32 %f{}, [%q+{}];\n", i, 4 * i);
  for (int i = 0; i < kValues; ++i)
    body += fmt::format("fma.rn.f32 %f{}, %f{}, %f{}, %f{};\n", kValues + i, i,
                        (i * 7919 + 13) % kValues, (i * 104729 + 7) % kValues);
  for (int i = 0; i < kValues; ++i)
    body += fmt::format("st.global.f32 [%q+{}], %f{};\n", 4 * i, kValues + i * 31337 % kValues);
  return Module(body + "ret; }\n");
}

TEST_F(PtxasRunTest, StopsAtTheTimeLimit) {
  const PtxasOutcome out =
      Compile(SlowModule(), {"sm_80", {}, {.wall_time = std::chrono::milliseconds(300)}});
  EXPECT_EQ(out.result.outcome, Outcome::kServiceLimit);
  EXPECT_EQ(out.result.diagnostics.at(0).kind, "time-limit");
  EXPECT_THAT(FirstMessage(out), HasSubstr("one compile may take 0.3 s"));
}

TEST_F(PtxasRunTest, StopsAtTheMemoryLimit) {
  const PtxasOutcome out = Compile(SlowModule(), {"sm_80", {}, {.memory_bytes = 60 << 20}});
  EXPECT_EQ(out.result.outcome, Outcome::kServiceLimit);
  EXPECT_EQ(out.result.diagnostics.at(0).kind, "memory-limit");
  EXPECT_THAT(FirstMessage(out), HasSubstr("60 MiB"));
}

TEST_F(PtxasRunTest, StopsWhenCancelled) {
  const test::TempDir scratch;
  Cancellation cancellation;
  std::thread canceller([&] { cancellation.Cancel(); });
  const PtxasOutcome out = CompileIn(scratch.path(), SlowModule(), {}, TheToolkit(), cancellation);
  canceller.join();
  EXPECT_EQ(out.result.outcome, Outcome::kCancelled);
}

// Small objects vanish in silence on a full disk, large ones are cut.
TEST_F(PtxasRunTest, TellsAFullDiskFromABadModule) {
  const test::TempDir folder;
  std::string large = Module("");
  for (int i = 0; i < 60; ++i) large += fmt::format(".visible .entry k{}() {{ ret; }}\n", i);
  for (const std::string& text : {Module(kEmptyKernel), large}) {
    // Room for the input's pages and one more.
    const std::string options = fmt::format("size={}", (text.size() / 4096 + 2) * 4096);
    if (::mount("tmpfs", folder.path().c_str(), "tmpfs", 0, options.c_str()) != 0)
      GTEST_SKIP() << "mounting a small disk takes root";
    std::string filler(4096, 'x');
    ASSERT_TRUE(WriteFileAtomically(folder / "filler", filler));
    const PtxasOutcome out = CompileIn(folder.path(), text);
    ::umount(folder.path().c_str());
    EXPECT_EQ(out.result.outcome, Outcome::kFault);
    EXPECT_EQ(out.result.diagnostics.back().kind, "no-space") << FirstMessage(out);
    EXPECT_TRUE(out.object.empty());
  }
}

TEST_F(PtxasRunTest, SaysThatAdviceWasIgnored) {
  const std::string body =
      ".visible .entry k(.param .u64 out) {0} {{ .reg .b64 %o; .reg .b32 %w; .reg .pred %p;\n"
      "ld.param.u64 %o,[out]; mov.u32 %w,%tid.x; setp.lt.u32 %p,%w,128; @%p bra P;\n"
      "setmaxnreg.inc.sync.aligned.u32 232; st.global.u32 [%o],%w; ret;\n"
      "P: setmaxnreg.dec.sync.aligned.u32 40; st.global.u32 [%o+4],%w; ret; }}\n";
  const PtxasOutcome ignored =
      Compile(Module(fmt::format(fmt::runtime(body), ""), "sm_90a"), {"sm_90a"});
  ASSERT_EQ(ignored.result.outcome, Outcome::kOk) << FirstMessage(ignored);
  EXPECT_EQ(ignored.result.diagnostics.at(0).kind, "performance");
  EXPECT_THAT(FirstMessage(ignored), HasSubstr("C7508"));
  const PtxasOutcome heeded =
      Compile(Module(fmt::format(fmt::runtime(body), ".maxntid 256 .minnctapersm 1"), "sm_90a"),
              {"sm_90a"});
  EXPECT_EQ(heeded.result.outcome, Outcome::kOk);
  EXPECT_TRUE(heeded.result.diagnostics.empty()) << FirstMessage(heeded);
}

TEST_F(PtxasRunTest, NamesTheKindOfObjectAndWhatALinkMustProvide) {
  const std::string text = Module(
      ".extern .func far();\n.visible .func near() { call.uni far; ret; }\n"
      ".visible .entry k() { call.uni near; ret; }\n");
  const PtxasOutcome relocatable = Compile(text, {"sm_80", {"--compile-only"}});
  ASSERT_EQ(relocatable.result.outcome, Outcome::kOk) << FirstMessage(relocatable);
  EXPECT_EQ(relocatable.result.object_kind, action::ObjectKind::kRelocatable);
  EXPECT_THAT(relocatable.result.undefined_symbols, testing::ElementsAre("far"));
  ASSERT_EQ(relocatable.result.kernels.size(), 2u);
  EXPECT_FALSE(relocatable.result.kernels[1].is_entry);
  const PtxasOutcome extensible =
      Compile(Module(kEmptyKernel), {"sm_80", {"--extensible-whole-program"}});
  EXPECT_EQ(extensible.result.object_kind, action::ObjectKind::kExtensible);
}

TEST_F(PtxasRunTest, RefusesACompilerThatChanged) {
  const test::TempDir scratch;
  Toolkit toolkit = TheToolkit();
  toolkit.stamp.modified_ns += 1;
  const PtxasOutcome out = CompileIn(scratch.path(), Module(kEmptyKernel), {}, toolkit);
  EXPECT_EQ(out.result.outcome, Outcome::kFault);
  EXPECT_EQ(out.result.diagnostics.at(0).kind, "compiler-changed");
}

}  // namespace
}  // namespace ptxfarm::worker

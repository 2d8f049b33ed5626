#include "toolchain/object/cubin/cubin.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "tests/support/toolkit.h"
#include "tests/toolchain/object/elf_builder.h"
#include "tests/toolchain/object/ptxas.h"
#include "tests/toolchain/object/sample_modules.h"
#include "toolchain/object/cubin/describe.h"

namespace ptxfarm::object::cubin {
namespace {

using object::test::BuiltCubin;
using object::test::BuiltElf;
using object::test::PtxasRun;
using object::test::RunPtxas;
using object::test::RunPtxasLogged;
using object::test::SampleModule;
using object::test::SampleModules;

std::string_view ModuleNamed(std::string_view name) {
  for (const SampleModule& module : SampleModules())
    if (module.name == name) return module.text;
  ADD_FAILURE() << "no module " << name;
  return "";
}

TEST(CubinTest, DescribesAFileMadeByHand) {
  const std::string bytes = BuiltCubin().Bytes();
  const Result<Cubin> cubin = ReadCubin(bytes);
  ASSERT_TRUE(cubin.has_value()) << cubin.error().ToString();
  EXPECT_EQ(Describe(*cubin, {.attributes = true}),
            R"(cubin for sm_80, executable
entry k (global)
  code 128 bytes
  registers 24
  frame 16 bytes
  stack 32 bytes
  shared 512 bytes
  constant[0] 360 bytes
  parameters 8 bytes
    parameter 0 at 0, 8 bytes
  attribute CBANK_PARAM_SIZE 8
  attribute KPARAM_INFO parameter 0 at 0x0, 8 bytes
  attribute MAXREG_COUNT 255
variable global (local) 64 bytes in .nv.global
undefined function missing (global)
module attribute REGCOUNT k 24
module attribute FRAME_SIZE k 16
module attribute MIN_STACK_SIZE k 32
)");
}

TEST(CubinTest, ReadsTheOldLayout) {
  BuiltElf built = BuiltCubin();
  built.os_abi = 0x33;
  built.flags = 0x005a0d5a;  // PTX for sm_90, accelerated, 64-bit, sm_90.
  built.sections[4].flags |= 3u << 20;
  const std::string bytes = built.Bytes();
  const Result<Cubin> cubin = ReadCubin(bytes);
  ASSERT_TRUE(cubin.has_value()) << cubin.error().ToString();
  EXPECT_TRUE(cubin->old_layout);
  EXPECT_EQ(cubin->TargetName(), "sm_90a");
  EXPECT_EQ(cubin->virtual_sm, 90u);
  EXPECT_EQ(cubin->FindFunction("k")->barriers, 3u);
}

// The numbers that `ptxas -v` prints for one function; -1 where it says nothing.
struct Logged {
  int registers = -1, barriers = -1, frame = -1, shared = -1, stack = -1;
  int constant0 = -1;
};

int NumberBefore(const std::string& line, const std::string& words) {
  const std::size_t at = line.find(words);
  if (at == std::string::npos) return -1;
  std::size_t begin = at;
  while (begin > 0 && isdigit(line[begin - 1])) --begin;
  return begin == at ? -1 : std::stoi(line.substr(begin, at - begin));
}

std::map<std::string, Logged> ReadLog(const std::string& log) {
  std::map<std::string, Logged> functions;
  std::istringstream lines(log);
  std::string function;
  for (std::string line; std::getline(lines, line);) {
    constexpr std::string_view kHead = "Function properties for ";
    if (const std::size_t at = line.find(kHead); at != std::string::npos)
      function = line.substr(at + kHead.size());
    Logged& logged = functions[function];
    const auto take = [&line](int& to, const std::string& words) {
      if (const int number = NumberBefore(line, words); number >= 0) to = number;
    };
    take(logged.frame, " bytes stack frame");
    take(logged.registers, " registers");
    take(logged.barriers, " barriers");
    take(logged.shared, " bytes smem");
    take(logged.stack, " bytes cumulative stack size");
    take(logged.constant0, " bytes cmem[0]");
  }
  functions.erase("");
  return functions;
}

class CubinAgainstLogTest : public testing::TestWithParam<std::string_view> {};

TEST_P(CubinAgainstLogTest, ReadsWhatPtxasSays) {
  PTXFARM_NEED_TOOLKIT();
  int compared = 0;
  for (const SampleModule& module : SampleModules()) {
    if (std::stoi(std::string(GetParam())) < module.since_sm) continue;
    for (const char* const option : {"", " -c"}) {
      const Result<PtxasRun> run =
          RunPtxasLogged(module.text, fmt::format("-v -arch=sm_{}{}", GetParam(), option));
      if (!run) continue;
      const Result<Cubin> cubin = ReadCubin(run->cubin);
      ASSERT_TRUE(cubin.has_value()) << module.name << ": " << cubin.error().ToString();
      for (const auto& [name, logged] : ReadLog(run->log)) {
        const Function* const function = cubin->FindFunction(name);
        if (function == nullptr) continue;  // A callee that stands in its caller's code.
        SCOPED_TRACE(fmt::format("{} {}{}", module.name, name, option));
        EXPECT_EQ(static_cast<int>(function->frame_bytes), logged.frame);
        if (logged.registers < 0) continue;  // Of device functions only the frame is said.
        EXPECT_EQ(static_cast<int>(function->registers), logged.registers);
        EXPECT_EQ(static_cast<int>(function->barriers), logged.barriers);
        EXPECT_EQ(static_cast<int>(function->shared_bytes), std::max(logged.shared, 0));
        if (logged.stack >= 0) {
          EXPECT_EQ(static_cast<int>(function->stack_bytes.value_or(0)), logged.stack);
        }
        if (logged.constant0 >= 0) {
          EXPECT_EQ(static_cast<int>(BankBytes(function->constant_banks, 0)), logged.constant0);
        }
        ++compared;
      }
    }
  }
  EXPECT_GE(compared, 10);
}

INSTANTIATE_TEST_SUITE_P(Targets, CubinAgainstLogTest,
                         testing::Values("75", "80", "89", "90", "90a", "100", "100f", "120"),
                         [](const auto& test) { return fmt::format("sm_{}", test.param); });

TEST(CubinTest, ReadsEntriesWithTheirParametersAndBounds) {
  PTXFARM_NEED_TOOLKIT();
  for (const u32 sm : {75u, 90u, 120u}) {
    const Result<std::string> bytes =
        RunPtxas(ModuleNamed("scale"), fmt::format("-arch=sm_{}", sm));
    ASSERT_TRUE(bytes.has_value()) << bytes.error().ToString();
    const Result<Cubin> cubin = ReadCubin(*bytes);
    ASSERT_TRUE(cubin.has_value()) << cubin.error().ToString();
    EXPECT_EQ(cubin->sm, sm);
    EXPECT_EQ(cubin->virtual_sm, 75u);
    EXPECT_GE(cubin->cuda_version, 130u);
    EXPECT_EQ(cubin->has_capsule, sm >= 100);
    ASSERT_TRUE(cubin->tool.has_value());
    EXPECT_EQ(cubin->tool->tool, "ptxas");
    EXPECT_EQ(cubin->tool->options, fmt::format("-arch sm_{} ", sm));

    const Function* const scale = cubin->FindFunction("scale");
    ASSERT_NE(scale, nullptr);
    EXPECT_TRUE(scale->is_entry);
    EXPECT_EQ(scale->binding, Binding::kGlobal);
    EXPECT_EQ(scale->parameter_bytes, 16u);
    ASSERT_EQ(scale->parameters.size(), 3u);
    EXPECT_EQ(scale->parameters[0].space, ParameterSpace::kGlobal);
    EXPECT_EQ(scale->parameters[0].pointee_alignment, 16u);
    EXPECT_EQ(scale->parameters[1].offset, 8);
    EXPECT_EQ(scale->parameters[1].size_bytes, 4u);
    EXPECT_EQ(scale->parameters[2].offset, 12);
    ASSERT_TRUE(scale->max_threads.has_value());
    EXPECT_EQ(scale->max_threads->x, 256u);
    EXPECT_FALSE(scale->required_threads.has_value());
  }
}

TEST(CubinTest, ReadsParametersOfTheSecondForm) {
  PTXFARM_NEED_TOOLKIT();
  const Result<std::string> bytes = RunPtxas(ModuleNamed("wide"), "-arch=sm_90");
  ASSERT_TRUE(bytes.has_value()) << bytes.error().ToString();
  const Result<Cubin> cubin = ReadCubin(*bytes);
  ASSERT_TRUE(cubin.has_value()) << cubin.error().ToString();
  const Function* const wide = cubin->FindFunction("wide");
  ASSERT_NE(wide, nullptr);
  EXPECT_EQ(wide->parameter_bytes, 8008u);
  ASSERT_EQ(wide->parameters.size(), 2u);
  EXPECT_EQ(wide->parameters[0].size_bytes, 8000u);
  EXPECT_EQ(wide->parameters[1].offset, 8000);
}

TEST(CubinTest, ReadsBindingsFunctionsAndLimits) {
  PTXFARM_NEED_TOOLKIT();
  const Result<std::string> bytes = RunPtxas(ModuleNamed("functions"), "-arch=sm_90 -c");
  ASSERT_TRUE(bytes.has_value()) << bytes.error().ToString();
  const Result<Cubin> cubin = ReadCubin(*bytes);
  ASSERT_TRUE(cubin.has_value()) << cubin.error().ToString();
  EXPECT_EQ(cubin->kind, CubinKind::kRelocatable);
  const Function* const unseen = cubin->FindFunction("unseen");
  const Function* const maybe = cubin->FindFunction("maybe");
  const Function* const square = cubin->FindFunction("square");
  ASSERT_TRUE(unseen != nullptr && maybe != nullptr && square != nullptr);
  EXPECT_EQ(unseen->binding, Binding::kLocal);
  ASSERT_TRUE(unseen->required_threads.has_value());
  EXPECT_EQ(unseen->required_threads->y, 2u);
  EXPECT_EQ(maybe->binding, Binding::kWeak);
  EXPECT_EQ(maybe->max_registers, 32u);
  EXPECT_FALSE(square->is_entry);
  EXPECT_GT(square->code_bytes, 0u);
}

TEST(CubinTest, CalleesInTheirCallersCodeHaveAFrameAlone) {
  PTXFARM_NEED_TOOLKIT();
  const Result<std::string> bytes = RunPtxas(ModuleNamed("functions"), "-arch=sm_90");
  ASSERT_TRUE(bytes.has_value()) << bytes.error().ToString();
  const Result<Cubin> cubin = ReadCubin(*bytes);
  ASSERT_TRUE(cubin.has_value()) << cubin.error().ToString();
  const Function* const calls = cubin->FindFunction("calls");
  const Function* const recursive = cubin->FindFunction("$calls$recursive");
  ASSERT_TRUE(calls != nullptr && recursive != nullptr);
  EXPECT_TRUE(calls->has_own_section);
  EXPECT_EQ(calls->frame_bytes, 256u);
  EXPECT_FALSE(recursive->has_own_section);
  EXPECT_EQ(recursive->section_index, calls->section_index);
  EXPECT_GT(recursive->frame_bytes, 0u);
}

TEST(CubinTest, ReadsClusters) {
  PTXFARM_NEED_TOOLKIT();
  const Result<std::string> bytes = RunPtxas(ModuleNamed("clusters"), "-arch=sm_100");
  ASSERT_TRUE(bytes.has_value()) << bytes.error().ToString();
  const Result<Cubin> cubin = ReadCubin(*bytes);
  ASSERT_TRUE(cubin.has_value()) << cubin.error().ToString();
  const Function* const clusters = cubin->FindFunction("clusters");
  const Function* const ranked = cubin->FindFunction("ranked");
  ASSERT_TRUE(clusters != nullptr && ranked != nullptr);
  EXPECT_TRUE(clusters->explicit_cluster);
  ASSERT_TRUE(clusters->cluster.has_value());
  EXPECT_EQ(clusters->cluster->x, 2u);
  EXPECT_EQ(clusters->shared_bytes, 8u);
  EXPECT_EQ(ranked->max_cluster_rank, 4u);
}

TEST(CubinTest, NamesWhatIsUndefinedAndWhatIsGlobal) {
  PTXFARM_NEED_TOOLKIT();
  const Result<std::string> prints = RunPtxas(ModuleNamed("prints"), "-arch=sm_90 -c");
  ASSERT_TRUE(prints.has_value()) << prints.error().ToString();
  const Result<Cubin> cubin = ReadCubin(*prints);
  ASSERT_TRUE(cubin.has_value()) << cubin.error().ToString();
  std::vector<std::string_view> undefined;
  for (const UndefinedSymbol& symbol : cubin->undefined) undefined.push_back(symbol.name);
  EXPECT_THAT(undefined, testing::Contains("vprintf"));
  EXPECT_THAT(undefined, testing::Each(testing::Not(testing::StartsWith("__UFT"))));

  const Result<std::string> memories = RunPtxas(ModuleNamed("memories"), "-arch=sm_90 -c");
  ASSERT_TRUE(memories.has_value()) << memories.error().ToString();
  const Result<Cubin> with_variables = ReadCubin(*memories);
  ASSERT_TRUE(with_variables.has_value()) << with_variables.error().ToString();
  std::map<std::string_view, Variable> variables;
  for (const Variable& variable : with_variables->variables) variables[variable.name] = variable;
  EXPECT_EQ(variables["plain"].section, ".nv.global");
  EXPECT_EQ(variables["plain"].size_bytes, 64u);
  EXPECT_EQ(variables["plain"].binding, Binding::kLocal);
  EXPECT_EQ(variables["initialized"].section, ".nv.global.init");
  EXPECT_EQ(variables["initialized"].binding, Binding::kGlobal);
  EXPECT_EQ(variables["table"].section, ".nv.constant3");
}

TEST(CubinTest, KnowsEveryAttributeThatPtxasWrites) {
  PTXFARM_NEED_TOOLKIT();
  for (const SampleModule& module : SampleModules()) {
    for (const char* const options : {"-arch=sm_75", "-arch=sm_80 -g", "-arch=sm_90 -c",
                                      "-arch=sm_90a", "-arch=sm_100f", "-arch=sm_120 -lineinfo"}) {
      const Result<std::string> bytes = RunPtxas(module.text, options);
      if (!bytes) continue;
      const Result<Cubin> cubin = ReadCubin(*bytes);
      ASSERT_TRUE(cubin.has_value()) << cubin.error().ToString();
      const auto check = [&](const std::vector<Attribute>& records, auto* find) {
        for (const Attribute& record : records) {
          const AttributeDesc* const desc = find(record.code);
          ASSERT_NE(desc, nullptr) << module.name << options << " " << int{record.code};
          EXPECT_EQ(desc->format, record.format) << desc->name;
          EXPECT_FALSE(DescribeAttribute(record, desc, cubin->symbol_names).empty());
        }
      };
      check(cubin->attributes, FindAttribute);
      check(cubin->compat, FindCompatAttribute);
      for (const Function& function : cubin->functions) check(function.attributes, FindAttribute);
    }
  }
}

TEST(CubinTest, NoFlippedByteCrashesTheReader) {
  const std::string good = BuiltCubin().Bytes();
  for (std::size_t i = 0; i < good.size(); ++i) {
    for (const char value : {'\0', '\1', '\x7f', '\xff'}) {
      std::string bad = good;
      bad[i] = value;
      const Result<Cubin> cubin = ReadCubin(bad);
      if (!cubin) continue;
      EXPECT_FALSE(Describe(*cubin, {.attributes = true, .sections = true}).empty());
    }
  }
}

}  // namespace
}  // namespace ptxfarm::object::cubin

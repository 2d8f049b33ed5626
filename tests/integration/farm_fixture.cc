#include "tests/integration/farm_fixture.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include <fmt/format.h>

#include "base/file.h"
#include "tests/support/toolkit.h"

namespace ptxfarm::test {
namespace {

std::filesystem::path ExamplesFolder() {
  const char* const source = std::getenv("PTXFARM_SOURCE");
  PTXFARM_CHECK(source != nullptr, "run through ctest, or set PTXFARM_SOURCE");
  return std::filesystem::path(source) / "examples";
}

}  // namespace

void FarmTest::SetUp() { PTXFARM_NEED_TOOLKIT(); }

void FarmTest::StartServer(std::vector<std::string> options) {
  std::vector<std::string> words = {"ptxfarm-server", "--listen", address(), "--store",
                                    store(),          "--http",   ""};
  words.insert(words.end(), options.begin(), options.end());
  server_ = std::make_unique<Program>(std::move(words));
  ASSERT_TRUE(server_->WaitForLine("server_listening").has_value()) << server_->output();
}

Program& FarmTest::StartWorker(const std::string& name, std::vector<std::string> options) {
  std::vector<std::string> words = {
      "ptxfarm-worker", "--server", address(), "--worker-name", name, "--cuda",
      *ToolkitRoot(),   "--slots",  "2",       "--http",        "",   "--scratch",
      dir_.path()};
  words.insert(words.end(), options.begin(), options.end());
  workers_[name] = std::make_unique<Program>(std::move(words));
  EXPECT_TRUE(workers_[name]->WaitForLine("server_connected").has_value())
      << workers_[name]->output();
  return *workers_[name];
}

client::Client FarmTest::Connect(u32 attempts_max) const {
  return client::Client::Connect({.server = address(), .attempts_max = attempts_max}).value();
}

std::string Example(const std::string& name) {
  return ReadFile(ExamplesFolder() / name, 1 << 20).value();
}

std::vector<std::string> ExampleNames() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(ExamplesFolder()))
    if (entry.path().extension() == ".ptx") names.push_back(entry.path().filename());
  std::sort(names.begin(), names.end());
  return names;
}

std::string SlowModule(int values) {
  std::string text = fmt::format(
      ".version 7.0\n.target sm_75\n.address_size 64\n.visible .entry slow(.param .u64 p) {{\n"
      ".reg .f32 %f<{}>;\n.reg .u64 %rd;\nld.param.u64 %rd, [p];\n",
      values + 2);
  for (int i = 0; i < values; ++i) text += fmt::format("ld.global.f32 %f{}, [%rd+{}];\n", i, 4 * i);
  for (int round = 0; round < 3; ++round)
    for (int i = 0; i < values; ++i)
      text += fmt::format("fma.rn.f32 %f{0}, %f{1}, %f{2}, %f{0};\n", i, (i * 7 + round) % values,
                          (i * 13 + 5) % values);
  for (int i = 0; i < values; ++i) text += fmt::format("st.global.f32 [%rd+{}], %f{};\n", 4 * i, i);
  return text + "ret;\n}\n";
}

std::string SmallModule(const std::string& entry) {
  return fmt::format(
      ".version 7.0\n.target sm_75\n.address_size 64\n.visible .entry {}(.param .u64 p) {{\n"
      ".reg .u64 %rd;\n.reg .u32 %r;\nld.param.u64 %rd, [p];\nmov.u32 %r, %tid.x;\nst.global.u32 "
      "[%rd], %r;\nret;\n}}\n",
      entry);
}

}  // namespace ptxfarm::test

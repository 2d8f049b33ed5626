// Speed of the language floor over machine-made PTX; docs/design.md §12: 500 MB/s a core to lex and
// key a module, 100 MB/s to parse and verify it.
//
//   ptx_bench [--benchmark_filter=…] [FILE.ptx]
//
// Without a file it makes a module of several megabytes in the shape that nvcc writes.
#include <malloc.h>
#include <unistd.h>

#include <cstdlib>
#include <memory>
#include <string>

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include "base/digest.h"
#include "base/file.h"
#include "toolchain/ptx/block_masks.h"
#include "toolchain/ptx/canonical.h"
#include "toolchain/ptx/header.h"
#include "toolchain/ptx/lex.h"
#include "toolchain/ptx/parse.h"
#include "toolchain/ptx/verify.h"

namespace ptxfarm::ptx {
namespace {

std::string MadeModule() {
  std::string text =
      "//\n// Made for measuring\n//\n\n.version 9.0\n.target sm_80\n.address_size 64\n\n";
  for (int kernel = 0; kernel < 100; ++kernel) {
    const std::string name = fmt::format("_ZN3app6detail11KernelAgentI{}LjE3RunEPKfPfi", kernel);
    text += fmt::format(
        "\t// .globl\t{0}\n.visible .entry {0}(\n\t.param .u64 .ptr .align 1 {0}_param_0,\n"
        "\t.param .u32 {0}_param_1\n)\n.maxntid 256\n{{\n\t.reg .pred \t%p<400>;\n"
        "\t.reg .b32 \t%r<2000>;\n\t.reg .f32 \t%f<2000>;\n\t.reg .b64 \t%rd<2000>;\n\n"
        "\tld.param.b64 \t%rd1, [{0}_param_0];\n",
        name);
    for (int i = 1; i < 400; ++i) {
      text += fmt::format(
          "\tadd.s32 \t%r{0}, %r{1}, {2};\n\tmul.wide.s32 \t%rd{0}, %r{0}, 4;\n"
          "\tld.global.nc.b32 \t%f{0}, [%rd{0}+{2}];\n"
          "\tfma.rn.f32 \t%f{3}, %f{0}, 0f3F8CCCCD, %f{1};\n\tsetp.lt.s32 \t%p{0}, %r{0}, %r3;\n"
          "\t@%p{0} bra \t$L__BB{4}_{0};\n\t// begin inline asm\n\tbar.sync 0;\n\t// end inline "
          "asm\n"
          "\tst.shared.b32 \t[%r{0}], %f{3};\n$L__BB{4}_{0}:\n",
          i, i + 1, 16 * i, i + 400, kernel);
    }
    text += "\tret;\n\n}\n";
  }
  return text;
}

std::string& BenchText() {
  static std::string text = MadeModule();
  return text;
}

std::size_t HeapBytes() {
  const struct mallinfo2 info = ::mallinfo2();
  return info.uordblks + info.hblkhd;
}

void CountBytes(benchmark::State& state) {
  state.SetBytesProcessed(static_cast<i64>(state.iterations()) *
                          static_cast<i64>(BenchText().size()));
}

void BM_Masks(benchmark::State& state) {
  const std::string& text = BenchText();
  for (auto _ : state) {
    u64 sum = 0;
    for (std::size_t at = 0; at + kBlockBytes <= text.size(); at += kBlockBytes) {
      const BlockMasks masks = MasksOf(text.data() + at);
      sum += masks.word ^ masks.blank ^ masks.prefix ^ masks.compound ^ masks.other ^ masks.digit ^
             masks.dot ^ masks.colon;
    }
    benchmark::DoNotOptimize(sum);
  }
  CountBytes(state);
}
BENCHMARK(BM_Masks);

void BM_Lex(benchmark::State& state) {
  const Source source{"bench.ptx", BenchText()};
  for (auto _ : state) benchmark::DoNotOptimize(Lex(source));
  CountBytes(state);
}
BENCHMARK(BM_Lex);

void BM_Header(benchmark::State& state) {
  const Source source{"bench.ptx", BenchText()};
  const Result<TokenBuffer, Diagnostics> tokens = Lex(source);
  for (auto _ : state) benchmark::DoNotOptimize(ReadHeader(*tokens));
  CountBytes(state);
}
BENCHMARK(BM_Header);

void BM_Canonicalize(benchmark::State& state) {
  const Source source{"bench.ptx", BenchText()};
  const Result<TokenBuffer, Diagnostics> tokens = Lex(source);
  for (auto _ : state) benchmark::DoNotOptimize(Canonicalize(*tokens));
  CountBytes(state);
}
BENCHMARK(BM_Canonicalize);

void BM_DigestOfCanonical(benchmark::State& state) {
  const Source source{"bench.ptx", BenchText()};
  const CompilerText canonical = Canonicalize(*Lex(source));
  for (auto _ : state) benchmark::DoNotOptimize(DigestOf(canonical.text));
  CountBytes(state);
}
BENCHMARK(BM_DigestOfCanonical);

void BM_Parse(benchmark::State& state) {
  const Source source{"bench.ptx", BenchText()};
  const Result<TokenBuffer, Diagnostics> tokens = Lex(source);
  for (auto _ : state) benchmark::DoNotOptimize(Parse(*tokens));
  CountBytes(state);
}
BENCHMARK(BM_Parse);

// docs/design.md §12: 100 MB/s a core. The memory of tokens and tree is counted too, in bytes for
// each byte of the text; 12 are allowed.
void BM_ParseAndVerify(benchmark::State& state) {
  const Source source{"bench.ptx", BenchText()};
  const std::size_t before = HeapBytes();
  const Result<TokenBuffer, Diagnostics> tokens = Lex(source);
  {
    const Result<Module, Diagnostics> module = Parse(*tokens);
    state.counters["bytes_per_byte"] =
        static_cast<double>(HeapBytes() - before) / static_cast<double>(BenchText().size());
  }
  for (auto _ : state) {
    Result<Module, Diagnostics> module = Parse(*tokens);
    const Result<VerifiedModule, Diagnostics> verified = Verify(*std::move(module));
    if (!verified) {
      state.SkipWithError(Format(verified.error()[0], "bench.ptx").c_str());
      return;
    }
    benchmark::DoNotOptimize(verified);
  }
  CountBytes(state);
}
BENCHMARK(BM_ParseAndVerify);

// The yardstick: ptxas asked for a virtual architecture parses and verifies, and makes no code.
// It is a process that reads a file; for large modules that is small beside the rest.
void BM_PtxasParsesAndVerifies(benchmark::State& state) {
  const char* const cuda = std::getenv("CUDA_HOME");
  const std::string ptxas = std::string(cuda == nullptr ? "/usr/local/cuda" : cuda) + "/bin/ptxas";
  const std::string file = "/tmp/ptx_bench." + std::to_string(::getpid()) + ".ptx";
  if (!WriteFileAtomically(file, BenchText())) return state.SkipWithError("no room in /tmp");
  const std::string command = ptxas + " -arch=compute_90 " + file + " -o /dev/null 2>/dev/null";
  for (auto _ : state) {
    if (std::system(command.c_str()) == 0) continue;
    state.SkipWithError("ptxas isn't there, or refuses the module");
    break;
  }
  CountBytes(state);
  ::unlink(file.c_str());
}
BENCHMARK(BM_PtxasParsesAndVerifies)->UseRealTime()->Unit(benchmark::kMillisecond);

// What the server does with each module that it hasn't seen: lex, canonicalize, digest.
void BM_Key(benchmark::State& state) {
  const Source source{"bench.ptx", BenchText()};
  for (auto _ : state) {
    const Result<TokenBuffer, Diagnostics> tokens = Lex(source);
    benchmark::DoNotOptimize(DigestOf(Canonicalize(*tokens).text));
  }
  CountBytes(state);
}
BENCHMARK(BM_Key);

}  // namespace
}  // namespace ptxfarm::ptx

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (argc > 1) {
    ptxfarm::Result<std::string> text = ptxfarm::ReadFile(argv[1], 1 << 26);
    if (!text) {
      fmt::print(stderr, "{}\n", text.error().ToString());
      return 1;
    }
    ptxfarm::ptx::BenchText() = *std::move(text);
  }
  benchmark::RunSpecifiedBenchmarks();
}

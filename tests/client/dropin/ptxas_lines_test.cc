// Command lines of ptxas, through the drop-in and directly: same bytes, words and exit codes, when
// the result is made and when it is served.
#include <gtest/gtest.h>

#include "tests/client/cli_farm.h"
#include "tests/client/dropin/drop_in.h"
#include "tests/support/toolkit.h"

namespace ptxfarm::test {
namespace {

using dropin::Counter;

// A kernel with a warning's line, a spill under a register limit, and a double.
std::string RichModule() {
  std::string text =
      ".version 8.0\n.target sm_75\n.address_size 64\n.visible .entry k(.param .u64 p)\n{\n"
      "  .reg .b64 %rd<4>;\n  .reg .f64 %f<64>;\n  ld.param.u64 %rd1, [p];\n";
  for (int i = 1; i < 60; ++i)
    text += "  ld.volatile.global.f64 %f" + std::to_string(i) + ", [%rd1+" + std::to_string(8 * i) +
            "];\n";
  for (int i = 1; i < 60; ++i)
    text += "  st.volatile.global.f64 [%rd1+" + std::to_string(8 * i) + "], %f" +
            std::to_string(60 - i) + ";\n";
  return text + "  ret;\n}\n";
}

class PtxasLinesTest : public testing::Test {
 protected:
  void SetUp() override {
    PTXFARM_NEED_TOOLKIT();
    user_.Write("k.ptx", SmallModule());
    user_.Write("rich.ptx", RichModule());
    user_.Write("noext", SmallModule());
    user_.Write("sp ace.ptx", SmallModule());
    user_.Write("it's.ptx", SmallModule());
    user_.Write("bad.ptx", SmallModule() + "nonsense\n");
    user_.Write("empty.ptx", "");
    user_.Write("two.ptx", SmallModule("other"));
    user_.Write("opts", "-arch sm_80\n\t-v  k.ptx\n");
    user_.Write("quoted", "-arch sm_80 \"k.ptx\"");
    user_.Write("hash", "-arch sm_80 # k.ptx");
    user_.Write("keep", "precious");
  }

  // Both ways, cold and warm.
  void Compare(const std::string& line) {
    const DropInRan direct = user_.RunDirect(line);
    const std::string files = "ls -A; cat elf.o o.cubin keep 2>/dev/null | sha256sum";
    const std::string clean = "rm -f elf.o o.cubin; printf precious > keep";
    const DropInRan direct_files = user_.RunDirect(files);
    user_.RunDirect(clean);
    for (const char* const when : {"cold", "warm"}) {
      const DropInRan ran = user_.Run(line);
      EXPECT_EQ(ran.exit_code, direct.exit_code) << when << ": " << line;
      EXPECT_EQ(ran.out, direct.out) << when << ": " << line;
      EXPECT_EQ(ran.err, direct.err) << when << ": " << line;
      EXPECT_EQ(user_.Run(files).out, direct_files.out) << when << ": " << line;
      user_.Run(clean);
    }
  }

  DropIn user_;
};

TEST_F(PtxasLinesTest, SpellingsOfTargetLevelAndOutput) {
  for (const char* const line : {"-arch sm_80",
                                 "-arch=sm_80",
                                 "--gpu-name sm_80",
                                 "--gpu-name=sm_80",
                                 "--arch=sm_80",
                                 "-gpu-name sm_80",
                                 "-arch=sm_90a",
                                 "-arch=sm_70",
                                 "-arch=sm_999",
                                 "-arch",
                                 "-arch=",
                                 "-arch sm_80 -arch sm_90",
                                 "-arch=sm_80 --gpu-name sm_80",
                                 "-arch=compute_80",
                                 "-arch=compute_80 -o keep",
                                 "-arch=lto_80",
                                 "-arch=sm_120",
                                 "-arch=sm_100f",
                                 "-O0",
                                 "-O1",
                                 "-O2",
                                 "-O3",
                                 "-O4",
                                 "-O5",
                                 "-O 2",
                                 "-O=2",
                                 "-O",
                                 "-Ox",
                                 "--opt-level=1",
                                 "--opt-level 1",
                                 "--opt-level",
                                 "--opt-level=",
                                 "-opt-level 1",
                                 "--opt-level1",
                                 "-O2 -O2",
                                 "-O1 -O2",
                                 "-o o.cubin",
                                 "-o=o.cubin",
                                 "--output-file o.cubin",
                                 "--output-file=o.cubin",
                                 "-oo.cubin",
                                 "-o",
                                 "-o o.cubin -o elf.o",
                                 "-o nodir/o.cubin",
                                 "-o .",
                                 "-o /dev/null",
                                 "-o ''",
                                 "-o keep",
                                 "-m64",
                                 "-m 64",
                                 "-m=64",
                                 "--machine 64",
                                 "--machine=64",
                                 "-m32",
                                 "--machine=32",
                                 "-m",
                                 "-o -v"})
    Compare(std::string("ptxas k.ptx ") + line);
}

TEST_F(PtxasLinesTest, EveryOptionInItsSpellings) {
  for (const char* const option : {"Ofast-compile",
                                   "allow-expensive-optimizations",
                                   "compile-as-tools-patch",
                                   "compile-only",
                                   "compiler-annotations",
                                   "def-load-cache",
                                   "def-store-cache",
                                   "device-debug",
                                   "device-function-maxrregcount",
                                   "device-stack-protector",
                                   "disable-optimizer-constants",
                                   "disable-warnings",
                                   "dont-merge-basicblocks",
                                   "entry",
                                   "extensible-whole-program",
                                   "fmad",
                                   "force-load-cache",
                                   "force-store-cache",
                                   "g-tensor-memory-access-check",
                                   "gno-tensor-memory-access-check",
                                   "generate-line-info",
                                   "legacy-bar-warp-wide-behavior",
                                   "make-errors-visible-at-exit",
                                   "maxntid",
                                   "maxrregcount",
                                   "minnctapersm",
                                   "optimize-float-atomics",
                                   "override-directive-values",
                                   "position-independent-code",
                                   "preserve-relocs",
                                   "register-usage-level",
                                   "return-at-end",
                                   "sanitize",
                                   "sp-bounds-check",
                                   "split-compile",
                                   "suppress-async-bulk-multicast-advisory-warning",
                                   "suppress-debug-info",
                                   "suppress-double-demote-warning",
                                   "suppress-sparse-mma-advisory-info",
                                   "suppress-stack-size-warning",
                                   "verbose",
                                   "warn-on-double-precision-use",
                                   "warn-on-local-memory-usage",
                                   "warn-on-spills",
                                   "warning-as-error"}) {
    Compare(std::string("ptxas -arch=sm_80 rich.ptx -o o.cubin --") + option);
    Compare(std::string("ptxas -arch=sm_80 rich.ptx -o o.cubin --") + option + "=1");
  }
  for (const char* const words : {"-c",
                                  "-v",
                                  "-g",
                                  "-lineinfo",
                                  "-w",
                                  "-Werror",
                                  "-e k",
                                  "-e=k",
                                  "-e nok",
                                  "-e k,k",
                                  "-fmad true",
                                  "-fmad=false",
                                  "-fmad=maybe",
                                  "-fmad",
                                  "-dlcm ca",
                                  "-dlcm=cg",
                                  "-dlcm zz",
                                  "-dscm=wb",
                                  "-flcm cg",
                                  "-fscm=wb",
                                  "-maxrregcount 24 -v",
                                  "-maxrregcount=0x20",
                                  "-maxrregcount archmin",
                                  "-maxrregcount",
                                  "-func-maxrregcount=32 -c",
                                  "-regUsageLevel 0",
                                  "-regUsageLevel=11",
                                  "-warn-spills -maxrregcount 24",
                                  "-warn-lmem-usage -maxrregcount 24",
                                  "-warn-double-usage",
                                  "-warn-double-usage -w",
                                  "-warn-spills -maxrregcount 24 -Werror",
                                  "-Ofc max",
                                  "-Ofc=min",
                                  "-Ofc=bad",
                                  "-sanitize memcheck",
                                  "-sanitize=bad",
                                  "-pic true",
                                  "-ewp",
                                  "-astoolspatch",
                                  "-annotate",
                                  "-no-bb-merge",
                                  "-ret-end",
                                  "-disable-optimizer-consts",
                                  "-split-compile 2",
                                  "-split-compile=0",
                                  "-suppress-debug-info -g",
                                  "-lineinfo -g",
                                  "-v -v",
                                  "-maxntid 128",
                                  "-maxntid 8,8 -maxntid 2",
                                  "-minnctapersm=2",
                                  "-v=true",
                                  "-lineinfo=1",
                                  "-foo",
                                  "--foo",
                                  "--foo=bar",
                                  "-foo bar",
                                  "--",
                                  "-fmad=true -fmad=false",
                                  "-maxrregcount 24 -maxrregcount 32 -v",
                                  "-device-stack-protector true",
                                  "-opt-fp-atomics"})
    Compare(std::string("ptxas -arch=sm_80 rich.ptx -o o.cubin ") + words);
}

TEST_F(PtxasLinesTest, InputsOfEveryKind) {
  for (const char* const line :
       {"ptxas noext -v",
        "ptxas 'sp ace.ptx' -v",
        "ptxas \"it's.ptx\" -o o.cubin",
        "ptxas ./k.ptx",
        "ptxas nosuch.ptx",
        "ptxas nosuch.ptx -o keep",
        "ptxas bad.ptx -o keep",
        "ptxas bad.ptx",
        "ptxas empty.ptx",
        "ptxas .",
        "ptxas k.ptx k.ptx",
        "ptxas k.ptx two.ptx -v -o o.cubin",
        "ptxas k.ptx,two.ptx",
        "ptxas '' k.ptx",
        "ptxas - <k.ptx",
        "ptxas /dev/stdin <k.ptx",
        "cat k.ptx | ptxas /dev/stdin -o o.cubin",
        "ptxas -ias \"$(cat k.ptx)\" -v",
        "ptxas --input-as-string=\"$(cat k.ptx)\" -o o.cubin",
        "ptxas -ias \"$(cat bad.ptx)\"",
        "ptxas -ias \"$(cat rich.ptx)\" -warn-double-usage",
        "ptxas -ias \"$(cat k.ptx)\" two.ptx",
        "ptxas -ias",
        "ptxas rich.ptx -warn-double-usage",
        "ptxas ./rich.ptx -warn-double-usage",
        "ptxas \"$PWD/rich.ptx\" -warn-double-usage 2>&1 | sed s,\"$PWD\",,",
        "ptxas -g k.ptx -o o.cubin",
        "ptxas -g ./k.ptx -o ./o.cubin",
        "ptxas -g k.ptx",
        "ptxas -g two.ptx -o o.cubin",
        "ptxas -g -ias \"$(cat k.ptx)\" -o o.cubin",
        "cp k.ptx o.cubin; ptxas o.cubin -o o.cubin",
        "ln -s keep o.cubin; ptxas k.ptx -o o.cubin",
        "ptxas -o o.cubin rich.ptx -c -O1 -v",
        "ptxas k.ptx -o /dev/stdout | sha256sum"})
    Compare(line);
}

TEST_F(PtxasLinesTest, OptionsFilesAndQuestions) {
  for (const char* const line : {"ptxas --options-file opts",
                                 "ptxas -optf opts",
                                 "ptxas -optf=opts",
                                 "ptxas --options-file=opts -O1",
                                 "ptxas -optf opts -arch sm_86",
                                 "ptxas -arch sm_86 -optf opts",
                                 "ptxas -optf nosuch k.ptx",
                                 "ptxas -optf quoted",
                                 "ptxas -optf hash",
                                 "ptxas -optf opts,opts",
                                 "ptxas -optf",
                                 "ptxas",
                                 "ptxas -v",
                                 "ptxas -arch sm_80",
                                 "ptxas --version",
                                 "ptxas -V",
                                 "ptxas --help",
                                 "ptxas -h",
                                 "ptxas --list-version",
                                 "ptxas -version-ls",
                                 "ptxas -V k.ptx",
                                 "ptxas -h -foo",
                                 "ptxas --version --help",
                                 "ptxas --version=1",
                                 "ptxas --list-version -V"})
    Compare(line);
}

TEST_F(PtxasLinesTest, ServesOneResultForAllSpellingsOfOneCall) {
  user_.Run("ptxas -arch=sm_80 -O3 -v --generate-line-info k.ptx -o a.cubin");
  const u64 compiled = user_.Count(Counter::kTool);
  for (const char* const line :
       {"ptxas -v --gpu-name sm_80 -lineinfo -O3 -o b.cubin k.ptx",
        "ptxas noext --output-file=c --opt-level 3 --verbose -lineinfo -arch sm_80",
        "ptxas -lineinfo -O=3 -v --gpu-name=sm_80 './sp ace.ptx'"})
    EXPECT_EQ(user_.Run(line).exit_code, 0) << line;
  EXPECT_EQ(user_.Count(Counter::kTool), compiled);
  EXPECT_EQ(user_.Read("b.cubin"), user_.Read("a.cubin"));
}

}  // namespace
}  // namespace ptxfarm::test

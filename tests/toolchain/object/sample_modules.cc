#include "tests/toolchain/object/sample_modules.h"

namespace ptxfarm::object::test {
namespace {

constexpr std::string_view kNothing = R"(.version 7.0
.target sm_75
.address_size 64
)";

constexpr std::string_view kScale = R"(.version 7.0
.target sm_75
.address_size 64
.visible .entry scale(.param .u64 .ptr .global .align 16 data, .param .f32 factor, .param .u32 count)
.maxntid 256, 1, 1
{
  .reg .b64 %rd<4>; .reg .b32 %r<4>; .reg .f32 %f<3>; .reg .pred %p;
  ld.param.u64 %rd1, [data];
  ld.param.f32 %f1, [factor];
  ld.param.u32 %r1, [count];
  mov.u32 %r2, %tid.x;
  setp.ge.u32 %p, %r2, %r1;
  @%p ret;
  mul.wide.u32 %rd2, %r2, 4;
  add.u64 %rd3, %rd1, %rd2;
  ld.global.f32 %f2, [%rd3];
  mul.f32 %f2, %f2, %f1;
  st.global.f32 [%rd3], %f2;
  ret;
}
)";

// Every memory: constants, initialized and plain globals, an address taken, shared of a large
// alignment, a barrier.
constexpr std::string_view kMemories = R"(.version 7.0
.target sm_75
.address_size 64
.global .align 4 .b8 plain[64];
.visible .global .align 4 .u32 initialized = 7;
.global .align 8 .u64 pointers[2] = {plain, initialized};
.const .align 4 .u32 constant = 9;
.visible .const .align 64 .b8 table[128];
.visible .entry memories(.param .u64 out, .param .u32 n)
{
  .reg .b64 %rd<5>; .reg .b32 %r<6>;
  .shared .align 128 .b8 tile[384];
  .shared .align 4 .u32 total;
  ld.param.u64 %rd1, [out];
  ld.param.u32 %r1, [n];
  ld.const.u32 %r2, [constant];
  ld.global.u32 %r3, [initialized];
  ld.global.u64 %rd3, [pointers];
  add.u32 %r1, %r1, %r2;
  add.u32 %r1, %r1, %r3;
  mov.u64 %rd2, plain;
  st.shared.u32 [tile], %r1;
  st.shared.u32 [total], %r1;
  bar.sync 0;
  bar.sync 3;
  ld.shared.u32 %r4, [tile + 16];
  ld.shared.u32 %r5, [total];
  st.u32 [%rd1], %r4;
  st.u32 [%rd1 + 4], %r5;
  st.u64 [%rd1 + 8], %rd3;
  st.global.u32 [%rd2], %r4;
  ret;
}
)";

// Calls, an indirect call, recursion, local memory, and several entries of all bindings.
constexpr std::string_view kFunctions = R"(.version 7.0
.target sm_75
.address_size 64
.visible .func (.param .b32 r) square(.param .b32 x)
{
  .reg .b32 %a;
  ld.param.b32 %a, [x];
  mul.lo.s32 %a, %a, %a;
  st.param.b32 [r], %a;
  ret;
}
.weak .func (.param .b32 r) recursive(.param .b32 x)
{
  .reg .b32 %a, %b; .reg .pred %p;
  ld.param.b32 %a, [x];
  setp.lt.s32 %p, %a, 2;
  @%p bra DONE;
  sub.s32 %b, %a, 1;
  { .param .b32 i; .param .b32 o;
    st.param.b32 [i], %b;
    call (o), recursive, (i);
    ld.param.b32 %b, [o]; }
  mul.lo.s32 %a, %a, %b;
DONE:
  st.param.b32 [r], %a;
  ret;
}
.visible .entry calls(.param .u64 out, .param .u32 n)
{
  .reg .b64 %rd<3>; .reg .b32 %r<4>;
  .local .align 8 .b8 stack[256];
  ld.param.u64 %rd1, [out];
  ld.param.u32 %r1, [n];
  { .param .b32 i; .param .b32 o;
    st.param.b32 [i], %r1;
    call (o), square, (i);
    ld.param.b32 %r2, [o]; }
  { .param .b32 i; .param .b32 o;
    st.param.b32 [i], %r2;
    call (o), recursive, (i);
    ld.param.b32 %r3, [o]; }
  and.b32 %r1, %r1, 63;
  mul.wide.u32 %rd2, %r1, 4;
  { .reg .b64 %l; mov.u64 %l, stack; add.u64 %l, %l, %rd2; st.local.u32 [%l], %r3; ld.local.u32 %r3, [%l + 4]; }
  st.u32 [%rd1], %r3;
  ret;
}
.entry unseen(.param .u64 out) .reqntid 32, 2, 1
{
  .reg .b64 %rd1;
  ld.param.u64 %rd1, [out];
  st.u32 [%rd1], 1;
  ret;
}
.weak .entry maybe(.param .align 8 .b8 blob[24]) .maxnreg 32
{
  .reg .b64 %rd1;
  ld.param.u64 %rd1, [blob + 8];
  st.u32 [%rd1], 1;
  ret;
}
)";

// A branch table, divisions (helpers in the caller's code), shuffles, warp votes and atomics.
constexpr std::string_view kControl = R"(.version 7.0
.target sm_75
.address_size 64
.visible .entry control(.param .u64 out, .param .u32 n, .param .f64 d)
{
  .reg .b64 %rd<3>; .reg .b32 %r<6>; .reg .pred %p<2>; .reg .f64 %fd<3>;
  ld.param.u64 %rd1, [out];
  ld.param.u32 %r1, [n];
  ld.param.f64 %fd1, [d];
  and.b32 %r2, %r1, 3;
table: .branchtargets A, B, C, D;
  brx.idx %r2, table;
A: add.u32 %r1, %r1, 11; bra.uni E;
B: xor.b32 %r1, %r1, 12; bra.uni E;
C: mul.lo.u32 %r1, %r1, 13; bra.uni E;
D: shl.b32 %r1, %r1, 4; st.u32 [%rd1 + 64], %r1; bra.uni E;
E:
  rcp.rn.f64 %fd2, %fd1;
  div.rn.f64 %fd2, %fd2, %fd1;
  shfl.sync.bfly.b32 %r3, %r1, 1, 31, -1;
  vote.sync.ballot.b32 %r4, %p0, -1;
  atom.global.add.u32 %r5, [%rd1], 1;
  add.u32 %r3, %r3, %r4;
  add.u32 %r3, %r3, %r5;
  st.u32 [%rd1 + 4], %r3;
  st.f64 [%rd1 + 8], %fd2;
  ret;
}
)";

constexpr std::string_view kReferences = R"(.version 7.0
.target sm_75, texmode_independent
.address_size 64
.global .texref image;
.global .surfref surface;
.global .samplerref sampler = { addr_mode_0 = wrap, filter_mode = linear };
.visible .entry references(.param .u64 out, .param .u32 n)
{
  .reg .b64 %rd<3>; .reg .b32 %r<6>; .reg .f32 %f<5>;
  ld.param.u64 %rd1, [out];
  ld.param.u32 %r1, [n];
  cvt.rn.f32.u32 %f1, %r1;
  tex.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [image, sampler, {%f1, %f1}];
  st.f32 [%rd1], %f2;
  sust.b.1d.b32.trap [surface, {%r1}], %r1;
  ret;
}
)";

// What the host's libraries give: undefined in a relocatable object, system calls in an executable
// one.
constexpr std::string_view kPrints = R"(.version 7.0
.target sm_75
.address_size 64
.extern .func (.param .b32 r) vprintf (.param .b64 format, .param .b64 values);
.global .align 1 .b8 text[4] = {104, 105, 10, 0};
.extern .shared .align 16 .b8 dynamic[];
.visible .entry prints(.param .u64 out)
{
  .reg .b64 %rd<4>; .reg .b32 %r<3>;
  ld.param.u64 %rd3, [out];
  mov.u64 %rd1, text;
  cvta.global.u64 %rd1, %rd1;
  { .param .b64 f; .param .b64 v; .param .b32 o;
    st.param.b64 [f], %rd1;
    st.param.b64 [v], 0;
    call.uni (o), vprintf, (f, v);
    ld.param.b32 %r1, [o]; }
  st.shared.u32 [dynamic], %r1;
  bar.sync 0;
  ld.shared.u32 %r2, [dynamic + 4];
  st.u32 [%rd3], %r2;
  ret;
}
)";

constexpr std::string_view kClusters = R"(.version 8.0
.target sm_90
.address_size 64
.visible .entry clusters(.param .u64 out) .explicitcluster .reqnctapercluster 2, 1, 1
{
  .reg .b64 %rd1; .reg .b32 %r1;
  .shared .align 8 .b64 barrier;
  ld.param.u64 %rd1, [out];
  mbarrier.init.shared.b64 [barrier], 32;
  barrier.cluster.arrive;
  barrier.cluster.wait;
  mov.u32 %r1, %cluster_ctarank;
  st.u32 [%rd1], %r1;
  ret;
}
.visible .entry ranked(.param .u64 out) .maxclusterrank 4
{
  .reg .b64 %rd1; .reg .b32 %r1;
  ld.param.u64 %rd1, [out];
  mov.u32 %r1, %cluster_ctarank;
  st.u32 [%rd1], %r1;
  ret;
}
)";

// More parameters than the first form of their attribute can say.
constexpr std::string_view kWide = R"(.version 8.1
.target sm_75
.address_size 64
.visible .entry wide(.param .align 4 .b8 blob[8000], .param .u64 out)
{
  .reg .b64 %rd1; .reg .b32 %r1;
  ld.param.u64 %rd1, [out];
  ld.param.u32 %r1, [blob + 4000];
  st.u32 [%rd1], %r1;
  ret;
}
)";

constexpr SampleModule kModules[] = {
    {"nothing", 75, kNothing},     {"scale", 75, kScale},       {"memories", 75, kMemories},
    {"functions", 75, kFunctions}, {"control", 75, kControl},   {"references", 75, kReferences},
    {"prints", 75, kPrints},       {"clusters", 90, kClusters}, {"wide", 75, kWide},
};

}  // namespace

std::span<const SampleModule> SampleModules() { return kModules; }

}  // namespace ptxfarm::object::test

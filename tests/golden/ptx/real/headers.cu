// Cooperative groups, random numbers, small floats, matrices, textures, calls: what the headers of
// the toolkit write in PTX.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#include <curand_kernel.h>
#include <mma.h>
#include <cassert>
#include <cstdio>
namespace cg = cooperative_groups;
using namespace nvcuda;
__global__ void Group(int* out, const int* in, int n) {
  auto block = cg::this_thread_block();
  auto tile = cg::tiled_partition<32>(block);
  auto grid = cg::this_grid();
  __shared__ int staged[256];
  cg::memcpy_async(block, staged, in, sizeof(int) * 256);
  cg::wait(block);
  int v = grid.thread_rank() < n ? staged[block.thread_rank()] : 0;
  v = cg::reduce(tile, v, cg::plus<int>());
  v += cg::inclusive_scan(tile, v);
  auto active = cg::coalesced_threads();
  if (active.thread_rank() == 0) atomicAdd(out, v);
  grid.sync();
}
__global__ void Random(float* out, int n) {
  curandStatePhilox4_32_10_t a;
  curandState b;
  curandStateMRG32k3a c;
  curandStateSobol32_t d;
  curand_init(1234, threadIdx.x, 0, &a);
  curand_init(1234, threadIdx.x, 0, &b);
  curand_init(1234, threadIdx.x, 0, &c);
  out[threadIdx.x] = curand_normal(&a) + curand_uniform(&b) +
                     (float)curand_log_normal_double(&c, 0, 1) + curand_poisson(&a, 4.0);
}
__global__ void Half(__half* h, __half2* h2, __nv_bfloat16* b, __nv_bfloat162* b2,
                     __nv_fp8_e4m3* f8, __nv_fp8x4_e5m2* f84, float4* f) {
  int i = threadIdx.x;
  h[i] = hsin(h[i]) + __hfma(h[i], h[i + 1], h[i + 2]) + hexp2(h[i]) + hrsqrt(h[i]);
  h2[i] = __hfma2_relu(h2[i], h2[i], h2[i + 1]);
  h2[i] = __hmax2(h2[i], h2[i + 1]);
  if (__hgt(h[i], h[i + 1])) h[i] = __float2half_rz(f[i].x);
  b[i] = __hadd(b[i], __float2bfloat16(f[i].y)) * hlog(b[i]);
  b2[i] = __hmul2(b2[i], __floats2bfloat162_rn(f[i].x, f[i].y));
  f8[i] = __nv_fp8_e4m3(f[i].z);
  f84[i] = __nv_fp8x4_e5m2(f[i]);
  f[i] = static_cast<float4>(f84[i + 1]);
  atomicAdd(h2, h2[i]);
  atomicAdd(b, b[i]);
}
__global__ void Matrix(half* a, half* b, float* c, signed char* x, int* y, double* d) {
  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> fb;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> fc;
  wmma::fill_fragment(fc, 0.0f);
  wmma::load_matrix_sync(fa, a, 16);
  wmma::load_matrix_sync(fb, b, 16);
  wmma::mma_sync(fc, fa, fb, fc);
  wmma::store_matrix_sync(c, fc, 16, wmma::mem_row_major);
  wmma::fragment<wmma::matrix_a, 16, 16, 16, signed char, wmma::row_major> ia;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, signed char, wmma::col_major> ib;
  wmma::fragment<wmma::accumulator, 16, 16, 16, int> ic;
  wmma::fill_fragment(ic, 0);
  wmma::load_matrix_sync(ia, x, 16);
  wmma::load_matrix_sync(ib, x, 16);
  wmma::mma_sync(ic, ia, ib, ic);
  wmma::store_matrix_sync(y, ic, 16, wmma::mem_col_major);
#if __CUDA_ARCH__ >= 800
  wmma::fragment<wmma::matrix_a, 8, 8, 4, double, wmma::row_major> da;
  wmma::fragment<wmma::matrix_b, 8, 8, 4, double, wmma::col_major> db;
  wmma::fragment<wmma::accumulator, 8, 8, 4, double> dc;
  wmma::fill_fragment(dc, 0.0);
  wmma::load_matrix_sync(da, d, 8);
  wmma::load_matrix_sync(db, d, 8);
  wmma::mma_sync(dc, da, db, dc);
  wmma::store_matrix_sync(d, dc, 8, wmma::mem_row_major);
#endif
}
__global__ void Texture(cudaTextureObject_t t, cudaSurfaceObject_t s, float4* out) {
  int i = threadIdx.x;
  out[i] = tex2D<float4>(t, i, i);
  out[i].x += tex1Dfetch<float>(t, i) + tex3D<float>(t, i, i, i) + tex2DLod<float>(t, i, i, 1.0f) +
              texCubemap<float>(t, i, i, i) + tex2DLayered<float>(t, i, i, 2);
  out[i] = tex2Dgather<float4>(t, i, i, 1);
  out[i].y = tex2DGrad<float>(t, i, i, make_float2(1, 2), make_float2(3, 4));
  surf2Dwrite(out[i], s, i * 16, i);
  out[i].z = surf2Dread<float>(s, i * 4, i);
}
__device__ int Recurse(int n) { return n < 2 ? n : Recurse(n - 1) + Recurse(n - 2); }
__device__ __noinline__ double Many(double a, float b, long long c, short d, char e, float4 f) {
  return a + b + c + d + e + f.x;
}
struct Virtual {
  __device__ virtual int Value(int x) { return x; }
  __device__ virtual ~Virtual() {}
};
struct Derived : Virtual {
  __device__ int Value(int x) override { return x * 2; }
};
__constant__ int table[] = {1, 2, 3, 4};
__constant__ float pi = 3.14159f;
__device__ double globals[4] = {1.5, -2.5, 1e300, 0};
__device__ const char* text = "hello\n";
__device__ int (*pointers[])(int) = {Recurse};
__global__ void Calls(int* out, Virtual* v, int n, Derived d) {
  printf("value %d %f %s\n", n, 1.5, text);
  assert(n > 0);
  int* p = new int[n];
  out[0] = Recurse(n) + v->Value(n) + pointers[n](n) + table[n & 3] + p[0];
  globals[1] = Many(1, 2, 3, 4, 5, make_float4(pi, 2, 3, 4));
  delete[] p;
  switch (n) {
    case 0: out[1] = 5; break;
    case 1: out[2] = 7; break;
    case 2: out[3] = 8; break;
    case 3: out[n] = 9; break;
    case 4: out[n + 1] = 1; break;
    case 5: out[n + 2] = 11; break;
    case 17: out[n + 7] = 4; break;
  }
  __shared__ double s[64];
  extern __shared__ float dynamic[];
  s[threadIdx.x] = dynamic[threadIdx.x];
  __syncthreads();
  out[5] = __shfl_xor_sync(~0u, out[5], 3) + __ballot_sync(~0u, n) + __match_any_sync(~0u, n) +
           __vabsdiffu4(n, out[3]) + __dp4a(n, out[1], 3) + __funnelshift_l(n, n, 3) + __brev(n) +
           __popc(n) + __clz(n) + __byte_perm(n, 1, 2);
  asm volatile(
      "{ .reg .pred p; setp.ne.u32 p, %0, 0; @p bra DONE_%=; st.global.u32 [%1], %0; DONE_%=: }" ::
          "r"(n),
      "l"(out)
      : "memory");
#if __CUDA_ARCH__ >= 800
  out[6] = __reduce_add_sync(~0u, n);
#endif
  __nanosleep(100);
  __trap();
}

// The wrappers of libcu++ around single instructions.
#include <cuda.h>
#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda/ptx>
#include <cuda/std/array>
#include <cuda/std/complex>
namespace ptx = cuda::ptx;
__global__ void Barriers(uint64_t* out, const int* in, int* g) {
  __shared__ alignas(8) uint64_t bar;
  __shared__ alignas(128) int data[256];
  if (threadIdx.x == 0) ptx::mbarrier_init(&bar, 1);
  __syncthreads();
  if (threadIdx.x == 0) {
    ptx::cp_async_bulk(ptx::space_shared, ptx::space_global, data, in, 1024, &bar);
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &bar, 1024);
  }
  while (!ptx::mbarrier_try_wait_parity(&bar, 0)) {
  }
  ptx::fence_proxy_async(ptx::space_shared);
  if (threadIdx.x == 0) {
    ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, g, data, 1024);
    ptx::cp_async_bulk_commit_group();
    ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>());
    ptx::cp_reduce_async_bulk(ptx::space_global, ptx::space_shared, ptx::op_add, g, data, 1024);
  }
  ptx::barrier_cluster_arrive();
  ptx::barrier_cluster_wait();
  out[0] = ptx::get_sreg_clock64() + ptx::get_sreg_cluster_ctarank() + ptx::get_sreg_laneid() +
           ptx::get_sreg_globaltimer();
  int* remote = data;
  ptx::st_async(remote, 5, &bar);
  ptx::red_async(ptx::op_add, remote, 5, &bar);
}
__global__ void Tensor(const CUtensorMap* map, uint64_t* out) {
  __shared__ alignas(8) uint64_t bar;
  __shared__ alignas(128) int data[256];
  const int32_t c[2] = {0, 1};
  ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global, data, map, c, &bar);
  ptx::cp_async_bulk_tensor(ptx::space_global, ptx::space_shared, map, c, data);
  ptx::cp_reduce_async_bulk_tensor(ptx::space_global, ptx::space_shared, ptx::op_add, map, c, data);
  ptx::fence_proxy_tensormap_generic(ptx::sem_acquire, ptx::scope_gpu, map, ptx::n32_t<128>());
}
#if __CUDA_ARCH_FEAT_SM100_ALL
__global__ void Tcgen(uint32_t* out) {
  __shared__ uint32_t at;
  __shared__ alignas(8) uint64_t bar;
  ptx::tcgen05_alloc(ptx::cta_group_1, &at, 64);
  ptx::tcgen05_relinquish_alloc_permit(ptx::cta_group_1);
  uint32_t r[4];
  ptx::tcgen05_ld_32x32b(r, at);
  ptx::tcgen05_wait_ld();
  ptx::tcgen05_st_32x32b(at, r);
  ptx::tcgen05_commit(ptx::cta_group_1, &bar);
  ptx::tcgen05_mma(ptx::kind_f16, ptx::cta_group_1, at, 1ull, 2ull, 3u, true);
  ptx::tcgen05_cp_128x256b(ptx::cta_group_1, at, 5ull);
  ptx::tcgen05_shift_down(ptx::cta_group_1, at);
  ptx::tcgen05_dealloc(ptx::cta_group_1, at, 64);
  out[0] = r[0];
}
#endif
__global__ void Std(cuda::atomic<int, cuda::thread_scope_system>* a, cuda::std::complex<float>* c,
                    __int128* q) {
  a->fetch_add(1, cuda::memory_order_acq_rel);
  a->fetch_max(3);
  int e = 3;
  a->compare_exchange_strong(e, 4);
  a->wait(4);
  c[0] = c[1] * c[2] / c[3];
  cuda::atomic_ref<__int128, cuda::thread_scope_device> r(q[0]);
}

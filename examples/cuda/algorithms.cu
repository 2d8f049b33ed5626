// Large: sorts, scans, reductions and selections of CUB and Thrust for several types, each of which
// instantiates dozens of kernels. A module of this size is what a compile farm is for; its kernels
// come from the toolkit's own headers.
#include <cstdint>

#include <thrust/device_ptr.h>
#include <thrust/sort.h>
#include <thrust/unique.h>
#include <cub/device/device_histogram.cuh>
#include <cub/device/device_merge_sort.cuh>
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_run_length_encode.cuh>
#include <cub/device/device_scan.cuh>
#include <cub/device/device_select.cuh>

namespace example {

// Where CUB keeps what it needs between its kernels.
struct Scratch {
  void* data;
  std::size_t bytes;
};

struct IsOdd {
  template <typename Value>
  __host__ __device__ bool operator()(Value value) const {
    return (static_cast<long long>(value) & 1) != 0;
  }
};

struct LaterFirst {
  template <typename Value>
  __host__ __device__ bool operator()(const Value& left, const Value& right) const {
    return right < left;
  }
};

template <typename Key, typename Value>
cudaError_t Sort(Scratch scratch, const Key* keys, Key* sorted, const Value* values, Value* carried,
                 int n) {
  cudaError_t error = cub::DeviceRadixSort::SortPairs(scratch.data, scratch.bytes, keys, sorted,
                                                      values, carried, n);
  if (error == cudaSuccess) {
    error = cub::DeviceMergeSort::SortPairs(scratch.data, scratch.bytes, sorted, carried, n,
                                            LaterFirst{});
  }
  return error;
}

template <typename Value>
cudaError_t Scan(Scratch scratch, const Value* from, Value* to, int n) {
  cudaError_t error = cub::DeviceScan::InclusiveSum(scratch.data, scratch.bytes, from, to, n);
  if (error == cudaSuccess)
    error = cub::DeviceScan::ExclusiveSum(scratch.data, scratch.bytes, from, to, n);
  return error;
}

template <typename Value>
cudaError_t Reduce(Scratch scratch, const Value* from, Value* to, int* count, int n) {
  cudaError_t error = cub::DeviceReduce::Sum(scratch.data, scratch.bytes, from, to, n);
  if (error == cudaSuccess)
    error = cub::DeviceReduce::Max(scratch.data, scratch.bytes, from, to, n);
  if (error == cudaSuccess) {
    error = cub::DeviceSelect::If(scratch.data, scratch.bytes, from, to, count, n, IsOdd{});
  }
  if (error == cudaSuccess) {
    error = cub::DeviceRunLengthEncode::Encode(scratch.data, scratch.bytes, from, to, count,
                                               count + 1, n);
  }
  return error;
}

template cudaError_t Sort<std::uint32_t, std::uint32_t>(Scratch, const std::uint32_t*,
                                                        std::uint32_t*, const std::uint32_t*,
                                                        std::uint32_t*, int);
template cudaError_t Sort<float, std::uint64_t>(Scratch, const float*, float*, const std::uint64_t*,
                                                std::uint64_t*, int);
template cudaError_t Scan<std::int32_t>(Scratch, const std::int32_t*, std::int32_t*, int);
template cudaError_t Scan<double>(Scratch, const double*, double*, int);
template cudaError_t Reduce<std::int32_t>(Scratch, const std::int32_t*, std::int32_t*, int*, int);
template cudaError_t Reduce<float>(Scratch, const float*, float*, int*, int);

// Thrust, over the same: sorts and drops what is there twice.
std::size_t Distinct(std::int64_t* data, std::size_t n) {
  const thrust::device_ptr<std::int64_t> first(data);
  thrust::sort(first, first + n);
  return static_cast<std::size_t>(thrust::unique(first, first + n) - first);
}

}  // namespace example

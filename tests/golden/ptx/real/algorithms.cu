// Thrust's algorithms, each a family of kernels.
#include <thrust/device_vector.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sort.h>
#include <thrust/transform.h>
#include <thrust/unique.h>
struct Op {
  __device__ float operator()(float a) const { return a * a + 1.0f; }
};
float Run(thrust::device_vector<float>& v, thrust::device_vector<int>& k) {
  thrust::sort_by_key(v.begin(), v.end(), k.begin());
  thrust::transform(v.begin(), v.end(), v.begin(), Op());
  thrust::inclusive_scan(v.begin(), v.end(), v.begin());
  thrust::unique(k.begin(), k.end());
  return thrust::reduce(v.begin(), v.end());
}

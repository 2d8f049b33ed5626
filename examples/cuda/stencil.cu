// Templates: one source line of each kernel, many entries with mangled names in the PTX, and loops
// that the compiler unrolls by the template's numbers.
#include <cuda_fp16.h>

namespace example {

// What a point becomes: the weighted sum of the points up to Radius away, in the type that sums are
// kept in.
template <typename Value, int Radius>
struct Smooth {
  __device__ Value operator()(const Value* center, int stride) const {
    float sum = 0.0f;
#pragma unroll
    for (int offset = -Radius; offset <= Radius; ++offset) {
      const float weight = 1.0f / static_cast<float>(1 + (offset < 0 ? -offset : offset));
      sum += weight * static_cast<float>(center[offset * stride]);
    }
    return static_cast<Value>(sum);
  }
};

// The steepest rise to a neighbour.
template <typename Value, int Radius>
struct Gradient {
  __device__ Value operator()(const Value* center, int stride) const {
    float best = 0.0f;
#pragma unroll
    for (int offset = 1; offset <= Radius; ++offset) {
      const float rise = static_cast<float>(center[offset * stride]) -
                         static_cast<float>(center[-offset * stride]);
      best = fmaxf(best, rise / static_cast<float>(2 * offset));
    }
    return static_cast<Value>(best);
  }
};

// A row of the field a CTA, a stretch of it with its margins in shared memory; the field has Radius
// points of margin.
template <template <typename, int> class Operation, typename Value, int Radius, int Width>
__global__ void Rows(const Value* __restrict__ from, Value* __restrict__ to, int columns) {
  __shared__ Value row[Width + 2 * Radius];
  const Operation<Value, Radius> operation;
  const long base = static_cast<long>(blockIdx.y) * (columns + 2 * Radius);
  const int first = blockIdx.x * Width;
  for (int i = threadIdx.x; i < Width + 2 * Radius && first + i < columns + 2 * Radius;
       i += blockDim.x) {
    row[i] = from[base + first + i];
  }
  __syncthreads();
  for (int i = threadIdx.x; i < Width && first + i < columns; i += blockDim.x) {
    to[base + Radius + first + i] = operation(&row[Radius + i], 1);
  }
}

#define EXAMPLE_INSTANTIATE(Operation, Value)                                         \
  template __global__ void Rows<Operation, Value, 1, 256>(const Value*, Value*, int); \
  template __global__ void Rows<Operation, Value, 2, 256>(const Value*, Value*, int); \
  template __global__ void Rows<Operation, Value, 4, 512>(const Value*, Value*, int);

EXAMPLE_INSTANTIATE(Smooth, float)
EXAMPLE_INSTANTIATE(Smooth, double)
EXAMPLE_INSTANTIATE(Smooth, __half)
EXAMPLE_INSTANTIATE(Gradient, float)
EXAMPLE_INSTANTIATE(Gradient, double)
EXAMPLE_INSTANTIATE(Gradient, __half)

}  // namespace example

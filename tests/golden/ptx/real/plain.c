// C for nvptx64: what clang's own backend writes, with tables, calls, loops, switches and atomics.
#define KERNEL __attribute__((nvptx_kernel))
#define GLOBAL __attribute__((address_space(1)))
#define SHARED __attribute__((address_space(3)))

typedef float Float4 __attribute__((ext_vector_type(4)));
typedef int (*Operation)(int);
struct Pair {
  int a;
  double b;
  char c[5];
};

static SHARED float staged[128];
static const int squares[8] = {0, 1, 4, 9, 16, 25, 36, 49};
GLOBAL double limits[3] = {1.0, -2.5, 1e300};

static __attribute__((noinline)) int Twice(int x) { return 2 * x; }
static __attribute__((noinline)) int Next(int x) { return x + 1; }
static __attribute__((noinline)) struct Pair Swap(struct Pair p) {
  struct Pair q = {(int)p.b, p.a, {p.c[4], p.c[3], p.c[2], p.c[1], p.c[0]}};
  return q;
}
static const Operation operations[2] = {Twice, Next};

KERNEL void Run(GLOBAL float* out, GLOBAL int* counts, int n, struct Pair pair) {
  int i = __nvvm_read_ptx_sreg_tid_x() + __nvvm_read_ptx_sreg_ctaid_x() * n;
  staged[i & 127] = (float)i;
  __nvvm_bar_sync(0);
  float sum = 0;
  for (int k = 0; k < n; ++k) sum += staged[(i + k) & 127] * 0.5f;
  switch (n) {
    case 0: sum += 1; break;
    case 1: sum *= 2; break;
    case 2: sum -= 3; break;
    case 3: sum /= 4; break;
    case 4: sum = -sum; break;
    default: sum = __builtin_sqrtf(sum);
  }
  Float4 v = {sum, sum + 1, sum + 2, sum + 3};
  *(GLOBAL Float4*)out = v;
  struct Pair other = Swap(pair);
  out[4] = (float)(other.b + other.c[2] + squares[n & 7] + limits[n % 3]);
  counts[0] = operations[n & 1](n);
  __nvvm_atom_add_gen_i((int*)(counts + 1), n);
  __nvvm_atom_max_gen_i((int*)(counts + 2), n);
  counts[3] = __builtin_popcount(n) + __builtin_clz(n | 1) + __builtin_bswap32(n);
  long long big = (long long)n * n;
  counts[4] = (int)(big >> 7) + (int)(__builtin_fabs(pair.b) > 1.0);
}

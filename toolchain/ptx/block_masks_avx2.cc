// The one file that is built for AVX2. MasksOf calls it where the processor has that, so nothing
// else may stand here, nor anything that another file would make too.
#include "toolchain/ptx/block_masks.h"

#if defined(__AVX2__)
#include <immintrin.h>

#include "toolchain/ptx/block_masks_vector.h"

namespace ptxfarm::ptx {

BlockMasks MasksOfAvx2(const char* bytes) {
  using Vector = u8 __attribute__((vector_size(32)));
  return MasksOfVectors<Vector>(bytes, [](const auto& found) {
    return static_cast<u32>(_mm256_movemask_epi8(reinterpret_cast<__m256i>(found)));
  });
}

}  // namespace ptxfarm::ptx
#endif

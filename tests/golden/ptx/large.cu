// Instantiates CUB, so that nvcc makes a large module: the kind of PTX that real code bases hand in.
#include <cub/cub.cuh>

void Instantiate(std::size_t& bytes, unsigned* keys, double* values, int size) {
  cub::DeviceRadixSort::SortKeys(nullptr, bytes, keys, keys, size);
  cub::DeviceReduce::Sum(nullptr, bytes, values, values, size);
  cub::DeviceScan::InclusiveSum(nullptr, bytes, keys, keys, size);
}

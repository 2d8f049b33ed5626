// Instantiates CUB, so that nvcc makes a large module: the kind of PTX that real code bases hand in.
#include <cub/cub.cuh>

template <typename Key>
void Instantiate(Key* keys, unsigned* counts, std::size_t& bytes, int size) {
  cub::DeviceRadixSort::SortKeys(nullptr, bytes, keys, keys, size);
  cub::DeviceRadixSort::SortPairs(nullptr, bytes, keys, keys, counts, counts, size);
  cub::DeviceReduce::Sum(nullptr, bytes, keys, keys, size);
  cub::DeviceScan::InclusiveSum(nullptr, bytes, keys, keys, size);
}

void InstantiateAll(std::size_t& bytes, int size) {
  Instantiate<unsigned>(nullptr, nullptr, bytes, size);
  Instantiate<double>(nullptr, nullptr, bytes, size);
}

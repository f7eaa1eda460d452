#include <bit>

#include <cub/device/device_radix_sort.cuh>

#include "codelets/kernels/cuda/clusters/sort_positions.hh"

namespace starhist::kernels::cuda {
namespace {

constexpr unsigned block_threads = 256;

unsigned blocks_for(std::size_t particles) {
  return static_cast<unsigned>((particles + block_threads - 1) / block_threads);
}

/// Sets the sort keys of a block: its number, then the number on the path of its grid.
__global__ void set_keys(const __grid_constant__ SortBlock block, std::uint64_t number,
                         const double* positions, std::uint64_t* keys,
                         std::uint32_t* particles) {
  const std::size_t k = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (k < block.count) {
    const std::size_t i = block.offset + k;
    const PositionSpan span{positions, i + 1};
    keys[i] = number << SpatialGrid::candidate_bits | block.grid.place(span[i]);
    particles[i] = static_cast<std::uint32_t>(i);
  }
}

__global__ void copy_in_order(const std::uint32_t* order, std::size_t count,
                              const double* positions, double* sorted) {
  const std::size_t k = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (k < 3 * count) {
    sorted[k] = positions[3 * std::size_t{order[k / 3]} + k % 3];
  }
}

/// Hands out consecutive pieces of scratch memory. take() returns null if too little is
/// left.
class Pieces {
 public:
  explicit Pieces(const Scratch& scratch)
      : next_(static_cast<char*>(scratch.memory)), left_(scratch.bytes) {}

  template <class T>
  T* take(std::size_t count) {
    constexpr std::size_t alignment = 256;
    const std::size_t bytes =
        (count * sizeof(T) + alignment - 1) / alignment * alignment;
    if (bytes > left_) {
      return nullptr;
    }
    left_ -= bytes;
    char* const piece = next_;
    next_ += bytes;
    return reinterpret_cast<T*>(piece);
  }

 private:
  char* next_;
  std::size_t left_;
};

}  // namespace

std::size_t sort_scratch_bytes(std::size_t particles) {
  // Two arrays each of keys and numbers, because CUB sorts from one to the other and
  // back, and a little memory for CUB.
  constexpr std::size_t of_cub = std::size_t{8} << 20U;
  return particles * 2 * (sizeof(std::uint64_t) + sizeof(std::uint32_t)) +
         particles / 8 + of_cub;
}

cudaError_t copy_in_spatial_order(std::span<const SortBlock> blocks,
                                  const double* positions, double* sorted,
                                  const Scratch& scratch, cudaStream_t stream) {
  std::size_t count = 0;
  for (const SortBlock& block : blocks) {
    count += block.count;
  }
  if (count == 0) {
    return cudaSuccess;
  }
  Pieces pieces(scratch);
  auto* const keys = pieces.take<std::uint64_t>(count);
  auto* const other_keys = pieces.take<std::uint64_t>(count);
  auto* const order = pieces.take<std::uint32_t>(count);
  auto* const other_order = pieces.take<std::uint32_t>(count);
  cub::DoubleBuffer<std::uint64_t> key_buffers(keys, other_keys);
  cub::DoubleBuffer<std::uint32_t> order_buffers(order, other_order);
  const int bits = SpatialGrid::candidate_bits + std::bit_width(blocks.size() - 1);
  std::size_t bytes = 0;
  cudaError_t error = cub::DeviceRadixSort::SortPairs(
      nullptr, bytes, key_buffers, order_buffers, count, 0, bits, stream);
  if (error != cudaSuccess) {
    return error;
  }
  void* const memory = pieces.take<char>(bytes);
  if (other_order == nullptr || memory == nullptr) {
    return cudaMemcpyAsync(sorted, positions, 3 * count * sizeof(double),
                           cudaMemcpyDeviceToDevice, stream);
  }
  for (std::size_t k = 0; k < blocks.size(); ++k) {
    if (blocks[k].count > 0) {
      set_keys<<<blocks_for(blocks[k].count), block_threads, 0, stream>>>(
          blocks[k], k, positions, keys, order);
      error = cudaGetLastError();
      if (error != cudaSuccess) {
        return error;
      }
    }
  }
  error = cub::DeviceRadixSort::SortPairs(memory, bytes, key_buffers, order_buffers,
                                          count, 0, bits, stream);
  if (error != cudaSuccess) {
    return error;
  }
  copy_in_order<<<blocks_for(3 * count), block_threads, 0, stream>>>(
      order_buffers.Current(), count, positions, sorted);
  return cudaGetLastError();
}

}  // namespace starhist::kernels::cuda

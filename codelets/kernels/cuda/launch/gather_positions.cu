#include <algorithm>
#include <bit>

#include "codelets/kernels/cuda/launch/gather_positions.hh"

namespace starhist::kernels::cuda {
namespace {

constexpr unsigned long long sign_bit = 1ULL << 63U;
constexpr unsigned all_lanes = 0xffffffffU;

/// An integer for each finite number, in the same order.
__device__ unsigned long long ordered(double x) {
  const auto bits = static_cast<unsigned long long>(__double_as_longlong(x));
  return (bits & sign_bit) != 0 ? ~bits : bits | sign_bit;
}

__device__ unsigned long long least_of_warp(unsigned long long key) {
  for (unsigned other = 16; other > 0; other /= 2) {
    const unsigned long long its = __shfl_xor_sync(all_lanes, key, other);
    key = its < key ? its : key;
  }
  return key;
}

__device__ void add_key(unsigned long long key, unsigned long long* least) {
  key = least_of_warp(key);
  if (threadIdx.x % 32U == 0) {
    atomicMin(least, key);
  }
}

template <class Real>
__global__ void gather(StridedPositions from, const std::uint32_t* order,
                       std::size_t first, std::size_t count, double* to,
                       GatheredSummary* summary) {
  unsigned long long low[3] = {~0ULL, ~0ULL, ~0ULL};
  unsigned long long inverted_high[3] = {~0ULL, ~0ULL, ~0ULL};
  unsigned long long finite = ~0ULL;
  const std::size_t step = static_cast<std::size_t>(gridDim.x) * blockDim.x;
  for (std::size_t k = blockIdx.x * static_cast<std::size_t>(blockDim.x) + threadIdx.x;
       k < count; k += step) {
    const std::size_t particle = order == nullptr ? first + k : order[k];
    const char* at =
        from.data + static_cast<std::ptrdiff_t>(particle) * from.particle_stride;
    for (int axis = 0; axis < 3; ++axis, at += from.component_stride) {
      const double x = *reinterpret_cast<const Real*>(at);
      to[3 * k + static_cast<std::size_t>(axis)] = x;
      if (isfinite(x)) {
        const unsigned long long key = ordered(x);
        low[axis] = key < low[axis] ? key : low[axis];
        inverted_high[axis] = ~key < inverted_high[axis] ? ~key : inverted_high[axis];
      } else {
        finite = 0;
      }
    }
  }
  for (int axis = 0; axis < 3; ++axis) {
    add_key(low[axis], &summary->low[axis]);
    add_key(inverted_high[axis], &summary->inverted_high[axis]);
  }
  add_key(finite, &summary->finite);
}

}  // namespace

double GatheredSummary::unordered(unsigned long long key) {
  return std::bit_cast<double>((key & sign_bit) != 0 ? key & ~sign_bit : ~key);
}

cudaError_t gather_positions(const StridedPositions& from, const std::uint32_t* order,
                             std::size_t first, std::size_t count, double* to,
                             GatheredSummary* summary, cudaStream_t stream) {
  constexpr std::size_t threads = 256;
  constexpr std::size_t most_blocks = 1024;
  const auto blocks =
      static_cast<unsigned>(std::min((count + threads - 1) / threads, most_blocks));
  if (blocks == 0) {
    return cudaSuccess;
  }
  if (from.single) {
    gather<float>
        <<<blocks, threads, 0, stream>>>(from, order, first, count, to, summary);
  } else {
    gather<double>
        <<<blocks, threads, 0, stream>>>(from, order, first, count, to, summary);
  }
  return cudaGetLastError();
}

}  // namespace starhist::kernels::cuda

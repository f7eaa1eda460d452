#include <algorithm>

#include "codelets/kernels/cuda/clusters/optimistic_kernel.cuh"

namespace starhist::kernels::cuda {
namespace {

constexpr int overhead_bytes = sizeof(BesideCounts);

/// Words of shared memory available for counters.
std::uint32_t words_beside(int shared_bytes) {
  return static_cast<std::uint32_t>(shared_bytes - overhead_bytes) / 4U;
}

/// The kernel with as large a window as fits, for one sweep.
template <Range range, int bits, bool several_inside>
Kernel with_window(std::uint32_t entries, int shared_bytes, double spread) {
  constexpr std::uint32_t per_word = BlockHistogram<bits>::per_word;
  Kernel kernel;
  kernel.clustered = true;
  kernel.spread = spread;
  kernel.block_threads = cluster_threads;
  kernel.overhead_bytes = overhead_bytes;
  kernel.function = count_pairs_of_clusters<range, bits, several_inside>;
  kernel.certificate = bits < 32                 ? Certificate::edge
                       : range == Range::limited ? Certificate::relative
                                                 : Certificate::local;
  kernel.window = std::min(entries, words_beside(shared_bytes) * per_word);
  kernel.stride = kernel.window;
  kernel.window_words = BlockHistogram<bits>::word_count(kernel.window);
  return kernel;
}

/// The kernel for several sweeps, if necessary. Windows overlap by `spread` bins, so
/// that most pairs of clusters lie in one window.
template <int bits, bool several_inside>
Kernel in_sweeps(std::uint32_t entries, int shared_bytes, double spread) {
  Kernel kernel =
      with_window<Range::mostly, bits, several_inside>(entries, shared_bytes, spread);
  if (kernel.window < entries) {
    constexpr double least_share = 0.25;
    constexpr std::uint32_t most_per_word = 4;
    const double stride = std::max(kernel.window - spread, least_share * kernel.window);
    kernel.stride = static_cast<std::uint32_t>(stride) / most_per_word * most_per_word;
  }
  return kernel;
}

/// The kernel if 8-bit counters of all entries fit into shared memory: first optimistic
/// counters, then checked ones after an overflow.
Kernel optimistic_kernel(std::uint32_t entries, int shared_bytes, double spread) {
  Kernel kernel = in_sweeps<8, false>(entries, shared_bytes, spread);
  const int bytes =
      overhead_bytes + 4 * static_cast<int>(OptimisticFields::all_words(entries - 1U));
  if (bytes <= shared_bytes && entries <= ClusterRecords::most_optimistic_bins) {
    kernel.optimistic_function = count_pairs_of_clusters_optimistically;
    kernel.optimistic_bytes = bytes;
  }
  return kernel;
}

}  // namespace

Kernel cluster_kernel(std::uint32_t entries, int shared_bytes, double spread,
                      bool open) {
  const std::uint32_t words = words_beside(shared_bytes);
  if (entries <= words) {
    return with_window<Range::limited, 32, false>(entries, shared_bytes, spread);
  }
  if (entries <= words * BlockHistogram<8>::per_word) {
    return optimistic_kernel(entries, shared_bytes, spread);
  }
  // A wider spread would put too many pairs outside of the window.
  constexpr double most_of_window = 0.9;
  if (spread <= most_of_window * words) {
    return open ? in_sweeps<32, false>(entries, shared_bytes, spread)
                : in_sweeps<32, true>(entries, shared_bytes, spread);
  }
  return in_sweeps<8, false>(entries, shared_bytes, spread);
}

}  // namespace starhist::kernels::cuda

#pragma once

#include "codelets/core/counting/pair_bin.hh"
#include "codelets/kernels/cuda/histogram/block_histogram.cuh"

namespace starhist::kernels::cuda {

/// Layout of optimistic 8-bit counters in shared memory and of their totals in device
/// memory: one field for each bin and one for pairs just out of range; then 32 words
/// for pairs out of range, one for each lane.
struct OptimisticFields {
  static constexpr int field_bits = 8;
  static constexpr bool checked = false;
  static constexpr std::uint32_t per_word = 4;

  /// Number of words of 8-bit fields.
  __host__ __device__ static constexpr std::uint32_t word_count(std::uint32_t bins) {
    return bins / per_word + 1U;
  }
  /// Number of words, with those for pairs out of range.
  __host__ __device__ static constexpr std::uint32_t all_words(std::uint32_t bins) {
    return word_count(bins) + 32U;
  }
  /// Entry number of a lane's word for pairs out of range, as if it had four fields.
  __device__ static std::uint32_t candidate_out_of_range(std::uint32_t bins,
                                                         std::uint32_t lane) {
    return (word_count(bins) + lane) * per_word;
  }
  /// The total of entry `bin` [0, bins] is 32 of the 64 bits of word index_of_total(),
  /// from bit shift_of_total() on. The totals of the first two fields of all words
  /// precede the totals of the other two fields.
  __device__ static std::uint32_t index_of_total(std::uint32_t bin,
                                                 std::uint32_t bins) {
    return bin % per_word / 2U * word_count(bins) + bin / per_word;
  }
  __device__ static std::uint32_t shift_of_total(std::uint32_t bin) {
    return bin % 2U * 32U;
  }
};

/// The counters of a thread block in shared memory as fields of 8 bits, which are added
/// to totals so often that they should not overflow; and 32-bit words for pairs out of
/// range.
///
/// Additions do not return the previous word. A field that overflows loses 256, and its
/// neighbour in the word, if any, gains 1. So after an overflow the sum of all counts
/// is always less than the number of pairs.
///
/// `before`: bytes of the launch's shared memory before the counters.
template <std::size_t before>
struct OptimisticHistogram : OptimisticFields {
  std::uint32_t* words;
  std::uint32_t size;  ///< bins

  __device__ explicit OptimisticHistogram(std::uint32_t bins)
      : words(reinterpret_cast<std::uint32_t*>(in_shared_memory())), size(bins) {}

  /// Sets all counters to zero. All threads of the block call it together.
  __device__ void clear() const {
    for (std::uint32_t k = threadIdx.x; k < all_words(size); k += blockDim.x) {
      words[k] = 0;
    }
  }

  /// Number of pairs out of range that a lane of all warps has counted.
  __device__ std::uint32_t out_of_range(std::uint32_t lane) const {
    return words[word_count(size) + lane];
  }

  /// Adds the counters of words [begin, end) to the totals, two fields at a time, and
  /// sets them to zero. Each thread takes every step-th word from begin + first on.
  /// Returns the sum of the counts that the thread took.
  __device__ std::uint32_t flush(unsigned long long* totals, std::uint32_t begin,
                                 std::uint32_t end, std::uint32_t first,
                                 std::uint32_t step) const {
    constexpr int together = 4;
    const std::uint32_t all = word_count(size);
    std::uint32_t sum = 0;
    for (std::uint32_t k = begin + first; k < end; k += together * step) {
      std::uint32_t word[together];
#pragma unroll
      for (int i = 0; i < together; ++i) {
        word[i] = k + i * step < end ? atomicExch(&words[k + i * step], 0U) : 0U;
      }
#pragma unroll
      for (int i = 0; i < together; ++i) {
        sum = __dp4a(word[i], 0x01010101U, sum);
        unsigned long long* const total = totals + k + i * step;
        add_fields(total, word[i]);
        add_fields(total + all, word[i] >> 16U);
      }
    }
    return sum;
  }

  /// Counts a pair by the defining function.
  template <Range range, class Engine>
  __device__ __forceinline__ void reevaluate_any(const KernelArgs& args,
                                                 const KernelSlice& slice,
                                                 std::uint32_t row,
                                                 std::uint32_t column,
                                                 bool /*added*/) const {
    const std::uint32_t bin = pair_bin(args.geometry.image, args.bins, slice.first[row],
                                       slice.second[column]);
    const std::uint32_t candidate =
        bin < size ? bin : candidate_out_of_range(size, threadIdx.x % 32U);
    atomicAdd(&words[candidate / per_word], 1U << candidate % per_word * 8U);
  }
  /// reevaluate_any() as a call.
  template <Range range, class Engine>
  __device__ __noinline__ void call_reevaluate(const KernelArgs& args,
                                               const KernelSlice& slice,
                                               std::uint32_t row, std::uint32_t column,
                                               bool added) const {
    reevaluate_any<range, Engine>(args, slice, row, column, added);
  }

 private:
  /// Adds the first two fields of a word to their totals.
  __device__ static void add_fields(unsigned long long* totals, std::uint32_t word) {
    const std::uint32_t low = word & 0xffU;
    const std::uint32_t high = word >> 8U & 0xffU;
    if ((low | high) != 0) {
      atomicAdd(totals, static_cast<unsigned long long>(high) << 32U | low);
    }
  }
  __device__ static char* in_shared_memory() {
    extern __shared__ double2 memory[];
    return reinterpret_cast<char*>(memory) + before;
  }
};

}  // namespace starhist::kernels::cuda

#pragma once

#include "codelets/core/counting/pair_bin.hh"
#include "codelets/kernels/cuda/cuda_tuning.hh"
#include "codelets/kernels/cuda/kernel_args.hh"

namespace starhist::kernels::cuda {

/// Counted bin candidates, and their destination.
enum class Range {
  limited,   ///< all, in the histogram; those beyond the last bin share an entry
  windowed,  ///< only the window of the sweep, in the histogram
  mostly,    ///< all: totals in device memory receive those outside of the window
};

/// The counters of a thread block in shared memory: fields of 32, 16 or 8 bits, one to
/// four in a word. The totals are CountOutput::counts, 64 bits in device memory.
/// Entries of the window are numbered from 0; `candidate` is such a number.
///
/// A field that overflows into the next one is not corrected. Every addition is atomic
/// and returns the previous word, which shows through which fields it carried; carry()
/// adds that to the totals. So, in any order of additions,
///   count = field + 2^bits * carries out of it - carries into it.
/// 32-bit fields need no carries: flush() is called before they can overflow.
template <int bits>
struct BlockHistogram {
  static constexpr int field_bits = bits;
  static constexpr bool checked = bits < 32;  ///< additions are checked for carries
  static constexpr std::uint32_t per_word = 32 / bits;
  static constexpr std::uint32_t largest = bits == 32 ? ~0U : (1U << bits % 32) - 1U;

  std::uint32_t* words;
  std::uint32_t size;  ///< number of fields

  /// Number of words that hold `fields` fields.
  __host__ __device__ static constexpr std::uint32_t word_count(std::uint32_t fields) {
    return fields / per_word + (fields % per_word != 0 ? 1U : 0U);
  }

  /// Sets all counters to zero. All threads of the block call it together.
  __device__ void clear() const {
    for (std::uint32_t k = threadIdx.x; k < word_count(size); k += blockDim.x) {
      words[k] = 0;
    }
  }

  /// Adds all counters to the totals and sets them to zero. All threads of the block
  /// call it together. `more`: fields may follow the last entry of the window, which
  /// gets their counts.
  template <bool more = false>
  __device__ void flush(const KernelArgs& args) const {
    const std::uint32_t last = args.output.window_end - args.output.window_begin - 1U;
    unsigned long long beyond = 0;
    for (std::uint32_t k = threadIdx.x; k < word_count(size); k += blockDim.x) {
      std::uint32_t word = atomicExch(&words[k], 0U);
      if constexpr (more) {
        if (k > last) {
          beyond += word;
          continue;
        }
      }
      // Fields after the last one may hold its carries, which do not count.
      for (std::uint32_t candidate = k * per_word; word != 0 && candidate < size;
           ++candidate, word = bits == 32 ? 0 : word >> bits % 32) {
        if ((word & largest) != 0) {
          add_to_total(args, candidate, word & largest);
        }
      }
    }
    if constexpr (more) {
#pragma unroll
      for (int lanes = 16; lanes > 0; lanes /= 2) {
        beyond += __shfl_xor_sync(0xffffffffU, beyond, lanes);
      }
      if (threadIdx.x % 32U == 0 && beyond > 0) {
        add_to_total(args, last, beyond);
      }
    }
  }

  /// Counts a pair by the defining function.
  template <Range range>
  __device__ __forceinline__ void reevaluate(const KernelArgs& args,
                                             const KernelSlice& slice,
                                             std::uint32_t row,
                                             std::uint32_t column) const {
    const std::uint32_t bin = pair_bin(args.geometry.image, args.bins, slice.first[row],
                                       slice.second[column]);
    const std::uint32_t candidate = bin - args.output.window_begin;
    if (candidate >= size) {
      if (range == Range::mostly) {
        add_to_total(args, candidate, 1);
      }
      return;
    }
    const std::uint32_t shift = candidate % per_word * bits;
    const std::uint32_t old = atomicAdd(&words[candidate / per_word], 1U << shift);
    if (bits < 32 && (old >> shift & largest) == largest) {
      if (carry(args, candidate, old)) {
        carry_on(args, candidate, old);
      }
    }
  }

  /// Corrects the count of an ambiguous pair that Binner::bin_added() has counted in
  /// the lower of its two bins, which may be the bin before the window. The
  /// certificate's error is less than half a bin, so the edge between them is the one
  /// nearest to the exact position. Not after flush(), because a field would underflow.
  __device__ __forceinline__ void reevaluate_added(const KernelArgs& args,
                                                   const KernelSlice& slice,
                                                   std::uint32_t row,
                                                   std::uint32_t column) const {
    const double position = bin_position(
        args.bins, square_root(minimum_distance2(args.geometry.image, slice.first[row],
                                                 slice.second[column])));
    const auto edge = static_cast<std::uint32_t>(__double2int_rn(position));
    if (bin_at(args.bins, position) == edge) {
      std::uint32_t* const word = words + (edge - args.output.window_begin);
      atomicSub(word - 1, 1U);
      atomicAdd(word, 1U);
    }
  }

  /// Corrects the count of an ambiguous pair that Binner::bin_spared() has counted
  /// in Engine::candidate(), which gives the same again. Not after flush().
  template <class Engine>
  __device__ __forceinline__ void reevaluate_counted(const KernelArgs& args,
                                                     const KernelSlice& slice,
                                                     std::uint32_t row,
                                                     std::uint32_t column) const {
    const std::uint32_t counted =
        Engine::candidate(args, slice, row, column) - first_candidate;
    const std::uint32_t bin = pair_bin(args.geometry.image, args.bins, slice.first[row],
                                       slice.second[column]);
    if (bin != counted) {
      atomicSub(words + counted, 1U);
      atomicAdd(words + bin, 1U);
    }
  }

  /// reevaluate_any() as a call: needs no registers of the loop, but loads the kernel's
  /// arguments from memory.
  template <Range range, class Engine>
  __device__ __noinline__ void call_reevaluate(const KernelArgs& args,
                                               const KernelSlice& slice,
                                               std::uint32_t row, std::uint32_t column,
                                               bool added) const {
    reevaluate_any<range, Engine>(args, slice, row, column, added);
  }

  /// Calls reevaluate_counted() or reevaluate_added() if `added`, otherwise
  /// reevaluate().
  template <Range range, class Engine>
  __device__ __forceinline__ void reevaluate_any(const KernelArgs& args,
                                                 const KernelSlice& slice,
                                                 std::uint32_t row,
                                                 std::uint32_t column,
                                                 bool added) const {
    if (bits == 32 && added) {
      if constexpr (requires { Engine::candidate(args, slice, row, column); }) {
        reevaluate_counted<Engine>(args, slice, row, column);
      } else {
        reevaluate_added(args, slice, row, column);
      }
    } else {
      reevaluate<range>(args, slice, row, column);
    }
  }

  /// Adds to the totals the carry out of field `candidate`, which was at its largest
  /// when the addition met the word `old`. Returns whether the next field carried as
  /// well.
  __device__ __forceinline__ bool carry(const KernelArgs& args, std::uint32_t candidate,
                                        std::uint32_t old) const {
    const std::uint32_t shift = candidate % per_word * bits + bits;
    add_to_total(args, candidate, 1ULL << bits);
    if (shift == 32 || candidate + 1U == size) {
      return false;  // out of the word, or into fields that are never read
    }
    add_to_total(args, candidate + 1U, ~0ULL);  // minus one, modulo 2^64
    return (old >> shift & largest) == largest;
  }

  /// Adds to the totals the further carries of an addition that carried out of field
  /// `candidate` and out of the next one.
  __device__ __noinline__ void carry_on(const KernelArgs& args, std::uint32_t candidate,
                                        std::uint32_t old) const {
    while (carry(args, ++candidate, old)) {
    }
  }

  /// Adds to the total of entry `candidate`, which may lie outside of the window
  /// (modulo 2^32).
  static __device__ void add_to_total(const KernelArgs& args, std::uint32_t candidate,
                                      unsigned long long count) {
    atomicAdd(&args.output.counts[args.output.window_begin + candidate], count);
  }
};

}  // namespace starhist::kernels::cuda

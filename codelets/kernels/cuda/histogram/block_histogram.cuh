#pragma once

#include "codelets/core/counting/pair_bin.hh"
#include "codelets/kernels/cuda/kernel_args.hh"
#include "codelets/kernels/cuda/tuning.hh"

namespace starhist::kernels::cuda {

/// Which of the places of a distance in the histogram are counted.
enum class Range {
  limited,   ///< all: those beyond the last bin share the entry `out of range`
  windowed,  ///< those of a window
  mostly,    ///< all, those outside of a window straight to the totals
};

/// The counts of a thread block in shared memory: fields of 32, 16 or 8 bits, so that
/// one to four of them share a word.
///
/// No field is ever corrected when it overflows into the next one. Every addition is
/// atomic and returns the word as it was, which tells exactly through which fields it
/// carried; carry() notes that in the 64-bit totals. So, in any order of additions,
///   count = field + 2^bits * carries out of it - carries into it.
/// 32-bit fields need no carries: flush() adds them to the totals before as many pairs
/// as they can hold have been counted.
template <int bits>
struct BlockHistogram {
  static constexpr int field_bits = bits;
  static constexpr bool checked = bits < 32;  ///< additions are looked at for carries
  static constexpr std::uint32_t per_word = 32 / bits;
  static constexpr std::uint32_t largest = bits == 32 ? ~0U : (1U << bits % 32) - 1U;

  std::uint32_t* words;
  std::uint32_t size;  ///< fields

  __host__ __device__ static constexpr std::uint32_t word_count(std::uint32_t fields) {
    return fields / per_word + (fields % per_word != 0 ? 1U : 0U);
  }

  __device__ void clear() const {
    for (std::uint32_t k = threadIdx.x; k < word_count(size); k += blockDim.x) {
      words[k] = 0;
    }
  }

  __device__ void flush(const KernelArgs& args) const {
    for (std::uint32_t k = threadIdx.x; k < word_count(size); k += blockDim.x) {
      std::uint32_t word = atomicExch(&words[k], 0U);
      // Fields behind the last one may have taken its carries.
      for (std::uint32_t candidate = k * per_word; word != 0 && candidate < size;
           ++candidate, word = bits == 32 ? 0 : word >> bits % 32) {
        if ((word & largest) != 0) {
          add_to_total(args, candidate, word & largest);
        }
      }
    }
  }

  /// Counts a pair by definition.
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

  /// For a pair that is counted already, in the bin below the edge that it is close to,
  /// which may be the one before the window: the certificate's error is less than half
  /// a bin, so that edge is the nearest. Not after flush(), which would not know a
  /// count below zero.
  __device__ __forceinline__ void reevaluate_added(const KernelArgs& args,
                                                   const KernelSlice& slice,
                                                   std::uint32_t row,
                                                   std::uint32_t column) const {
    const double distance = square_root(
        minimum_distance2(args.geometry.image, slice.first[row], slice.second[column]));
    const std::uint32_t bin = args.bins.find(distance);
    const auto edge =
        static_cast<std::uint32_t>(__double2int_rn(distance * args.bins.inverse_width));
    if (bin == edge) {
      std::uint32_t* const word = words + (edge - args.output.window_begin);
      atomicSub(word - 1, 1U);
      atomicAdd(word, 1U);
    }
  }

  /// re-evaluate() or reevaluate_added() as a call. It has to fetch what the kernel has
  /// as constants, one by one.
  template <Range range>
  __device__ __noinline__ void call_reevaluate(const KernelArgs& args,
                                               const KernelSlice& slice,
                                               std::uint32_t row, std::uint32_t column,
                                               bool added) const {
    reevaluate_any<range>(args, slice, row, column, added);
  }

  template <Range range>
  __device__ __forceinline__ void reevaluate_any(const KernelArgs& args,
                                                 const KernelSlice& slice,
                                                 std::uint32_t row,
                                                 std::uint32_t column,
                                                 bool added) const {
    if (bits == 32 && added) {
      reevaluate_added(args, slice, row, column);
    } else {
      reevaluate<range>(args, slice, row, column);
    }
  }

  /// Notes the first carry of an addition to field `place`, which was at its largest
  /// when the word was `old`. Returns whether the next field carried as well.
  __device__ __forceinline__ bool carry(const KernelArgs& args, std::uint32_t candidate,
                                        std::uint32_t old) const {
    const std::uint32_t shift = candidate % per_word * bits + bits;
    add_to_total(args, candidate, 1ULL << bits);
    if (shift == 32 || candidate + 1U == size) {
      return false;  // out of the word, or into fields that nobody reads
    }
    add_to_total(args, candidate + 1U, ~0ULL);  // less one, modulo 2^64
    return (old >> shift & largest) == largest;
  }

  /// Notes the carries of an addition that carried out of field `place` into the next
  /// and beyond.
  __device__ __noinline__ void carry_on(const KernelArgs& args, std::uint32_t candidate,
                                        std::uint32_t old) const {
    while (carry(args, ++candidate, old)) {
    }
  }

  /// Past the shared memory; `place` may be in or out of the window.
  static __device__ void add_to_total(const KernelArgs& args, std::uint32_t candidate,
                                      unsigned long long count) {
    atomicAdd(&args.output.counts[args.output.window_begin + candidate], count);
  }
};

}  // namespace starhist::kernels::cuda

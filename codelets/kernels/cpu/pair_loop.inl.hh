// The loop over pairs, written once; pair_loop_*.cc compile it.
//
// Everything here is in an unnamed namespace or always inlined, so that no code
// compiled for one instruction set can run on a processor without it (test
// isa_objects).
#pragma once

#include <bit>
#include <cstring>
#include <type_traits>

#include "codelets/kernels/cpu/ambiguous_pairs.inl.hh"
#include "codelets/kernels/cpu/distances.inl.hh"
#include "codelets/kernels/cpu/edge_loop.inl.hh"
#include "codelets/kernels/cpu/near_images.inl.hh"

namespace starhist::kernels::cpu {
namespace {

/// Up to 64 pairs of one row, from column `first` on: their bins, and a mask of the
/// ambiguous ones.
struct Batch {
  static constexpr std::size_t capacity = 64;  ///< one bit each in a word
  std::size_t row = 0;
  std::size_t first = 0;
  std::size_t count = 0;
  std::uint64_t ambiguous = 0;  ///< one bit per pair
  alignas(64) std::uint32_t bin[capacity];
};

/// Sets the bins of Ops::width pairs; ambiguous pairs get the entry measure.scrap. A
/// measure with its own histogram has a function store() for that.
/// Returns a mask of the ambiguous pairs, one bit each.
template <class Measure>
inline unsigned find_bins(const PairLoop& loop, const Measure& measure,
                          const typename Measure::Row& a, std::size_t column,
                          std::uint32_t* bins) {
  using Ops = typename Measure::Ops;
  if constexpr (requires { measure.store(loop, a, column, bins); }) {
    return measure.store(loop, a, column, bins);
  } else {
    const auto d = measure(loop, a, column);
    return Ops::store_but_less(bins, Ops::truncated(d.value), measure.scrap, d.beyond,
                               d.limit);
  }
}

/// Finds the bins of `batch`, whose row, first column and count are set.
template <class Measure>
inline void find_bins(const PairLoop& loop, const Measure& measure,
                      const typename Measure::Row& a, Batch& batch) {
  constexpr std::size_t width = Measure::Ops::width;
  const std::size_t first = batch.first;
  std::uint64_t ambiguous = 0;
  if (batch.count == Batch::capacity) {
#pragma GCC unroll 4
    for (std::size_t k = 0; k < Batch::capacity; k += width) {
      ambiguous |= std::uint64_t{find_bins(loop, measure, a, first + k, batch.bin + k)}
                   << k;
    }
  } else {
    for (std::size_t k = 0; k < batch.count; k += width) {
      ambiguous |= std::uint64_t{find_bins(loop, measure, a, first + k, batch.bin + k)}
                   << k;
    }
    ambiguous &= (std::uint64_t{1} << batch.count) - 1U;  // the rest is padding
  }
  batch.ambiguous = ambiguous;
}

/// Adds the batch to the tally and its ambiguous pairs to `ambiguous_pairs`.
template <class Tally, class Ambiguous>
[[gnu::always_inline]] inline void count_batch(const Batch& batch, const Tally& tally,
                                               Ambiguous& ambiguous_pairs) {
  ambiguous_pairs.add(batch.row, batch.first, batch.ambiguous);
  if (batch.count == Batch::capacity) {
    // One load for two bins: with AVX-512 up to 10 % faster than a load for each, and
    // the slow runs of some Xeons are less slow (docs/benchmarks/kernels-cpu.md).
#pragma GCC unroll 8  // a third faster than rolled
    for (std::size_t k = 0; k < Batch::capacity; k += 2) {
      static_assert(std::endian::native == std::endian::little);
      std::uint64_t two;
      std::memcpy(&two, batch.bin + k, sizeof(two));
      tally.add(batch.first + k, static_cast<std::uint32_t>(two));
      tally.add(batch.first + k + 1, static_cast<std::uint32_t>(two >> 32));
    }
  } else {
    for (std::size_t k = 0; k < batch.count; ++k) {
      tally.add(batch.first + k, batch.bin[k]);
    }
  }
}

/// Counts the rectangle in `tally`, except for its ambiguous pairs.
template <class Measure, class Tally, class Ambiguous>
[[gnu::always_inline]] inline void count_rows(const PairLoop& loop,
                                              const Measure& measure,
                                              const Tally& tally,
                                              Ambiguous& ambiguous_pairs) {
  // A batch is counted while the bins of the next are computed: branches on ambiguous
  // pairs, which are unpredictable, then need not wait for the arithmetic.
  Batch batches[2];
  std::size_t current = 0;
  for (std::size_t i = loop.row_begin; i < loop.row_end; ++i) {
    const typename Measure::Row a(measure, loop, i);
    for (std::size_t j = first_column(loop, i); j < loop.column_end;
         j += Batch::capacity) {
      const std::size_t left = loop.column_end - j;
      batches[current].row = i;
      batches[current].first = j;
      batches[current].count = left < Batch::capacity ? left : Batch::capacity;
      find_bins(loop, measure, a, batches[current]);
      current = 1 - current;
      count_batch(batches[current], tally, ambiguous_pairs);
    }
  }
  count_batch(batches[1 - current], tally, ambiguous_pairs);
}

/// Counts the rectangle with the distances of Measure: AnyImage, NearestImage or
/// NearestImageWithResiduals.
template <class Measure, class Tally = PlainTally>
void count_rectangle(const PairLoop& loop) {
  if constexpr (Measure::between_edges && std::is_same_v<Tally, PlainTally>) {
    if (loop.block->bins->edges.r != nullptr) {
      count_rectangle_between_edges<Measure>(loop);
      return;
    }
  }
  const Measure measure(loop);
  const Tally tally(loop);
  AmbiguousPairs<Tally> ambiguous_pairs(loop);
  count_rows(loop, measure, tally, ambiguous_pairs);
}

/// Counts every pair of the rectangle by the defining function.
template <class Tally>
void count_rectangle_by_definition(const PairLoop& loop) {
  const PairBlock& block = *loop.block;
  const Tally tally(loop);
  for (std::size_t i = loop.row_begin; i < loop.row_end; ++i) {
    for (std::size_t j = first_column(loop, i); j < loop.column_end; ++j) {
      tally.add(j,
                pair_bin(*block.image, *block.bins, block.first[i], block.second[j]));
    }
  }
}

/// Counts the listed pairs by the defining function.
void count_list(const PairLoop& loop) {
  AmbiguousPairs<PlainTally> pairs(loop);
  for (std::size_t k = 0; k < loop.listed_count; ++k) {
    pairs.add(loop.listed_row[k], loop.listed_column[k], 1);
  }
}

/// Counts the rectangle by the loop's metric.
template <class Ops, class Tally>
void count_rectangle_of_any_images(const PairLoop& loop) {
  switch (loop.metric) {
    case Metric::isotropic:
      count_rectangle<AnyImage<Metric::isotropic, Ops>, Tally>(loop);
      break;
    case Metric::diagonal:
      count_rectangle<AnyImage<Metric::diagonal, Ops>, Tally>(loop);
      break;
    case Metric::triangular:
      count_rectangle<AnyImage<Metric::triangular, Ops>, Tally>(loop);
      break;
    case Metric::searched:
      count_rectangle<AnyImage<Metric::searched, Ops>, Tally>(loop);
      break;
  }
}

/// Counts the rows with the columns near them by the loop's metric.
inline void count_near_columns(const PairLoop& loop) {
  switch (loop.metric) {
    case Metric::isotropic:
      count_near_columns<AnyImage<Metric::isotropic, Simd>>(loop);
      break;
    case Metric::diagonal:
      count_near_columns<AnyImage<Metric::diagonal, Simd>>(loop);
      break;
    default:
      count_near_columns<AnyImage<Metric::triangular, Simd>>(loop);
      break;
  }
}

/// Counts the rectangle with its images: one to four, or any number.
template <template <int> class Nearest>
void count_rectangle_of_known_images(const PairLoop& loop) {
  switch (loop.images->count) {
    case 1:
      count_rectangle<Nearest<1>>(loop);
      break;
    case 2:
      count_rectangle<Nearest<2>>(loop);
      break;
    case 3:
      count_rectangle<Nearest<3>>(loop);
      break;
    case 4:
      count_rectangle<Nearest<4>>(loop);
      break;
    default:
      count_rectangle<Nearest<0>>(loop);
      break;
  }
}

/// Counts the rectangle without images.
template <class Tally>
void count_rectangle_by_pairs(const PairLoop& loop) {
  if (loop.lattice == nullptr) {
    count_rectangle_by_definition<Tally>(loop);
  } else if (loop.fine != nullptr) {
    count_rectangle_of_any_images<DoubleSimd, Tally>(loop);
  } else {
    count_rectangle_of_any_images<Simd, Tally>(loop);
  }
}

/// PairLoopFunction of this instruction set: chooses the loop.
inline const char* run_pair_loop(const PairLoop& loop) {
  const bool between_edges = loop.block->bins->edges.r != nullptr;
  if (loop.listed_row != nullptr) {
    count_list(loop);
  } else if (loop.near != nullptr) {
    count_near_columns(loop);
  } else if (loop.labelled != nullptr && between_edges) {
    count_rectangle_by_definition<LabelledTally>(loop);
  } else if (loop.labelled != nullptr) {
    count_rectangle_by_pairs<LabelledTally>(loop);
  } else if (loop.lattice != nullptr && loop.images != nullptr &&
             loop.images->with_residuals && !between_edges) {
    count_rectangle_of_known_images<NearestImageWithResiduals>(loop);
  } else if (loop.lattice != nullptr && loop.images != nullptr) {
    count_rectangle_of_known_images<NearestImage>(loop);
  } else {
    count_rectangle_by_pairs<PlainTally>(loop);
  }
  return instruction_set;
}

}  // namespace
}  // namespace starhist::kernels::cpu

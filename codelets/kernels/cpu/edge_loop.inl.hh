// The loop over pairs for bins between explicit edges. Included by pair_loop.inl.hh.
#pragma once

#include <type_traits>

#include "codelets/kernels/clusters/cluster_boxes.hh"
#include "codelets/kernels/cpu/collected_pairs.inl.hh"
#include "codelets/kernels/cpu/cpu_tuning.hh"
#include "codelets/kernels/cpu/near_columns.inl.hh"

namespace starhist::kernels::cpu {
namespace {

/// Adds the counts to the histogram of the loop, which evaluated this number of pairs.
template <class Real>
void add_to_histogram(const EdgeCounts<Real>& edges, std::uint64_t evaluated,
                      const PairLoop& loop) {
  for (std::uint32_t k = 0; k < edges.count; ++k) {
    loop.histogram[k] +=
        static_cast<std::uint32_t>(edges.pairs[k + 1] - edges.pairs[k]);
  }
  loop.histogram[edges.count] += static_cast<std::uint32_t>(
      evaluated - edges.reevaluated - edges.pairs[edges.count]);
}

/// Counts the pairs of a rectangle by collecting them.
template <class Measure>
void count_collected(const PairLoop& loop, const Measure& measure,
                     EdgeCounts<float>& edges,
                     AmbiguousPairs<PlainTally>& ambiguous_pairs) {
  using Collected = CollectedPairs<Measure, 10>;
  static_assert(rows_per_cluster <= 1U << 10U && most_image_rows <= 1U << 10U);
  Collected collected(loop, measure, loop.column_end, edges, ambiguous_pairs);
  const std::size_t columns = loop.column_end - loop.column_begin;
  const std::size_t vectors = (columns + Simd::width - 1) / Simd::width;
  for (std::size_t i = loop.row_begin; i < loop.row_end; ++i) {
    const std::size_t row = i - loop.row_begin;
    const std::size_t first = (first_column(loop, i) - loop.column_begin) / Simd::width;
    for (std::size_t v = first; v < vectors; v += Simd::width) {
      Simd::Ints codes = (Simd::lane_numbers() << 10) + Collected::code(row, v, false);
      if (v == first && loop.block->like) {
        codes[0] = Collected::code(row, v, true);
      }
      if (vectors - v <= Simd::width && columns % Simd::width != 0) {
        codes[vectors - v - 1] = Collected::code(row, vectors - 1, true);
      }
      collected.add(codes, Simd::first_bits(vectors - v));
    }
  }
  collected.count();
}

/// Counts the pairs of rows [row_begin, row_end) with the clusters of columns in
/// loop.near. Pairs of other clusters are out of range and not counted.
template <class Measure>
void count_near_columns(const PairLoop& loop) {
  using Collected = CollectedPairs<Measure, 7>;
  constexpr std::size_t width = Simd::width;
  constexpr std::size_t cluster_rows = NearColumns::rows_per_cluster;
  constexpr std::size_t cluster_columns = NearColumns::columns_per_cluster;
  const Measure measure(loop);
  EdgeCounts<float> edges(*loop.block->bins, measure.relative_error(loop),
                          measure.absolute_error(loop), Measure::unit_of_squares(loop));
  AmbiguousPairs<PlainTally> ambiguous_pairs(loop);
  const std::size_t columns = loop.block->second.count;
  Collected collected(loop, measure, columns, edges, ambiguous_pairs);
  std::uint64_t evaluated = 0;
  NearSearch search(loop);
  for (std::size_t begin = loop.row_begin; begin < loop.row_end;
       begin += cluster_rows) {
    search.visit_clusters(begin, [&](std::size_t column, std::uint32_t rows) {
      const bool partial = column + cluster_columns > columns ||
                           (loop.block->like && column < begin + cluster_rows);
      for (std::size_t v = 0; v < cluster_columns; v += width) {
        for (std::size_t k = 0; k < cluster_rows; k += width) {
          collected.add(
              Simd::lane_numbers() + Collected::code(begin + k - loop.row_begin,
                                                     (column + v) / width, partial),
              rows >> k & Simd::first_bits(width));
        }
      }
      evaluated += pairs_of_cluster(loop, begin, rows, column);
    });
  }
  collected.count();
  add_to_histogram(edges, evaluated, loop);
  *loop.near->evaluated = evaluated;
}

/// Counts the rectangle between explicit edges, with the squared distances of Measure.
template <class Measure>
void count_rectangle_between_edges(const PairLoop& loop) {
  using Ops = typename Measure::Ops;
  const Measure measure(loop);
  constexpr bool collects = std::is_same_v<Ops, Simd> && !Measure::searches;
  EdgeCounts<typename Ops::Real> edges(*loop.block->bins, measure.relative_error(loop),
                                       measure.absolute_error(loop),
                                       collects ? Measure::unit_of_squares(loop) : 1.0);
  AmbiguousPairs<PlainTally> ambiguous_pairs(loop);
  if constexpr (collects) {
    count_collected(loop, measure, edges, ambiguous_pairs);
  } else {
    for (std::size_t i = loop.row_begin; i < loop.row_end; ++i) {
      count_row(loop, measure, i, first_column(loop, i), loop.column_end, edges,
                ambiguous_pairs);
    }
  }
  std::uint64_t pairs = 0;
  for (std::size_t i = loop.row_begin; i < loop.row_end; ++i) {
    const std::size_t first = first_column(loop, i);
    pairs += first < loop.column_end ? loop.column_end - first : 0;
  }
  add_to_histogram(edges, pairs, loop);
}

}  // namespace
}  // namespace starhist::kernels::cpu

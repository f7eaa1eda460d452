// Counts of pairs below explicit edges. No distance is sorted into a histogram;
// instead, the pairs below each edge are counted by comparisons of r^2, from the
// largest edge down. Included by edge_loop.inl.hh.
#pragma once

#include "codelets/kernels/cpu/ambiguous_pairs.inl.hh"
#include "codelets/kernels/cpu/distances.inl.hh"
#include "codelets/kernels/cpu/pair_loop.hh"
#include "codelets/kernels/cpu/simd.inl.hh"

namespace starhist::kernels::cpu {
namespace {

/// Limits of certified squared distances at each edge, and the number of pairs below
/// it.
template <class Real>
struct EdgeCounts {
  static constexpr std::size_t most = max_explicit_bins + 2;

  std::uint32_t count;        ///< number of bins; edge `count` is r_max
  Real below[most];           ///< smaller squares are certified below the edge
  Real beyond[most];          ///< squares from here on are certified beyond the edge
  std::uint64_t pairs[most];  ///< certified pairs below the edge; pairs[0] is 0
  std::uint64_t reevaluated = 0;  ///< pairs that are not certified

  /// A square s^2 [squared bins] is certified at an edge E if the error bound error_rel
  /// s + error_abs of s is less than its distance from E. Limits are rounded outwards,
  /// and in units of `unit` squared bins.
  EdgeCounts(const UniformBins& bins, double error_rel, double error_abs,
             double unit = 1.0)
      : count(bins.count) {
    constexpr double most_square = 1e30;  // no square is larger
    constexpr Real outwards = 4 * (sizeof(Real) == 4 ? 0x1p-24F : 0x1p-53);
    for (std::uint32_t k = 0; k <= count; ++k) {
      const double edge =
          __builtin_sqrt(bins.edges.squared_limit[k]) * bins.inverse_width;
      const double low = edge - error_abs;
      const double high = edge + error_abs;
      const double inner = low > 0.0 ? low * (1.0 - error_rel) : 0.0;
      const double outer = high * (1.0 + 1.01 * error_rel);
      const double below_k = inner * inner / unit;
      const double beyond_k = outer * outer / unit;
      below[k] = static_cast<Real>(below_k < most_square ? below_k : most_square) *
                 (1 - outwards);
      beyond[k] = static_cast<Real>(beyond_k < most_square ? beyond_k : most_square) *
                  (1 + outwards);
      pairs[k] = 0;
    }
  }
};

/// Squared distances of up to 64 pairs of one row, and lanes in which they are pairs.
template <class Measure>
struct Squares {
  using Ops = typename Measure::Ops;
  static constexpr std::size_t capacity = 64;
  static constexpr std::size_t vectors = capacity / Ops::width;

  typename Ops::Floats r2[vectors];
  typename Ops::Floats error[vectors];  ///< of the image search
  std::uint64_t valid;

  /// One bit per pair whose square, raised by its error (shift = 1) or lowered by it
  /// (-1), is below the limit.
  template <int shift>
  std::uint64_t less(typename Ops::Real limit) const {
    const auto wide = Ops::broadcast(limit);
    std::uint64_t bits = 0;
#pragma GCC unroll 32
    for (std::size_t v = 0; v < vectors; ++v) {
      auto square = r2[v];
      if constexpr (Measure::searches) {
        square = shift > 0 ? square + error[v] : square - error[v];
      }
      bits |= std::uint64_t{Ops::less_bits(square, wide)} << (v * Ops::width);
    }
    return bits & valid;
  }
};

/// Adds the pairs of `squares` to the counts of each edge, with a comparison for every
/// pair. Returns a mask of the
/// ambiguous pairs, which are not counted.
template <class Measure, class Real>
inline std::uint64_t count_below(const Squares<Measure>& squares,
                                 EdgeCounts<Real>& edges) {
  std::uint64_t ambiguous = 0;
  for (std::uint32_t k = edges.count; k > 0; --k) {
    const std::uint64_t perhaps = squares.template less<-1>(edges.beyond[k]);
    if (perhaps == 0) {
      break;
    }
    ambiguous |= perhaps ^ squares.template less<1>(edges.below[k]);
    edges.pairs[k] += static_cast<std::uint64_t>(__builtin_popcountll(perhaps));
  }
  if (ambiguous != 0) {  // about one pair in a million
    for (std::uint32_t k = edges.count; k > 0; --k) {
      edges.pairs[k] -= static_cast<std::uint64_t>(
          __builtin_popcountll(ambiguous & squares.template less<-1>(edges.beyond[k])));
    }
  }
  return ambiguous;
}

/// Counts the pairs of row i in columns [begin, end), with their ambiguous ones.
template <class Measure, class Real>
void count_row(const PairLoop& loop, const Measure& measure, std::size_t i,
               std::size_t begin, std::size_t end, EdgeCounts<Real>& edges,
               AmbiguousPairs<PlainTally>& ambiguous_pairs) {
  constexpr std::size_t width = Measure::Ops::width;
  const typename Measure::Row a(measure, loop, i);
  Squares<Measure> squares;
  for (std::size_t j = begin; j < end; j += Squares<Measure>::capacity) {
    const std::size_t left = end - j;
    const std::size_t count =
        left < Squares<Measure>::capacity ? left : Squares<Measure>::capacity;
    squares.valid = ~std::uint64_t{0} >> (Squares<Measure>::capacity - count);
#pragma GCC unroll 32
    for (std::size_t v = 0; v < Squares<Measure>::vectors; ++v) {
      const auto square = measure.square(loop, a, j + v * width);
      squares.r2[v] = square.r2;
      squares.error[v] = square.search_error_r2;
    }
    const std::uint64_t ambiguous = count_below(squares, edges);
    edges.reevaluated += static_cast<std::size_t>(__builtin_popcountll(ambiguous));
    ambiguous_pairs.add(i, j, ambiguous);
  }
}

}  // namespace
}  // namespace starhist::kernels::cpu

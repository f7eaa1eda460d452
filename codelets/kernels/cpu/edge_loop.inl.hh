// The loop over pairs for bins between explicit edges: no distance is sorted into a
// histogram; instead, the pairs below each edge are counted by comparisons of r^2, from
// the largest edge down. Included by pair_loop.inl.hh.
#pragma once

#include <type_traits>

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
  /// s + error_abs of s is less than its distance from E. Limits are rounded outwards.
  EdgeCounts(const UniformBins& bins, double error_rel, double error_abs)
      : count(bins.count) {
    constexpr Real outwards = 4 * (sizeof(Real) == 4 ? 0x1p-24F : 0x1p-53);
    for (std::uint32_t k = 0; k <= count; ++k) {
      const double edge =
          __builtin_sqrt(bins.edges.squared_limit[k]) * bins.inverse_width;
      const double low = edge - error_abs;
      const double high = edge + error_abs;
      const double inner = low > 0.0 ? low * (1.0 - error_rel) : 0.0;
      const double outer = high * (1.0 + 1.01 * error_rel);
      below[k] = static_cast<Real>(inner * inner) * (1 - outwards);
      beyond[k] = static_cast<Real>(outer * outer) * (1 + outwards);
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

/// The squares of pairs that may be in range, collected over the rows of a rectangle
/// and compared with each edge a few hundred at a time.
class CollectedSquares {
 public:
  using Floats = Simd::Floats;
  using Ints = Simd::Ints;

  explicit CollectedSquares(EdgeCounts<float>& edges) : edges_(edges) {
    for (std::uint32_t k = 0; k <= edges.count; ++k) {
      below_[k] = Ints{};
    }
  }

  /// From this number of squares on, they must be counted before more are added.
  static constexpr std::size_t full = 512;
  /// Adds the lanes of r2 that may be in range. Returns the new number of squares.
  std::size_t add(std::size_t size, Floats r2) {
    return size + Simd::store_less(square_ + size, r2, reach_);
  }

  /// Compares the collected squares with the edges and counts them. Returns false
  /// without counting if a square is not certified at an edge.
  bool count(std::size_t size) {
    Ints ambiguous{};
    std::uint32_t k = edges_.count;
    for (; k > 0; --k) {
      Simd::store(square_ + size, Simd::broadcast(far_away));  // fills the last vector
      const Floats beyond = Simd::broadcast(edges_.beyond[k]);
      const Floats below = Simd::broadcast(edges_.below[k]);
      Ints perhaps{};
      Ints surely{};
      for (std::size_t v = 0; v < size; v += Simd::width) {
        const Floats r2 = Simd::load(square_ + v);
        perhaps = Simd::count_less(perhaps, r2, beyond);
        surely = Simd::count_less(surely, r2, below);
      }
      ambiguous |= perhaps ^ surely;
      collected_[k] = perhaps;
      const std::size_t left = Simd::sum(perhaps);
      if (left == 0) {
        break;
      }
      if (2 * left < size) {
        size = keep_less(size, beyond);
      }
    }
    if (Simd::any(ambiguous)) {
      return false;
    }
    for (std::uint32_t edge = edges_.count; edge > k; --edge) {
      below_[edge] += collected_[edge];
    }
    return true;
  }

  /// Adds the pairs below each edge to the counts of the edges.
  void add_to_edges() const {
    for (std::uint32_t k = 1; k <= edges_.count; ++k) {
      edges_.pairs[k] += Simd::sum(below_[k]);
    }
  }

 private:
  static constexpr float far_away = 3e38F;

  /// Removes squares from `limit` on; returns the number of the others.
  std::size_t keep_less(std::size_t size, Floats limit) {
    std::size_t kept = 0;
    for (std::size_t v = 0; v < size; v += Simd::width) {
      kept += Simd::store_less(square_ + kept, Simd::load(square_ + v), limit);
    }
    return kept;
  }

  EdgeCounts<float>& edges_;
  const Floats reach_ = Simd::broadcast(edges_.beyond[edges_.count]);
  float square_[full + 2 * Simd::width];
  Ints below_[EdgeCounts<float>::most];      ///< pairs below each edge, by lane
  Ints collected_[EdgeCounts<float>::most];  ///< the same of the last collection
};

/// Counts the pairs of a rectangle by collecting their squares. A collection with
/// an ambiguous pair is counted row by row.
template <class Measure>
void count_collected(const PairLoop& loop, const Measure& measure,
                     EdgeCounts<float>& edges,
                     AmbiguousPairs<PlainTally>& ambiguous_pairs) {
  CollectedSquares squares(edges);
  std::size_t size = 0;                    // number of collected squares
  std::size_t first_row = loop.row_begin;  // of them
  std::size_t from = first_column(loop, first_row);
  // Counts the collected squares, the last of which is in this row before column `end`.
  const auto count_until = [&](std::size_t row, std::size_t end) {
    if (!squares.count(size)) {
      for (std::size_t i = first_row; i <= row; ++i) {
        count_row(loop, measure, i, i == first_row ? from : first_column(loop, i),
                  i == row ? end : loop.column_end, edges, ambiguous_pairs);
      }
    }
    first_row = row;
    from = end;
    return std::size_t{0};
  };
  for (std::size_t i = loop.row_begin; i < loop.row_end; ++i) {
    const typename Measure::Row a(measure, loop, i);
    std::size_t j = first_column(loop, i);
    std::size_t own = size;  // in a register
    for (; j + Simd::width <= loop.column_end; j += Simd::width) {
      own = squares.add(own, measure.square(loop, a, j).r2);
      if (own >= CollectedSquares::full) {
        size = own;
        own = count_until(i, j + Simd::width);
      }
    }
    if (j < loop.column_end) {
      own = squares.add(
          own, Simd::first_lanes(measure.square(loop, a, j).r2, loop.column_end - j));
    }
    size = own;
    if (size >= CollectedSquares::full) {
      size = count_until(i, loop.column_end);
    }
  }
  if (loop.row_begin < loop.row_end) {
    count_until(loop.row_end - 1, loop.column_end);
  }
  squares.add_to_edges();
}

/// Counts the rectangle between explicit edges, with the squared distances of Measure.
template <class Measure>
void count_rectangle_between_edges(const PairLoop& loop) {
  using Ops = typename Measure::Ops;
  const Measure measure(loop);
  EdgeCounts<typename Ops::Real> edges(*loop.block->bins, measure.relative_error(loop),
                                       measure.absolute_error(loop));
  AmbiguousPairs<PlainTally> ambiguous_pairs(loop);
  if constexpr (std::is_same_v<Ops, Simd> && !Measure::searches) {
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
  for (std::uint32_t k = 0; k < edges.count; ++k) {
    loop.histogram[k] +=
        static_cast<std::uint32_t>(edges.pairs[k + 1] - edges.pairs[k]);
  }
  loop.histogram[edges.count] +=
      static_cast<std::uint32_t>(pairs - edges.reevaluated - edges.pairs[edges.count]);
}

}  // namespace
}  // namespace starhist::kernels::cpu

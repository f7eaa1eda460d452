// The loop over pairs by distance and second axis, written once;
// second_axis_loop_*.cc compile it.
#pragma once

#include <type_traits>

#include "codelets/kernels/cpu/pair_loop.inl.hh"
#include "codelets/kernels/cpu/second_axis/second_axis_loop.hh"

namespace starhist::kernels::cpu {
namespace {

/// Squares of distances, and the displacement along the unit vector.
struct Displaced {
  Simd::Floats r2;            ///< [squared bins]
  Simd::Floats search_error;  ///< of r2 [squared bins]
  Simd::Floats along;         ///< SecondAxisLoop
  /// Square of the next image less the square of the shortest one, less
  /// SecondAxisLoop::least_gap; 0 unless images are searched [squared bins].
  Simd::Floats gap;
};

/// Bins of distance for explicit edges: the number of edges beyond which a pair is.
struct RowsBetweenEdges {
  EdgeCounts<float> edges;

  template <class Measure>
  explicit RowsBetweenEdges(const Measure& /*measure*/, const PairLoop& loop)
      : edges(*loop.block->bins, Measure::relative_error(loop),
              Measure::absolute_error(loop)) {}
};
struct UniformRows {
  template <class Measure>
  UniformRows(const Measure& /*measure*/, const PairLoop& /*loop*/) {}
};

/// Cells of vectors of pairs in a histogram of bins.count rows of second.count cells.
template <Metric metric, bool cosine, bool between_edges>
class SecondAxisCells : public AnyImage<metric, Simd> {
 public:
  using Ops = Simd;
  using Floats = Simd::Floats;
  using Ints = Simd::Ints;
  using Base = AnyImage<metric, Simd>;

  explicit SecondAxisCells(const SecondAxisLoop& loop)
      : Base(loop.pairs),
        loop_(loop),
        rows_(*this, loop.pairs),
        columns_(Ops::broadcast(static_cast<std::int32_t>(loop.second.count))),
        last_column_(Ops::broadcast(static_cast<float>(loop.second.count) - 0.25F)),
        middle_(Ops::broadcast(0.5F * static_cast<float>(loop.second.count))),
        error_abs_(Ops::broadcast(loop.error_abs)),
        error_inverse_(Ops::broadcast(loop.error_inverse)),
        most_difference_(Ops::broadcast(loop.most_difference)),
        least_gap_(Ops::broadcast(loop.least_gap)),
        normal_share_(Ops::broadcast(loop.heights.first == nullptr ? 1.0F : 0.0F)) {
    const std::uint32_t rows = loop.pairs.block->bins->count;
    const auto cells = static_cast<std::int32_t>(rows * loop.second.count);
    this->clamp = Ops::broadcast(static_cast<float>(rows) + 0.5F);
    this->scrap =
        Ops::broadcast(cells + static_cast<std::int32_t>(out_of_range_entries));
    out_of_range_ = Ops::broadcast(cells) + Ops::truncated(Ops::lane_centres());
  }

  /// The coordinates of one particle and the lattice along its unit vector.
  struct Row : Base::Row {
    Floats along[3];
    Floats facet_along[6];  ///< of b1, b2, b3, b1+b2, b1+b3, b2+b3, if searched

    Row(const SecondAxisCells& measure, const PairLoop& pairs, std::size_t i)
        : Base::Row(measure, pairs, i) {
      const SecondAxisLoop& loop = measure.loop_;
      const Vec3 u = loop.directions != nullptr ? loop.directions[i] : loop.direction;
      double a[3];
      for (int k = 0; k < 3; ++k) {
        a[k] = -dot(u, loop.edge[k]);
        along[k] = Ops::broadcast(static_cast<float>(a[k]));
      }
      if constexpr (metric == Metric::searched) {
        const double facet[6] = {a[0],        a[1],        a[2],
                                 a[0] + a[1], a[0] + a[2], a[1] + a[2]};
        for (int k = 0; k < 6; ++k) {
          facet_along[k] = Ops::broadcast(static_cast<float>(0x1p32 * facet[k]));
        }
      }
    }
  };

  /// Stores the cells of a vector of pairs, with `scrap` for ambiguous ones. Returns a
  /// mask of these.
  unsigned store(const PairLoop& pairs, const Row& a, std::size_t column,
                 std::uint32_t* cells) const {
    const auto difference = [&](int axis) {
      return Ops::to_floats(
          Ops::wrapped_difference(a.at[axis], Ops::load(pairs.column[axis] + column)));
    };
    const Floats u = difference(0);
    const Floats v = difference(1);
    const Floats w = difference(2);
    const Displaced d = displaced(a, u, v, w);
    // Positive for certified pairs.
    Floats certainty =
        most_difference_ -
        larger(Ops::magnitude(u), larger(Ops::magnitude(v), Ops::magnitude(w)));
    if constexpr (metric == Metric::searched) {
      certainty = Ops::smaller(certainty, d.gap);
    }
    const Ints distance_bin = find_row(d, certainty);
    // Beyond the first and the last edge are no other bins: positions stay away from
    // these edges.
    Floats position;
    Floats error = error_abs_;
    if constexpr (cosine) {
      const Floats tiny = Ops::broadcast(1e-24F);
      const Floats inverse = 1.0F / Ops::root(larger(d.r2, tiny));
      position = Ops::multiply_add(d.along, inverse, middle_);
      error = Ops::multiply_add(error_inverse_, inverse, error);
    } else {
      position = Ops::magnitude(d.along);
    }
    position = Ops::smaller(larger(position, Ops::broadcast(0.25F)), last_column_);
    certainty = Ops::smaller(certainty,
                             Ops::magnitude(position - Ops::nearest(position)) - error);
    const Ints cell = distance_bin * columns_ + Ops::truncated(position);
    return Ops::store_but_less(cells, cell < out_of_range_ ? cell : out_of_range_,
                               this->scrap, certainty, Floats{});
  }

 private:
  static Floats larger(Floats a, Floats b) { return Ops::where_less(a, b, b, a); }

  Displaced displaced(const Row& a, Floats u, Floats v, Floats w) const {
    const Floats along = Ops::multiply_add(
        u, a.along[0], Ops::multiply_add(v, a.along[1], w * a.along[2]));
    if constexpr (!cosine) {
      w = w * normal_share_;  // distances in a plane
    }
    if constexpr (metric == Metric::searched) {
      return nearest_image(a, u, v, w, along);
    } else {
      Floats r2 = fast_distance<metric, Ops>(*this, u, v, w).r2;
      if constexpr (metric == Metric::isotropic) {
        r2 = r2 * this->squared_scale;
      }
      return {r2, Floats{}, along, Floats{}};
    }
  }

  /// fast_distance() of Metric::searched, with the displacement of the shortest image
  /// and how much shorter it is than the next one.
  Displaced nearest_image(const Row& a, Floats u, Floats v, Floats w,
                          Floats along) const {
    const auto& m = *this;
    const Floats x =
        Ops::multiply_add(u, m.row[0], Ops::multiply_add(v, m.row[1], w * m.row[3]));
    const Floats y = Ops::multiply_add(v, m.row[2], w * m.row[4]);
    const Floats z = w * m.row[5];
    const Floats r2 = Ops::multiply_add(z, z, Ops::multiply_add(y, y, x * x));
    const auto* h = m.minus_twice_row;
    const Floats d1 = h[0] * x;
    const Floats d2 = Ops::multiply_add(h[2], y, h[1] * x);
    const Floats d3 = Ops::multiply_add(h[5], z, Ops::multiply_add(h[4], y, h[3] * x));
    Floats best{};
    Floats next = Ops::broadcast(3e38F);
    Floats lowest = next;  // gain of a facet
    Floats moved{};        // along the unit vector
    const auto try_facet = [&](int k, Floats product) {
      const Floats gain = m.facet_norm2[k] - Ops::magnitude(product);
      next = Ops::smaller(next, larger(gain, best));
      moved = Ops::where_less(
          gain, best,
          Ops::where_less(product, Floats{}, -a.facet_along[k], a.facet_along[k]),
          moved);
      best = Ops::smaller(best, gain);
      lowest = Ops::smaller(lowest, gain);
    };
    try_facet(0, d1);
    try_facet(1, d2);
    try_facet(2, d3);
    try_facet(3, d1 + d2);
    try_facet(4, d1 + d3);
    try_facet(5, d2 + d3);
    const Floats error = Ops::multiply_add(r2, m.search_error_norm2, m.search_error_r2);
    return {larger(r2 + best, Ops::broadcast(1e-30F)),
            Ops::where_less(lowest, error, error, Floats{}), along + moved,
            (next - best) - least_gap_};
  }

  /// Bins of the distance, bins.count beyond the last one. Lowers `certainty` below 0
  /// for ambiguous pairs.
  Ints find_row(const Displaced& d, Floats& certainty) const {
    if constexpr (between_edges) {
      Floats low = d.r2;
      Floats high = d.r2;
      if constexpr (metric == Metric::searched) {
        low = low - d.search_error;
        high = high + d.search_error;
      }
      // The number of limits that are not larger: first all, then less those that are.
      Ints surely{};
      Ints perhaps{};
      for (std::uint32_t k = 1; k <= rows_.edges.count; ++k) {
        surely -= low >= Ops::broadcast(rows_.edges.beyond[k]);
        perhaps -= high >= Ops::broadcast(rows_.edges.below[k]);
      }
      certainty = surely == perhaps ? certainty : Ops::broadcast(-1.0F);
      return surely;
    } else {
      const Floats value = Ops::smaller(Ops::root(d.r2), this->clamp);
      const Floats edge = Ops::nearest(value);
      Floats limit = this->edge_ambiguity.limit_of_squares(edge);
      if constexpr (metric == Metric::searched) {
        limit = limit + d.search_error;
      }
      const Floats beyond = Ops::magnitude(Ops::multiply_add(-edge, edge, d.r2));
      certainty = Ops::smaller(certainty, beyond - limit);
      return Ops::truncated(value);
    }
  }

  const SecondAxisLoop& loop_;
  std::conditional_t<between_edges, RowsBetweenEdges, UniformRows> rows_;
  Ints columns_;
  Ints out_of_range_;
  Floats last_column_;
  Floats middle_;
  Floats error_abs_;
  Floats error_inverse_;
  Floats most_difference_;
  Floats least_gap_;
  Floats normal_share_;  ///< 0 if the third coordinates are heights, otherwise 1
};

/// Counts ambiguous pairs by the defining function.
class AmbiguousCells {
 public:
  explicit AmbiguousCells(SecondAxisLoop& loop) : loop_(loop) {}

  /// Counts the pairs of row i and column first + k for each bit k in `columns`.
  void add(std::size_t i, std::size_t first, std::uint64_t columns) {
    for (; columns != 0; columns &= columns - 1U) {
      const std::size_t j = first + static_cast<std::size_t>(__builtin_ctzll(columns));
      if (loop_.without_same && i == j) {
        continue;
      }
      const PairBlock& block = *loop_.pairs.block;
      const Vec3 a = block.first[i];
      const Vec3 b = block.second[j];
      ++loop_.decided;
      if (loop_.heights.first != nullptr) {
        count_heights(a, b, loop_.heights.first[i], loop_.heights.second[j]);
        continue;
      }
      count(loop_.directions != nullptr ? loop_.directions[i] : loop_.direction, a, b);
      if (loop_.reflected) {
        count(loop_.direction, b, a);
      }
    }
  }

 private:
  void count(Vec3 u, Vec3 a, Vec3 b) const {
    const PairBlock& block = *loop_.pairs.block;
    ++loop_.counts[pair_cell(*block.image, *block.bins, loop_.second, u, a, b)];
  }

  void count_heights(Vec3 a, Vec3 b, double of_a, double of_b) const {
    const PairBlock& block = *loop_.pairs.block;
    const std::uint32_t row = pair_bin(*block.image, *block.bins, a, b);
    if (row < block.bins->count) {
      ++loop_.counts[std::size_t{row} * loop_.second.count +
                     height_column(loop_.height_bins, loop_.limit, loop_.heights.period,
                                   of_a, of_b)];
    }
  }

  SecondAxisLoop& loop_;
};

template <Metric metric, bool cosine, bool between_edges>
void count_cells(SecondAxisLoop& loop) {
  const SecondAxisCells<metric, cosine, between_edges> measure(loop);
  AmbiguousCells ambiguous(loop);
  count_rows(loop.pairs, measure, PlainTally(loop.pairs), ambiguous);
}

template <Metric metric>
void count_cells(SecondAxisLoop& loop) {
  const bool cosine = loop.second.kind == SecondAxis::Kind::cosine;
  if (loop.pairs.block->bins->edges.r != nullptr) {
    cosine ? count_cells<metric, true, true>(loop)
           : count_cells<metric, false, true>(loop);
  } else {
    cosine ? count_cells<metric, true, false>(loop)
           : count_cells<metric, false, false>(loop);
  }
}

/// SecondAxisLoopFunction of this instruction set: chooses the loop.
inline void run_second_axis_loop(SecondAxisLoop& loop) {
  switch (loop.pairs.metric) {
    case Metric::isotropic:
      count_cells<Metric::isotropic>(loop);
      break;
    case Metric::diagonal:
      count_cells<Metric::diagonal>(loop);
      break;
    case Metric::triangular:
      count_cells<Metric::triangular>(loop);
      break;
    case Metric::searched:
      count_cells<Metric::searched>(loop);
      break;
  }
}

}  // namespace
}  // namespace starhist::kernels::cpu

// The loop over pairs, written once; pair_loop_{baseline,avx2,avx512}.cc compile it.
//
// Everything here is in an unnamed namespace or always inlined, so that no code made
// for one instruction set can end up in a program path of another (the test
// isa_objects looks).
#pragma once

#include "codelets/core/pair_bin.hh"
#include "codelets/kernels/cpu/pair_loop.hh"
#include "codelets/kernels/cpu/simd.inl.hh"
#include "codelets/kernels/fixed_point/fast_distance.hh"

namespace starhist::cpu {
namespace {

/// MetricConstants, each in all lanes of Ops, Simd or FineSimd.
template <class Ops>
struct WideMetric {
  using Floats = typename Ops::Floats;
  using Real = typename Ops::Real;

  Floats row[6];
  Floats minus_twice_row[6];
  Floats facet_norm2[6];
  Floats error_rel;
  Floats error_abs;
  Floats search_error_norm2;
  Floats search_error_r2;
  Floats half;
  Floats clamp;  ///< beyond the last bin, one place per lane, never near an edge

  WideMetric(const MetricConstants<Real>& fast, std::uint32_t bin_count)
      : error_rel(Ops::broadcast(fast.error_rel)),
        error_abs(Ops::broadcast(fast.error_abs)),
        search_error_norm2(Ops::broadcast(fast.search_error_norm2)),
        search_error_r2(Ops::broadcast(fast.search_error_r2)),
        half(Ops::broadcast(static_cast<Real>(0.501))),
        clamp(Ops::broadcast(static_cast<Real>(bin_count)) + Ops::lane_centres()) {
    for (int k = 0; k < 6; ++k) {
      row[k] = Ops::broadcast(fast.row[k]);
      minus_twice_row[k] = Ops::broadcast(fast.minus_twice_row[k]);
      facet_norm2[k] = Ops::broadcast(fast.facet_norm2[k]);
    }
  }
};

/// Distances in bins, and the part of their error bound that does not grow with them.
template <class Floats>
struct Distance {
  Floats value;
  Floats error_abs;
};

template <Metric metric, class Ops, class Ints>
inline Distance<typename Ops::Floats> distance(const WideMetric<Ops>& m, Ints dx,
                                               Ints dy, Ints dz) {
  const auto fast = fast_distance<metric, Ops>(m, Ops::to_floats(dx),
                                               Ops::to_floats(dy), Ops::to_floats(dz));
  const auto root = Ops::root(fast.r2);
  if constexpr (metric == Metric::isotropic) {
    return {root * m.row[0], m.error_abs};
  } else if constexpr (metric == Metric::searched) {
    return {root, Ops::multiply_add(fast.search_error_r2 * m.half,
                                    Ops::about_inverse_root(fast.r2), m.error_abs)};
  } else {
    return {root, m.error_abs};
  }
}

/// Pairs in doubt, collected to be settled together by the defining function.
class Doubts {
 public:
  explicit Doubts(const PairLoop& loop) : loop_(loop) {}
  ~Doubts() { settle(); }
  Doubts(const Doubts&) = delete;
  Doubts& operator=(const Doubts&) = delete;

  void add(std::size_t i, std::size_t j) {
    row_[size_] = static_cast<std::uint32_t>(i);
    column_[size_] = static_cast<std::uint32_t>(j);
    ++size_;
  }
  void settle_if_full() {
    if (size_ > capacity - batch) {
      settle();
    }
  }

  static constexpr std::size_t batch = 64;  ///< added between calls of settle_if_full

 private:
  void settle() {
    for (std::size_t k = 0; k < size_; ++k) {
      const Vec3 a = loop_.block->first[row_[k]];
      const Vec3 b = loop_.block->second[column_[k]];
      a_[0][k] = a.x, a_[1][k] = a.y, a_[2][k] = a.z;
      b_[0][k] = b.x, b_[1][k] = b.y, b_[2][k] = b.z;
    }
    if (loop_.block->image->facet_count > 0) {
      find_bins<6>();
    } else {
      find_bins<0>();
    }
    for (std::size_t k = 0; k < size_; ++k) {
      ++loop_.histogram[row_[k]];
    }
    size_ = 0;
  }

  /// A loop of its own, over local copies, so that it vectorizes; that needs to know
  /// whether there are facets at all (six: the missing ones are zero).
  template <int facet_count>
  void find_bins() {
    MinimumImage image = *loop_.block->image;
    image.facet_count = facet_count;
    const UniformBins bins = *loop_.block->bins;
    for (std::size_t k = 0; k < size_; ++k) {
      row_[k] = pair_bin(image, bins, {a_[0][k], a_[1][k], a_[2][k]},
                         {b_[0][k], b_[1][k], b_[2][k]});
    }
  }

  static constexpr std::size_t capacity = 512;
  const PairLoop& loop_;
  std::size_t size_ = 0;
  std::uint32_t row_[capacity];
  std::uint32_t column_[capacity];
  double a_[3][capacity];
  double b_[3][capacity];
};

/// Pairs of one row, from column `first` on: their bins, and which of them are in
/// doubt.
struct Batch {
  static constexpr std::size_t capacity = Doubts::batch;
  std::size_t row = 0;
  std::size_t first = 0;
  std::size_t count = 0;
  std::uint64_t doubtful = 0;  ///< one bit per pair
  alignas(64) std::uint32_t bin[capacity];
};

/// The coordinates of one particle, in all lanes.
template <class Ops>
struct WidePoint {
  typename Ops::Ints x, y, z;

  WidePoint(const PairLoop& loop, std::size_t i)
      : x(Ops::broadcast(loop.row[0][i - loop.row_origin])),
        y(Ops::broadcast(loop.row[1][i - loop.row_origin])),
        z(Ops::broadcast(loop.row[2][i - loop.row_origin])) {}
};

/// Finds the bins of Ops::width pairs. Returns which of them are in doubt, one bit
/// each.
template <Metric metric, class Ops>
inline unsigned find_bins(const PairLoop& loop, const WideMetric<Ops>& m,
                          const WidePoint<Ops>& a, std::size_t column,
                          std::uint32_t* bins) {
  const auto to_column = [&](auto from, std::size_t axis) {
    return Ops::wrapped_difference(from, Ops::load(loop.column[axis] + column));
  };
  const auto d =
      distance<metric>(m, to_column(a.x, 0), to_column(a.y, 1), to_column(a.z, 2));
  const auto s = Ops::smaller(d.value, m.clamp);
  const auto error = Ops::multiply_add(s, m.error_rel, d.error_abs);
  // Raised by its error, a distance in doubt has just passed an edge: its fraction is
  // less than twice the error.
  const auto raised = s + error;
  const auto found = Ops::truncated(raised);
  Ops::store(bins, found);
  return Ops::less_bits(raised - Ops::to_floats(found), error + error);
}

/// Finds the bins of `batch`, whose row, first column and count are set.
template <Metric metric, class Ops>
inline void find_bins(const PairLoop& loop, const WideMetric<Ops>& m,
                      const WidePoint<Ops>& a, Batch& batch) {
  std::uint64_t doubtful = 0;
  if (batch.count == Batch::capacity) {
#pragma GCC unroll 4
    for (std::size_t k = 0; k < Batch::capacity; k += Ops::width) {
      doubtful |=
          std::uint64_t{find_bins<metric>(loop, m, a, batch.first + k, batch.bin + k)}
          << k;
    }
  } else {
    for (std::size_t k = 0; k < batch.count; k += Ops::width) {
      doubtful |=
          std::uint64_t{find_bins<metric>(loop, m, a, batch.first + k, batch.bin + k)}
          << k;
    }
    doubtful &= (std::uint64_t{1} << batch.count) - 1U;  // the rest is padding
  }
  batch.doubtful = doubtful;
}

inline void count_batch(Batch& batch, std::uint32_t* histogram, std::uint32_t scrap,
                        Doubts& doubts) {
  for (std::uint64_t left = batch.doubtful; left != 0; left &= left - 1U) {
    const auto k = static_cast<std::size_t>(__builtin_ctzll(left));
    batch.bin[k] = scrap;
    doubts.add(batch.row, batch.first + k);
  }
  if (batch.count == Batch::capacity) {
#pragma GCC unroll 16  // a third faster than rolled
    for (std::size_t k = 0; k < Batch::capacity; ++k) {
      ++histogram[batch.bin[k]];
    }
  } else {
    for (std::size_t k = 0; k < batch.count; ++k) {
      ++histogram[batch.bin[k]];
    }
  }
  doubts.settle_if_full();
}

inline std::size_t first_column(const PairLoop& loop, std::size_t i) {
  return loop.block->like && loop.column_begin <= i ? i + 1 : loop.column_begin;
}

template <Metric metric, class Ops>
void count_rectangle(const PairLoop& loop,
                     const MetricConstants<typename Ops::Real>& constants) {
  const WideMetric<Ops> m(constants, loop.block->bins->count);
  const std::uint32_t scrap = loop.block->bins->count + out_of_range_entries;
  Doubts doubts(loop);
  // A batch is counted while the bins of the next are found: the branches on doubtful
  // pairs, which nobody can predict, then need not wait for the arithmetic.
  Batch batches[2];
  std::size_t current = 0;
  for (std::size_t i = loop.row_begin; i < loop.row_end; ++i) {
    const WidePoint<Ops> a(loop, i);
    for (std::size_t j = first_column(loop, i); j < loop.column_end;
         j += Batch::capacity) {
      const std::size_t left = loop.column_end - j;
      batches[current].row = i;
      batches[current].first = j;
      batches[current].count = left < Batch::capacity ? left : Batch::capacity;
      find_bins<metric>(loop, m, a, batches[current]);
      current = 1 - current;
      count_batch(batches[current], loop.histogram, scrap, doubts);
    }
  }
  count_batch(batches[1 - current], loop.histogram, scrap, doubts);
}

/// The defining function for every pair.
void count_rectangle_by_definition(const PairLoop& loop) {
  const PairBlock& block = *loop.block;
  for (std::size_t i = loop.row_begin; i < loop.row_end; ++i) {
    for (std::size_t j = first_column(loop, i); j < loop.column_end; ++j) {
      ++loop.histogram[pair_bin(*block.image, *block.bins, block.first[i],
                                block.second[j])];
    }
  }
}

/// The same for listed pairs.
void count_list(const PairLoop& loop) {
  Doubts pairs(loop);
  for (std::size_t k = 0; k < loop.listed_count; ++k) {
    pairs.settle_if_full();
    pairs.add(loop.listed_row[k], loop.listed_column[k]);
  }
}

template <class Ops>
void count_rectangle(const PairLoop& loop,
                     const MetricConstants<typename Ops::Real>& constants) {
  switch (loop.metric) {
    case Metric::isotropic:
      count_rectangle<Metric::isotropic, Ops>(loop, constants);
      break;
    case Metric::diagonal:
      count_rectangle<Metric::diagonal, Ops>(loop, constants);
      break;
    case Metric::triangular:
      count_rectangle<Metric::triangular, Ops>(loop, constants);
      break;
    case Metric::searched:
      count_rectangle<Metric::searched, Ops>(loop, constants);
      break;
  }
}

inline const char* run_pair_loop(const PairLoop& loop) {
  if (loop.listed_row != nullptr) {
    count_list(loop);
  } else if (loop.fine != nullptr) {
    count_rectangle<FineSimd>(loop, *loop.fine);
  } else if (loop.fast != nullptr) {
    count_rectangle<Simd>(loop, *loop.fast);
  } else {
    count_rectangle_by_definition(loop);
  }
  return instruction_set;
}

}  // namespace
}  // namespace starhist::cpu

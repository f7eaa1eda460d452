// The loop over pairs, written once; pair_loop_{baseline,avx2,avx512}.cc compile it.
//
// Everything here is in an unnamed namespace or always inlined, so that no code made
// for one instruction set can end up in a program path of another (the test
// isa_objects looks).
#pragma once

#include "codelets/core/pair_bin.hh"
#include "codelets/kernels/cpu/pair_loop.hh"
#include "codelets/kernels/cpu/simd.inl.hh"

namespace starhist::cpu {
namespace {

/// FastMetric, each constant in all lanes.
struct WideMetric {
  Floats row[6];
  Floats minus_twice_row[6];
  Floats facet_norm2[6];
  Floats error_rel;
  Floats error_abs;
  Floats search_error_norm2;
  Floats search_error_r2;
  Floats half;
  Floats clamp;  ///< beyond the last bin, one place per lane, never near an edge

  WideMetric(const FastMetric& fast, std::uint32_t bin_count)
      : error_rel(broadcast(fast.error_rel)),
        error_abs(broadcast(fast.error_abs)),
        search_error_norm2(broadcast(fast.search_error_norm2)),
        search_error_r2(broadcast(fast.search_error_r2)),
        half(broadcast(0.501F)),
        clamp(broadcast(static_cast<float>(bin_count)) + lane_centres()) {
    for (int k = 0; k < 6; ++k) {
      row[k] = broadcast(fast.row[k]);
      minus_twice_row[k] = broadcast(fast.minus_twice_row[k]);
      facet_norm2[k] = broadcast(fast.facet_norm2[k]);
    }
  }
};

/// Distances in bins, and the part of their error bound that does not grow with them.
struct Distance {
  Floats value;
  Floats error_abs;
};

inline Floats sum_of_squares(Floats x, Floats y, Floats z) {
  return multiply_add(z, z, multiply_add(y, y, x * x));
}

/// Largest gain |d - b_S|^2 - |d|^2 (most negative) over the six facets.
inline Floats best_gain(const WideMetric& m, Floats x, Floats y, Floats z) {
  const Floats* h = m.minus_twice_row;
  const Floats dots[3] = {h[0] * x, multiply_add(h[2], y, h[1] * x),
                          multiply_add(h[5], z, multiply_add(h[4], y, h[3] * x))};
  const Floats all[6] = {dots[0],           dots[1],           dots[2],
                         dots[0] + dots[1], dots[0] + dots[2], dots[1] + dots[2]};
  Floats best = m.facet_norm2[0] - magnitude(all[0]);
  for (int k = 1; k < 6; ++k) {
    best = smaller(best, m.facet_norm2[k] - magnitude(all[k]));
  }
  return best;
}

template <Metric metric>
inline Distance distance(const WideMetric& m, Ints dx, Ints dy, Ints dz) {
  const Floats u = to_floats(dx);
  const Floats v = to_floats(dy);
  const Floats w = to_floats(dz);
  if constexpr (metric == Metric::isotropic) {
    return {root(sum_of_squares(u, v, w)) * m.row[0], m.error_abs};
  } else if constexpr (metric == Metric::diagonal) {
    return {root(sum_of_squares(u * m.row[0], v * m.row[2], w * m.row[5])), m.error_abs};
  } else {
    const Floats x = multiply_add(u, m.row[0], multiply_add(v, m.row[1], w * m.row[3]));
    const Floats y = multiply_add(v, m.row[2], w * m.row[4]);
    const Floats z = w * m.row[5];
    Floats r2 = sum_of_squares(x, y, z);
    Floats error_abs = m.error_abs;
    if constexpr (metric == Metric::searched) {
      const Floats gain = best_gain(m, x, y, z);
      const Floats error_r2 = multiply_add(r2, m.search_error_norm2, m.search_error_r2);
      r2 += smaller(gain, Floats{});
      const Floats half_error = where_less(gain, error_r2, error_r2 * m.half, Floats{});
      error_abs = multiply_add(half_error, about_inverse_root(r2), error_abs);
    }
    return {root(r2), error_abs};
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

/// Pairs of one row, from column `first` on: their bins, and which of them are in doubt.
struct Batch {
  static constexpr std::size_t capacity = Doubts::batch;
  std::size_t row = 0;
  std::size_t first = 0;
  std::size_t count = 0;
  std::uint64_t doubtful = 0;  ///< one bit per pair
  alignas(64) std::uint32_t bin[capacity];
};

/// The coordinates of one particle, in all lanes.
struct WidePoint {
  Ints x, y, z;

  WidePoint(const PairLoop& loop, std::size_t i)
      : x(broadcast(loop.row[0][i - loop.row_origin])),
        y(broadcast(loop.row[1][i - loop.row_origin])),
        z(broadcast(loop.row[2][i - loop.row_origin])) {}
};

/// Finds the bins of `lanes` pairs. Returns which of them are in doubt, one bit each.
template <Metric metric>
inline unsigned find_bins(const PairLoop& loop, const WideMetric& m, const WidePoint& a,
                          std::size_t column, std::uint32_t* bins) {
  const Distance d = distance<metric>(m, a.x - load(loop.column[0] + column),
                                      a.y - load(loop.column[1] + column),
                                      a.z - load(loop.column[2] + column));
  const Floats s = smaller(d.value, m.clamp);
  const Floats error = multiply_add(s, m.error_rel, d.error_abs);
  // Raised by its error, a distance in doubt has just passed an edge: its fraction is
  // less than twice the error.
  const Floats raised = s + error;
  const Ints found = truncated(raised);
  store(bins, found);
  return less_bits(raised - to_floats(found), error + error);
}

/// Finds the bins of `batch`, whose row, first column and count are set.
template <Metric metric>
inline void find_bins(const PairLoop& loop, const WideMetric& m, const WidePoint& a,
                      Batch& batch) {
  std::uint64_t doubtful = 0;
  if (batch.count == Batch::capacity) {
#pragma GCC unroll 4
    for (std::size_t k = 0; k < Batch::capacity; k += lanes) {
      doubtful |= std::uint64_t{find_bins<metric>(loop, m, a, batch.first + k,
                                                  batch.bin + k)}
                  << k;
    }
  } else {
    for (std::size_t k = 0; k < batch.count; k += lanes) {
      doubtful |= std::uint64_t{find_bins<metric>(loop, m, a, batch.first + k,
                                                  batch.bin + k)}
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

template <Metric metric>
void count_rectangle(const PairLoop& loop) {
  const WideMetric m(*loop.fast, loop.block->bins->count);
  const std::uint32_t scrap = loop.block->bins->count + out_of_range_entries;
  Doubts doubts(loop);
  // A batch is counted while the bins of the next are found: the branches on doubtful
  // pairs, which nobody can predict, then need not wait for the arithmetic.
  Batch batches[2];
  std::size_t current = 0;
  for (std::size_t i = loop.row_begin; i < loop.row_end; ++i) {
    const WidePoint a(loop, i);
    for (std::size_t j = first_column(loop, i); j < loop.column_end; j += Batch::capacity) {
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
      ++loop.histogram[pair_bin(*block.image, *block.bins, block.first[i], block.second[j])];
    }
  }
}

inline const char* run_pair_loop(const PairLoop& loop) {
  if (loop.fast == nullptr) {
    count_rectangle_by_definition(loop);
    return instruction_set;
  }
  switch (loop.metric) {
    case Metric::isotropic:
      count_rectangle<Metric::isotropic>(loop);
      break;
    case Metric::diagonal:
      count_rectangle<Metric::diagonal>(loop);
      break;
    case Metric::triangular:
      count_rectangle<Metric::triangular>(loop);
      break;
    case Metric::searched:
      count_rectangle<Metric::searched>(loop);
      break;
  }
  return instruction_set;
}

}  // namespace
}  // namespace starhist::cpu

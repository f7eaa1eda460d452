// Re-evaluation of pairs that the fast distance leaves ambiguous. Included by
// pair_loop.inl.hh.
#pragma once

#include "codelets/core/counting/pair_bin.hh"
#include "codelets/kernels/cpu/pair_loop.hh"
#include "codelets/kernels/cpu/simd.inl.hh"

namespace starhist::kernels::cpu {
namespace {

/// Counts the pairs of a rectangle in its only histogram. The entry of ambiguous pairs
/// is never read.
class PlainTally {
 public:
  explicit PlainTally(const PairLoop& loop) : histogram_(loop.histogram) {}

  /// Counts a pair that may be ambiguous.
  void add(std::size_t /*column*/, std::uint32_t bin) const { ++histogram_[bin]; }
  /// Counts a pair that was added as an ambiguous one.
  void add_reevaluated(std::size_t /*column*/, std::uint32_t bin) const {
    ++histogram_[bin];
  }

 private:
  std::uint32_t* histogram_;
};

/// Counts each pair in the histogram of its column's label, where ambiguous pairs are
/// out of range until they are re-evaluated.
class LabelledTally {
 public:
  explicit LabelledTally(const PairLoop& loop)
      : histograms_(loop.labelled),
        label_(loop.label),
        first_label_(loop.first_label),
        out_of_range_(loop.block->bins->count) {}

  void add(std::size_t column, std::uint32_t bin) const { ++histogram_of(column)[bin]; }
  void add_reevaluated(std::size_t column, std::uint32_t bin) const {
    std::uint64_t* const histogram = histogram_of(column);
    ++histogram[bin];
    --histogram[out_of_range_];
  }

 private:
  std::uint64_t* histogram_of(std::size_t column) const {
    return histograms_ + std::size_t{label_[column] - first_label_} *
                             (std::size_t{out_of_range_} + 1);
  }

  std::uint64_t* histograms_;
  const std::uint32_t* label_;
  std::uint32_t first_label_;
  std::uint32_t out_of_range_;
};

/// Collects ambiguous pairs and re-evaluates many at a time: first by the fixed-point
/// distance in double precision, unless each pair's image would have to be searched
/// or bins have explicit edges;
/// then those that are still ambiguous, one in some hundreds, by the defining function.
/// The destructor counts the remaining ones.
template <class Tally>
class AmbiguousPairs {
 public:
  explicit AmbiguousPairs(const PairLoop& loop)
      : loop_(loop),
        tally_(loop),
        in_fixed_point_(loop.block->bins->edges.r == nullptr &&
                        loop.lattice != nullptr &&
                        (loop.images != nullptr || loop.metric != Metric::searched)) {
    for (int axis = 0; loop.images != nullptr && axis < 3; ++axis) {
      offset_[axis] = static_cast<std::uint32_t>(loop.images->offset[axis]);
    }
  }
  ~AmbiguousPairs() {
    list();
    reevaluate();
  }
  AmbiguousPairs(const AmbiguousPairs&) = delete;
  AmbiguousPairs& operator=(const AmbiguousPairs&) = delete;

  /// Adds the pairs of row i and column first + k for each bit k that is set in
  /// `columns`. No branch depends on the bits, because it would be unpredictable.
  void add(std::size_t i, std::size_t first, std::uint64_t columns) {
    noted_row_[noted_] = static_cast<std::uint32_t>(i);
    noted_first_[noted_] = static_cast<std::uint32_t>(first);
    noted_columns_[noted_] = columns;
    noted_ += columns != 0 ? 1 : 0;
    if (noted_ == most_noted) {
      list();
    }
  }

 private:
  /// Moves the noted words of bits to the list of pairs.
  void list() {
    const std::size_t noted = noted_;
    noted_columns_[noted] = 0;
    noted_columns_[noted + 1] = 0;
    std::uint64_t columns = noted_columns_[0];
    for (std::size_t at = 0; at < noted;) {
      row_[size_] = noted_row_[at];
      column_[size_] =
          noted_first_[at] + static_cast<std::uint32_t>(__builtin_ctzll(columns));
      if (in_fixed_point_) {
        find_displacement();
      }
      ++size_;
      if (size_ == capacity) {
        reevaluate();
      }
      columns &= columns - 1U;
      const std::uint64_t last = columns == 0 ? 1 : 0;
      columns |= noted_columns_[at + 1] & (std::uint64_t{0} - last);
      at += last;
    }
    noted_ = 0;
  }

  /// Sets the displacement of the pair listed last, while its coordinates are in the
  /// cache.
  void find_displacement() {
    for (int axis = 0; axis < 3; ++axis) {
      displacement_[axis][size_] = static_cast<std::int32_t>(
          static_cast<std::uint32_t>(loop_.row[axis][row_[size_] - loop_.row_origin]) -
          static_cast<std::uint32_t>(loop_.column[axis][column_[size_]]) -
          offset_[axis]);
    }
  }

  /// Counts the pairs of the list and empties it.
  void reevaluate() {
    if (in_fixed_point_) {
      reevaluate_in_fixed_point();
    }
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
      tally_.add_reevaluated(column_[k], bin_[k]);
    }
    size_ = 0;
  }

  /// Counts the listed pairs that double precision certifies and keeps the others
  /// listed.
  void reevaluate_in_fixed_point() {
    using Ops = DoubleSimd;
    using Floats = Ops::Floats;
    constexpr double none[1][3] = {};
    const int images = loop_.images != nullptr ? loop_.images->count : 1;
    const auto* shift = loop_.images != nullptr ? loop_.images->shift : none;
    Floats rows[6];
    for (int k = 0; k < 6; ++k) {
      rows[k] = Ops::broadcast(0x1p-32 * loop_.lattice->rows[k]);
    }
    const Floats beyond = Ops::broadcast(loop_.block->bins->count + 0.5);
    const Floats error = Ops::broadcast(1.01 * loop_.lattice->lattice_error);
    const Tally tally = tally_;
    std::size_t left = 0;
    for (std::size_t first = 0; first < size_; first += Ops::width) {
      const Floats u = Ops::to_floats(Ops::load(displacement_[0] + first));
      const Floats v = Ops::to_floats(Ops::load(displacement_[1] + first));
      const Floats w = Ops::to_floats(Ops::load(displacement_[2] + first));
      const Floats x =
          Ops::multiply_add(rows[0], u, Ops::multiply_add(rows[1], v, rows[3] * w));
      const Floats y = Ops::multiply_add(rows[2], v, rows[4] * w);
      const Floats z = rows[5] * w;
      Floats r2 = squared(x, y, z, shift[0]);
      for (int image = 1; image < images; ++image) {
        r2 = Ops::smaller(r2, squared(x, y, z, shift[image]));
      }
      const Floats raised = Ops::smaller(Ops::root(r2), beyond) + error;
      const Ops::Ints found = Ops::truncated(raised);
      const unsigned ambiguous =
          Ops::less_bits(raised - Ops::to_floats(found), error + error);
      const std::size_t count = size_ - first < Ops::width ? size_ - first : Ops::width;
      if (ambiguous == 0 && count == Ops::width) {
        for (std::size_t k = 0; k < Ops::width; ++k) {
          tally.add_reevaluated(column_[first + k],
                                static_cast<std::uint32_t>(found[k]));
        }
        continue;
      }
      for (std::size_t k = 0; k < count; ++k) {
        if ((ambiguous >> k & 1U) == 0) {
          tally.add_reevaluated(column_[first + k],
                                static_cast<std::uint32_t>(found[k]));
        } else {
          row_[left] = row_[first + k];
          column_[left] = column_[first + k];
          __builtin_prefetch(loop_.block->second.xyz + 3 * std::size_t{column_[left]});
          ++left;
        }
      }
    }
    size_ = left;
  }

  /// |(x, y, z) + shift|^2 [squared bins].
  static DoubleSimd::Floats squared(DoubleSimd::Floats x, DoubleSimd::Floats y,
                                    DoubleSimd::Floats z, const double (&shift)[3]) {
    using Ops = DoubleSimd;
    x = x + shift[0];
    y = y + shift[1];
    z = z + shift[2];
    return Ops::multiply_add(z, z, Ops::multiply_add(y, y, x * x));
  }

  /// Sets bin_ by the defining function. A separate loop over local copies, with a
  /// constant facet_count, so that it can be vectorized. facet_count is 0, or 6 for any
  /// number of facets, because the missing ones are zero.
  template <int facet_count>
  void find_bins() {
    MinimumImage image = *loop_.block->image;
    image.facet_count = facet_count;
    if (!loop_.block->bins->uniform()) {
      for (std::size_t k = 0; k < size_; ++k) {
        bin_[k] = pair_bin(image, *loop_.block->bins, {a_[0][k], a_[1][k], a_[2][k]},
                           {b_[0][k], b_[1][k], b_[2][k]});
      }
      return;
    }
    const BinScale bins = *loop_.block->bins;
    for (std::size_t k = 0; k < size_; ++k) {
      bin_[k] = pair_bin(image, bins, {a_[0][k], a_[1][k], a_[2][k]},
                         {b_[0][k], b_[1][k], b_[2][k]});
    }
  }

  static constexpr std::size_t capacity = 512;
  const PairLoop& loop_;
  const Tally tally_;
  const bool in_fixed_point_;
  std::uint32_t offset_[3] = {};
  static constexpr std::size_t most_noted = 32;
  std::size_t noted_ = 0;  ///< number of noted words of bits
  std::uint32_t noted_row_[most_noted];
  std::uint32_t noted_first_[most_noted];
  std::uint64_t noted_columns_[most_noted + 2];
  std::size_t size_ = 0;  ///< number of listed pairs
  std::uint32_t row_[capacity];
  std::uint32_t column_[capacity];
  std::uint32_t bin_[capacity];
  /// In fixed point; the last vector may extend beyond the end.
  std::int32_t displacement_[3][capacity + DoubleSimd::width];
  double a_[3][capacity];  ///< positions of rows, and of columns
  double b_[3][capacity];
};

}  // namespace
}  // namespace starhist::kernels::cpu

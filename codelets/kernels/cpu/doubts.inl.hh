// Pairs that the float distance leaves in doubt; part of pair_loop.inl.hh.
#pragma once

#include "codelets/core/pair_bin.hh"
#include "codelets/kernels/cpu/pair_loop.hh"

namespace starhist::cpu {
namespace {

/// Pairs in doubt, collected to be settled together: where their images are known, by
/// the fixed-point distance in double precision, which leaves one in hundreds; the
/// others by the defining function.
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
    if (loop_.lattice != nullptr &&
        (loop_.images != nullptr || loop_.metric != Metric::searched)) {
      settle_in_fixed_point();
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
      ++loop_.histogram[bin_[k]];
    }
    size_ = 0;
  }

  /// Leaves those that are still in doubt.
  void settle_in_fixed_point() {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const auto offset = static_cast<std::uint32_t>(
          loop_.images != nullptr ? loop_.images->offset[axis] : 0);
      for (std::size_t k = 0; k < size_; ++k) {
        const auto row = loop_.row[axis][row_[k] - loop_.row_origin];
        const auto column = loop_.column[axis][column_[k]];
        a_[axis][k] =
            static_cast<std::int32_t>(static_cast<std::uint32_t>(row) -
                                      static_cast<std::uint32_t>(column) - offset);
      }
    }
    find_squares();
    const std::uint32_t in_doubt = find_bins_of_squares();
    std::size_t left = 0;
    for (std::size_t k = 0; k < size_; ++k) {
      if (bin_[k] != in_doubt) {
        ++loop_.histogram[bin_[k]];
      } else {
        row_[left] = row_[k];
        column_[left] = column_[k];
        ++left;
      }
    }
    size_ = left;
  }

  /// Squared distances of displacements a_, in bins, to b_[0].
  void find_squares() {
    double rows[6];
    for (int k = 0; k < 6; ++k) {
      rows[k] = 0x1p-32 * loop_.lattice->rows[k];
    }
    constexpr double none[3] = {};
    const int count = loop_.images != nullptr ? loop_.images->count : 1;
    for (int image = 0; image < count; ++image) {
      const double* at = loop_.images != nullptr ? loop_.images->shift[image] : none;
      const double shift[3] = {at[0], at[1], at[2]};
      for (std::size_t k = 0; k < size_; ++k) {
        const double x =
            rows[0] * a_[0][k] + rows[1] * a_[1][k] + rows[3] * a_[2][k] + shift[0];
        const double y = rows[2] * a_[1][k] + rows[4] * a_[2][k] + shift[1];
        const double z = rows[5] * a_[2][k] + shift[2];
        const double r2 = x * x + y * y + z * z;
        b_[0][k] = image == 0 || r2 < b_[0][k] ? r2 : b_[0][k];
      }
    }
  }

  /// Their bins. Returns what stands for one that is still in doubt.
  std::uint32_t find_bins_of_squares() {
    const auto last = static_cast<std::int32_t>(loop_.block->bins->count);
    const double error = 1.01 * loop_.lattice->lattice_error;
    for (std::size_t k = 0; k < size_; ++k) {
      const double s = square_root(b_[0][k]);
      const double raised = (s < last + 0.5 ? s : last + 0.5) + error;
      const auto bin = static_cast<std::int32_t>(raised);
      bin_[k] = static_cast<std::uint32_t>(raised - bin < 2.0 * error ? -1 : bin);
    }
    return static_cast<std::uint32_t>(-1);
  }

  /// A loop of its own, over local copies, so that it vectorizes; that needs to know
  /// whether there are facets at all (six: the missing ones are zero).
  template <int facet_count>
  void find_bins() {
    MinimumImage image = *loop_.block->image;
    image.facet_count = facet_count;
    const UniformBins bins = *loop_.block->bins;
    for (std::size_t k = 0; k < size_; ++k) {
      bin_[k] = pair_bin(image, bins, {a_[0][k], a_[1][k], a_[2][k]},
                         {b_[0][k], b_[1][k], b_[2][k]});
    }
  }

  static constexpr std::size_t capacity = 512;
  const PairLoop& loop_;
  std::size_t size_ = 0;
  std::uint32_t row_[capacity];
  std::uint32_t column_[capacity];
  std::uint32_t bin_[capacity];
  double a_[3][capacity];  ///< positions; in fixed point: displacements
  double b_[3][capacity];
};

}  // namespace
}  // namespace starhist::cpu

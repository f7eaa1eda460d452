// Distances of the pairs of two clusters whose images are known. Included by
// pair_loop.inl.hh.
#pragma once

#include "codelets/kernels/clusters/cluster_boxes.hh"
#include "codelets/kernels/cpu/distances.inl.hh"
#include "codelets/kernels/error_bounds/image_errors.hh"

namespace starhist::kernels::cpu {
namespace {

/// The least of squared(0), squared(1), ...: `image_count` of them, or `count` if
/// image_count is 0.
template <int image_count, class Squared>
inline Simd::Floats least(int count, const Squared& squared) {
  // Written out for constant counts, because the enclosing loop is to be unrolled.
  Simd::Floats r2 = squared(0);
  if constexpr (image_count >= 2) {
    r2 = Simd::smaller(r2, squared(1));
  }
  if constexpr (image_count >= 3) {
    r2 = Simd::smaller(r2, squared(2));
  }
  if constexpr (image_count >= 4) {
    r2 = Simd::smaller(r2, squared(3));
  }
  if constexpr (image_count == 0) {
    for (int k = 1; k < count; ++k) {
      r2 = Simd::smaller(r2, squared(k));
    }
  }
  return r2;
}

/// Members of both distances below; see WideMetric.
struct NearestImageBase {
  using Ops = Simd;
  using Floats = Simd::Floats;

  Floats clamp;
  Ops::Ints scrap;

  explicit NearestImageBase(const PairLoop& loop)
      : clamp(Simd::broadcast(static_cast<float>(loop.block->bins->count)) +
              Simd::lane_centres()),
        scrap(Simd::broadcast(static_cast<std::int32_t>(loop.block->bins->count +
                                                        out_of_range_entries))) {}
};

/// Distance to the nearest of two clusters' images, without residuals. image_count:
/// number of images, 0 for any number.
template <int image_count>
struct NearestImage : NearestImageBase {
  static constexpr bool between_edges = true;  ///< has square()
  static constexpr bool searches = false;

  EdgeAmbiguity<Simd> edge_ambiguity;

  static float relative_error(const PairLoop& loop) { return loop.images->error_rel; }
  static float absolute_error(const PairLoop& loop) { return loop.images->error_abs; }

  explicit NearestImage(const PairLoop& loop)
      : NearestImageBase(loop),
        edge_ambiguity(loop.images->error_rel, loop.images->error_abs) {}

  /// The images of one particle, each in all lanes.
  struct Row {
    static constexpr int most = image_count == 0 ? NearImages::most : image_count;
    Floats at[most][3];
    int count;

    Row(const NearestImage& /*measure*/, const PairLoop& loop, std::size_t i)
        : count(loop.images->count) {
      for (int k = 0; k < (image_count == 0 ? count : image_count); ++k) {
        for (int axis = 0; axis < 3; ++axis) {
          at[k][axis] = Simd::broadcast(
              static_cast<float>(loop.local_row[axis][i - loop.local_row_origin] +
                                 loop.images->shift[k][axis]));
        }
      }
    }
  };

  /// Squared distances [squared bins].
  FastDistance<Floats> square(const PairLoop& loop, const Row& a,
                              std::size_t column) const {
    const Floats x = Simd::load(loop.local_column[0] + column);
    const Floats y = Simd::load(loop.local_column[1] + column);
    const Floats z = Simd::load(loop.local_column[2] + column);
    const auto squared = [&](int k) {
      const Floats x_k = a.at[k][0] - x;
      const Floats y_k = a.at[k][1] - y;
      const Floats z_k = a.at[k][2] - z;
      return Simd::multiply_add(z_k, z_k, Simd::multiply_add(y_k, y_k, x_k * x_k));
    };
    return {least<image_count>(a.count, squared), Floats{}};
  }

  static double unit_of_squares(const PairLoop& /*loop*/) { return 1.0; }
  FastDistance<Floats> unscaled_square(const PairLoop& loop, const Row& a,
                                       std::size_t column) const {
    return square(loop, a, column);
  }

  Distance<Floats> operator()(const PairLoop& loop, const Row& a,
                              std::size_t column) const {
    const Floats r2 = square(loop, a, column).r2;
    const Floats value = Simd::smaller(Simd::root(r2), clamp);
    const Floats edge = Simd::nearest(value);
    return {value, Simd::magnitude(Simd::multiply_add(-edge, edge, r2)),
            edge_ambiguity.limit_of_squares(edge)};
  }
};

/// A cluster's rows at each of its images, with residuals. All rows are prepared at
/// once, because there are only a few vectors of columns.
template <int most_images>
struct RowsWithResiduals {
  static constexpr std::size_t most = most_image_rows;

  float at[most_images][3][most];
  float rest[most_images]
            [most];   ///< residuals: exact minus rounded square [squared bins]
  float error[most];  ///< NearImages::square_error plus error_of_row()

  explicit RowsWithResiduals(const PairLoop& loop) {
    const NearImages& images = *loop.images;
    float longest[3][most] = {};
    for (int k = 0; k < images.count; ++k) {
      double off[most] = {};
      for (int axis = 0; axis < 3; ++axis) {
        const int from = images.axes[axis];
        const double* const row =
            loop.local_row[from] + (loop.row_begin - loop.local_row_origin);
        const double shift = images.shift[k][from];
        for (std::size_t i = 0; i < most; ++i) {
          const double exact = row[i] + shift;
          const auto rounded = static_cast<float>(exact);
          const auto back = static_cast<double>(rounded);
          at[k][axis][i] = rounded;
          off[i] += (exact - back) * (exact + back);
          const float length = __builtin_fabsf(rounded);
          longest[axis][i] = length > longest[axis][i] ? length : longest[axis][i];
        }
      }
      for (std::size_t i = 0; i < most; ++i) {
        rest[k][i] = static_cast<float>(off[i]);
      }
    }
    const float constant =
        images.square_error + (fused ? 0.0F : images.square_error_unfused);
    for (std::size_t i = 0; i < most; ++i) {
      error[i] = constant + error_of_row({longest[0][i], longest[1][i], longest[2][i]},
                                         images.column);
    }
  }
};

/// Distance to the nearest image with residuals, which has a smaller error
/// (NearImages::with_residuals).
template <int image_count>
struct NearestImageWithResiduals : NearestImageBase {
  static constexpr int most = image_count == 0 ? NearImages::most : image_count;
  static constexpr bool between_edges = false;

  RowsWithResiduals<most> rows;
  Floats error_linear;
  Floats error_square;
  const float* column_at[3];  ///< in the order in which squares are added

  explicit NearestImageWithResiduals(const PairLoop& loop)
      : NearestImageBase(loop),
        rows(loop),
        error_linear(Simd::broadcast(loop.images->square_error_linear)),
        error_square(Simd::broadcast(loop.images->square_error_square)) {
    for (int i = 0; i < 3; ++i) {
      column_at[i] = loop.local_column[loop.images->axes[i]];
    }
  }

  /// The images of one particle, each in all lanes.
  struct Row {
    Floats at[most][3];
    Floats rest[most];
    Floats error;
    int count;

    Row(const NearestImageWithResiduals& measure, const PairLoop& loop, std::size_t i)
        : count(loop.images->count) {
      const std::size_t row = i - loop.row_begin;
      for (int k = 0; k < (image_count == 0 ? count : image_count); ++k) {
        for (int axis = 0; axis < 3; ++axis) {
          at[k][axis] = Simd::broadcast(measure.rows.at[k][axis][row]);
        }
        rest[k] = Simd::broadcast(measure.rows.rest[k][row]);
      }
      error = Simd::broadcast(measure.rows.error[row]);
    }
  };

  Distance<Floats> operator()(const PairLoop& /*loop*/, const Row& a,
                              std::size_t column) const {
    const Floats x = Simd::load(column_at[0] + column);
    const Floats y = Simd::load(column_at[1] + column);
    const Floats z = Simd::load(column_at[2] + column);
    const auto squared = [&](int k) {
      const Floats x_k = a.at[k][0] - x;
      const Floats y_k = a.at[k][1] - y;
      const Floats z_k = a.at[k][2] - z;
      return Simd::multiply_add(
          z_k, z_k,
          Simd::multiply_add(y_k, y_k, Simd::multiply_add(x_k, x_k, a.rest[k])));
    };
    const Floats r2 = least<image_count>(a.count, squared);
    const Floats value = Simd::smaller(Simd::root(r2), clamp);
    const Floats edge = Simd::nearest(value);
    return {value, Simd::magnitude(Simd::multiply_add(-edge, edge, r2)),
            Simd::multiply_add(
                edge, Simd::multiply_add(edge, error_square, error_linear), a.error)};
  }
};

}  // namespace
}  // namespace starhist::kernels::cpu

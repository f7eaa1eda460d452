#include "codelets/kernels/error_bounds/image_errors.hh"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "codelets/kernels/fixed_point/fixed_lattice.hh"

namespace starhist::kernels {
namespace {

constexpr double unit = 0x1p-24;  // unit roundoff of float

/// Bounds of the pairs of two clusters over all of their images [bins].
struct Extent {
  /// Distance of a pair; negative if the clusters overlap.
  double least = std::numeric_limits<double>::infinity();
  double most = 0.0;  ///< distance of a pair, also of images that are not nearest
  float row[3] = {};  ///< |row + shift| along each axis

  Extent(const ClusterExtent& a, const ClusterExtent& b, const NearImages& images) {
    const double spread =
        1.00001 * (static_cast<double>(a.radius) + static_cast<double>(b.radius));
    for (int k = 0; k < images.count; ++k) {
      const double(&s)[3] = images.shift[k];
      const double centres = std::sqrt(s[0] * s[0] + s[1] * s[1] + s[2] * s[2]);
      least = std::min(least, centres - spread);
      most = std::max(most, centres + spread);
      for (int i = 0; i < 3; ++i) {
        row[i] = std::max(row[i], static_cast<float>(std::abs(s[i])) + a.along[i]);
      }
    }
  }
};

/// Error bound of squared distances at a distance of k bins: constant + k (linear + k
/// square) [squared bins].
struct SquareError {
  double constant;
  double linear;
  double square;
  double at(double k) const { return constant + k * (linear + k * square); }
};

/// The bound for distances with errors of at most error_rel k + error_abs.
SquareError without_residuals(double error_rel, double error_abs) {
  return {0.0, 2.0 * error_abs + error_abs * error_abs + 4.0 * error_rel,
          2.0 * error_rel};
}

/// The bound with residuals, without error_of_row().
SquareError with_residuals(const ClusterExtent& b, double lattice_error) {
  double column2 = 0.0;
  for (const float extent : b.along) {
    column2 += std::pow(static_cast<double>(rounding_error(extent)), 2);
  }
  return {lattice_error * lattice_error, 2.0 * lattice_error + 2.0 * std::sqrt(column2),
          3.0 * unit};
}

}  // namespace

bool set_errors(const ClusterExtent& a, const ClusterExtent& b, double lattice_error,
                NearImages& images) {
  const Extent extent(a, b, images);
  int(&axes)[3] = images.axes;
  std::iota(std::begin(axes), std::end(axes), 0);
  std::sort(std::begin(axes), std::end(axes), [&](int i, int k) {
    return extent.row[i] + b.along[i] < extent.row[k] + b.along[k];
  });
  for (int i = 0; i < 3; ++i) {
    images.column[i] = b.along[axes[i]];
  }

  const double error_rel = 3.5 * unit;
  const double error_abs = lattice_error + 2.0 * unit * static_cast<double>(b.radius);
  constexpr double margin = 1.001;  // products of errors, and the arithmetic here
  images.error_rel = static_cast<float>(margin * error_rel);
  images.error_abs = static_cast<float>(margin * error_abs);

  const SquareError plain = without_residuals(error_rel, error_abs);
  const SquareError better = with_residuals(b, lattice_error);
  const float row[] = {extent.row[axes[0]], extent.row[axes[1]], extent.row[axes[2]]};
  const auto of_rows = static_cast<double>(error_of_row(row, images.column));
  const auto usable_at = [&](double edge) {
    return of_rows + better.at(edge) < 2.0 * largest_ambiguity * edge;
  };
  const double nearest_edge = std::max(1.0, std::floor(extent.least - 1.0));
  const double middle = 0.5 * (nearest_edge + extent.most);
  // Share of all pairs that are certified with residuals and ambiguous without.
  const double newly_certified =
      (plain.at(middle) - better.at(middle) - of_rows) / middle;
  constexpr double worth_while = 0.005;
  // Below this distance [bins] a sum that starts with a negative residual could be
  // negative itself, and have no root.
  constexpr double nearest = 2.0;
  images.with_residuals = extent.least >= nearest && newly_certified > worth_while &&
                          usable_at(nearest_edge) && usable_at(extent.most);
  images.square_error = static_cast<float>(margin * better.constant);
  images.square_error_linear = static_cast<float>(margin * better.linear);
  images.square_error_square = static_cast<float>(margin * better.square);
  const auto farthest2 = static_cast<float>(std::pow(extent.most + 1.0, 2));
  images.square_error_unfused = 4.004F * rounding_error(farthest2);
  return images.with_residuals ||
         error_rel * extent.most + error_abs < largest_ambiguity;
}

}  // namespace starhist::kernels

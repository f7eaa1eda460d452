#include "codelets/kernels/fixed_point/fixed_lattice.hh"

#include <algorithm>
#include <array>
#include <cmath>
#include <type_traits>

#include "codelets/core/counting/bin_position.hh"

namespace starhist::kernels {
namespace {

constexpr double double_unit = 0x1p-53;
/// Distance of edges below integer numbers of bins, and roundings at short distances
/// [bins].
constexpr double error_of_edges = edge_shift + 1e-12;
template <class Real>
constexpr double unit_roundoff = std::is_same_v<Real, float> ? 0x1p-24 : double_unit;

/// The periodic lattice, completed to three edges by long edges orthogonal to it.
struct CompleteLattice {
  std::array<Vec3, 3> edge;
  std::array<Vec3, 3> dual;
  std::array<double, 3> origin{};  ///< fractional coordinate that becomes 0
};

Vec3 unit(Vec3 v) {
  return (1.0 / length(v)) * v;
}

/// The Cartesian axis with the largest angle to the line along v.
Vec3 transverse_axis(Vec3 v) {
  const Vec3 size{std::abs(v.x), std::abs(v.y), std::abs(v.z)};
  if (size.x <= size.y && size.x <= size.z) {
    return {1.0, 0.0, 0.0};
  }
  return size.y <= size.z ? Vec3{0.0, 1.0, 0.0} : Vec3{0.0, 0.0, 1.0};
}

CompleteLattice complete(const MinimumImage& image, const Bounds& bounds) {
  CompleteLattice lattice;
  std::size_t rank = 0;
  while (rank < 3 && image.edge[rank] != Vec3{}) {
    lattice.edge[rank] = image.edge[rank];
    lattice.dual[rank] = image.dual[rank];
    ++rank;
  }
  // Differences of fractional coordinates then stay within +-0.45: they never wrap.
  const double open_edge = std::max(bounds.diameter() / 0.45, 1e-60);
  for (std::size_t axis = rank; axis < 3; ++axis) {
    Vec3 normal{1.0, 0.0, 0.0};
    if (rank == 0) {
      normal = {axis == 0 ? 1.0 : 0.0, axis == 1 ? 1.0 : 0.0, axis == 2 ? 1.0 : 0.0};
    } else if (axis == 1) {
      normal = unit(cross(lattice.edge[0], transverse_axis(lattice.edge[0])));
    } else {
      normal = unit(cross(lattice.edge[0], lattice.edge[1]));
    }
    lattice.edge[axis] = open_edge * normal;
    lattice.dual[axis] = (1.0 / open_edge) * normal;
    lattice.origin[axis] = dot(bounds.centre(), lattice.dual[axis]);
  }
  return lattice;
}

/// Rows of the lattice in units of a bin, in the frame in which they are triangular.
struct Triangle {
  double xx, yx, yy, zx, zy, zz;

  explicit Triangle(const CompleteLattice& lattice, double scale) {
    const auto& b = lattice.edge;
    const Vec3 e1 = unit(b[0]);
    const Vec3 e2 = unit(shifted(b[1], dot(b[1], e1), e1));
    const Vec3 e3 = cross(e1, e2);
    xx = scale * dot(b[0], e1);
    yx = scale * dot(b[1], e1);
    yy = scale * dot(b[1], e2);
    zx = scale * dot(b[2], e1);
    zy = scale * dot(b[2], e2);
    zz = scale * std::abs(dot(b[2], e3));  // the mirror image of a left-handed lattice
  }
  std::array<double, 6> entries() const { return {xx, yx, yy, zx, zy, zz}; }
  std::array<Vec3, 3> rows() const {
    return {Vec3{xx, 0, 0}, {yx, yy, 0}, {zx, zy, zz}};
  }
};

/// Half the longest diagonal of the cell with edges b: no displacement is longer after
/// the rounding step.
double half_diagonal(const std::array<Vec3, 3>& b) {
  double longest = 0.0;
  for (const double s : {-1.0, 1.0}) {
    for (const double t : {-1.0, 1.0}) {
      longest = std::max(longest, length(b[0] + s * b[1] + t * b[2]));
    }
  }
  return 0.5 * longest;
}

constexpr std::size_t facet_members[6][2] = {{0, 0}, {1, 1}, {2, 2},
                                             {0, 1}, {0, 2}, {1, 2}};

Vec3 facet(const std::array<Vec3, 3>& rows, std::size_t k) {
  const auto [i, j] = facet_members[k];
  return i == j ? rows[i] : rows[i] + rows[j];
}

/// Sets search_error_norm2 and search_error_r2: a bound of the error of |d|^2 +
/// (|b_S|^2 - 2 |d . b_S|) as the loops compute it with rounded rows.
template <class Real>
void bound_search_errors(const std::array<Vec3, 3>& rows, MetricConstants<Real>& fast) {
  constexpr double u = unit_roundoff<Real>;
  double most_dots = 0.0;
  double most_norm2 = 0.0;
  for (std::size_t k = 0; k < 6; ++k) {
    const auto [i, j] = facet_members[k];
    const double bi = length(rows[i]);
    const double bj = length(rows[j]);
    // d . b_i has i + 1 terms; a sum of two dots rounds once more; each row is rounded.
    const double dots =
        i == j ? static_cast<double>(i + 2) * bi
               : static_cast<double>(i + 3) * bi + static_cast<double>(j + 3) * bj;
    most_dots = std::max(most_dots, dots);
    most_norm2 = std::max(most_norm2, dot(facet(rows, k), facet(rows, k)));
  }
  // 2 |d| dots <= (|d|^2 / typical + typical) dots for any length `typical`.
  const double typical = 0.6 * half_diagonal(rows);
  fast.search_error_norm2 = static_cast<Real>(1.01 * u * (5.0 + most_dots / typical));
  fast.search_error_r2 =
      static_cast<Real>(1.01 * u * (1.1 * most_norm2 + typical * most_dots));
}

/// Sets the error bounds of the fast distance. docs/explanation/certified-counts.md
/// derives them ("The distance in single precision").
template <class Real>
void bound_errors(Metric metric, const std::array<Vec3, 3>& rows, double lattice_error,
                  MetricConstants<Real>& fast) {
  constexpr double u = unit_roundoff<Real>;
  double error_rel = 6.5 * u;
  double error_abs = lattice_error;
  if (metric == Metric::triangular || metric == Metric::searched) {
    // Roundings of each term of x, y, z: conversion, entry of the row, products, sums.
    const Vec3 terms{4.0 * std::abs(rows[0].x) + 5.0 * std::abs(rows[1].x) +
                         5.0 * std::abs(rows[2].x),
                     4.0 * std::abs(rows[1].y) + 4.0 * std::abs(rows[2].y),
                     3.0 * std::abs(rows[2].z)};
    error_rel = 5.5 * u;
    error_abs += 0.5 * u * length(terms);
  }
  if (metric == Metric::searched) {
    bound_search_errors(rows, fast);
  }
  fast.error_rel = static_cast<Real>(1.001 * error_rel);
  fast.error_abs = static_cast<Real>(1.001 * error_abs);
}

template <class Real>
void set_rows(const Triangle& t, Metric metric, MetricConstants<Real>& fast) {
  const std::array<double, 6> entries = t.entries();
  for (std::size_t k = 0; k < entries.size(); ++k) {
    fast.row[k] = static_cast<Real>(0x1p-32 * entries[k]);
    fast.minus_twice_row[k] = static_cast<Real>(-0x1p33) * fast.row[k];
  }
  if (metric != Metric::searched) {
    return;
  }
  // Norms of the rounded rows: the search then sees one consistent lattice.
  const auto entry = [&](int k) {
    return -0.5 * static_cast<double>(fast.minus_twice_row[k]);
  };
  const Vec3 b1{entry(0), 0.0, 0.0};
  const Vec3 b2{entry(1), entry(2), 0.0};
  const Vec3 b3{entry(3), entry(4), entry(5)};
  const std::array<Vec3, 3> rounded{b1, b2, b3};
  for (std::size_t k = 0; k < 6; ++k) {
    fast.facet_norm2[k] = static_cast<Real>(dot(facet(rounded, k), facet(rounded, k)));
  }
}

void set_selling_parameters(const std::array<Vec3, 3>& b, double (&selling)[6]) {
  const Vec3 sum = b[0] + b[1] + b[2];
  const double parameters[6] = {dot(b[0], sum),   dot(b[1], sum),   dot(b[2], sum),
                                -dot(b[0], b[1]), -dot(b[0], b[2]), -dot(b[1], b[2])};
  for (std::size_t k = 0; k < 6; ++k) {
    selling[k] = std::max(parameters[k], 0.0);  // the basis is obtuse up to rounding
  }
}

/// Largest error that the image search adds to a distance [bins]; 0 for metrics without
/// a search.
template <class Real>
double search_ambiguity(Metric metric, const MetricConstants<Real>& fast,
                        const std::array<Vec3, 3>& rows, double rounding_radius) {
  if (metric != Metric::searched) {
    return 0.0;
  }
  const double d = half_diagonal(rows);
  return (static_cast<double>(fast.search_error_norm2) * d * d +
          static_cast<double>(fast.search_error_r2)) /
         (2.0 * rounding_radius);
}

/// The lattice of a block of pairs in bins, and the error bounds of its fixed point.
struct Shape {
  CompleteLattice lattice;
  Triangle triangle;
  Metric metric = Metric::isotropic;
  double edges = 0.0;             ///< sum of the lengths of the edges [bins]
  double arithmetic_error = 0.0;  ///< of operations in double precision [bins]
  double lattice_error = 0.0;     ///< of displacements, arithmetic included [bins]
  double rounding_radius = 0.0;   ///< below it, rounding is sufficient [bins]

  Shape(const MinimumImage& image, const BinScale& bins, const Bounds& bounds);
};

Shape::Shape(const MinimumImage& image, const BinScale& bins, const Bounds& bounds)
    : lattice(complete(image, bounds)), triangle(lattice, bins.inverse_width) {
  const double scale = bins.inverse_width;
  const auto rows = triangle.rows();
  double skew = 0.0;
  for (std::size_t i = 0; i < 3; ++i) {
    skew += length(lattice.edge[i]) * length(lattice.dual[i]);
    edges += length(rows[i]);
  }
  // Roundings of the defining function and of the conversion, in double precision. The
  // factor is generous; the term stays far below the 2^-32 of the fixed point unless
  // positions are millions of boxes away.
  arithmetic_error =
      512.0 * double_unit * skew * skew * (3.0 * scale * bounds.magnitude() + edges);
  lattice_error = 1.01 * 0x1p-32 * edges + arithmetic_error + error_of_edges;

  rounding_radius = std::sqrt(image.exact_rounding_r2) * scale;
  if (image.facet_count > 0) {
    const bool within = bins.r_max * scale < rounding_radius * (1.0 - 1e-7) &&
                        arithmetic_error < 1e-8 * rounding_radius;
    metric = within ? Metric::triangular : Metric::searched;
  } else {
    const bool cubic = std::abs(triangle.yy / triangle.xx - 1.0) < 4.0 * double_unit &&
                       std::abs(triangle.zz / triangle.xx - 1.0) < 4.0 * double_unit;
    metric = cubic ? Metric::isotropic : Metric::diagonal;
  }
}

constexpr double most_bins_along = 1e15;  // squares of lengths must not overflow

/// Sets the constants. Returns the largest error bound of a distance in range [bins].
template <class Real>
double set_metric(const Shape& shape, const BinScale& bins,
                  MetricConstants<Real>& fast) {
  const auto rows = shape.triangle.rows();
  set_rows(shape.triangle, shape.metric, fast);
  bound_errors(shape.metric, rows, shape.lattice_error, fast);
  return static_cast<double>(fast.error_rel) * bins.count +
         static_cast<double>(fast.error_abs) +
         search_ambiguity(shape.metric, fast, rows, shape.rounding_radius);
}

}  // namespace

FixedLattice make_fixed_lattice(const MinimumImage& image, const BinScale& bins,
                                const Bounds& bounds) {
  const Shape shape(image, bins, bounds);
  FixedLattice out;
  for (std::size_t i = 0; i < 3; ++i) {
    out.dual[i] = shape.lattice.dual[i];
    out.origin[i] = shape.lattice.origin[i];
  }
  out.metric = shape.metric;
  out.lattice_error = shape.lattice_error;
  std::copy_n(shape.triangle.entries().data(), 6, out.rows);
  set_selling_parameters(shape.triangle.rows(), out.selling);
  const double ambiguity = set_metric(shape, bins, out.fast);
  out.usable = ambiguity < largest_ambiguity && shape.edges < most_bins_along;
  out.usable_with_images = out.metric == Metric::searched &&
                           shape.lattice_error < largest_ambiguity &&
                           shape.edges < most_bins_along;
  return out;
}

std::optional<DoubleMetric> make_double_metric(const MinimumImage& image,
                                               const BinScale& bins,
                                               const Bounds& bounds) {
  const Shape shape(image, bins, bounds);
  DoubleMetric fine{};
  const bool usable = set_metric(shape, bins, fine) < largest_ambiguity &&
                      shape.edges < most_bins_along;
  return usable ? std::optional(fine) : std::nullopt;
}

}  // namespace starhist::kernels

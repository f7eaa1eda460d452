#include "codelets/kernels/cpu/fixed_point.hh"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

namespace starhist::cpu {
namespace {

/// Unit roundoff of float and double.
constexpr double float_unit = 0x1p-24;
constexpr double double_unit = 0x1p-53;

double length(Vec3 v) { return std::sqrt(dot(v, v)); }

/// Smallest and largest coordinate along each axis, and the largest magnitude.
struct Extent {
  Vec3 low{1e308, 1e308, 1e308};
  Vec3 high{-1e308, -1e308, -1e308};

  void add(const PositionSpan& span, std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const Vec3 p = span[i];
      low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
      high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
    }
  }
  /// Largest |coordinate|, and a bound of the distance of any two positions.
  double magnitude() const {
    return std::max({-low.x, high.x, -low.y, high.y, -low.z, high.z});
  }
  double diameter() const { return length(high - low); }
  Vec3 centre() const { return 0.5 * (low + high); }
};

/// The periodic lattice, made complete by long orthogonal edges.
struct CompleteLattice {
  std::array<Vec3, 3> edge;
  std::array<Vec3, 3> dual;
  std::array<double, 3> origin{};  ///< fractional coordinate that becomes 0
};

Vec3 unit(Vec3 v) { return (1.0 / length(v)) * v; }

/// The Cartesian axis that is farthest from the line along v.
Vec3 transverse_axis(Vec3 v) {
  const Vec3 size{std::abs(v.x), std::abs(v.y), std::abs(v.z)};
  if (size.x <= size.y && size.x <= size.z) {
    return {1.0, 0.0, 0.0};
  }
  return size.y <= size.z ? Vec3{0.0, 1.0, 0.0} : Vec3{0.0, 0.0, 1.0};
}

CompleteLattice complete(const MinimumImage& image, const Extent& extent) {
  CompleteLattice lattice;
  std::size_t rank = 0;
  while (rank < 3 && image.edge[rank] != Vec3{}) {
    lattice.edge[rank] = image.edge[rank];
    lattice.dual[rank] = image.dual[rank];
    ++rank;
  }
  // Differences of fractional coordinates then stay within +-0.45: they never wrap.
  const double open_edge = std::max(extent.diameter() / 0.45, 1e-60);
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
    lattice.origin[axis] = dot(extent.centre(), lattice.dual[axis]);
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
    zz = scale * dot(b[2], e3);
  }
  std::array<Vec3, 3> rows() const { return {Vec3{xx, 0, 0}, {yx, yy, 0}, {zx, zy, zz}}; }
};

/// Longest half diagonal of the cell: no rounded displacement is longer.
double half_diagonal(const std::array<Vec3, 3>& b) {
  double longest = 0.0;
  for (const double s : {-1.0, 1.0}) {
    for (const double t : {-1.0, 1.0}) {
      longest = std::max(longest, length(b[0] + s * b[1] + t * b[2]));
    }
  }
  return 0.5 * longest;
}

constexpr std::size_t facet_members[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}};

Vec3 facet(const std::array<Vec3, 3>& rows, std::size_t k) {
  const auto [i, j] = facet_members[k];
  return i == j ? rows[i] : rows[i] + rows[j];
}

/// Bounds the error of |d|^2 + (|b_S|^2 - 2 |d . b_S|) as the loops compute it, and
/// that of the rounded rows, by norm2 * |d|^2 + r2.
void bound_search_errors(const std::array<Vec3, 3>& rows, FastMetric& fast) {
  double most_dots = 0.0;
  double most_norm2 = 0.0;
  for (std::size_t k = 0; k < 6; ++k) {
    const auto [i, j] = facet_members[k];
    const double bi = length(rows[i]);
    const double bj = length(rows[j]);
    // d . b_i has i + 1 terms; a sum of two dots rounds once more; each row is rounded.
    const double dots = i == j ? static_cast<double>(i + 2) * bi
                               : static_cast<double>(i + 3) * bi +
                                     static_cast<double>(j + 3) * bj;
    most_dots = std::max(most_dots, dots);
    most_norm2 = std::max(most_norm2, dot(facet(rows, k), facet(rows, k)));
  }
  // 2 |d| dots <= (|d|^2 / typical + typical) dots for any length `typical`.
  const double typical = 0.6 * half_diagonal(rows);
  fast.search_error_norm2 =
      static_cast<float>(1.01 * float_unit * (5.0 + most_dots / typical));
  fast.search_error_r2 =
      static_cast<float>(1.01 * float_unit * (1.1 * most_norm2 + typical * most_dots));
}

/// Bounds of the roundings of the loops (pair_loop.inl.hh); README.md derives them.
void bound_errors(Metric metric, const std::array<Vec3, 3>& rows, double lattice_error,
                  FastMetric& fast) {
  const double u = float_unit;
  double error_rel = 8.5 * u;
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
  fast.error_rel = static_cast<float>(1.001 * error_rel);
  fast.error_abs = static_cast<float>(1.001 * error_abs);
}

void set_rows(const Triangle& t, Metric metric, FastMetric& fast) {
  const std::array<double, 6> entries{t.xx, t.yx, t.yy, t.zx, t.zy, t.zz};
  for (std::size_t k = 0; k < entries.size(); ++k) {
    fast.row[k] = static_cast<float>(0x1p-32 * entries[k]);
    fast.minus_twice_row[k] = -0x1p33F * fast.row[k];
  }
  if (metric != Metric::searched) {
    return;
  }
  // Norms of the rounded rows: the search then sees one consistent lattice.
  const auto entry = [&](int k) { return -0.5 * static_cast<double>(fast.minus_twice_row[k]); };
  const Vec3 b1{entry(0), 0.0, 0.0};
  const Vec3 b2{entry(1), entry(2), 0.0};
  const Vec3 b3{entry(3), entry(4), entry(5)};
  const std::array<Vec3, 3> rounded{b1, b2, b3};
  for (std::size_t k = 0; k < 6; ++k) {
    fast.facet_norm2[k] = static_cast<float>(dot(facet(rounded, k), facet(rounded, k)));
  }
}

/// Fractional coordinate as a 32-bit fraction of the edge, modulo 1.
std::int32_t fixed(double s) {
  constexpr double to_integer = 0x1.8p52;   // adding it rounds to an integer
  constexpr double to_fraction = 0x1.8p20;  // adding it rounds to a multiple of 2^-32
  const double fraction = s - ((s + to_integer) - to_integer);
  return static_cast<std::int32_t>(
      static_cast<std::uint32_t>(std::bit_cast<std::uint64_t>(fraction + to_fraction)));
}

void convert(const PositionSpan& span, std::size_t begin, std::size_t end,
             const CompleteLattice& lattice, std::vector<std::int32_t> (&out)[3]) {
  for (std::size_t axis = 0; axis < 3; ++axis) {
    out[axis].resize(end - begin + coordinate_padding);
    const Vec3 dual = lattice.dual[axis];
    const double origin = lattice.origin[axis];
    std::int32_t* target = out[axis].data();
    for (std::size_t i = begin; i < end; ++i) {
      const Vec3 p = span[i];
      target[i - begin] = fixed((p.x * dual.x + p.y * dual.y + p.z * dual.z) - origin);
    }
  }
}

/// Largest error in bins that the image search adds.
double search_doubt(const FixedPoint& fixed, const std::array<Vec3, 3>& rows,
                    double rounding_radius) {
  if (fixed.metric != Metric::searched) {
    return 0.0;
  }
  const double d = half_diagonal(rows);
  return (static_cast<double>(fixed.fast.search_error_norm2) * d * d +
          static_cast<double>(fixed.fast.search_error_r2)) /
         (2.0 * rounding_radius);
}

}  // namespace

void make_fixed_point(const PairBlock& block, FixedPoint& out) {
  Extent extent;
  extent.add(block.first, block.row_begin, block.row_end);
  extent.add(block.second, 0, block.second.count);
  const CompleteLattice lattice = complete(*block.image, extent);
  const double scale = block.bins->inverse_width;
  const Triangle triangle(lattice, scale);
  const auto rows = triangle.rows();

  double skew = 0.0;
  double edges = 0.0;
  for (std::size_t i = 0; i < 3; ++i) {
    skew += length(lattice.edge[i]) * length(lattice.dual[i]);
    edges += length(rows[i]);
  }
  // Double-precision roundings of the defining function and of the conversion: a
  // generous multiple, still far below the 2^-32 of the fixed point unless positions
  // are millions of boxes away.
  const double arithmetic = 512.0 * double_unit * skew * skew *
                            (3.0 * scale * extent.magnitude() + edges);
  const double lattice_error = 1.01 * 0x1p-32 * edges + arithmetic + 1e-12;

  const double rounding_radius = std::sqrt(block.image->exact_rounding_r2);
  if (block.image->facet_count > 0) {
    const bool within = block.bins->r_max < rounding_radius * (1.0 - 1e-7) &&
                        arithmetic < 1e-8 * rounding_radius * scale;
    out.metric = within ? Metric::triangular : Metric::searched;
  } else {
    const bool cubic = std::abs(triangle.yy / triangle.xx - 1.0) < 4.0 * double_unit &&
                       std::abs(triangle.zz / triangle.xx - 1.0) < 4.0 * double_unit;
    out.metric = cubic ? Metric::isotropic : Metric::diagonal;
  }
  set_rows(triangle, out.metric, out.fast);
  bound_errors(out.metric, rows, lattice_error, out.fast);

  constexpr double largest_doubt = 0.2;  // of a bin; beyond it nearly every pair is in doubt
  constexpr double largest_float = 1e15;  // squares of lengths must not overflow
  const double doubt = static_cast<double>(out.fast.error_rel) * block.bins->count +
                       static_cast<double>(out.fast.error_abs) +
                       search_doubt(out, rows, rounding_radius * scale);
  out.usable = doubt < largest_doubt && edges < largest_float;
  if (!out.usable) {
    return;
  }
  convert(block.second, 0, block.second.count, lattice, out.second);
  if (!block.like) {
    convert(block.first, block.row_begin, block.row_end, lattice, out.first);
  }
}

}  // namespace starhist::cpu

#include <algorithm>
#include <cmath>
#include <limits>

#include "codelets/kernels/cpu/second_axis/second_axis_loop.hh"

namespace starhist::kernels::cpu {
namespace {

constexpr double unit = 0x1p-24;  // unit roundoff of float

/// Half the longest diagonal of the cell is at most half the sum of its edges.
struct LatticeSize {
  double edges = 0.0;  ///< L: sum of the lengths of the edges [bins]
  double skew = 0.0;   ///< sum of |edge| |dual|
  double shortest = std::numeric_limits<double>::infinity();  ///< periodic edge [bins]
};

/// Edge k of the lattice of fixed-point coordinates [unit of positions].
Vec3 edge_of(const MinimumImage& image, const FixedLattice& lattice, int k) {
  const Vec3 dual = lattice.dual[k];
  return image.edge[k] != Vec3{} ? image.edge[k] : (1.0 / dot(dual, dual)) * dual;
}

/// Largest error of a distance whose image was searched [bins], as in `usable`.
double search_error(const PairLoop& loop, const LatticeSize& size) {
  const FastMetric& fast = loop.lattice->fast;
  const double r2 = loop.block->image->exact_rounding_r2 *
                    std::pow(loop.block->bins->inverse_width, 2);
  return (0.25 * static_cast<double>(fast.search_error_norm2) * size.edges *
              size.edges +
          static_cast<double>(fast.search_error_r2)) /
         (2.0 * std::sqrt(r2));
}

}  // namespace

// Bounds, with u = 2^-24, r the distance in bins, L the sum of the lengths of the edges
// in bins, S the sum of |edge_k| |dual_k|, e_lat FixedLattice::lattice_error, and e_r =
// e_rel r + e_abs the error of r (FastMetric). All are multiplied by 1.01, which covers
// products of errors and roundings in double precision.
//
// Image. If no fraction q_k 2^-32 of a periodic edge is within 2^-22 + 2 e_lat / |edge|
// of 1/2, the defining function rounds to the same image: its fractions differ from q_k
// 2^-32 by less than 2^-32 and its arithmetic error, which e_lat contains. If images
// are searched, it chooses among the same seven, which differ by more than the error of
// the squares' differences: with B = L >= |b_S| and |d| <= L / 2, each difference
// |b_S|^2
// - 2 |d . b_S| has roundings of at most 16 u L^2, and the error of d, at most e_abs,
// adds 2 e_abs L. Two of them, and the same of the defining function: 32 u L^2 + 8
// e_abs L. Then both displacements differ by at most e_lat.
//
// Displacement along u. along_k q_k is rounded by conversion, constant, product and two
// sums: 5 u |along_k q_k|. The fractions are scalar products with duals, so that the
// sum of these terms is at most S r, and the error less than 8 u S r. If the image was
// searched, the terms are at most L / 2, the vector that is added at most L, with 1 +
// 1.5 roundings of up to L: less than 16 u L. With e_lat this is the error of a
// component, for which r < bins.count + 1.
//
// Cosine. The error of a quotient is at most the sum of the errors of its numerator
// divided by r, and of r divided by r, plus one rounding: (e_lat [+ 16 u L] + e_abs) /
// r + 8 u S + e_rel + u. A searched image adds search_error() to e_abs.
//
// Position. It is rounded up to twice in single precision, up to u count each; 4 u
// count covers the defining function as well. Edges are lowered by 2^-30.
void set_second_axis(const SecondAxis& axis, SecondAxisLoop& loop) {
  const PairBlock& block = *loop.pairs.block;
  const FixedLattice& lattice = *loop.pairs.lattice;
  const BinScale& bins = *block.bins;
  const bool cosine = axis.kind == SecondAxis::Kind::cosine;
  const double count = axis.count;
  loop.second = {axis.kind, axis.count};
  loop.direction = axis.direction();
  const double scale = cosine ? 0.5 * count * bins.inverse_width : count / bins.r_max;
  LatticeSize size;
  for (int k = 0; k < 3; ++k) {
    const Vec3 edge = edge_of(*block.image, lattice, k);
    const double bins_long = length(edge) * bins.inverse_width;
    size.edges += bins_long;
    size.skew += length(edge) * length(lattice.dual[k]);
    if (block.image->edge[k] != Vec3{}) {
      size.shortest = std::min(size.shortest, bins_long);
    }
    loop.edge[k] = (0x1p-32 * scale) * edge;
  }
  const bool searched = lattice.metric == Metric::searched;
  const auto error_abs = static_cast<double>(lattice.fast.error_abs);
  const auto error_rel = static_cast<double>(lattice.fast.error_rel);
  constexpr double margin = 1.01;
  const double along_abs =
      lattice.lattice_error + (searched ? 16.0 * unit * size.edges : 0.0);
  const double along_rel = 8.0 * unit * size.skew;
  const double position = 4.0 * unit * count + edge_shift;
  if (cosine) {
    const double of_search = searched ? search_error(loop.pairs, size) : 0.0;
    loop.error_inverse =
        static_cast<float>(margin * 0.5 * count * (along_abs + error_abs + of_search));
    loop.error_abs = static_cast<float>(
        margin * (0.5 * count * (along_rel + error_rel + unit) + position));
  } else {
    const double width = count / bins.count;  // bins of this axis per bin
    loop.error_inverse = 0.0F;
    loop.error_abs = static_cast<float>(
        margin * (width * (along_abs + along_rel * (bins.count + 1.0)) + position));
  }
  const double near_half = 0x1p-22 + 2.0 * lattice.lattice_error / size.shortest;
  loop.most_difference =
      static_cast<float>(0x1p31 * std::max(0.0, 1.0 - 2.0 * margin * near_half));
  loop.least_gap = static_cast<float>(
      margin * (32.0 * unit * size.edges * size.edges + 8.0 * error_abs * size.edges));
}

// Heights. A fraction h / edge, up to m = largest / edge, has roundings of at most
// 2^-51 m, and 2^-33 in fixed point; the defining function's separation has less than
// 2^-50 (m
// + 1) edges. At half an edge either image may be chosen, with equal separations. The
// conversion, the constant and the product are rounded in single precision: 3 u of at
// most half an edge. Edges are lowered by 2^-30, the last one is raised by as much.
void set_height_axis(const SecondAxis& axis, double edge, double largest,
                     SecondAxisLoop& loop) {
  const double bins = edge * axis.count / axis.limit;  // along the edge
  loop.second.count = axis.columns();
  loop.height_bins = axis.count;
  loop.limit = axis.limit;
  loop.edge[0] = {};
  loop.edge[1] = {};
  loop.edge[2] = (0x1p-32 * bins) * loop.direction;
  const double fixed = 0x1p-32 + 0x1p-48 * (largest / edge + 1.0);
  constexpr double margin = 1.01;
  loop.error_abs =
      static_cast<float>(margin * (bins * (fixed + 1.5 * unit) +
                                   4.0 * unit * axis.columns() + 2.0 * edge_shift));
}

}  // namespace starhist::kernels::cpu

#include "codelets/kernels/clusters/lattice_axes.hh"

#include <cmath>
#include <vector>

namespace starhist::kernels {
namespace {

constexpr std::array<Vec3, 3> cartesian{Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}};

/// v less its components along the first `units` unit vectors.
Vec3 perpendicular(Vec3 v, const std::array<Vec3, 3>& unit, std::size_t units) {
  for (std::size_t j = 0; j < units; ++j) {
    v = v - dot(v, unit[j]) * unit[j];
  }
  return v;
}

struct Axes : LatticeAxes {
  /// Adds an edge and its axis. Returns the length of v along the axis.
  double add(Vec3 v) {
    const Vec3 left = perpendicular(v, unit, edges);
    const double along = length(left);
    unit[edges] = (1.0 / along) * left;
    edge[edges] = v;
    ++edges;
    return along;
  }

  /// Adds the reduced edges. Returns the length, area or volume that they span.
  double add_edges(const MinimumImage& image) {
    double size = 1.0;
    for (const Vec3 v : image.edge) {
      if (v != Vec3{}) {
        size *= add(v);
      }
    }
    return size;
  }

  /// Sets the axes without an edge: each is the Cartesian axis with the longest
  /// component orthogonal to the previous axes, minus its other components.
  void complete() {
    for (std::size_t k = edges; k < 3; ++k) {
      Vec3 longest;
      for (const Vec3 v : cartesian) {
        const Vec3 left = perpendicular(v, unit, k);
        longest = length(left) > length(longest) ? left : longest;
      }
      unit[k] = (1.0 / length(longest)) * longest;
    }
  }

  /// Squared diagonal of the Cartesian box around a unit cube along the axes.
  double widening() const {
    double sum = 0.0;
    for (const Vec3 v : cartesian) {
      double extent = 0.0;
      for (const Vec3 u : unit) {
        extent += std::abs(dot(u, v));
      }
      sum += extent * extent;
    }
    return sum;
  }
};

/// The reduced edges and their sums, among which are the shortest vectors of the
/// lattice.
std::vector<Vec3> edges_and_sums(const MinimumImage& image) {
  std::vector<Vec3> vectors;
  for (const Vec3 edge : image.edge) {
    if (edge != Vec3{}) {
      const std::size_t before = vectors.size();
      vectors.push_back(edge);
      for (std::size_t k = 0; k < before; ++k) {
        vectors.push_back(vectors[k] + edge);
      }
    }
  }
  return vectors;
}

/// Searches for edges that span the cell and whose axes are nearest to the Cartesian
/// axes, measured by widening().
class AxesSearch {
 public:
  explicit AxesSearch(const MinimumImage& image) : vectors_(edges_and_sums(image)) {
    cell_ = best_.add_edges(image);
    edges_ = best_.edges;
    best_.complete();
    widening_ = best_.widening();
    add_to({}, 1.0);
  }

  const Axes& best() const { return best_; }

 private:
  static constexpr double roundings = 1e-6;

  /// Tries all vectors as the next edge. The edges of `axes` span `size`, a length,
  /// area or volume.
  void add_to(const Axes& axes, double size) {
    if (axes.edges == edges_) {
      // Edges must span the cell itself, not a multiple of it.
      if (size < (1.0 + roundings) * cell_) {
        keep(axes);
      }
      return;
    }
    for (const Vec3 v : vectors_) {
      if (is_best_possible()) {
        return;
      }
      Axes more = axes;
      const double along = more.add(v);
      if (along > roundings * length(v)) {
        add_to(more, size * along);
      }
    }
  }

  void keep(Axes axes) {
    axes.complete();
    const double widening = axes.widening();
    if (widening < (1.0 - roundings) * widening_) {
      best_ = axes;
      widening_ = widening;
    }
  }

  bool is_best_possible() const {
    constexpr double of_cartesian_axes = 3.0;
    return widening_ < (1.0 + roundings) * of_cartesian_axes;
  }

  std::vector<Vec3> vectors_;
  double cell_ = 1.0;
  std::size_t edges_ = 0;
  Axes best_;
  double widening_ = 0.0;
};

}  // namespace

LatticeAxes axes_of_edges(const MinimumImage& image) {
  Axes axes;
  axes.add_edges(image);
  axes.complete();
  return axes;
}

LatticeAxes lattice_axes(const MinimumImage& image) {
  return AxesSearch(image).best();
}

}  // namespace starhist::kernels

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "codelets/core/base/vec3.hh"

namespace starhist {

/// A second quantity by which pairs are sorted, in addition to their distance r. With d
/// the shortest displacement from the first particle of a pair to the second, and u a
/// unit vector:
///
///   cosine      d.u / r, in bins of equal width from -1 to 1
///   component   |d.u|, in bins of equal width from 0 to r_max
///
/// If r is a distance in a plane, the only second quantity is the separation along the
/// plane's normal, a component between nearest images along the normal, in bins from 0
/// to `limit`.
///
/// u is a coordinate axis, or for cosines a vector of the molecule of the first
/// particle.
///
/// A pair of different species starts at the particle of the first species. A pair of
/// particles of the same species has no first particle: for cosines it is counted
/// twice, once from each particle (orders()).
struct SecondAxis {
  enum class Kind { cosine, component };

  Kind kind = Kind::cosine;
  int axis = 2;  ///< u is the unit vector of x (0), y (1) or z (2) unless `from` is set
  /// Names of two atoms: u points from one to the other in the first particle's
  /// residue.
  std::string from = {};
  std::string to = {};
  std::uint32_t count = 0;  ///< number of bins [>= 1]
  /// Upper edge of the separation along a plane's normal [length, > 0]; 0 for other
  /// quantities.
  double limit = 0.0;

  friend bool operator==(const SecondAxis&, const SecondAxis&) = default;

  bool molecular() const { return !from.empty(); }
  bool along_normal() const { return limit > 0.0; }
  /// Number of counters per bin of the distance: one per bin and, along a normal, one
  /// for the pairs beyond `limit`.
  std::uint32_t columns() const { return count + (along_normal() ? 1 : 0); }
  /// Unit vector of the axis.
  Vec3 direction() const {
    return {axis == 0 ? 1.0 : 0.0, axis == 1 ? 1.0 : 0.0, axis == 2 ? 1.0 : 0.0};
  }
  /// Number of times a pair is counted. `like`: its particles have the same species.
  std::uint64_t orders(bool like) const { return kind == Kind::cosine && like ? 2 : 1; }
  /// Edge k, k = 0 .. count: a cosine, or a length in the unit of r_max.
  double edge(std::uint32_t k, double r_max) const {
    if (along_normal() && k == count) {
      return limit;  // exactly: result files have no other record of it
    }
    return kind == Kind::cosine ? 2.0 * k / count - 1.0
                                : k * (along_normal() ? limit : r_max) / count;
  }
  /// The count + 1 edges.
  std::vector<double> edges(double r_max) const;
};

/// Largest number of bins of a second axis.
inline constexpr std::uint32_t most_second_bins = 1000;

/// Number of bins if it is not given.
inline std::uint32_t default_second_bins(SecondAxis::Kind kind) {
  return kind == SecondAxis::Kind::cosine ? 21 : 50;
}

/// Parses "cos(z)" and "dz", likewise with x and y, and "cos(vector A->B)". `count`
/// remains 0. Throws InputError for other texts.
SecondAxis parse_second_axis(const std::string& text);
/// The text that parse_second_axis() parses.
std::string to_string(const SecondAxis& axis);

}  // namespace starhist

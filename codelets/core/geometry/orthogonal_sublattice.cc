#include "codelets/core/geometry/orthogonal_sublattice.hh"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <vector>

namespace starhist {
namespace {

/// A lattice vector and its coefficients in the reduced basis.
struct LatticeVector {
  std::array<int, 3> n;
  Vec3 v;
  double norm2;  ///< v . v
};

/// The cosine of an angle between vectors that count as orthogonal is below this.
constexpr double most_cosine = 1e-4;

bool almost_orthogonal(const LatticeVector& a, const LatticeVector& b) {
  const double product = dot(a.v, b.v);
  return product * product <= most_cosine * most_cosine * a.norm2 * b.norm2;
}

/// One of each opposite pair of vectors with coefficients up to 2, short ones first.
std::vector<LatticeVector> short_vectors(const MinimumImage& image) {
  constexpr int most = 2;
  std::vector<LatticeVector> vectors;
  for (int i = 0; i <= most; ++i) {
    for (int j = i == 0 ? 0 : -most; j <= most; ++j) {
      for (int k = i == 0 && j == 0 ? 1 : -most; k <= most; ++k) {
        const Vec3 v = static_cast<double>(i) * image.edge[0] +
                       static_cast<double>(j) * image.edge[1] +
                       static_cast<double>(k) * image.edge[2];
        vectors.push_back({{i, j, k}, v, dot(v, v)});
      }
    }
  }
  std::sort(vectors.begin(), vectors.end(),
            [](const auto& a, const auto& b) { return a.norm2 < b.norm2; });
  return vectors;
}

using Triple = std::array<LatticeVector, 3>;

/// Number of lattice vectors for each one that the triple spans.
int index_of(const Triple& t) {
  const auto& [a, b, c] = t;
  return std::abs(a.n[0] * (b.n[1] * c.n[2] - b.n[2] * c.n[1]) -
                  a.n[1] * (b.n[0] * c.n[2] - b.n[2] * c.n[0]) +
                  a.n[2] * (b.n[0] * c.n[1] - b.n[1] * c.n[0]));
}

/// Sets `halved` for a triple of index 2: half the sum of exactly one subset of it is a
/// lattice vector. Returns false if that is half of one of the three.
bool set_halved(const Triple& t, bool (&halved)[3]) {
  for (unsigned subset = 1; subset < 8; ++subset) {
    std::array<int, 3> sum{};
    for (std::size_t i = 0; i < 3; ++i) {
      for (std::size_t c = 0; c < 3; ++c) {
        sum[c] += (subset >> i & 1U) != 0 ? t[i].n[c] : 0;
      }
    }
    if (sum[0] % 2 == 0 && sum[1] % 2 == 0 && sum[2] % 2 == 0) {
      for (unsigned i = 0; i < 3; ++i) {
        halved[i] = (subset >> i & 1U) != 0;
      }
      return (subset & (subset - 1U)) != 0;
    }
  }
  return false;
}

/// The sum of the distances of the vectors from orthogonal ones of the same lengths,
/// times the largest coefficient of a nearest image. For the image D,
/// |D . edge| <= |edge|^2 / 2, so its coefficients are at most 1/2, or slightly more
/// because the vectors are not exactly orthogonal.
double deviation_of(const Triple& t) {
  constexpr double most_coefficient = 0.51;
  const Vec3 e1 = (1.0 / length(t[0].v)) * t[0].v;
  const Vec3 second = t[1].v - dot(t[1].v, e1) * e1;
  const Vec3 e2 = (1.0 / length(second)) * second;
  Vec3 e3 = cross(e1, e2);
  if (dot(e3, t[2].v) < 0.0) {
    e3 = -1.0 * e3;
  }
  return most_coefficient *
         (length(t[1].v - length(t[1].v) * e2) + length(t[2].v - length(t[2].v) * e3));
}

/// The result for a triple of orthogonal vectors; empty if it does not fit.
std::optional<OrthogonalSublattice> sublattice_of(const Triple& t,
                                                  double most_deviation) {
  OrthogonalSublattice out{};
  const int index = index_of(t);
  out.deviation = deviation_of(t);
  if (out.deviation > most_deviation ||
      !(index == 1 || (index == 2 && set_halved(t, out.halved)))) {
    return std::nullopt;
  }
  const double volume = dot(t[0].v, cross(t[1].v, t[2].v));
  for (std::size_t i = 0; i < 3; ++i) {
    out.edge[i] = t[i].v;
    out.dual[i] = (1.0 / volume) * cross(t[(i + 1) % 3].v, t[(i + 2) % 3].v);
  }
  return out;
}

}  // namespace

std::optional<OrthogonalSublattice> orthogonal_sublattice(const MinimumImage& image,
                                                          double most_deviation) {
  if (image.edge[2] == Vec3{}) {
    return std::nullopt;
  }
  // Orthogonal vectors of index 2 span twice the volume of the cell.
  const double cell = dot(image.edge[0], cross(image.edge[1], image.edge[2]));
  const double most_volume2 = 4.01 * cell * cell;
  const std::vector<LatticeVector> vectors = short_vectors(image);
  const auto volume2 = [&](std::size_t i, std::size_t j, std::size_t k) {
    return vectors[i].norm2 * vectors[j].norm2 * vectors[k].norm2;
  };
  std::optional<OrthogonalSublattice> best;
  for (std::size_t i = 0; i < vectors.size(); ++i) {
    for (std::size_t j = i + 1; j < vectors.size() && volume2(i, j, j) <= most_volume2;
         ++j) {
      if (!almost_orthogonal(vectors[i], vectors[j])) {
        continue;
      }
      for (std::size_t k = j + 1;
           k < vectors.size() && volume2(i, j, k) <= most_volume2; ++k) {
        if (!almost_orthogonal(vectors[i], vectors[k]) ||
            !almost_orthogonal(vectors[j], vectors[k])) {
          continue;
        }
        const auto found = sublattice_of({vectors[i], vectors[j], vectors[k]},
                                         best ? best->deviation : most_deviation);
        best = found ? found : best;
      }
    }
  }
  return best;
}

}  // namespace starhist

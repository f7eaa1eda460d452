#include "codelets/kernels/clusters/cluster_images.hh"

#include <algorithm>
#include <cmath>

namespace starhist::kernels {
namespace {

Vec3 row(const FixedLattice& lattice, int k) {
  const double(&r)[6] = lattice.rows;
  return k == 0   ? Vec3{r[0], 0.0, 0.0}
         : k == 1 ? Vec3{r[1], r[2], 0.0}
                  : Vec3{r[3], r[4], r[5]};
}

}  // namespace

ClusterImages::ClusterImages(const MinimumImage& image, const FixedLattice& lattice,
                             const UniformBins& bins)
    : steps_(image_steps(image, bins)), error_abs_(lattice.lattice_error) {
  const Vec3 b[3] = {row(lattice, 0), row(lattice, 1), row(lattice, 2)};
  const double edges = length(b[0]) + length(b[1]) + length(b[2]);
  for (int k = 0; k < 6; ++k) {
    rows_[k] = 0x1p-32 * lattice.rows[k];
  }
  for (int k = 0; k < padded; ++k) {
    const bool listed = k < steps_.count;
    Vec3 v;
    for (int i = 0; listed && i < 3; ++i) {
      v = v + static_cast<double>(steps_.steps[k][i]) * b[i];
    }
    for (int i = 0; i < 3; ++i) {
      along_[i][k] = static_cast<float>(0x1p-32 * dot(v, b[i]));
    }
    // Errors of the positions, and of about ten float operations on d . v, whose terms
    // are at most 3/2 |b_i| |v|.
    norm_[k] = static_cast<float>((1.0 + 1e-6) * length(v));
    half_norm2_[k] =
        listed ? static_cast<float>((0.5 - 1e-6) * dot(v, v) -
                                    (2.0 * error_abs_ + 1.5e-6 * edges) * length(v))
               : 1e30F;
  }
  slack_ = static_cast<float>(4.0 * error_abs_ + 1e-5 * edges);
}

void ClusterImages::find_along(const Centre& centre, int count,
                               float (&along)[padded]) const {
  for (int k = 0; k < count; ++k) {
    along[k] = centre.at[0] * along_[0][k] + centre.at[1] * along_[1][k] +
               centre.at[2] * along_[2][k];
  }
}

bool ClusterImages::find(const ClusterBoxes& boxes_a, std::size_t a,
                         const ClusterExtent& extent_a, const ClusterBoxes& boxes_b,
                         std::size_t b, const ClusterExtent& extent_b,
                         NearImages& images) const {
  images.count = 0;
  constexpr float most_half = 0x1.fp30F;  // differences must not wrap around
  Centre centre;
  float half[3];
  for (int i = 0; i < 3; ++i) {
    images.offset[i] =
        static_cast<std::int32_t>(static_cast<std::uint32_t>(boxes_a.centre[i][a]) -
                                  static_cast<std::uint32_t>(boxes_b.centre[i][b]));
    centre.at[i] = static_cast<float>(images.offset[i]);
    half[i] = (1.0F + 1e-6F) * (static_cast<float>(boxes_a.half[i][a]) +
                                static_cast<float>(boxes_b.half[i][b]));
  }
  const float spread = (1.0F + 1e-6F) * (extent_a.radius + extent_b.radius) + slack_;
  if (spread >= steps_.most_spread ||
      std::max({half[0], half[1], half[2]}) >= most_half) {
    return false;
  }
  int needed = 1;
  while (needed < steps_.count && steps_.needed_from[needed] <= spread) {
    ++needed;
  }
  const int count = (needed + 7) & ~7;  // whole vectors; more candidates are harmless

  // After the rounding step the displacement of the centres is at most one step of a
  // facet from the shortest.
  float along[padded];
  find_along(centre, count, along);
  int step = 0;
  float gain = 0.0F;
  for (int k = 1; k < needed; ++k) {
    const float gain_k = along[k] - half_norm2_[k];
    step = gain_k > gain ? k : step;
    gain = gain_k > gain ? gain_k : gain;
  }
  double shortest[3];
  for (int i = 0; i < 3; ++i) {
    shortest[i] = images.offset[i] - 0x1p32 * steps_.steps[step][i];
    centre.at[i] = static_cast<float>(shortest[i]);
  }
  if (step != 0) {
    find_along(centre, count, along);
  }

  float beyond[padded];
  for (int k = 0; k < count; ++k) {
    const float in_boxes = half[0] * std::abs(along_[0][k]) +
                           half[1] * std::abs(along_[1][k]) +
                           half[2] * std::abs(along_[2][k]);
    const float in_spheres = spread * norm_[k];
    const float most = in_boxes < in_spheres ? in_boxes : in_spheres;
    beyond[k] = along[k] + most - half_norm2_[k];
  }
  beyond[0] = 0.0F;
  for (int k = 0; k < needed; ++k) {
    if (!(beyond[k] >= 0.0F)) {
      continue;
    }
    if (images.count == NearImages::most) {
      images.count = 0;
      return false;
    }
    double at[3];
    for (int i = 0; i < 3; ++i) {
      at[i] = shortest[i] - 0x1p32 * steps_.steps[k][i];
    }
    double(&shift)[3] = images.shift[images.count++];
    shift[0] = rows_[0] * at[0] + rows_[1] * at[1] + rows_[3] * at[2];
    shift[1] = rows_[2] * at[1] + rows_[4] * at[2];
    shift[2] = rows_[5] * at[2];
  }
  if (!set_errors(extent_a, extent_b, error_abs_, images)) {
    images.count = 0;
    return false;
  }
  return true;
}

}  // namespace starhist::kernels

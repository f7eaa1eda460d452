// The lattice vectors tried for pairs of clusters, against a search for the minimum
// image of each pair.
#include "codelets/kernels/clusters/image_steps.hh"

#include "tests/support/boxes.hh"
#include "tests/support/catch.hh"
#include "tests/support/random.hh"

namespace starhist::testing {
namespace {

struct Nearest {
  int steps[3] = {};
  Vec3 d;
  double r2 = 1e300;
  double next_r2 = 1e300;  ///< of the second nearest image
};

/// The shortest d - n.h, n within four steps along each periodic edge.
Nearest nearest_image(const MinimumImage& image, Vec3 d) {
  constexpr int most = 4;
  Nearest best;
  const auto extent = [&](int axis) { return image.edge[axis] == Vec3{} ? 0 : most; };
  for (int i = -extent(0); i <= extent(0); ++i) {
    for (int j = -extent(1); j <= extent(1); ++j) {
      for (int k = -extent(2); k <= extent(2); ++k) {
        const Vec3 shifted_d = shifted(
            shifted(shifted(d, i, image.edge[0]), j, image.edge[1]), k, image.edge[2]);
        const double r2 = dot(shifted_d, shifted_d);
        if (r2 < best.r2) {
          best = {{i, j, k}, shifted_d, r2, best.r2};
        } else {
          best.next_r2 = std::min(best.next_r2, r2);
        }
      }
    }
  }
  return best;
}

/// If the list marks k as a sum: true if at least two of the earlier vectors lead to a
/// closer image of d than zero does.
bool two_before(const MinimumImage& image, const kernels::ImageSteps& list, int k,
                Vec3 d) {
  int closer = 0;
  for (int facet = 1; facet < list.sums_begin; ++facet) {
    Vec3 v;
    for (int axis = 0; axis < 3; ++axis) {
      v = v + static_cast<double>(list.steps[facet][axis]) * image.edge[axis];
    }
    closer += dot(d, v) >= 0.5 * (1.0 - 1e-9) * dot(v, v) ? 1 : 0;
  }
  return k < list.sums_begin || closer >= 2;
}

/// Index in the list, or -1.
int number_of(const kernels::ImageSteps& list, const int (&steps)[3]) {
  for (int k = 0; k < list.count; ++k) {
    const auto& s = list.steps[k];
    if (s[0] == steps[0] && s[1] == steps[1] && s[2] == steps[2]) {
      return k;
    }
  }
  return -1;
}

/// In the Voronoi cell, every other time near one of its corners or thin facets.
Vec3 displacement_of_centres(Random& random, const MinimumImage& image) {
  Vec3 d = random.vector(1.0);
  if (random.uniform() < 0.5) {
    d = std::pow(10.0, -6.0 * random.uniform()) * d;
    for (const Vec3 edge : image.edge) {
      d = random.uniform() < 0.5 ? d + 0.5 * edge : d;
    }
  }
  return nearest_image(image, d).d;
}

TEST_CASE("images of tiles: the list has every image needed by a pair of two tiles") {
  Random random(61);
  std::vector<NamedBox> boxes = test_boxes();
  for (const double e : {1e-3, 1e-2}) {
    boxes.push_back(
        {"sheared", periodic_box({1, 0, 0}, {e, 1, 0}, {-0.7 * e, 0.3 * e, 1})});
  }
  for (const auto& [name, box] : boxes) {
    const MinimumImage& image = box.minimum_image();
    const UniformBins bins = make_bins(1.0, 100);
    const kernels::ImageSteps list = kernels::image_steps(image, bins);
    INFO(name << ", " << int{list.count} << " vectors");
    REQUIRE(list.count >= 1);
    for (int k = 0; k < list.count; ++k) {
      const int opposite = kernels::ImageSteps::opposite(k);
      CHECK(kernels::ImageSteps::opposite(opposite) == k);
      REQUIRE(opposite < list.count);
      for (int axis = 0; axis < 3; ++axis) {
        CHECK(list.steps[opposite][axis] == -list.steps[k][axis]);
      }
    }
    CHECK(list.needed_from[0] == 0.0F);
    CHECK(std::is_sorted(list.needed_from, list.needed_from + list.count));
    CHECK(list.most_spread > 0.0F);
    const double most = std::min(list.most_spread * bins.width(), 2.0);
    int failures = 0;
    for (int trial = 0; trial < 5000; ++trial) {
      const Vec3 centres = displacement_of_centres(random, image);
      const double spread = most * random.uniform();
      Vec3 more = random.vector(1.0);
      more = spread * random.uniform() / std::sqrt(dot(more, more)) * more;
      const Nearest pair = nearest_image(image, centres + more);
      const bool clear = pair.next_r2 - pair.r2 > 1e-9;
      const int k = number_of(list, pair.steps);
      const bool listed = k >= 0 && list.needed_from[k] <= spread * bins.inverse_width;
      const bool sums = spread * bins.inverse_width < list.only_sums_below;
      failures +=
          clear && !(listed && (!sums || two_before(image, list, k, centres + more)));
    }
    CHECK(failures == 0);
  }
}

TEST_CASE(
    "images of tiles: 27 images for small tiles in orthogonal boxes, one in open") {
  const UniformBins bins = make_bins(1.0, 100);
  const auto needed = [&](const Box& box, float spread) {
    const kernels::ImageSteps list = kernels::image_steps(box.minimum_image(), bins);
    return std::upper_bound(list.needed_from, list.needed_from + list.count, spread) -
           list.needed_from;
  };
  CHECK(needed(Box(), 1e6F) == 1);
  CHECK(needed(cubic_box(1.0), 10.0F) == 27);
  CHECK(needed(truncated_octahedron(), 10.0F) == 15);
  const kernels::ImageSteps cubic =
      kernels::image_steps(cubic_box(1.0).minimum_image(), bins);
  CHECK(cubic.sums_begin == 7);  // all that belong to no facet
  CHECK(cubic.only_sums_below == cubic.needed_from[27]);
}

}  // namespace
}  // namespace starhist::testing

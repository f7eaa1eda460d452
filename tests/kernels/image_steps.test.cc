// The lattice vectors that pairs of tiles try, against a search for the minimum image
// of each pair.
#include "codelets/kernels/tiles/image_steps.hh"

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
  const auto reach = [&](int axis) { return image.edge[axis] == Vec3{} ? 0 : most; };
  for (int i = -reach(0); i <= reach(0); ++i) {
    for (int j = -reach(1); j <= reach(1); ++j) {
      for (int k = -reach(2); k <= reach(2); ++k) {
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

bool listed(const ImageSteps& list, const int (&steps)[3], double spread) {
  for (int k = 0; k < list.count; ++k) {
    const auto& s = list.steps[k];
    if (s[0] == steps[0] && s[1] == steps[1] && s[2] == steps[2]) {
      return list.needed_from[k] <= spread;
    }
  }
  return false;
}

TEST_CASE("images of tiles: the list has every image that a pair of two tiles needs") {
  Random random(61);
  for (const auto& [name, box] : test_boxes()) {
    const MinimumImage& image = box.minimum_image();
    const UniformBins bins = make_bins(1.0, 100);
    const ImageSteps list = image_steps(image, bins);
    INFO(name << ", " << int{list.count} << " vectors");
    REQUIRE(list.count >= 1);
    for (int k = 0; k < list.count; ++k) {
      const int opposite = ImageSteps::opposite(k);
      CHECK(ImageSteps::opposite(opposite) == k);
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
      const Vec3 centres = nearest_image(image, random.vector(1.0)).d;
      const double spread = most * random.uniform();
      Vec3 more = random.vector(1.0);
      more = spread * random.uniform() / std::sqrt(dot(more, more)) * more;
      const Nearest pair = nearest_image(image, centres + more);
      const bool clear = pair.next_r2 - pair.r2 > 1e-9;
      failures += clear && !listed(list, pair.steps, spread * bins.inverse_width);
    }
    CHECK(failures == 0);
  }
}

TEST_CASE(
    "images of tiles: 27 images for small tiles in orthogonal boxes, one in open") {
  const UniformBins bins = make_bins(1.0, 100);
  const auto needed = [&](const Box& box, float spread) {
    const ImageSteps list = image_steps(box.minimum_image(), bins);
    return std::upper_bound(list.needed_from, list.needed_from + list.count, spread) -
           list.needed_from;
  };
  CHECK(needed(Box(), 1e6F) == 1);
  CHECK(needed(cubic_box(1.0), 10.0F) == 27);
  CHECK(needed(truncated_octahedron(), 10.0F) == 15);
}

}  // namespace
}  // namespace starhist::testing

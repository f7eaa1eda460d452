#include "driver/trials/random_particles.hh"

#include <algorithm>
#include <cmath>
#include <random>

#include "codelets/core/base/error.hh"
#include "codelets/core/base/text.hh"
#include "driver/options/option_values.hh"

namespace starhist::driver {

std::vector<SampleBox> sample_boxes() {
  const Vec3 x{1.0, 0.0, 0.0};
  const Vec3 y{0.0, 1.0, 0.0};
  const Vec3 z{0.0, 0.0, 1.0};
  const std::array<bool, 3> all{true, true, true};
  const Box cubic({x, y, z}, all);
  const Box orthorhombic({x, 1.1 * y, 1.2 * z}, all);
  const Box dodecahedron({x, y, Vec3{0.5, 0.5, std::sqrt(0.5)}}, all);
  const Box skewed({x, Vec3{0.3, 1.1, 0.0}, Vec3{0.1, -0.2, 0.9}}, all);
  const Box slab({x, y, z}, {true, true, false});
  return {
      {"open", Box(), std::sqrt(3.0)},
      {"cubic", cubic, cubic.covering_radius()},
      {"orthorhombic", orthorhombic, orthorhombic.covering_radius()},
      {"slab", slab, std::sqrt(1.5)},
      {"triclinic-near", dodecahedron, 0.99 * dodecahedron.rounding_radius()},
      {"triclinic", dodecahedron, dodecahedron.covering_radius()},
      {"skewed", skewed, skewed.covering_radius()},
  };
}

std::vector<std::string> sample_box_names() {
  std::vector<std::string> names;
  for (const SampleBox& sample : sample_boxes()) {
    names.push_back(sample.name);
  }
  return names;
}

std::vector<SampleBox> parse_sample_boxes(const std::string& names) {
  std::vector<SampleBox> all = sample_boxes();
  if (names.empty()) {
    return all;
  }
  std::vector<SampleBox> chosen;
  for (const std::string& name : split_list(names)) {
    const auto found = std::find_if(all.begin(), all.end(),
                                    [&](const SampleBox& s) { return s.name == name; });
    if (found == all.end()) {
      throw InputError("--boxes: unknown box '" + name +
                       "' (known boxes: " + join(sample_box_names(), ", ") + ")");
    }
    chosen.push_back(*found);
  }
  return chosen;
}

std::vector<double> random_positions(const Box& box, std::uint64_t count,
                                     std::uint64_t seed) {
  const bool has_edges = box.periodic_axis_count() > 0;
  const Vec3 a = has_edges ? box.edges()[0] : Vec3{1.0, 0.0, 0.0};
  const Vec3 b = has_edges ? box.edges()[1] : Vec3{0.0, 1.0, 0.0};
  const Vec3 c = has_edges ? box.edges()[2] : Vec3{0.0, 0.0, 1.0};
  std::mt19937_64 generator(seed);
  const auto uniform = [&generator] {
    return 0x1p-53 * static_cast<double>(generator() >> 11U);
  };
  std::vector<double> positions;
  positions.reserve(3 * count);
  for (std::uint64_t i = 0; i < count; ++i) {
    const double u = uniform();
    const double v = uniform();
    const double w = uniform();
    const Vec3 p = u * a + v * b + w * c;
    positions.insert(positions.end(), {p.x, p.y, p.z});
  }
  return positions;
}

}  // namespace starhist::driver

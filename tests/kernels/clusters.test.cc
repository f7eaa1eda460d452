// Particles in spatial order, and bounds of distances from the boxes of clusters.
#include <algorithm>
#include <numeric>

#include "codelets/core/counting/pair_bin.hh"
#include "codelets/kernels/clusters/density_sample.hh"
#include "codelets/kernels/cpu/cluster_census.hh"
#include "codelets/kernels/cpu/cluster_search.hh"
#include "codelets/kernels/cpu/local_positions.hh"
#include "tests/kernels/kernel_cases.hh"
#include "tests/support/catch.hh"
#include "tests/support/pair_problem.hh"
#include "tests/support/reference_counts.hh"

namespace starhist {
namespace {

using testing::counts_of;
using testing::difference;
using testing::KernelCase;
using testing::PairProblem;
using testing::Random;

kernels::Bounds bounds_of(const std::vector<double>& positions) {
  kernels::Bounds bounds;
  bounds.add({positions.data(), positions.size() / 3}, 0, positions.size() / 3);
  return bounds;
}

/// Mean distance of particles from the first one of their cluster of 32.
double mean_distance_in_clusters(const Box& box, const std::vector<double>& xyz,
                                 const std::vector<std::uint32_t>& order) {
  const kernels::PositionSpan span{xyz.data(), xyz.size() / 3};
  double sum = 0.0;
  for (std::size_t k = 0; k < order.size(); ++k) {
    sum += std::sqrt(minimum_distance2(box.minimum_image(), span[order[k / 32 * 32]],
                                       span[order[k]]));
  }
  return sum / static_cast<double>(order.size());
}

constexpr kernels::ClusterAxes both_axes[] = {kernels::ClusterAxes::lattice,
                                              kernels::ClusterAxes::cartesian};

TEST_CASE("spatial order: each particle once, compact tiles, any box") {
  Random random(71);
  for (const KernelCase& c : testing::kernel_cases()) {
    INFO(c.name);
    const std::vector<double> xyz = testing::random_positions(random, c.box, 4000);
    for (const kernels::ClusterAxes axes : both_axes) {
      const auto order = kernels::spatial_order(
          {xyz.data(), 4000}, c.box.minimum_image(), bounds_of(xyz), axes);
      std::vector<std::uint32_t> sorted = order;
      std::sort(sorted.begin(), sorted.end());
      std::vector<std::uint32_t> all(4000);
      std::iota(all.begin(), all.end(), 0U);
      CHECK(sorted == all);
      // About 0.28 if clusters were cubes.
      CHECK(mean_distance_in_clusters(c.box, xyz, order) <
            0.4 * mean_distance_in_clusters(c.box, xyz, all));
    }
  }
}

TEST_CASE("spatial order: by numbers on the path, equal ones in the given order") {
  Random random(73);
  for (const KernelCase& c : testing::kernel_cases()) {
    INFO(c.name);
    // Two particles at each place; once also few of them, with a number of one digit.
    for (const std::size_t count : {std::size_t{6}, std::size_t{9000}}) {
      std::vector<double> xyz = testing::random_positions(random, c.box, count);
      xyz.insert(xyz.end(), xyz.begin(), xyz.end());
      const kernels::PositionSpan span{xyz.data(), 2 * count};
      for (const kernels::ClusterAxes axes : both_axes) {
        const MinimumImage& image = c.box.minimum_image();
        const kernels::Bounds bounds = bounds_of(xyz);
        const kernels::SpatialGrid grid = kernels::make_spatial_grid(
            image, bounds, span.count,
            kernels::density_contrast_of(span, image, bounds, axes), axes);
        std::vector<std::uint32_t> expected(span.count);
        std::iota(expected.begin(), expected.end(), 0U);
        std::stable_sort(expected.begin(), expected.end(), [&](auto a, auto b) {
          return grid.place(span[a]) < grid.place(span[b]);
        });
        CHECK(kernels::spatial_order(span, image, bounds, axes) == expected);
        CHECK(grid.place(span[expected.back()]) < grid.cells());
      }
    }
  }
}

/// Moves particles into a part of a cell with edges along the Cartesian axes.
void squeeze(Vec3 parts, std::vector<double>& xyz) {
  for (std::size_t i = 0; i < xyz.size(); i += 3) {
    xyz[i] *= parts.x;
    xyz[i + 1] *= parts.y;
    xyz[i + 2] *= parts.z;
  }
}

TEST_CASE("spatial order: tiles are as compact in a drop, a layer or a thread") {
  Random random(74);
  const Box box = testing::cubic_box(1.0);
  const std::vector<double> evenly = testing::random_positions(random, box, 4000);
  const auto axes =
      GENERATE(kernels::ClusterAxes::lattice, kernels::ClusterAxes::cartesian);
  const auto density_contrast = [&](const std::vector<double>& xyz) {
    return kernels::density_contrast_of({xyz.data(), 4000}, box.minimum_image(),
                                        bounds_of(xyz), axes);
  };
  CHECK(density_contrast(evenly) < 1.2);
  for (const Vec3 parts : {Vec3{0.25, 0.25, 0.25}, {1, 1, 0.1}, {0.1, 1, 0.1}}) {
    std::vector<double> xyz = evenly;
    squeeze(parts, xyz);
    const double volume = parts.x * parts.y * parts.z;
    INFO(parts.x << ' ' << parts.y << ' ' << parts.z);
    CHECK(density_contrast(xyz) < 1.2 / volume);
    CHECK(density_contrast(xyz) > 0.5 / volume);
    const auto order = kernels::spatial_order({xyz.data(), 4000}, box.minimum_image(),
                                              bounds_of(xyz), axes);
    // Distance between neighbouring cubes with as many particles.
    const double distance = 0.66 * std::cbrt(volume * 32.0 / 4000.0);
    CHECK(mean_distance_in_clusters(box, xyz, order) < 1.5 * distance);
  }
}

TEST_CASE("spatial order: a sample of particles has the density contrast of all") {
  Random random(8);
  const Box box = testing::cubic_box(1.0);
  for (const std::size_t count : {0U, 1U, 2048U, 2049U, 30'000U}) {
    std::vector<double> xyz = testing::random_positions(random, box, count);
    for (std::size_t k = 0; k < xyz.size() / 2; ++k) {
      xyz[k] *= 0.3;
    }
    kernels::Bounds bounds;
    bounds.add({xyz.data(), count}, 0, count);
    const auto contrast = [&](const std::vector<double>& of) {
      return kernels::density_contrast_of({of.data(), of.size() / 3},
                                          box.minimum_image(), bounds,
                                          kernels::ClusterAxes::cartesian);
    };
    std::vector<double> sample;
    for (const std::uint32_t particle : kernels::sampled_particles(count)) {
      REQUIRE(particle < count);
      sample.insert(sample.end(),
                    {xyz[3 * particle], xyz[3 * particle + 1], xyz[3 * particle + 2]});
    }
    CHECK(sample.size() == 3 * std::min<std::size_t>(count, 2048));
    CHECK(contrast(sample) == contrast(xyz));
  }
}

TEST_CASE("spatial order: particles in a plane, on a line, at the origin") {
  Random random(75);
  const auto [parts, distance] =
      GENERATE(std::pair(Vec3{0, 1, 1}, 0.52 * std::sqrt(32.0 / 4000.0)),
               std::pair(Vec3{0, 0, 1}, 0.33 * 32.0 / 4000.0), std::pair(Vec3{}, 0.0));
  const Box box;
  std::vector<double> xyz = testing::random_positions(random, box, 4000);
  squeeze(parts, xyz);
  const auto order =
      kernels::spatial_order({xyz.data(), 4000}, box.minimum_image(), bounds_of(xyz),
                             kernels::ClusterAxes::cartesian);
  CHECK(mean_distance_in_clusters(box, xyz, order) <= 2.0 * distance);
}

TEST_CASE(
    "spatial grid: an even number of adjacent bars, and path numbers of 32 bits") {
  const auto axes =
      GENERATE(kernels::ClusterAxes::lattice, kernels::ClusterAxes::cartesian);
  for (const KernelCase& c : testing::kernel_cases()) {
    INFO(c.name);
    kernels::Bounds bounds;
    bounds.low = {};
    bounds.high = {1, 1, 1};
    for (const std::size_t particles : {1U, 1'000U, 100'000U, 4'000'000'000U}) {
      const kernels::SpatialGrid grid = kernels::make_spatial_grid(
          c.box.minimum_image(), bounds, particles, 512.0, axes);
      for (const std::uint32_t pencils : grid.pencils) {
        CHECK((pencils == 1 || pencils % 2 == 0));
      }
      CHECK(std::uint64_t{grid.pencils[0]} * grid.pencils[1] * grid.layers <
            kernels::SpatialGrid::most_pencils);
    }
  }
}

TEST_CASE("spatial order: one bar in a needle, layer after layer") {
  Random random(76);
  const Box box = testing::periodic_box({1000, 0, 0}, {0, 1, 0}, {0, 0, 1});
  const std::vector<double> xyz = testing::random_positions(random, box, 4000);
  const auto order =
      kernels::spatial_order({xyz.data(), 4000}, box.minimum_image(), bounds_of(xyz),
                             kernels::ClusterAxes::cartesian);
  // From the first of 32 to the others, half of their length of the needle.
  CHECK(mean_distance_in_clusters(box, xyz, order) < 1.2 * 8.0 / 2.0);
}

TEST_CASE("spatial order does not depend on a particle's periodic image") {
  Random random(72);
  const Box box = testing::truncated_octahedron();
  const auto axes =
      GENERATE(kernels::ClusterAxes::lattice, kernels::ClusterAxes::cartesian);
  std::vector<double> xyz = testing::random_positions(random, box, 1000);
  const auto order = kernels::spatial_order({xyz.data(), 1000}, box.minimum_image(),
                                            bounds_of(xyz), axes);
  testing::unwrap(random, box, 5, xyz);
  const auto unwrapped = kernels::spatial_order({xyz.data(), 1000}, box.minimum_image(),
                                                bounds_of(xyz), axes);
  std::size_t moved = 0;  // rounding may move particles at a border of cells
  for (std::size_t k = 0; k < order.size(); ++k) {
    moved += order[k] != unwrapped[k] ? 1 : 0;
  }
  CHECK(moved < 10);
}

TEST_CASE("positions all at one point, one particle, and no particle") {
  const Box box = testing::cubic_box(1.0);
  const auto axes =
      GENERATE(kernels::ClusterAxes::lattice, kernels::ClusterAxes::cartesian);
  const std::vector<double> xyz(3 * 100, 0.25);
  for (const std::size_t count : {0U, 1U, 100U}) {
    CHECK(kernels::spatial_order({xyz.data(), count}, box.minimum_image(),
                                 bounds_of(xyz), axes)
              .size() == count);
    CHECK(kernels::spatial_order({xyz.data(), count}, Box().minimum_image(),
                                 bounds_of(xyz), axes)
              .size() == count);
  }
}

/// Clusters of different sizes, to vary them as much as possible.
std::vector<double> clustered(Random& random, const Box& box, std::size_t count) {
  std::vector<double> xyz = testing::random_positions(random, box, count);
  for (std::size_t i = count / 2; i < count; ++i) {
    const std::size_t centre = i % 5;
    for (std::size_t k = 0; k < 3; ++k) {
      const double width = 0.02 * static_cast<double>(1 + i % 3);
      xyz[3 * i + k] = xyz[3 * centre + k] + width * (xyz[3 * i + k] - xyz[k]);
    }
  }
  return xyz;
}

/// Length of the displacement that rounding finds, without a search.
double nearest_integer_distance2(const MinimumImage& image, Vec3 a, Vec3 b) {
  MinimumImage without = image;
  without.facet_count = 0;
  return minimum_distance2(without, a, b);
}

struct Seen {
  std::size_t out_of_range = 0;
  std::size_t rounded = 0;
  std::size_t wrong = 0;
};

/// Checks every pair of two groups of particles.
void check_class(const kernels::PairBlock& block, kernels::ClusterClass of_clusters,
                 std::size_t size, std::size_t a, std::size_t b, Seen& seen) {
  seen.out_of_range += of_clusters == kernels::ClusterClass::out_of_range ? 1 : 0;
  seen.rounded += of_clusters == kernels::ClusterClass::rounded ? 1 : 0;
  const std::size_t count = block.first.count;
  for (std::size_t i = a * size; i < std::min((a + 1) * size, count); ++i) {
    for (std::size_t j = b * size; j < std::min((b + 1) * size, count); ++j) {
      const Vec3 p = block.first[i];
      const Vec3 q = block.first[j];
      if (of_clusters == kernels::ClusterClass::out_of_range) {
        const bool in_range =
            pair_bin(*block.image, *block.bins, p, q) < block.bins->count;
        seen.wrong += in_range ? 1 : 0;
      }
      if (of_clusters == kernels::ClusterClass::rounded) {
        const double r2 = minimum_distance2(*block.image, p, q);
        // Rounding is exact, or a wrong image is beyond r_max.
        seen.wrong += nearest_integer_distance2(*block.image, p, q) != r2 &&
                              r2 < block.bins->r_max * block.bins->r_max
                          ? 1
                          : 0;
      }
    }
  }
}

TEST_CASE("statements about two tiles hold for every pair, in any box", "[slow]") {
  Random random(73);
  Seen seen;
  for (const KernelCase& c : testing::kernel_cases()) {
    for (const double factor : {0.05, 0.3, 1.0}) {
      INFO(c.name << ", " << factor);
      PairProblem problem{c.box, make_bins(factor * c.r_max, 500), {}, {}, true};
      problem.first = clustered(random, c.box, 640);
      problem.cluster();
      const kernels::PairBlock block = problem.block();
      kernels::cpu::FixedPoint fixed;
      kernels::cpu::make_fixed_point(block, fixed);
      REQUIRE(fixed.lattice.usable);
      const kernels::ClusterDistance distance(fixed.lattice, problem.bins);
      const std::int32_t* xyz[3] = {fixed.second[0].data(), fixed.second[1].data(),
                                    fixed.second[2].data()};
      for (const std::size_t size : {1U, 7U, 32U}) {
        kernels::ClusterBoxes boxes;
        boxes.set(xyz, 640, size);
        for (std::size_t a = 0; a < boxes.count(); a += size == 1 ? 9 : 1) {
          for (std::size_t b = 0; b < boxes.count(); ++b) {
            check_class(block, distance.classify(boxes, a, boxes, b), size, a, b, seen);
          }
        }
      }
    }
  }
  CHECK(seen.wrong == 0);
  CHECK(seen.out_of_range > 100'000);
  CHECK(seen.rounded > 100'000);
}

/// Without symmetry, its edges of very different lengths.
Box skewed_box() {
  return Box({Vec3{1.0, 0.0, 0.0}, Vec3{0.9, 1.3, 0.0}, Vec3{-0.6, 0.8, 0.7}},
             {true, true, true});
}

/// The squared distance of a pair of two clusters as the fused loops compute it, and
/// its error bound.
struct SquaredDistance {
  float value = 1e30F;
  double most_off = 0.0;

  /// `s` is the distance.
  SquaredDistance(const kernels::NearImages& images, const double (&a)[3],
                  const float (&b)[3], double s) {
    float longest[3] = {};
    for (int k = 0; k < images.count; ++k) {
      double off = 0.0;
      float d[3];
      for (int i = 0; i < 3; ++i) {
        const int axis = images.axes[i];
        const double exact = images.shift[k][axis] + a[axis];
        const auto row = static_cast<float>(exact);
        off += exact * exact - static_cast<double>(row) * static_cast<double>(row);
        longest[i] = std::max(longest[i], std::abs(row));
        d[i] = row - b[axis];
      }
      const float rest = images.with_residuals ? static_cast<float>(off) : 0.0F;
      value = std::min(
          value,
          std::fma(d[2], d[2], std::fma(d[1], d[1], std::fma(d[0], d[0], rest))));
    }
    if (images.with_residuals) {
      most_off = static_cast<double>(images.square_error +
                                     kernels::error_of_row(longest, images.column)) +
                 s * (static_cast<double>(images.square_error_linear) +
                      s * static_cast<double>(images.square_error_square));
    } else {
      const double e = static_cast<double>(images.error_rel) * s +
                       static_cast<double>(images.error_abs);
      most_off = 2.0 * s * e + e * e;
    }
  }
};

TEST_CASE("the images of two tiles hold the minimum image of every pair", "[slow]") {
  Random random(79);
  std::size_t found[kernels::NearImages::most + 1] = {};
  std::size_t wrong = 0;
  std::size_t pairs = 0;
  std::size_t with_residuals = 0;
  double largest_share = 0.0;
  auto boxes = testing::test_boxes();
  boxes.push_back({"skewed", skewed_box()});
  std::uint32_t bins = 3000;
  for (const auto& [name, box] : boxes) {
    if (box.minimum_image().facet_count == 0) {
      continue;
    }
    bins = 303'000 - bins;  // with many bins residuals pay
    PairProblem problem{box,
                        make_bins(1.2 * std::cbrt(std::abs(box.volume())) + 0.1, bins),
                        {},
                        {},
                        true};
    problem.first = clustered(random, box, 3000);
    problem.cluster();
    const kernels::PairBlock block = problem.block();
    kernels::cpu::FixedPoint fixed;
    kernels::cpu::make_fixed_point(block, fixed);
    const kernels::ClusterImages cluster_images(*block.image, fixed.lattice,
                                                problem.bins);
    const std::int32_t* xyz[3] = {fixed.second[0].data(), fixed.second[1].data(),
                                  fixed.second[2].data()};
    for (const std::size_t size : {1U, 5U, 32U}) {
      kernels::ClusterBoxes boxes_of_size;
      boxes_of_size.set(xyz, 3000, size);
      kernels::cpu::LocalPositions<double> rows;
      rows.set(fixed.lattice, xyz, 3000, boxes_of_size, size);
      kernels::cpu::LocalPositions<float> local;
      local.set(fixed.lattice, xyz, 3000, boxes_of_size, size);
      for (std::size_t trial = 0; trial < 4000; ++trial) {
        const std::size_t a = random.below(boxes_of_size.count());
        const std::size_t b = random.below(boxes_of_size.count());
        kernels::NearImages images;
        cluster_images.find(boxes_of_size, a, local.extent[a], boxes_of_size, b,
                            local.extent[b], images);
        ++found[images.count];
        for (std::size_t i = a * size;
             images.count > 0 && i < (a + 1) * size && i < 3000; ++i) {
          for (std::size_t j = b * size; j < (b + 1) * size && j < 3000; ++j) {
            const double r = std::sqrt(
                minimum_distance2(*block.image, block.first[i], block.first[j]));
            const double s = bin_position(problem.bins, r);
            const SquaredDistance fast(
                images, {rows.at[0][i], rows.at[1][i], rows.at[2][i]},
                {local.at[0][j], local.at[1][j], local.at[2][j]}, s);
            const double off = std::abs(static_cast<double>(fast.value) - s * s);
            wrong += off > fast.most_off ? 1 : 0;
            largest_share = std::max(largest_share, off / fast.most_off);
            with_residuals += images.with_residuals ? 1 : 0;
            ++pairs;
          }
        }
      }
    }
  }
  CHECK(wrong == 0);
  CHECK(largest_share > 0.3);  // the bounds are not far too large
  CHECK(with_residuals > pairs / 10);
  CHECK(with_residuals < pairs);
  CHECK(found[0] > 1000);
  CHECK(found[1] > 1000);
  CHECK(found[2] > 1000);
  CHECK(found[4] > 100);
}

TEST_CASE("a small r_max: most tiles are out of range") {
  Random random(74);
  for (const auto& [name, box] : testing::test_boxes()) {
    if (!box.has_volume()) {
      continue;
    }
    INFO(name);
    const double r_max = 0.1 * std::cbrt(box.volume());
    PairProblem problem =
        testing::random_problem(random, box, r_max, 100, 50'000, true);
    problem.cluster();
    const kernels::PairBlock block = problem.block();
    kernels::cpu::FixedPoint fixed;
    kernels::cpu::make_fixed_point(block, fixed);
    kernels::cpu::ClusterSearch search;
    search.set(block, fixed);
    std::uint64_t in_runs = 0;
    kernels::cpu::ClusterSearch::Near near;
    for (std::size_t cluster = 0; cluster < search.row_clusters(); ++cluster) {
      const std::size_t rows = search.row_end(cluster) - search.row_begin(cluster);
      search.visit_runs(
          cluster, near,
          [&](std::size_t begin, std::size_t end, kernels::ClusterClass,
              const kernels::NearImages*) { in_runs += rows * (end - begin); });
    }
    CHECK(static_cast<double>(in_runs) <
          0.15 * static_cast<double>(block.pair_count()));
  }
}

void check_clustered(const std::string& name, PairProblem problem) {
  const auto expected = testing::reference_counts(problem);
  problem.cluster();
  for (const auto& kernel : testing::cpu_kernels()) {
    INFO(name << ", " << problem.bins.count << " bins, r_max " << problem.bins.r_max
              << (problem.like ? ", like, " : ", unlike, ") << problem.first.size() / 3
              << " particles, " << kernel.name);
    CHECK(difference(counts_of(kernel.count, problem), expected) == "");
  }
}

TEST_CASE("tiled blocks: counts equal the reference, for every r_max", "[slow]") {
  Random random(75);
  for (const KernelCase& c : testing::kernel_cases()) {
    for (const std::size_t count : {0U, 1U, 63U, 64U, 65U, 700U}) {
      for (const double factor : {1e-3, 0.1, 0.4, 1.0, 3.0}) {
        for (const bool like : {true, false}) {
          PairProblem problem = testing::random_problem(random, c.box, factor * c.r_max,
                                                        1000, count, like);
          if (count > 600) {
            problem.first = clustered(random, c.box, count);
            testing::unwrap(random, c.box, 20, problem.first);
          }
          check_clustered(c.name, problem);
        }
      }
    }
  }
}

TEST_CASE("a census reports the pairs that count_pairs skips") {
  Random random(77);
  for (const KernelCase& c : testing::kernel_cases()) {
    for (const bool like : {true, false}) {
      INFO(c.name << (like ? ", like" : ", unlike"));
      PairProblem problem =
          testing::random_problem(random, c.box, 0.2 * c.r_max, 100, 2000, like);
      problem.cluster();
      const kernels::PairBlock block = problem.block();
      const kernels::cpu::ClusterCensus census =
          kernels::cpu::take_cluster_census(block);
      kernels::CountedPairs counted;
      counts_of(testing::cpu_kernels().back().count, problem, 1, &counted);
      CHECK(census.pairs == block.pair_count());
      CHECK(census.out_of_range() == counted.skipped);
      CHECK(census.out_of_range() > census.pairs / 4);
    }
  }
}

TEST_CASE("tiled blocks to the corner: images of tiles of both sizes, narrow bins",
          "[slow]") {
  Random random(78);
  for (const Box& box : {testing::truncated_octahedron(), skewed_box()}) {
    const double far = box.covering_radius();
    for (const std::uint32_t bins : {10'000U, 200'000U}) {
      for (const std::size_t columns : {9001U, 33'000U}) {
        PairProblem problem =
            testing::random_problem(random, box, far, bins, 150, false);
        problem.second = testing::random_positions(random, box, columns);
        for (double& coordinate : problem.first) {
          coordinate *= 0.1;
        }
        check_clustered("far", problem);
        problem.cluster();
        const kernels::cpu::ClusterCensus census =
            kernels::cpu::take_cluster_census(problem.block());
        CHECK(census.rounded > census.pairs / 2);
      }
      check_clustered("far",
                      testing::random_problem(random, box, far, bins, 2500, true));
    }
  }
}

TEST_CASE(
    "tiled blocks: particles in one place, of a tile along a line and a small one") {
  Random random(80);
  const Box box = testing::truncated_octahedron();
  const double far = box.covering_radius();
  for (const std::uint32_t bins : {200'000U, 500'000U}) {
    for (int trial = 0; trial < 20; ++trial) {
      PairProblem problem = testing::random_problem(random, box, far, bins, 0, false);
      const double width = far / bins;
      // Squares are differences of large numbers here, and must not be negative.
      const int axis = trial % 3;
      const auto place = [&](double along) {
        double at[3] = {0.1, 0.2, 0.3};
        at[axis] += along;
        for (const double coordinate : at) {
          problem.first.push_back(coordinate);
        }
      };
      for (int k = 0; k < 32; ++k) {
        place(0.4 * far * random.uniform());
      }
      for (int k = 0; k < 64; ++k) {
        for (int i = 0; i < 3; ++i) {
          const double near = k < 8 ? 0.0 : 20.0 * width * random.uniform();
          problem.second.push_back(problem.first[static_cast<std::size_t>(i)] + near);
        }
      }
      check_clustered("one place", problem);
    }
  }
}

TEST_CASE("tiled blocks in parts of rows, by threads, and by definition") {
  Random random(76);
  for (const bool like : {true, false}) {
    for (const std::uint32_t bins : {300U, 3'000'000U}) {
      PairProblem problem = testing::random_problem(
          random, testing::truncated_octahedron(), 0.3, bins, 1500, like);
      const auto expected = testing::reference_counts(problem);
      problem.cluster();
      std::vector<kernels::PairBlock> parts;
      const std::size_t ends[] = {0, 1, 70, 700, 1500};
      for (std::size_t k = 0; k + 1 < std::size(ends); ++k) {
        parts.push_back(problem.block());
        parts.back().row_begin = ends[k];
        parts.back().row_end = ends[k + 1];
      }
      for (const int threads : {1, 3}) {
        CHECK(difference(counts_of(testing::cpu_kernels().back().count, parts, threads),
                         expected) == "");
      }
    }
  }
}

}  // namespace
}  // namespace starhist

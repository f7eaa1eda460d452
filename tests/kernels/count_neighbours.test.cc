#include "codelets/kernels/neighbours/count_neighbours.hh"

#include "codelets/core/counting/pair_bin.hh"
#include "tests/kernels/random_boxes.hh"
#include "tests/support/catch.hh"
#include "tests/support/random.hh"

namespace starhist::testing {
namespace {

using kernels::NeighbourSearch;
using kernels::PositionSpan;

std::vector<std::uint32_t> by_definition(const Box& box, const NeighbourShell& shell,
                                         PositionSpan centres,
                                         PositionSpan neighbours) {
  std::vector<std::uint32_t> counts(centres.count);
  for (std::size_t i = 0; i < centres.count; ++i) {
    for (std::size_t j = 0; j < neighbours.count; ++j) {
      counts[i] += pair_bin(box.minimum_image(), shell.bins, centres[i],
                            neighbours[j]) < shell.edge
                       ? 1
                       : 0;
    }
  }
  return counts;
}

struct Searched {
  std::vector<std::uint32_t> counts;
  std::uint64_t decided = 0;  ///< pairs that pair_bin() decided
};

Searched search(const Box& box, const NeighbourShell& shell, PositionSpan centres,
                PositionSpan neighbours) {
  const NeighbourSearch search(box, shell, centres, neighbours);
  Searched result{std::vector<std::uint32_t>(centres.count, 999), 0};
  for (std::size_t part = 0; part < search.parts(); ++part) {
    result.decided += search.count(part, result.counts.data());
  }
  return result;
}

PositionSpan span(const std::vector<double>& positions) {
  return {positions.data(), positions.size() / 3};
}

NeighbourShell shell_of(double cutoff) {
  return {SpeciesId(0), SpeciesId(1), make_bins(cutoff, 1), 1};
}

std::vector<double> random_positions(Random& random, std::size_t count, double extent) {
  std::vector<double> positions(3 * count);
  for (double& x : positions) {
    x = random.log_uniform(1e-3, extent) * (random.chance(0.5) ? 1.0 : -1.0);
  }
  return positions;
}

TEST_CASE("a search finds the neighbours of the defining function in any box") {
  Random random(44);
  std::uint64_t pairs = 0;
  std::uint64_t decided = 0;
  for (int trial = 0; trial < 400; ++trial) {
    const Box box = random_box(random, trial % 4);
    const double extent = random.log_uniform(1.0, 40.0);
    const auto centres = random_positions(random, 1 + random.below(90), extent);
    const auto neighbours = random_positions(random, 1 + random.below(90), extent);
    const double widest = std::min(box.inscribed_radius(), 4.0);
    const NeighbourShell shell = shell_of(random.log_uniform(0.02, 1.0) * widest);
    const Searched found = search(box, shell, span(centres), span(neighbours));
    REQUIRE(found.counts == by_definition(box, shell, span(centres), span(neighbours)));
    pairs += centres.size() / 3 * (neighbours.size() / 3);
    decided += found.decided;
  }
  CHECK(decided < pairs / 4);  // the rest has cut-offs close to half the box
}

TEST_CASE(
    "a search finds the neighbours of the defining function at lattice distances") {
  for (const double step : {0.1, 0.3, 1.0}) {
    const double edge = 8 * step;
    const Box box({Vec3{edge, 0, 0}, Vec3{0, edge, 0}, Vec3{0, 0, edge}},
                  {true, true, true});
    std::vector<double> lattice;
    for (int k = 0; k < 512; ++k) {
      const double shift = k % 3 == 0 ? 4 * edge : 0.0;  // other images
      lattice.insert(lattice.end(),
                     {k % 8 * step + shift, k / 8 % 8 * step, k / 64 * step - shift});
    }
    // Numbers of points closer than 1, 2 and 3 steps, with the particle itself; those
    // at exactly these distances are beyond the cut-off.
    std::uint32_t expected[] = {1, 27, 93};
    for (int steps = 1; steps <= 3; ++steps) {
      const NeighbourShell shell = shell_of(steps * step);
      const Searched found = search(box, shell, span(lattice), span(lattice));
      CHECK(found.counts == std::vector<std::uint32_t>(512, expected[steps - 1]));
      CHECK(found.counts == by_definition(box, shell, span(lattice), span(lattice)));
      CHECK(found.decided > 0);
    }
  }
}

TEST_CASE("bins decide which distances are below a cut-off") {
  const std::vector<double> one{0, 0, 0};
  const std::vector<double> other{0.5, 0, 0};
  const NeighbourShell at{SpeciesId(0), SpeciesId(0), make_bins(1.0, 100), 50};
  const NeighbourShell above{SpeciesId(0), SpeciesId(0), make_bins(1.0, 100), 51};
  CHECK(search(Box(), at, span(one), span(other)).counts.front() == 0);
  CHECK(search(Box(), above, span(one), span(other)).counts.front() == 1);
}

TEST_CASE("a search decides few pairs of a liquid in double precision") {
  Random random(3);
  const Box box({Vec3{5, 0, 0}, Vec3{1, 5, 0}, Vec3{-1, 2, 5}}, {true, true, true});
  std::vector<double> liquid(3 * 4000);
  for (double& x : liquid) {
    x = random.uniform(-5.0, 10.0);
  }
  const NeighbourShell shell = shell_of(0.35);
  const Searched found = search(box, shell, span(liquid), span(liquid));
  CHECK(found.counts == by_definition(box, shell, span(liquid), span(liquid)));
  CHECK(found.decided < 40);
}

TEST_CASE("far, tiny and missing positions are searched, too") {
  Random random(5);
  const Box box({Vec3{3, 0, 0}, Vec3{0, 4, 0}, Vec3{0, 0, 5}}, {true, true, true});
  for (const double extent : {1e5, 1e9, 1e-30}) {
    const auto positions = random_positions(random, 60, extent);
    for (const double cutoff : {1e-32, 0.3, 1.4999999, 1.5}) {
      const NeighbourShell shell = shell_of(cutoff);
      CHECK(search(box, shell, span(positions), span(positions)).counts ==
            by_definition(box, shell, span(positions), span(positions)));
      CHECK(search(Box(), shell, span(positions), span(positions)).counts ==
            by_definition(Box(), shell, span(positions), span(positions)));
    }
  }
  const std::vector<double> two{0, 0, 0, 1, 1, 1};
  CHECK(search(box, shell_of(1), span(two), span({})).counts ==
        std::vector<std::uint32_t>{0, 0});
  CHECK(search(box, shell_of(1), span({}), span(two)).counts.empty());
}

}  // namespace
}  // namespace starhist::testing

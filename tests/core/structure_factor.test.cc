#include "codelets/core/analysis/structure_factor.hh"

#include <cmath>

#include "codelets/core/analysis/jackknife.hh"
#include "codelets/core/analysis/sine_transform.hh"
#include "codelets/core/counting/bin_position.hh"
#include "codelets/core/geometry/lattice.hh"
#include "tests/support/boxes.hh"
#include "tests/support/catch.hh"
#include "tests/support/random.hh"

namespace starhist::testing {
namespace {

struct Atom {
  std::size_t species;
  Vec3 position;
};

double distance(const Atom& a, const Atom& b) {
  const Vec3 d = a.position - b.position;
  return std::sqrt(d.x * d.x + d.y * d.y + d.z * d.z);
}

/// One frame of atoms in the open.
BlockCounts count(const HistogramLayout& layout, const std::vector<Atom>& atoms) {
  BlockCounts block = empty_block(layout, BlockIndex(0));
  block.frames = 1;
  for (std::size_t i = 0; i < atoms.size(); ++i) {
    ++block.particle_number[atoms[i].species];
    for (std::size_t j = i + 1; j < atoms.size(); ++j) {
      const auto low = std::min(atoms[i].species, atoms[j].species);
      const auto high = std::max(atoms[i].species, atoms[j].species);
      for (std::size_t p = 0; p < layout.pairs.size(); ++p) {
        if (layout.pairs[p].first.index() == low &&
            layout.pairs[p].second.index() == high) {
          ++block.counts[p][bin_at(
              layout.bins, bin_position(layout.bins, distance(atoms[i], atoms[j])))];
          ++block.pairs[p];
        }
      }
    }
  }
  return block;
}

std::vector<Atom> cluster() {
  Random random(71);
  std::vector<Atom> atoms;
  for (int i = 0; i < 9; ++i) {
    atoms.push_back({i % 3 == 0 ? std::size_t{0} : std::size_t{1}, random.vector(0.3)});
  }
  return atoms;
}

const std::vector<std::string> two_species{"H", "O"};

TEST_CASE("the Debye sum of a few atoms is the double sum over them") {
  const auto atoms = cluster();
  const HistogramLayout layout{two_species, all_pairs(2), make_bins(2.0, 2000000), "nm",
                               "ps"};
  const analysis::QGrid grid = analysis::make_q_grid(1.0, 40.0, 6.5);
  const analysis::PairSum debye{nullptr, layout.bins.count, analysis::Window::none};
  const auto sums =
      analysis::scattering_sums(layout, {count(layout, atoms)}, debye, grid, 1);
  const std::vector<double> f{1.5, -0.7};
  analysis::ScatteringFactors factors;
  for (const double factor : f) {
    factors.emplace_back(grid.count, factor);
  }
  const auto made = analysis::intensity(layout, sums[0], factors);
  for (std::uint32_t i = 0; i < grid.count; ++i) {
    double all = 0.0;
    double h_o = 0.0;
    for (const Atom& a : atoms) {
      for (const Atom& b : atoms) {
        const double term = analysis::sinc(grid.at(i) * distance(a, b));
        all += f[a.species] * f[b.species] * term;
        h_o += a.species == 0 && b.species == 1 ? term : 0.0;
      }
    }
    CHECK(made[i] == Approx(all).margin(1e-4));  // w = 1e-6: at most q w N^2 / 2
    CHECK(analysis::ashcroft_langreth(layout, sums[0], PairId(1))[i] ==
          Approx(h_o / std::sqrt(3.0 * 6.0)).margin(1e-5));
  }
}

TEST_CASE("partials add up to the total in both definitions") {
  const HistogramLayout layout{two_species, all_pairs(2), make_bins(1.0, 50), "nm",
                               "ps"};
  const auto atoms = cluster();
  const analysis::QGrid grid = analysis::make_q_grid(1.0, 30.0, 1.0);
  const auto sums =
      analysis::scattering_sums(layout, {count(layout, atoms)},
                                {nullptr, 50, analysis::Window::none}, grid, 1)[0];
  const analysis::ScatteringFactors ones(2, std::vector<double>(grid.count, 1.0));
  const analysis::ScatteringFactors factors{std::vector<double>(grid.count, 2.0),
                                            std::vector<double>(grid.count, 5.0)};
  const double c[] = {3.0 / 9.0, 6.0 / 9.0};
  const double b[] = {2.0, 5.0};
  const auto total = analysis::total_structure_factor(layout, sums, ones);
  const auto weighted = analysis::total_structure_factor(layout, sums, factors);
  const double mean = c[0] * b[0] + c[1] * b[1];
  for (std::uint32_t i = 0; i < grid.count; ++i) {
    double of_al = 0.0;
    double of_fz = 0.0;
    double of_weighted = 0.0;
    for (std::uint32_t p = 0; p < 3; ++p) {
      const SpeciesPair pair = layout.pairs[p];
      const double times = pair.like() ? 1.0 : 2.0;
      const double ca = c[pair.first.index()];
      const double cb = c[pair.second.index()];
      const double al = analysis::ashcroft_langreth(layout, sums, PairId(p))[i];
      const double fz = analysis::faber_ziman(layout, sums, PairId(p))[i];
      CHECK(al - (pair.like() ? 1.0 : 0.0) == Approx(std::sqrt(ca * cb) * (fz - 1.0)));
      of_al += times * std::sqrt(ca * cb) * al;
      of_fz += times * ca * cb * fz;
      of_weighted +=
          times * ca * cb * b[pair.first.index()] * b[pair.second.index()] * fz;
    }
    CHECK(total[i] == Approx(of_al));
    CHECK(total[i] == Approx(of_fz));
    CHECK(weighted[i] == Approx(of_weighted / (mean * mean)));
  }
}

TEST_CASE("S = 1 for an ideal gas, up to the corner of the box, within its errors") {
  Random random(72);
  const Box box = truncated_octahedron();
  const HistogramLayout layout{two_species, all_pairs(2), make_bins(0.8, 160), "nm",
                               "ps"};
  const MinimumImage image =
      make_minimum_image({box.edges()[0], box.edges()[1], box.edges()[2]});
  std::vector<BlockCounts> blocks;
  const std::size_t numbers[] = {20, 30};
  for (std::uint64_t b = 0; b < 40; ++b) {
    BlockCounts block = empty_block(layout, BlockIndex(b));
    block.frames = 1;
    block.volume = box.volume();
    block.inverse_volume = 1.0 / box.volume();
    block.inscribed_radius = box.inscribed_radius();
    block.box = box;
    block.particle_number = {20, 30};
    const auto positions = random_positions(random, box, 50);
    const auto at = [&](std::size_t i) {
      return Vec3{positions[3 * i], positions[3 * i + 1], positions[3 * i + 2]};
    };
    for (std::size_t i = 0; i < 50; ++i) {
      for (std::size_t j = i + 1; j < 50; ++j) {
        const std::size_t p = i >= 20 ? 2 : j >= 20 ? 1 : 0;
        const double r = std::sqrt(minimum_distance2(image, at(i), at(j)));
        ++block.counts[p][bin_at(layout.bins, bin_position(layout.bins, r))];
      }
    }
    for (std::size_t p = 0; p < 3; ++p) {
      block.pairs[p] =
          pair_count(layout.pairs[p], numbers[layout.pairs[p].first.index()],
                     numbers[layout.pairs[p].second.index()]);
      block.pairs_over_volume[p] = double(block.pairs[p]) / box.volume();
    }
    blocks.push_back(block);
  }
  const analysis::ShellVolumes shells(layout, blocks);
  REQUIRE(shells.defined() > shells.whole());
  const analysis::QGrid grid = analysis::make_q_grid(4.0, 60.0, 4.0);
  for (const std::uint32_t cut : {shells.whole(), shells.defined()}) {
    const auto groups = analysis::scattering_sums(
        layout, blocks, {&shells, cut, analysis::Window::none}, grid, 50);
    REQUIRE(groups.size() == 40);
    const auto curves =
        analysis::jackknife_curves(groups, [&](const analysis::ScatteringSums& sums) {
          std::vector<std::vector<double>> values;
          for (std::uint32_t p = 0; p < 3; ++p) {
            values.push_back(analysis::faber_ziman(layout, sums, PairId(p)));
          }
          return values;
        });
    for (std::size_t p = 0; p < 3; ++p) {
      for (std::uint32_t i = 0; i < grid.count; ++i) {
        CHECK(std::abs(curves.values[p][i] - 1.0) < 5.0 * curves.errors[p][i]);
        CHECK(curves.errors[p][i] < 0.5);
      }
    }
  }
}

TEST_CASE("groups of blocks add up to the whole, and empty species have no S") {
  const HistogramLayout layout{
      {"H", "O", "N"}, all_pairs(3), make_bins(1.0, 20), "nm", "ps"};
  const auto atoms = cluster();
  const std::vector<BlockCounts> blocks(7, count(layout, atoms));
  const analysis::QGrid grid = analysis::make_q_grid(1.0, 3.0, 1.0);
  const analysis::PairSum debye{nullptr, 20, analysis::Window::none};
  const auto one = analysis::scattering_sums(layout, blocks, debye, grid, 1);
  const auto three = analysis::scattering_sums(layout, blocks, debye, grid, 3);
  REQUIRE(one.size() == 1);
  REQUIRE(three.size() == 3);
  analysis::ScatteringSums sum = three[0];
  sum.add(three[1]);
  sum.add(three[2]);
  CHECK(sum.frames == 7.0);
  CHECK(sum.pairs[1][2] == Approx(one[0].pairs[1][2]));
  CHECK(analysis::without(sum, three[0]).frames == 7.0 - three[0].frames);
  CHECK(std::isnan(analysis::faber_ziman(layout, one[0], PairId(2))[0]));  // H-N
  CHECK_FALSE(analysis::missing_pair(layout));
}

TEST_CASE("windows are 1 at r = 0, and Lorch's and Hann's 0 at the cut") {
  for (const analysis::Window window :
       {analysis::Window::none, analysis::Window::lorch, analysis::Window::hann}) {
    CHECK(analysis::window_weight(window, 0.0, 2.0) == 1.0);
  }
  CHECK(analysis::window_weight(analysis::Window::none, 2.0, 2.0) == 1.0);
  CHECK(std::abs(analysis::window_weight(analysis::Window::lorch, 2.0, 2.0)) < 1e-12);
  CHECK(std::abs(analysis::window_weight(analysis::Window::hann, 2.0, 2.0)) < 1e-12);
  CHECK(analysis::window_weight(analysis::Window::lorch, 1.0, 2.0) ==
        Approx(2.0 / std::acos(-1.0)));
  CHECK(analysis::window_weight(analysis::Window::hann, 1.0, 2.0) == Approx(0.5));
}

}  // namespace
}  // namespace starhist::testing

// Crystals through the built program: the shells of neighbours are known from geometry
// (Ashcroft and Mermin, Solid State Physics, chapter 4), so each bin has one correct
// count.
#include <cmath>
#include <map>

#include "tests/program/rdf_runner.hh"
#include "tests/support/catch.hh"
#include "tests/support/text_trajectory.hh"
#include "tests/support/xyz_text.hh"

namespace starhist::testing {
namespace {

/// r^2 in squares of the length unit -> neighbours at that distance.
using Shells = std::map<int, int>;

/// `cells`^3 copies of a cell with integer positions, which binary numbers represent
/// exactly, like the distances along an axis.
struct Crystal {
  std::string name;
  std::vector<Vec3> edges;  ///< of one cell
  std::vector<Atom> basis;
  int cells;
  double r_max;                         ///< half the shortest lattice vector
  std::map<std::string, Shells> pairs;  ///< around the first species of the pair

  std::vector<Atom> atoms() const {
    std::vector<Atom> all;
    for (int i = 0; i < cells; ++i) {
      for (int j = 0; j < cells; ++j) {
        for (int k = 0; k < cells; ++k) {
          const Vec3 origin =
              double(i) * edges[0] + double(j) * edges[1] + double(k) * edges[2];
          for (const Atom& atom : basis) {
            all.push_back({atom.species, origin + atom.position});
          }
        }
      }
    }
    return all;
  }

  std::string xyz(double scale) const {
    std::vector<Atom> scaled = atoms();
    for (Atom& atom : scaled) {
      atom.position = scale * atom.position;
    }
    std::vector<Vec3> box = edges;
    for (Vec3& edge : box) {
      edge = scale * cells * edge;
    }
    return xyz_frame(box, scaled);
  }
};

std::vector<Vec3> cube(double edge) {
  return {{edge, 0, 0}, {0, edge, 0}, {0, 0, edge}};
}

const Shells fcc{{2, 12}, {4, 6}, {6, 24}, {8, 12}, {10, 24}, {12, 8}, {14, 48}};
const Shells diamond{{3, 4},   {8, 12},  {11, 12}, {16, 6}, {19, 12},
                     {24, 24}, {27, 16}, {32, 12}, {35, 24}};
const Shells bcc{{3, 8}, {4, 6}, {8, 12}, {11, 24}, {12, 8}};

/// Corners and face centres of a cube of edge 4, moved by `shift`.
std::vector<Atom> wide_fcc(const std::string& species, double shift) {
  const Vec3 s{shift, shift, shift};
  return {{species, s},
          {species, s + Vec3{0, 2, 2}},
          {species, s + Vec3{2, 0, 2}},
          {species, s + Vec3{2, 2, 0}}};
}

std::vector<Atom> joined(std::vector<Atom> a, const std::vector<Atom>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

std::vector<Crystal> crystals() {
  const std::vector<Atom> face_centred{
      {"A", {0, 0, 0}}, {"A", {0, 1, 1}}, {"A", {1, 0, 1}}, {"A", {1, 1, 0}}};
  const std::vector<Atom> chloride{
      {"B", {1, 0, 0}}, {"B", {0, 1, 0}}, {"B", {0, 0, 1}}, {"B", {1, 1, 1}}};
  const Shells rock_salt_unlike{{1, 6}, {3, 8}, {5, 24}, {9, 30}, {11, 24}, {13, 24}};
  const Shells simple{{4, 6}, {8, 12}, {12, 8}};
  return {
      {"fcc", cube(2), face_centred, 4, 4, {{"A-A", fcc}}},
      // The same crystal in its primitive cell: the box is a rhombohedron.
      {"fcc, primitive",
       {{0, 1, 1}, {1, 0, 1}, {1, 1, 0}},
       {{"A", {0, 0, 0}}},
       6,
       std::sqrt(18.0),
       {{"A-A",
         {{2, 12}, {4, 6}, {6, 24}, {8, 12}, {10, 24}, {12, 8}, {14, 48}, {16, 6}}}}},
      // and with edges that are not the shortest ones.
      {"fcc, skewed",
       {{0, 1, 1}, {1, 2, 3}, {1, 1, 0}},
       {{"A", {0, 0, 0}}},
       6,
       4,
       {{"A-A", fcc}}},
      {"bcc", cube(2), {{"A", {0, 0, 0}}, {"A", {1, 1, 1}}}, 4, 4, {{"A-A", bcc}}},
      {"diamond",
       cube(4),
       joined(wide_fcc("A", 0), wide_fcc("A", 1)),
       3,
       6,
       {{"A-A", diamond}}},
      {"NaCl",
       cube(2),
       joined(face_centred, chloride),
       4,
       4,
       {{"A-A", fcc}, {"B-B", fcc}, {"A-B", rock_salt_unlike}}},
      {"CsCl",
       cube(2),
       {{"A", {0, 0, 0}}, {"B", {1, 1, 1}}},
       4,
       4,
       {{"A-A", simple}, {"B-B", simple}, {"A-B", {{3, 8}, {11, 24}}}}},
      {"zinc blende",
       cube(4),
       joined(wide_fcc("A", 0), wide_fcc("B", 1)),
       3,
       6,
       {{"A-A", {{8, 12}, {16, 6}, {24, 24}, {32, 12}}},
        {"A-B", {{3, 4}, {11, 12}, {19, 12}, {27, 16}, {35, 24}}}}},
  };
}

/// Particles of the first species of a pair.
std::uint64_t centres(const Crystal& crystal, const std::string& pair) {
  std::uint64_t count_crystal = 0;
  for (const Atom& atom : crystal.atoms()) {
    count_crystal += atom.species == pair.substr(0, 1) ? 1U : 0U;
  }
  return count_crystal;
}

/// Unordered pairs in a shell; those of a like pair are seen from both ends.
std::uint64_t pairs_of(const Crystal& crystal, const std::string& pair,
                       int neighbours) {
  const std::uint64_t both =
      centres(crystal, pair) * static_cast<std::uint64_t>(neighbours);
  return pair[0] == pair[2] ? both / 2 : both;
}

std::vector<std::uint64_t> crystal_counts(const io::ResultFile& result,
                                          const std::string& pair) {
  for (std::size_t p = 0; p < result.layout.pairs.size(); ++p) {
    if (pair_name(result.layout.pairs[p], result.layout.species) == pair) {
      return summed_counts(result)[p];
    }
  }
  FAIL("no pair " << pair);
  return {};
}

io::ResultFile count_crystal(const TextTrajectory& trajectory, double r_max, int bins) {
  std::ostringstream text;
  text << std::setprecision(17) << r_max;
  const RdfRunner rdf;
  const ProgramRun run =
      rdf.run({trajectory.path, "--r-max", text.str(), "--bins", std::to_string(bins)});
  INFO(run.err);
  REQUIRE(run.exit_code == 0);
  return rdf.result();
}

TEST_CASE("crystals have the shells of geometry and no pairs between them") {
  for (const Crystal& crystal : crystals()) {
    INFO(crystal.name);
    // An irregular width that no shell meets; bins are narrower than the gaps.
    const double r_max = crystal.r_max * 0.99937;
    constexpr int bins = 1009;
    const TextTrajectory file(crystal.xyz(1.0));
    const io::ResultFile result = count_crystal(file, r_max, bins);
    for (const auto& [pair, shells] : crystal.pairs) {
      INFO(pair);
      std::vector<std::uint64_t> expected(bins);
      for (const auto& [r2, neighbours] : shells) {
        const double r = std::sqrt(double(r2));
        if (r < r_max) {
          expected[static_cast<std::size_t>(r / r_max * bins + 0x1p-30)] +=
              pairs_of(crystal, pair, neighbours);
        }
      }
      CHECK(crystal_counts(result, pair) == expected);
    }
  }
}

TEST_CASE("a shell that lies on the edge of a bin belongs to the bin above") {
  // Distances and edges are halves, which binary numbers represent exactly.
  for (const Crystal& crystal : crystals()) {
    INFO(crystal.name);
    const TextTrajectory file(crystal.xyz(1.0));
    for (const auto& [pair, shells] : crystal.pairs) {
      for (const auto& [r2, neighbours] : shells) {
        const int r = static_cast<int>(std::lround(std::sqrt(double(r2))));
        if (r * r != r2 || r + 0.5 > crystal.r_max) {
          continue;
        }
        INFO(pair << ", shell at " << r);
        // r_max is the shell: out of range. With one more bin it is the lower edge of
        // that bin.
        const auto without = crystal_counts(count_crystal(file, r, 2 * r), pair);
        const auto with = crystal_counts(count_crystal(file, r + 0.5, 2 * r + 1), pair);
        CHECK(std::vector<std::uint64_t>(with.begin(), with.end() - 1) == without);
        std::uint64_t expected = 0;
        for (const auto& [other, more] : shells) {
          const double distance = std::sqrt(double(other));
          if (distance >= r && distance < r + 0.5) {
            expected += pairs_of(crystal, pair, more);
          }
        }
        CHECK(with.back() == expected);
      }
    }
  }
}

TEST_CASE("a shell is located to thirteen digits") {
  constexpr double copper = 3.6149 / 2.0;  // Angstrom; no position is a round number
  for (const Crystal& crystal : crystals()) {
    INFO(crystal.name);
    const TextTrajectory file(crystal.xyz(copper));
    for (const auto& [pair, shells] : crystal.pairs) {
      const auto& [r2, neighbours] = *shells.begin();
      const double r = copper * std::sqrt(double(r2));
      INFO(pair << ", shell at " << r);
      const double r_max = r / (1.0 - 0x1p-30);  // its edge is at r
      CHECK(crystal_counts(count_crystal(file, r_max * (1.0 - 1e-13), 1), pair)[0] ==
            0);
      CHECK(crystal_counts(count_crystal(file, r_max * (1.0 + 1e-13), 1), pair)[0] ==
            pairs_of(crystal, pair, neighbours));
    }
  }
}

}  // namespace
}  // namespace starhist::testing

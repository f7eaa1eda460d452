// Selections that depend on positions: particles of each frame, against all pairs.
#include "io/selection/changing_selection.hh"

#include <algorithm>

#include "io/trajectory/selected_trajectory.hh"
#include "tests/support/brute_force.hh"
#include "tests/support/catch.hh"
#include "tests/support/random.hh"
#include "tests/support/read_all.hh"
#include "tests/support/species_rules.hh"
#include "tests/support/text_trajectory.hh"
#include "tests/support/xyz_text.hh"

namespace starhist::testing {
namespace {

using Numbers = std::vector<std::uint32_t>;

/// Positions of a species in a frame of the file.
std::vector<double> selected(const std::string& path, const std::string& rule,
                             std::uint64_t frame = 0) {
  return read_all({path}, rules("X=" + rule)).frames.at(frame).positions.at(0);
}

/// x coordinates of the selected particles.
std::vector<double> xs(const std::string& path, const std::string& rule,
                       std::uint64_t frame = 0) {
  const std::vector<double> positions = selected(path, rule, frame);
  std::vector<double> all;
  for (std::size_t k = 0; k < positions.size(); k += 3) {
    all.push_back(positions[k]);
  }
  return all;
}

using Xs = std::vector<double>;

/// Particles near the x axis in a box of edge 10; B moves from x = 0.5 to 9.5. Three
/// molecules of two particles.
const std::string properties =
    "Lattice=\"10 0 0 0 10 0 0 0 10\" "
    "Properties=species:S:1:pos:R:3:molid:I:1:resid:I:1:resname:S:1:mass:R:1:charge:R:"
    "1\n";
const std::string line = "6\n" + properties +
                         "A 1 0 0.000 1 1 SOL 16 -1\nA 2 0 0.001 1 1 SOL 16 -1\n"
                         "A 4 0 0.002 2 2 LIG 1 1\nA 6 0 0.003 2 2 LIG 1 1\n"
                         "B 0.5 0 0.004 3 3 NA 23 1\nA 9 0 0.005 3 4 NA 23 0.5\n" +
                         "6\n" + properties +
                         "A 1 0 0.000 1 1 SOL 16 -1\nA 2 0 0.001 1 1 SOL 16 -1\n"
                         "A 4 0 0.002 2 2 LIG 1 1\nA 6 0 0.003 2 2 LIG 1 1\n"
                         "B 9.5 0 0.004 3 3 NA 23 1\nA 9 0 0.005 3 4 NA 23 0.5\n";

TEST_CASE("within and beyond include the boundary and images, in each frame") {
  const TextTrajectory file(
      "3\nLattice=\"10 0 0 0 10 0 0 0 10\"\nB 0.1 0 0\nA 0.45 0 0\nA 9.7 0 0\n"
      "3\nLattice=\"10 0 0 0 10 0 0 0 10\"\nB 5 0 0\nA 0.45 0 0\nA 9.7 0 0\n");
  CHECK(xs(file.path, "within 0.35 of name B") == Xs{0.1, 0.45});
  CHECK(xs(file.path, "name A and within 0.4 of name B") == Xs{0.45, 9.7});
  CHECK(xs(file.path, "within 0.35 of name B", 1) == Xs{5});
  CHECK(xs(file.path, "beyond 0.35 of name B") == Xs{9.7});
  CHECK(xs(file.path, "beyond 0.35 of name B", 1) == Xs{0.45, 9.7});
}

TEST_CASE("coordinates, and nested selections, in each frame") {
  const TextTrajectory file(line);
  CHECK(xs(file.path, "z < 0.002") == Xs{1, 2});
  CHECK(xs(file.path, "z<=0.002") == Xs{1, 2, 4});
  CHECK(xs(file.path, "x > 1 and x < 5") == Xs{2, 4});
  CHECK(xs(file.path, "x >= 9 or name B", 1) == Xs{9.5, 9});
  CHECK(xs(file.path, "not (x >= 2 and y == 0)") == Xs{1, 0.5});
  CHECK(xs(file.path, "x != 4 and charge > 0", 1) == Xs{6, 9.5, 9});
  CHECK(xs(file.path, "same molecule as within 1.1 of name B") == Xs{1, 2, 0.5, 9});
  CHECK(xs(file.path, "same molecule as within 1.1 of name B", 1) == Xs{9.5, 9});
  CHECK(xs(file.path, "same residue as (name A and within 1.1 of name B)", 1) == Xs{9});
  CHECK(xs(file.path, "within 2.1 of (name A and beyond 3 of name B)") == Xs{2, 4, 6});
  CHECK(xs(file.path, "within 1.01 of within 1.01 of name B") == Xs{1, 2, 0.5});
  CHECK(xs(file.path, "resname LIG and not within 4 of name B") == Xs{6});
  CHECK(xs(file.path, "resname LIG and not within 4 of name B", 1) == Xs{4});
}

TEST_CASE("random selections by distance have the particles of a loop over all pairs") {
  Random random(31);
  std::vector<Atom> atoms;
  const std::vector<Vec3> edges{{4, 0, 0}, {1.5, 3.5, 0}, {-1, 1, 5}};
  for (int k = 0; k < 300; ++k) {
    atoms.push_back({k % 10 == 0 ? "I" : "W", 12.0 * random.vector(1.0)});
  }
  const TextTrajectory file(xyz_frame(edges, atoms));
  const BruteForce brute_force(Box({edges[0], edges[1], edges[2]}, {true, true, true}));
  for (const double radius : {0.3, 0.6, 1.1, 2.5}) {
    std::vector<double> expected;
    std::vector<double> rest;
    for (const Atom& atom : atoms) {
      const bool near = std::any_of(atoms.begin(), atoms.end(), [&](const Atom& ion) {
        return ion.species == "I" && ion.position.z < 1.0 &&
               brute_force.distance(atom.position, ion.position) <= radius;
      });
      append(atom.species == "I" || !near ? rest : expected, atom.position);
    }
    const std::string rule =
        "name W and within " + std::to_string(radius) + " of (name I and z < 1)";
    CHECK(selected(file.path, rule) == expected);
    CHECK(selected(file.path, "not (" + rule + ")") == rest);
  }
}

TEST_CASE("species that change share particles frame by frame") {
  const TextTrajectory file(line);
  const WholeTrajectory all =
      read_all({file.path}, rules("far=x > 3; near=within 1.1 of name B; A=name A"));
  CHECK(all.info.species == std::vector<std::string>{"A", "far", "near"});
  CHECK(all.info.members.empty());
  CHECK(all.info.selections ==
        std::vector<std::string>{"", "x > 3", "within 1.1 of name B"});
  // A-far, A-near, far-near
  CHECK(all.frames[0].shared_particles ==
        std::vector<std::uint64_t>{0, 3, 1, 0, 0, 0, 0, 0, 0});
  CHECK(all.frames[1].shared_particles ==
        std::vector<std::uint64_t>{0, 3, 1, 0, 0, 2, 0, 0, 0});
}

TEST_CASE("centres of molecules that are selected in each frame") {
  const TextTrajectory file(line);
  const WholeTrajectory all = read_all(
      {file.path},
      rules("C=mol_cog of same molecule as within 1.1 of name B; M=mol_cog of all"));
  REQUIRE(all.frames[0].positions[0].size() == 6);
  CHECK(all.frames[0].positions[0][0] == 1.5);
  CHECK(all.frames[0].shared_particles[1] == 2);
  REQUIRE(all.frames[1].positions[0].size() == 3);
  CHECK(all.frames[1].positions[0][0] == 9.25);
  CHECK(all.frames[1].shared_particles[1] == 1);
}

TEST_CASE("a selection may be empty in a frame, but not for lack of candidates") {
  const TextTrajectory file(line);
  CHECK(selected(file.path, "within 0.1 of (name A and x > 9.2)").empty());
  const auto problem = [&](const std::string& rule) {
    return read_error(file.path, rules("X=" + rule));
  };
  CHECK(missing(problem("within 1 of (name A and name B)"),
                {"X", "after 'within 1 of'", "contains no particle"}) == "");
  CHECK(missing(problem("name A and name B and z < 2"),
                {"no particle is 'name A and name B and z < 2'"}) == "");
  CHECK(missing(problem("name A and within 1 of name C"), {"name 'C'", "A, B"}) == "");
  CHECK(missing(problem("name A and within 50 of name B"),
                {"within 50 of", "all particles", "length unit"}) == "");
}

TEST_CASE("a species that changes has the elements of its candidates") {
  const TextTrajectory file(
      "2\nLattice=\"9 0 0 0 9 0 0 0 9\" Properties=species:S:1:pos:R:3\nO 1 1 1\nH 2 2 "
      "2\n");
  CHECK(read_all({file.path}, rules("X=name O and z < 5")).info.elements[0].element ==
        "O");
  CHECK(read_all({file.path}, rules("X=z < 5")).info.elements[0].element == "H, O");
}

}  // namespace
}  // namespace starhist::testing

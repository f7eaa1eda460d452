// Species selected from particles by rules: contents of frames, and members.
#include "io/trajectory/selected_trajectory.hh"

#include <algorithm>
#include <iterator>

#include "tests/support/catch.hh"
#include "tests/support/read_all.hh"
#include "tests/support/species_rules.hh"
#include "tests/support/text_trajectory.hh"

namespace starhist::testing {
namespace {

using Names = std::vector<std::string>;
using Numbers = std::vector<std::uint32_t>;

/// Returns the number of particles that two species share.
std::uint64_t common_particles(const io::SpeciesParticles& a,
                               const io::SpeciesParticles& b) {
  std::vector<std::uint32_t> both;
  std::set_intersection(a.particle.begin(), a.particle.end(), b.particle.begin(),
                        b.particle.end(), std::back_inserter(both));
  return both.size();
}

/// Two waters and two ions in a box of edge 10. The second water is cut by the
/// boundary.
const std::string two_waters =
    "8\nLattice=\"10 0 0 0 10 0 0 0 10\" "
    "Properties=species:S:1:pos:R:3:resid:I:1:resname:S:1:molid:I:1:mass:R:1\n"
    "OW 1 1 1 1 SOL 1 16\nHW1 2 1 1 1 SOL 1 1\nHW2 1 2 1 1 SOL 1 1\n"
    "OW 9.5 5 5 2 SOL 2 16\nHW1 0.5 5 5 2 SOL 2 1\nHW2 9.5 6 5 2 SOL 2 1\n"
    "NA 3 3 3 3 NA 0 23\nCL 4 4 4 3 CL 0 35\n";

TEST_CASE(
    "species by selections: sorted, overlapping, with their particles and units") {
  const TextTrajectory file(two_waters + two_waters);
  const WholeTrajectory all = read_all(
      {file.path}, rules("W=resname SOL; H=name HW*; ion=molecule 0; O=OW; A=all"));
  CHECK(all.info.species == Names{"A", "H", "O", "W", "ion"});
  CHECK(all.info.particles.count == 0);
  REQUIRE(all.info.members.size() == 5);
  CHECK(all.info.members[0].particle == Numbers{0, 1, 2, 3, 4, 5, 6, 7});
  CHECK(all.info.members[1].particle == Numbers{1, 2, 4, 5});
  CHECK(all.info.members[1].residue == Numbers{0, 0, 1, 1});
  CHECK(all.info.members[1].molecule == Numbers{0, 0, 1, 1});
  CHECK(all.info.members[2].particle == Numbers{0, 3});
  // number 3 occurs twice, with other names
  CHECK(all.info.members[4].residue == Numbers{2, 3});
  // 0: a molecule of one particle
  CHECK(all.info.members[4].molecule == Numbers{2, 3});
  REQUIRE(all.frames.size() == 2);
  CHECK(all.frames[1].index == FrameIndex(1));
  CHECK(all.frames[1].positions[1] ==
        std::vector<double>{2, 1, 1, 1, 2, 1, 0.5, 5, 5, 9.5, 6, 5});
  CHECK(all.frames[1].positions[4] == std::vector<double>{3, 3, 3, 4, 4, 4});
  CHECK(all.frames[1].box.volume() == 1000.0);

  CHECK(common_particles(all.info.members[1], all.info.members[3]) == 4);
  CHECK(common_particles(all.info.members[1], all.info.members[2]) == 0);
  CHECK(common_particles(all.info.members[0], all.info.members[4]) == 2);
}

TEST_CASE(
    "units: runs of residues, molecules by number, particles without a molecule") {
  io::ParticleTable table;
  table.count = 6;
  table.residue = {1, 1, 1, 2, 2, 1};
  table.residue_name = {"A", "A", "B", "B", "B", "A"};
  table.molecule = {0, 0, 7, 7, 5, 7};
  CHECK(io::ParticleCompounds(table).residue == Numbers{0, 0, 1, 2, 3, 4});
  CHECK(io::ParticleCompounds(table).molecule == Numbers{0, 0, 1, 1, 2, 1});
  table.molecule_zero_is_none = true;
  CHECK(io::ParticleCompounds(table).molecule == Numbers{0, 1, 2, 2, 3, 2});
  CHECK(io::ParticleCompounds(io::ParticleTable()).residue.empty());
}

TEST_CASE("members of the file's own species are set on request") {
  const TextTrajectory file(two_waters);
  io::ReadOptions options;
  options.with_membership = true;
  const auto reader = io::open_trajectory({file.path}, options);
  CHECK(reader->info().species == Names{"CL", "HW1", "HW2", "NA", "OW"});
  REQUIRE(reader->info().members.size() == 5);
  CHECK(reader->info().members[4].particle == Numbers{0, 3});
  CHECK(io::open_trajectory({file.path}, {})->info().members.empty());
}

TEST_CASE("centres of mass and geometry of residues and molecules, across boundaries") {
  const TextTrajectory file(two_waters);
  const auto centres = [&](const std::string& rule) {
    return read_all({file.path}, rules("W=" + rule));
  };
  const WholeTrajectory mass = centres("res_com of resname SOL");
  REQUIRE(mass.frames[0].positions[0].size() == 6);
  const double expected[] = {19.0 / 18,      19.0 / 18,    1.0,
                             9.5 + 1.0 / 18, 5 + 1.0 / 18, 5};
  for (std::size_t k = 0; k < 6; ++k) {
    CHECK(mass.frames[0].positions[0][k] == Approx(expected[k]).epsilon(1e-14));
  }
  CHECK(mass.info.members[0].particle == Numbers{8, 9});
  CHECK(mass.info.members[0].residue == Numbers{0, 1});
  CHECK(mass.info.members[0].molecule == Numbers{0, 1});

  const WholeTrajectory geometry = centres("mol_cog of name OW HW1");
  const double middle[] = {1.5, 1, 1, 10, 5, 5};
  for (std::size_t k = 0; k < 6; ++k) {
    CHECK(geometry.frames[0].positions[0][k] == Approx(middle[k]).epsilon(1e-14));
  }
  CHECK(geometry.info.members[0].residue.empty());
  CHECK(geometry.info.members[0].molecule == Numbers{0, 1});
  CHECK(centres("mol_com of all").frames[0].positions[0].size() == 12);
}

TEST_CASE("centres of atoms that are far apart in a whole molecule") {
  // A chain of 26 in a box of 40: the ends are 14 apart through the boundary.
  std::string text =
      "27\nLattice=\"40 0 0 0 40 0 0 0 40\" Properties=species:S:1:pos:R:3:molid:I:1\n";
  for (const bool wrapped : {false, true}) {
    std::string atoms;
    for (int x = 0; x <= 26; ++x) {
      const int at = 30 + x;
      atoms += (x % 26 == 0 ? "E " : "C ") + std::to_string(wrapped ? at % 40 : at) +
               " 5 5 1\n";
    }
    const TextTrajectory chain(text + atoms);
    const auto centre =
        read_all({chain.path}, rules("P=mol_cog of name E")).frames[0].positions.at(0);
    CHECK(centre == std::vector<double>{43, 5, 5});
  }
}

TEST_CASE("centres are separate particles, equal if their parts are equal") {
  const TextTrajectory file(two_waters);
  const io::TrajectoryInfo info =
      io::open_trajectory(
          {file.path},
          rules("A=mol_com of all; B=mol_com of not molecule 1; C=res_com of "
                "resname SOL; D=mol_cog of resname SOL; E=mol_com of name OW; "
                "F=all"))
          ->info();
  const auto common = [&](std::size_t a, std::size_t b) {
    return common_particles(info.members[a], info.members[b]);
  };
  for (const io::SpeciesParticles& species : info.members) {
    CHECK(std::is_sorted(species.particle.begin(), species.particle.end()));
  }
  CHECK(info.members[0].particle.size() == 4);
  CHECK(common(0, 1) == 3);
  CHECK(common(0, 2) == 2);  // a residue that is also a molecule
  CHECK(common(0, 3) == 0);  // other weights
  CHECK(common(0, 4) == 0);  // other particles
  CHECK(common(0, 5) == 0);
}

TEST_CASE("a water molecule across a tilted box boundary is made whole") {
  const std::string head =
      "3\nLattice=\"5 0 0 2.4 5 0 -2 1.5 5\" "
      "Properties=species:S:1:pos:R:3:molid:I:1:mass:R:1\n";
  // O at (0.1, 0.2, 0.1), H at + (-0.8, 0.3, -0.2) and + (0.3, -0.9, 0.1); then the
  // first H moved by b + c, the second by -a.
  const TextTrajectory whole(head +
                             "O 0.1 0.2 0.1 1 15.999\nH -0.7 0.5 -0.1 1 1.008\n"
                             "H 0.4 -0.7 0.2 1 1.008\n");
  const TextTrajectory cut(head +
                           "O 0.1 0.2 0.1 1 15.999\nH -0.3 7 4.9 1 1.008\n"
                           "H -4.6 -0.7 0.2 1 1.008\n");
  const auto options = rules("W=mol_com of all");
  const auto expected = read_all({whole.path}, options).frames[0].positions[0];
  const auto found = read_all({cut.path}, options).frames[0].positions[0];
  const double by_hand[] = {0.1 + 1.008 * (-0.8 + 0.3) / 18.015,
                            0.2 + 1.008 * (0.3 - 0.9) / 18.015,
                            0.1 + 1.008 * (-0.2 + 0.1) / 18.015};
  for (std::size_t k = 0; k < 3; ++k) {
    CHECK(expected[k] == Approx(by_hand[k]).epsilon(1e-13));
    CHECK(found[k] == Approx(by_hand[k]).epsilon(1e-13));
  }
}

TEST_CASE("impossible centres are reported with group and unit") {
  const TextTrajectory file(two_waters);
  CHECK(missing(read_error(file.path, rules("P=mol_com of molecule 1 2; Q=name XX")),
                {"--species: Q: ", "no particle has name 'XX'"}) == "");
  CHECK(missing(read_error(file.path, rules("P=name OW and name NA")),
                {"--species: P: ", "no particle is 'name OW and name NA'"}) == "");
  const TextTrajectory bare("2\n\nA 1 1 1\nB 2 2 2\n");
  CHECK(missing(read_error(bare.path, rules("P=res_com of all")),
                {"particles of the file have no residues",
                 "(only species, name, element, index)"}) == "");
  const TextTrajectory light(
      "2\nLattice=\"9 0 0 0 9 0 0 0 9\" Properties=species:S:1:pos:R:3:molid:I:1\n"
      "A 1 1 1 5\nB 5 5 1 5\n");
  CHECK(missing(read_error(light.path, rules("P=mol_com of all")),
                {"has no masses", "--structure FILE", "mol_cog"}) == "");
  CHECK(missing(read_error(light.path, rules("P=mol_cog of all")),
                {"frame 0: ", "species P: molecule 5 (particle 1) cannot be made whole",
                 "more than half"}) == "");
  std::string massless = two_waters;
  massless.replace(massless.find("NA 0 23"), 7, "NA 0 0 ");
  const TextTrajectory ghost(massless);
  CHECK(missing(read_error(ghost.path, rules("P=mol_com of all")),
                {"molecule 0 (particle 7) has no mass"}) == "");
  massless.replace(massless.find("NA 0 0 "), 7, "NA 0 -1");
  const TextTrajectory negative(massless);
  CHECK(missing(read_error(negative.path, rules("P=mol_com of all")),
                {"particle 7 has the mass -1"}) == "");
}

}  // namespace
}  // namespace starhist::testing

#include "io/selection/broken_molecules.hh"

#include "tests/support/catch.hh"
#include "tests/support/text_trajectory.hh"

namespace starhist::testing {
namespace {

/// A frame of a LAMMPS dump in a cubic box of edge 10, with the given lines of atoms:
/// id, molecule, type, x, y, z.
std::string dump(int atoms, const std::string& lines) {
  return "ITEM: TIMESTEP\n0\nITEM: NUMBER OF ATOMS\n" + std::to_string(atoms) +
         "\nITEM: BOX BOUNDS pp pp pp\n0 10\n0 10\n0 10\n"
         "ITEM: ATOMS id mol type x y z\n" +
         lines;
}

std::string warning(const std::string& text, const std::string& species = "",
                    const std::string& name = "a.lammpstrj") {
  const TextTrajectory file(text, name);
  io::ReadOptions all;
  all.per_particle = true;
  io::ReadOptions selected;
  selected.with_membership = true;
  if (!species.empty()) {
    selected.species = io::parse_species_groups(species);
  }
  const auto reader = io::open_trajectory({file.path}, all);
  Frame frame;
  reader->read(FrameIndex(0), frame);
  return io::broken_molecules(
      io::open_trajectory({file.path}, selected)->info().members,
      reader->info().particles, frame.box, frame.positions.front());
}

const std::string cut = dump(4,
                             "1 1 1 9.5 5 5\n2 1 2 0.5 5 5\n"
                             "3 2 1 4 5 5\n4 2 2 5 5 5\n");

TEST_CASE("a molecule cut by the boundary is reported") {
  CHECK(missing(warning(cut), {"cut 1 molecule of 2",
                               "particle 2 lies across the boundary from particle 1",
                               "-pbc mol", "unwrap"}) == "");
  CHECK(warning(cut, "A=molecule 2") == "");
  CHECK(missing(warning(cut, "A=molecule 1"), {"cut 1 molecule of 1"}) == "");
}

TEST_CASE("a whole molecule longer than half the box is not reported") {
  std::string lines;
  for (int k = 1; k <= 8; ++k) {
    lines += std::to_string(k) + " 1 1 " + std::to_string(k + 1) + " 5 5\n";
  }
  CHECK(warning(dump(8, lines)) == "");
  CHECK(warning(dump(8, lines), "A=id 1 8") == "");  // 3 apart across the boundary
}

TEST_CASE("residues are checked if the file has no molecules") {
  const std::string header =
      "CRYST1   10.000   10.000   10.000  90.00  90.00  90.00 P 1           1\n";
  const std::string atoms =
      "ATOM      1  OW  SOL A   1       9.500   5.000   5.000  1.00  0.00\n"
      "ATOM      2  HW1 SOL A   1       0.300   5.000   5.000  1.00  0.00\n"
      "END\n";
  CHECK(missing(warning(header + atoms, "", "a.pdb"),
                {"cut 1 residue of 1",
                 "particle 2 (HW1) lies across the boundary from particle 1 (OW)"}) ==
        "");
}

}  // namespace
}  // namespace starhist::testing

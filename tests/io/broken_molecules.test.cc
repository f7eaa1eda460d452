#include "io/selection/broken_molecules.hh"

#include <cstdio>

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

/// A line of a PDB file, with the element as the atom's name.
std::string atom(int residue, const char* element, double x, double y) {
  char line[81];
  std::snprintf(line, sizeof line,
                "ATOM  %5d  %-2s  ALA A%4d    %8.3f%8.3f%8.3f  1.00  0.00\n", residue,
                element, residue, x, y, 5.0);
  return line;
}

/// Two residues of three particles each, N-C-C with bonds of 1.5, in a box of 10. The
/// second begins `apart` behind the end of the first, `shift` away.
std::string two_residues(double apart, double shift) {
  std::string text =
      "CRYST1   10.000   10.000   10.000  90.00  90.00  90.00 P 1           1\n";
  for (int k = 0; k < 3; ++k) {
    text += atom(1, k == 0 ? "N" : k == 1 ? "CA" : "C", 6.0 + 1.5 * k, 5.0);
  }
  for (int k = 0; k < 3; ++k) {
    text += atom(2,
                 k == 0   ? "N"
                 : k == 1 ? "CA"
                          : "C",
                 9.0 + apart + 1.5 * k + shift, 5.0);
  }
  return text + "END\n";
}

TEST_CASE("whole residues of a chain that a boundary separates are reported") {
  const auto of = [](double apart, double shift) {
    return warning(two_residues(apart, shift), "", "a.pdb");
  };
  CHECK(missing(of(1.33, -10.0),
                {"cut 1 bond between consecutive residues",
                 "particle 4 (N) lies across the boundary from particle 3 (C)",
                 "may be wrong"}) == "");
  CHECK(of(1.33, 0.0) == "");
  CHECK(of(2.8, -10.0) == "");  // neighbours, but not bonded
}

}  // namespace
}  // namespace starhist::testing

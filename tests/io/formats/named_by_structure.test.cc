// XYZ and H5MD whose particles are named by --structure, by position or id; XYZ as
// structure.
#include <array>

#include "io/trajectory/formats.hh"
#include "tests/support/catch.hh"
#include "tests/support/error_text.hh"
#include "tests/support/h5md_file.hh"
#include "tests/support/read_all.hh"
#include "tests/support/replaced.hh"
#include "tests/support/temporary_directory.hh"
#include "tests/support/text_trajectory.hh"

namespace starhist::testing {
namespace {

using Words = std::vector<std::string>;
using Coordinates = std::vector<double>;

io::ReadOptions named_by(const std::string& structure) {
  io::ReadOptions options;
  options.structure = structure;
  return options;
}

/// Two molecules of water; the second frame has other positions.
const std::string two_water_molecules =
    "3\n\n1 0 0 0\n2 1 0 0\n2 0 1 0\n3\n\n1 5 0 0\n2 6 0 0\n2 5 1 0\n";

const std::string gro =
    "title\n3\n    1SOL     OW    1   0.500   1.250   2.000\n"
    "    1SOL    HW1    2   0.500   1.250   2.000\n"
    "    1SOL    HW2    3   0.500   1.250   2.000\n 4 5 6\n";

TEST_CASE("a structure names the atoms of XYZ by position") {
  const TextTrajectory file(two_water_molecules, "w.xyz");
  const TextTrajectory structure(gro, "w.gro");
  const WholeTrajectory named = read_all({file.path}, named_by(structure.path));
  CHECK(named.info.species == Words{"HW1", "HW2", "OW"});
  REQUIRE(named.frames.size() == 2);
  CHECK(named.frames[0].positions[1] == Coordinates{0, 1, 0});
  CHECK(named.frames[1].positions[1] == Coordinates{5, 1, 0});
  CHECK(named.frames[1].positions[2] == Coordinates{5, 0, 0});

  io::ReadOptions molecules = named_by(structure.path);
  molecules.species = io::parse_species_groups("W=resname SOL; O=name OW");
  CHECK(read_all({file.path}, molecules).frames[0].positions[1].size() == 9);

  const TextTrajectory two("2\n\n1 0 0 0\n2 1 0 0\n", "two.xyz");
  CHECK(missing(read_error(two.path, named_by(structure.path)),
                {"two.xyz: has 2 particles", "w.gro has 3"}) == "");
}

TEST_CASE("a structure with the atoms of GRO or PDB in another order is refused") {
  const TextTrajectory structure(gro, "w.gro");
  const auto pdb = [](const std::array<const char*, 3>& names) {
    std::string text = "MODEL        1\n";
    for (const char* const name : names) {
      text += "ATOM      1  " + std::string(name) +
              " SOL A   1       1.000   2.000   3.000  1.00  0.00\n";
    }
    return text + "ENDMDL\n";
  };
  const TextTrajectory turned(pdb({"HW1", "OW ", "HW2"}), "turned.pdb");
  CHECK(missing(read_error(turned.path, named_by(structure.path)),
                {"turned.pdb: names atom 1 'HW1', which is OW in the structure",
                 "different orders"}) == "");
  const TextTrajectory same(pdb({"OW ", "HW1", "HW2"}), "same.pdb");
  CHECK(read_all({same.path}, named_by(structure.path)).info.species ==
        Words{"HW1", "HW2", "OW"});
  const TextTrajectory others(pdb({"H  ", "O  ", "O  "}), "others.pdb");
  CHECK(read_all({others.path}, named_by(structure.path)).info.species ==
        Words{"HW1", "HW2", "OW"});

  const TextTrajectory elements(pdb({"O  ", "H  ", "O  "}), "elements.pdb");
  const TextTrajectory one_name(
      "title\n3\n    1SOL      W    1   0.500   1.250   2.000\n"
      "    1SOL      W    2   0.500   1.250   2.000\n"
      "    1SOL      V    3   0.500   1.250   2.000\n 4 5 6\n",
      "one.gro");
  CHECK(missing(read_error(elements.path, named_by(one_name.path)),
                {"elements.pdb: names some of the atoms that are W", "'O'", "'H'"}) ==
        "");
}

TEST_CASE("a structure with ids names the atoms of extended XYZ by id") {
  const TextTrajectory file("2\nProperties=id:I:1:pos:R:3\n7 1 2 3\n4 4 5 6\n",
                            "ids.xyz");
  const TextTrajectory structure(
      "x\n\n3 atoms\n2 atom types\n0 9 xlo xhi\n0 9 ylo yhi\n0 9 zlo zhi\n\nMasses\n\n"
      "1 23 # Na\n2 35 # Cl\n\nAtoms # atomic\n\n4 1 0 0 0\n5 1 0 0 0\n7 2 0 0 0\n",
      "salt.data");
  const WholeTrajectory named = read_all({file.path}, named_by(structure.path));
  CHECK(named.info.species == Words{"Cl", "Na"});
  CHECK(named.frames[0].positions[0] == Coordinates{1, 2, 3});
  CHECK(named.frames[0].positions[1] == Coordinates{4, 5, 6});
}

TEST_CASE("an XYZ file as structure provides the names of its first frame") {
  const TextTrajectory names("3\n\nO 0 0 0\nH 1 0 0\nD 0 1 0\n", "names.xyz");
  CHECK(io::read_structure(names.path)->particles.name == Words{"O", "H", "D"});
  const TextTrajectory file(two_water_molecules, "w.xyz");
  const WholeTrajectory named = read_all({file.path}, named_by(names.path));
  CHECK(named.info.species == Words{"D", "H", "O"});
  CHECK(named.frames[0].positions[0] == Coordinates{0, 1, 0});
}

TEST_CASE("a structure with other elements of the particles is refused") {
  const auto pdb = [](const std::string& first, const std::string& last) {
    const auto line = [](int number, const std::string& element) {
      const std::string digit = std::to_string(number);
      return "ATOM      " + digit + "  " + element + digit +
             "  SOL A   1       1.000   1.000   " + digit +
             ".000  1.00  0.00           " + element + "\n";
    };
    return line(1, first) + line(2, "H") + line(3, last);
  };
  const TextTrajectory hho(pdb("H", "O"), "hho.pdb");
  const TextTrajectory ohh(pdb("O", "H"), "ohh.pdb");
  const std::string lines = " 1 1 1\n2 H 2 2 2\n3 H 3 3 3\n";
  const std::string dump =
      "ITEM: TIMESTEP\n0\nITEM: NUMBER OF ATOMS\n3\nITEM: BOX BOUNDS pp pp pp\n0 9\n"
      "0 9\n0 9\nITEM: ATOMS id element x y z\n1 ";
  const TextTrajectory file(dump + "O" + lines, "a.dump");
  const TextTrajectory xyz("3\n\nO 0 0 0\nH 1 0 0\nH 0 1 0\n", "a.xyz");
  for (const std::string& path : {file.path, xyz.path}) {
    CHECK(missing(read_error(path, named_by(hho.path)),
                  {"1 is O, but H in", "hho.pdb", "different orders"}) == "");
    CHECK(read_error(path, named_by(ohh.path)) == "");
  }
  // PDB names its atoms, O1 H2 H3 and H1 H2 O3.
  CHECK(missing(read_error(ohh.path, named_by(hho.path)),
                {"ohh.pdb: particle 1 has another element", "different orders"}) == "");
  // LAMMPS writes C unless dump_modify names the elements.
  const TextTrajectory unnamed(
      dump + replaced(replaced("C" + lines, "H", "C"), "H", "C"), "c.dump");
  CHECK(read_error(unnamed.path, named_by(hho.path)) == "");
}

TEST_CASE(
    "a structure names the particles of H5MD without species, by position or id") {
  const TemporaryDirectory folder;
  const std::string path = folder.file("a.h5");
  {
    HdfFile file(path);
    file.numbers("particles/all/position/value", {1, 3, 3},
                 {1, 0, 0, 2, 0, 0, 3, 0, 0});
    file.numbers("particles/all/position/step", {1}, {0}, {NumberType::i32});
    file.group("particles/all/box");
    file.number_attribute("particles/all/box", "dimension", {}, {3});
    file.text_attribute("particles/all/box", "boundary", {3}, {"none", "none", "none"});
  }
  const TextTrajectory structure(gro, "w.gro");
  const WholeTrajectory named = read_all({path}, named_by(structure.path));
  CHECK(named.info.species == Words{"HW1", "HW2", "OW"});
  CHECK(named.frames[0].positions[0] == Coordinates{2, 0, 0});

  const TextTrajectory types(
      "x\n\n3 atoms\n2 atom types\n0 9 xlo xhi\n0 9 ylo yhi\n0 9 zlo zhi\n\n"
      "Atoms # atomic\n\n1 1 0 0 0\n2 2 0 0 0\n3 2 0 0 0\n",
      "t.data");
  CHECK(read_all({path}, named_by(types.path)).info.species == Words{"1", "2"});
  HdfFile(path, HdfFile::Mode::edit)
      .numbers("particles/all/id", {3}, {3, 2, 1}, {NumberType::i32});
  const WholeTrajectory by_id = read_all({path}, named_by(types.path));
  CHECK(by_id.frames[0].positions[0] == Coordinates{3, 0, 0});
  CHECK(by_id.frames[0].positions[1] == Coordinates{2, 0, 0, 1, 0, 0});
}

}  // namespace
}  // namespace starhist::testing

// LAMMPS data files: styles, names and masses of types, cells; use as the structure of
// a dump.
#include "io/formats/lammps/lammps_data.hh"

#include "io/formats/lammps/lammps_styles.hh"
#include "tests/support/catch.hh"
#include "tests/support/replaced.hh"
#include "tests/support/text_trajectory.hh"

namespace starhist::testing {
namespace {

using Words = std::vector<std::string>;

const std::string header =
    "LAMMPS data file via write_data, version 29 Aug 2024, timestep = 7, units = real\n"
    "\n4 atoms\n2 atom types\n0 10 xlo xhi\n-1 7 ylo yhi\n0 6 zlo zhi\n";
const std::string masses = "\nMasses\n\n1 15.9994 # O of water\n2 1.008 # H\n";
const std::string pair_coefficients = "\nPair Coeffs # lj/cut\n\n1 0.1 3\n2 0.1 3\n";
const std::string full_atoms =
    "\nAtoms # full\n\n"
    "40 0 1 -0.8 5 5 5\n1 7 1 -0.8 1 1.5 1\n"
    "2 7 2 0.4 1 1 2 # of 1\n\n3 7 2 0.4 1 2 1\n";
const std::string data = header + masses + pair_coefficients + full_atoms +
                         "\nVelocities\n\n1 0 0 0\n2 0 0 0\n3 0 0 0\n40 0 0 0\n";

io::LammpsData parsed(const std::string& text) {
  return io::read_lammps_data(TextTrajectory(text, "w.data").path);
}

std::string refusal_of_data(const std::string& text) {
  return error_text<InputError>([&] { parsed(text); });
}

std::string dump(const std::string& columns, const std::string& atoms, int count) {
  return "ITEM: TIMESTEP\n50\nITEM: NUMBER OF ATOMS\n" + std::to_string(count) +
         "\nITEM: BOX BOUNDS pp pp pp\n0 10\n0 10\n0 10\nITEM: ATOMS " + columns +
         "\n" + atoms;
}

TEST_CASE("LAMMPS data: ids, types, names, molecules and masses are read") {
  const io::LammpsData read_data = parsed(data);
  const io::ParticleTable& table = read_data.particles;
  CHECK(table.count == 4);
  CHECK(table.id == std::vector<std::int64_t>{1, 2, 3, 40});
  CHECK(table.type == Words{"1", "2", "2", "1"});
  CHECK(table.name == Words{"O", "H", "H", "O"});
  CHECK(table.molecule == std::vector<std::int64_t>{7, 7, 7, 0});
  CHECK(table.molecule_zero_is_none);
  CHECK(table.mass == std::vector<double>{15.9994, 1.008, 1.008, 15.9994});
  CHECK(table.charge == std::vector<double>{-0.8, 0.4, 0.4, -0.8});
  CHECK(parsed(replaced(data, "Atoms # full", "Atoms")).particles.charge.empty());
  CHECK(read_data.positions ==
        std::vector<double>{1, 1.5, 1, 1, 1, 2, 1, 2, 1, 5, 5, 5});
  CHECK(read_data.units == "real");
  CHECK(read_data.remarks.empty());
  CHECK(read_data.edges[0] == 10);
  CHECK(read_data.edges[4] == 8);
  CHECK(read_data.edges[8] == 6);

  const std::string without_end = data.substr(0, data.find("\nVelocities") - 1);
  CHECK(parsed(without_end).positions == read_data.positions);
}

TEST_CASE("LAMMPS data: type labels, a tilted and a general cell") {
  const std::string text =
      replaced(header, "0 6 zlo zhi", "0 6 zlo zhi\n1 2 3 xy xz yz") +
      "\nAtom Type Labels\n\n1 OW\n2 HW\n" +
      "\nMasses\n\nOW 16 # no name\nHW 1 # no name\n" +
      "\nPair Coeffs\n\nOW 0.1 3\nHW 0.1 3\n" +
      "\nAtoms # molecular\n\n1 1 OW 0 0 0\n2 1 HW 1 1 1\n"
      "3 2 1 0 0 0 1 0 0\n4 2 2 0 0 0\n";
  const io::LammpsData labels = parsed(text);
  CHECK(labels.particles.name == Words{"OW", "HW", "OW", "HW"});
  CHECK(labels.particles.type == Words{"1", "2", "1", "2"});
  CHECK(labels.particles.mass == std::vector<double>{16, 1, 16, 1});
  CHECK(labels.edges[3] == 1);
  CHECK(labels.edges[6] == 2);
  CHECK(labels.edges[7] == 3);

  const io::LammpsData general = parsed(
      "x\n1 atoms\n1 atom types\n3 0 0.5 avec\n0 4 0 bvec\n1 0 5 cvec\n"
      "0 0 0 abc origin\nAtoms # atomic\n\n1 1 0 0 0\n");
  const double expected[9] = {3, 0, 0.5, 0, 4, 0, 1, 0, 5};
  CHECK(std::equal(std::begin(expected), std::end(expected), general.edges));
  CHECK(general.particles.name.empty());
  CHECK(general.particles.mass.empty());
  CHECK(general.particles.molecule.empty());
}

TEST_CASE("charges of LAMMPS data files are in the column of their atom style") {
  const auto charge = [](const std::string& style, const std::string& atom) {
    return parsed("x\n1 atoms\n1 atom types\nAtoms # " + style + "\n\n" + atom + "\n")
        .particles.charge;
  };
  const std::vector<double> half{0.5};
  CHECK(charge("charge", "1 1 0.5 1 2 3") == half);
  CHECK(charge("dielectric", "1 7 1 0.5 1 2 3 0 0 1 1 1 1 1 1") == half);
  CHECK(charge("dipole", "1 1 0.5 1 2 3 0 0 1") == half);
  CHECK(charge("electron", "1 1 0.5 0 1.5 1 2 3") == half);
  CHECK(charge("full", "1 7 1 0.5 1 2 3") == half);
  CHECK(charge("wavepacket", "1 1 0.5 0 1.5 1 1 0 1 2 3") == half);
  CHECK(charge("atomic", "1 1 1 2 3").empty());
  CHECK(charge("dpd", "1 1 0.5 1 2 3").empty());
}

TEST_CASE("LAMMPS data: positions, types and molecules are in their style's columns") {
  const auto atom = [](const std::string& style, const std::string& line) {
    const io::LammpsData one =
        parsed("x\n1 atoms\n9 atom types\nAtoms # " + style + "\n\n" + line + "\n");
    CHECK(one.positions == std::vector<double>{1, 2, 3});
    CHECK(one.particles.type == Words{"9"});
    return one.particles.molecule;
  };
  const std::vector<std::int64_t> seven{7};
  // Written by LAMMPS' write_data (fields_data_atom of each style).
  CHECK(atom("dielectric", "1 7 9 0.5 1 2 3 0 0 1 1 0 1 1 0 0 0 0") == seven);
  CHECK(atom("mesont", "1 7 9 11 2 5860.43 6.785 20 0 1 2 3 0 0 0") == seven);
  CHECK(atom("template", "1 7 1 2 9 1 2 3 0 0 0") == seven);
  CHECK(atom("smd", "1 9 7 1 1 1 1 4 5 6 1 2 3") == seven);
  CHECK(atom("full/kk", "1 7 9 -0.5 1 2 3") == seven);
  CHECK(atom("line", "1 7 9 1 2.5 1 2 3") == seven);
  CHECK(atom("spin", "1 9 1 2 3 0 0 1 2.2").empty());
  CHECK(atom("hybrid", "1 9 1 2 3 7 0.5").empty());
  CHECK(atom("tdpd", "1 9 1 2 3 0.1 0.2").empty());
}

TEST_CASE("LAMMPS data: lines that do not fit the style or the header are refused") {
  const auto atoms = [](const std::string& style, const std::string& lines) {
    return refusal_of_data("x\n2 atoms\n2 atom types\nAtoms # " + style + "\n\n" +
                           lines);
  };
  CHECK(missing(atoms("atomic", "1 1 1 -0.8 1 2 3\n2 1 2 0.4 4 5 6\n"),
                {"w.data, line 6", "style atomic has 7 fields, not 5, or 8 with images",
                 "'Atoms # full'"}) == "");
  CHECK(missing(atoms("full", "1 1 1 -0.8 1 2 3 0 0\n2 1 2 0.4 4 5 6\n"),
                {"w.data, line 6", "9 fields, not 7, or 10"}) == "");
  CHECK(missing(atoms("atomic", "1 1 1 2 3\n2 1 4 5 6\n3 2 7 8 9\n"),
                {"w.data, line 8", "section Atoms has more lines than its number"}) ==
        "");
  CHECK(missing(refusal_of_data(replaced(data, "2 1.008 # H\n", "2 1.008\n3 1.008\n")),
                {"section Masses has more lines"}) == "");
  for (const char* const box :
       {"0.0d0 10.0d0 xlo xhi", "0 10.0d0 xlo xhi", "0,0 10,0 xlo xhi", "12"}) {
    CHECK(missing(refusal_of_data(replaced(data, "0 10 xlo xhi", box)),
                  {"w.data, line 5", "is neither a line of a header nor the name"}) ==
          "");
  }
}

TEST_CASE("LAMMPS data: types with comments of the same first word have own names") {
  const std::string two = "\nMasses\n\n1 20.69 # Na core\n2 2.3 # Na  shell\n";
  const io::LammpsData shells = parsed(header + two + full_atoms);
  CHECK(shells.particles.name == Words{"Na_core", "Na_shell", "Na_shell", "Na_core"});
  REQUIRE(shells.remarks.size() == 1);
  CHECK(missing(shells.remarks[0], {"w.data", "begin with 'Na'", "whole comments"}) ==
        "");
  const io::LammpsData same =
      parsed(header + "\nMasses\n\n1 12.0 # C\n2 12.0 # C\n" + full_atoms);
  CHECK(same.particles.name == Words{"C", "C", "C", "C"});
  REQUIRE(same.remarks.size() == 1);
  CHECK(missing(same.remarks[0], {"types 1, 2 have", "same comment", "--by type"}) ==
        "");
}

TEST_CASE(
    "LAMMPS data without a style: it is guessed from the columns, with a remark") {
  const auto style = [](const std::string& first, const std::string& second) {
    const io::LammpsData guessed =
        parsed("x\n2 atoms\n2 atom types\nAtoms\n\n" + first + "\n" + second + "\n");
    REQUIRE(guessed.remarks.size() == 1);
    const std::size_t quote = guessed.remarks[0].find("as '") + 4;
    return guessed.remarks[0].substr(quote,
                                     guessed.remarks[0].find('\'', quote) - quote);
  };
  CHECK(style("1 1 0 0 0", "2 2 1 1 1") == "atomic");
  CHECK(style("1 1 0 0 0 1 -1 0", "2 2 1 1 1 0 0 0") == "atomic");
  CHECK(style("1 5 1 0 0 0", "2 6 2 1 1 1") == "molecular");
  CHECK(style("1 1 0.5 0 0 0", "2 2 1 1 1 1") == "charge");
  CHECK(style("1 1 2 0 0 0", "2 2 3 1 1 1") == "charge");  // type 3 does not exist
  CHECK(style("1 5 1 -0.8 0 0 0", "2 6 2 1 1 1 1") == "full");
  CHECK(style("1 5 1 -0.8 0 0 0 0 0 1", "2 6 2 1 1 1 1 0 0 0") == "full");
  CHECK(style("1 1 0.5 2 0 0 0", "2 2 0.5 2 1 1 1") == "sphere");
  CHECK(
      missing(refusal_of_data("x\n1 atoms\n1 atom types\nAtoms\n\n1 1 2 3 4 5 6 7.5\n"),
              {"w.data, line 6", "8 fields", "'Atoms # full'", "wavepacket"}) == "");
  CHECK(missing(refusal_of_data(
                    "x\n2 atoms\n1 atom types\nAtoms\n\n1 1 0 0 0\n2 1 0 0 0 1\n"),
                {"w.data, line 7", "6 fields", "5"}) == "");
}

TEST_CASE("LAMMPS data: invalid files are refused, with the line") {
  CHECK(missing(refusal_of_data(replaced(data, "40 0 1 ", "40 0 3 ")),
                {"w.data, line 21", "'3' is not an atom type", "1 to 2", "full"}) ==
        "");
  CHECK(missing(refusal_of_data(replaced(data, "40 0 1 ", "3 0 1 ")),
                {"w.data", "the id 3 stands twice"}) == "");
  CHECK(
      missing(refusal_of_data(replaced(data, "1 7 1 -0.8 1 1.5 1", "1 7 1 -0.8 1 1.5")),
              {"w.data, line 22", "6 fields, not 7"}) == "");
  CHECK(missing(refusal_of_data(replaced(data, "4 atoms", "9 atoms")),
                {"w.data, line 27", "has 1 fields, not 7"}) == "");
  CHECK(missing(refusal_of_data(data.substr(0, data.find("2 7 2"))),
                {"w.data, line 22", "ends within its section Atoms"}) == "");
  const std::string decimals = replaced(data.substr(0, data.find("\n\nVelocities")),
                                        "2 7 2 0.4 1 1 2 # of 1\n\n3 7 2 0.4 1 2 1",
                                        "2 7 2 0.4 1 1 2.75\n3 7 2 0.4 1 2 1.25");
  CHECK(parsed(decimals).positions[8] == 1.25);
  CHECK(missing(refusal_of_data(decimals.substr(0, decimals.size() - 1)),
                {"w.data, line 23", "ends within its section Atoms", "newline"}) == "");
  CHECK(parsed(decimals.substr(0, decimals.size() - 1) + " ").positions[8] == 1.2);
  CHECK(missing(refusal_of_data(replaced(data, "4 atoms", "0 atoms")), {"0 atoms"}) ==
        "");
  CHECK(missing(refusal_of_data(replaced(data, "4 atoms", "99999999999 atoms")),
                {"99999999999 atoms"}) == "");
  CHECK(missing(refusal_of_data(replaced(data, "Atoms # full", "Bonds")),
                {"w.data", "no section Atoms"}) == "");
  CHECK(missing(refusal_of_data(replaced(data, "2 1.008 # H", "2 1.008 3")),
                {"w.data, line 12", "not a type, 1 to 2, with its mass"}) == "");
  CHECK(missing(refusal_of_data(data + full_atoms),
                {"the section Atoms stands twice"}) == "");
}

TEST_CASE("LAMMPS data names the atoms of a dump by their ids") {
  const TextTrajectory structure(data, "w.data");
  const TextTrajectory file(
      dump("id type x y z", "40 1 5 5 5\n2 2 1 1 2\n1 1 1 1 1\n", 3), "w.dump");
  io::ReadOptions options;
  options.structure = structure.path;
  const WholeTrajectory named = read_all({file.path}, options);
  CHECK(named.info.species == Words{"H", "O"});
  CHECK(named.frames[0].positions[0] == std::vector<double>{1, 1, 2});
  CHECK(named.frames[0].positions[1] == std::vector<double>{1, 1, 1, 5, 5, 5});

  options.species = io::parse_species_groups("W=mol_com of molecule 7; I=molecule 0");
  const WholeTrajectory centres = read_all({file.path}, options);
  const double z = (15.9994 * 1 + 1.008 * 2) / (15.9994 + 1.008);
  CHECK(centres.frames[0].positions[1][2] == Approx(z).epsilon(1e-14));
  CHECK(centres.frames[0].positions[0] == std::vector<double>{5, 5, 5});

  options.species.clear();
  const auto refused = [&](const std::string& text) {
    return read_error(TextTrajectory(text, "b.dump").path, options);
  };
  CHECK(missing(refused(dump("id type x y z", "41 1 5 5 5\n", 1)),
                {"b.dump", "id 41", "not in the structure", "w.data"}) == "");
  CHECK(missing(refused(dump("id type x y z", "40 2 5 5 5\n", 1)),
                {"b.dump", "id 40 has type 2", "w.data type 1"}) == "");
  CHECK(missing(refused(dump("type x y z", "1 5 5 5\n", 1)),
                {"b.dump", "has no ids", "column id"}) == "");
}

/// Returns `data` in other units; "": without units in its first line.
std::string data_in(const std::string& units) {
  return replaced(data, ", units = real", units.empty() ? "" : ", units = " + units);
}

TEST_CASE("LAMMPS data provides the units of a dump without units") {
  const std::string silent = dump("id type x y z", "1 1 1 1 1\n2 2 1 1 2\n", 2);
  const auto info_of = [](const std::string& text, const std::string& units,
                          const std::string& given) {
    const TextTrajectory structure(data_in(units), "w.data");
    const TextTrajectory file(text, "w.dump");
    io::ReadOptions options;
    options.structure = structure.path;
    options.length_unit = given;
    return io::open_trajectory({file.path}, options)->info();
  };
  const auto refused = [&](const std::string& text, const std::string& units,
                           const std::string& given) {
    return error_text<InputError>([&] { info_of(text, units, given); });
  };
  CHECK(info_of(silent, "real", "").length_unit == "A");
  CHECK(info_of(silent, "real", "").time_unit == "fs");
  CHECK(info_of(silent, "lj", "").length_unit == "sigma");
  CHECK(info_of(silent, "lj", "").time_unit == "tau");
  CHECK(info_of(silent, "real", "A").length_unit == "A");
  CHECK(info_of(silent, "", "nm").length_unit == "nm");
  CHECK(info_of(silent, "", "").length_unit == "");
  CHECK(missing(refused(silent, "real", "nm"),
                {"w.data", "has lengths in A, not in nm", "--unit"}) == "");

  const std::string metal = "ITEM: UNITS\nmetal\n" + silent;
  CHECK(info_of(metal, "", "").time_unit == "ps");
  CHECK(info_of(metal, "metal", "A").time_unit == "ps");
  CHECK(missing(refused(metal, "lj", ""),
                {"w.dump", "units metal (ITEM: UNITS)", "w.data in units lj"}) == "");
  // Same lengths, different times.
  CHECK(missing(refused(metal, "real", ""), {"units metal", "units real"}) == "");
  CHECK(missing(refused(metal, "", "nm"),
                {"w.dump", "has lengths in A, not in nm", "--unit"}) == "");
  CHECK(missing(refused(metal + "ITEM: UNITS\nreal\n" + silent, "", ""),
                {"w.dump, line", "units are real, but metal"}) == "");

  const TextTrajectory real(data, "r.data");
  const TextTrajectory lj(data_in("lj"), "l.data");
  io::ReadOptions options;
  options.structure = lj.path;
  CHECK(missing(read_error(real.path, options),
                {"r.data", "units real (its first line)", "l.data in units lj"}) == "");
}

TEST_CASE("a GRO file names the atoms of a dump in the order of their ids") {
  const TextTrajectory structure(
      "title\n2\n    1SOL     OW    1   0.500   1.250   2.000\n"
      "    2ION     NA    2   0.500   1.250   2.000\n 4 5 6\n",
      "w.gro");
  io::ReadOptions options;
  options.structure = structure.path;
  const TextTrajectory file(dump("id type x y z", "9 1 5 5 5\n3 2 1 1 2\n", 2),
                            "w.dump");
  const WholeTrajectory named = read_all({file.path}, options);
  CHECK(named.info.species == Words{"NA", "OW"});
  CHECK(named.frames[0].positions[1] == std::vector<double>{1, 1, 2});
  const TextTrajectory other(dump("id type x y z", "9 1 5 5 5\n", 1), "w.dump");
  CHECK(missing(read_error(other.path, options), {"has 1 particles", "w.gro has 2"}) ==
        "");
}

TEST_CASE("LAMMPS data is recognized as a trajectory of one frame, by name or lines") {
  for (const char* name : {"w.data", "data.water", "w.lmp"}) {
    INFO(name);
    const TextTrajectory file(data, name);
    const WholeTrajectory read_data = read_all({file.path});
    CHECK(read_data.info.format == "LAMMPS data");
    CHECK(read_data.info.length_unit == "A");
    CHECK(read_data.info.species == Words{"H", "O"});
    REQUIRE(read_data.frames.size() == 1);
    CHECK(read_data.frames[0].positions[1] == std::vector<double>{1, 1.5, 1, 5, 5, 5});
    CHECK(read_data.frames[0].box ==
          Box({Vec3{10, 0, 0}, {0, 8, 0}, {0, 0, 6}}, {true, true, true}));
  }
}

TEST_CASE("LAMMPS data: an unknown header line is refused") {
  for (const auto& [from, to, word] : std::vector<std::array<std::string, 3>>{
           {"0 10 xlo xhi", "0 10 xhi xlo", "'xhi xlo'"},
           {"0 10 xlo xhi", "10 xlo", "--box"},
           {"0 10 xlo xhi", "10 0 xlo xhi", "ends before it begins"},
           {"0 10 xlo xhi", "0 10 xlo xhi\n0 11 xlo xhi", "'xlo xhi' stands twice"},
           {"0 10 xlo xhi", "0 10 xlo xhi\n1 2 3 xy yz xz", "'xy yz xz'"},
           {"0 10 xlo xhi", "0 10 xlo xhi\n1 2 xy xz yz", "'xy xz yz' with 2"},
           {"0 10 xlo xhi", "0 10 xlo xhi\n10.5 lattice", "'lattice'"},
           {"0 10 xlo xhi\n", "", "--box"},
           {"0 10 xlo xhi", "0 10 xlo xhi\n1 0 0 avec", "--box"}}) {
    INFO(to);
    CHECK(missing(refusal_of_data(replaced(data, from, to)), {word.c_str()}) == "");
  }
  CHECK(parsed(replaced(data, "2 atom types",
                        "2 atom types\n9 bonds\n4 crossterms\n2 "
                        "extra bond per atom"))
            .edges[0] == 10);
}

}  // namespace
}  // namespace starhist::testing

// XYZ and extended XYZ: columns, cells, errors, truncated files.
#include "tests/support/catch.hh"
#include "tests/support/error_text.hh"
#include "tests/support/read_all.hh"
#include "tests/support/replaced.hh"
#include "tests/support/text_trajectory.hh"

namespace starhist::testing {
namespace {

WholeTrajectory read_text(const std::string& text,
                          const io::ReadOptions& options = {}) {
  return read_all({TextTrajectory(text).path}, options);
}

TEST_CASE("XYZ: names, positions and a remark, open unless a box is given") {
  const std::string text = "3\nwater, energy = -1.5\nO 0 0 0.1\nH 1 0 0\nH 0 1.5e0 0\n";
  const WholeTrajectory all = read_text(text + "1\n\nH 5 6 7\n\n");
  CHECK(all.info.format == "XYZ");
  CHECK(all.info.species == std::vector<std::string>{"H", "O"});
  REQUIRE(all.frames.size() == 2);
  CHECK(all.frames[0].positions[0] == std::vector<double>{1, 0, 0, 0, 1.5, 0});
  CHECK(all.frames[0].positions[1] == std::vector<double>{0, 0, 0.1});
  CHECK(all.frames[0].box == Box());
  CHECK(all.frames[1].positions[0] == std::vector<double>{5, 6, 7});
  CHECK(all.frames[1].positions[1].empty());
  CHECK(all.info.truncation.empty());

  io::ReadOptions cube;
  cube.box = Box::from_lengths_and_angles({2, 2, 2}, {90, 90, 90});
  CHECK(read_text(text, cube).frames[0].box == *cube.box);
}

TEST_CASE("extended XYZ: Lattice, pbc, Properties in any order, time, step") {
  const Frame frame =
      read_text(
          "2\nTime=2.5 Lattice=\"5 0 0 1 4 0 0 1 3\" step=7 pbc=\"T F T\" "
          "Properties=id:I:1:pos:R:3:force:R:3:species:S:1 remark=\"a = b\" x\n"
          "1 0.5 1 1.5 0 0 0 Na\n2 2 3 4 0 0 0 Cl\n")
          .frames.at(0);
  CHECK(frame.time == 2.5);
  CHECK(frame.step == 7);
  CHECK(frame.box == Box({Vec3{5, 0, 0}, {1, 4, 0}, {0, 1, 3}}, {true, false, true}));
  CHECK(frame.positions[0] == std::vector<double>{2, 3, 4});
  CHECK(frame.positions[1] == std::vector<double>{0.5, 1, 1.5});

  const WholeTrajectory no_names =
      read_text("1\nLattice=\"5 0 0 0 4 0 0 0 3\" Properties=pos:R:3\n1 2 3\n");
  CHECK(no_names.info.species == std::vector<std::string>{"all"});
  CHECK(no_names.frames[0].box.periodic() == std::array<bool, 3>{true, true, true});
}

TEST_CASE("XYZ: a structure with the same number of atoms names them in order") {
  const TextTrajectory structure(
      "ATOM      1  OW  SOL A   1       0.000   0.000   0.000\n"
      "ATOM      2  HW1 SOL A   1       0.000   0.000   0.000\n"
      "ATOM      3  HW2 SOL A   1       0.000   0.000   0.000\nEND\n",
      "a.pdb");
  io::ReadOptions options;
  options.structure = structure.path;
  const std::string frame = "\nO 0 0 0.1\nH 1 0 0\nH 0 1.5 0\n";
  const WholeTrajectory all = read_text("3\n" + frame + "3\n" + frame, options);
  CHECK(all.info.species == std::vector<std::string>{"HW1", "HW2", "OW"});
  REQUIRE(all.frames.size() == 2);
  CHECK(all.frames[1].positions[1] == std::vector<double>{0, 1.5, 0});
  CHECK(all.frames[1].positions[2] == std::vector<double>{0, 0, 0.1});
  CHECK(missing(read_error(TextTrajectory("1\n\nO 0 0 0\n").path, options),
                {"has 1 particles, but the structure", "a.pdb has 3"}) == "");
}

TEST_CASE("XYZ: elements or types in another order than the structure's are refused") {
  const TextTrajectory gro(
      "water\n3\n    1SOL     OW    1   0.000   0.000   0.000\n"
      "    1SOL     HW    2   0.100   0.000   0.000\n"
      "    1SOL     HW    3   0.000   0.100   0.000\n   1 1 1\n",
      "s.gro");
  io::ReadOptions options;
  options.structure = gro.path;
  const auto frame = [](const std::array<const char*, 3>& labels) {
    std::string text = "3\nAtoms. Timestep: 0\n";
    for (const char* const label : labels) {
      text += label + std::string(" 0 0 1\n");
    }
    return text;
  };
  for (const auto& [good, other] : {std::pair{"H", "O"}, std::pair{"2", "1"}}) {
    const TextTrajectory unsorted(frame({good, other, good}), "a.xyz");
    CHECK(missing(error_text<InputError>([&] { read_all({unsorted.path}, options); }),
                  {"a.xyz", "HW in the structure", "different orders", "sort"}) == "");
    const TextTrajectory sorted(frame({other, good, good}), "a.xyz");
    CHECK(read_all({sorted.path}, options).info.species ==
          std::vector<std::string>{"HW", "OW"});
  }
}

TEST_CASE("XYZ: the step in comments of other programs is read") {
  for (const char* const comment :
       {"Atoms. Timestep: 700", " Atoms. Timestep: 700",
        " Atoms. Timestep: 700 Time: 0.350000", "MD iter: 700",
        "# ORCA AIMD Position Step 700, t=2.00 fs, E_Pot=-76.1 Hartree",
        "ipi_comment=\"Step: 700 Bead: 0\" Properties=species:S:1:pos:R:3",
        " i =      700, E =       -17.1234567890",
        " i =      700, time =      350.000, E =       -17.1234567890",
        "# CELL(abcABC): 9 9 9 90 90 90  Step: 700  Bead: 0 positions{angstrom}"}) {
    const TextTrajectory file(std::string("1\n") + comment + "\nA 0 0 1\n");
    io::ReadOptions options;
    options.box = Box();
    CHECK(read_all({file.path}, options).frames.at(0).step == 700);
  }
  const TextTrajectory lammps("1\n Atoms. Timestep: 0 Time: 0.350000\nA 0 0 1\n");
  CHECK(read_all({lammps.path}).frames.at(0).time == 0.35);
  const TextTrajectory velocities(
      "1\n# ORCA AIMD Velocity Step 0, t=0.00 fs\nA 0 0 1\n");
  CHECK(missing(read_error(velocities.path), {"line 2", "file of positions"}) == "");
}

TEST_CASE("XYZ: lattice vectors in lines of atoms or behind them are refused") {
  for (const char* word : {"Tv", "VEC1", "Vector3"}) {
    const std::string vector = std::string(word) + " 9 0 0\n";
    for (const std::string& text :
         {"2\n\nA 0 0 1\n" + vector, "1\n\nA 0 0 1\n" + vector,
          "1\n\nA 0 0 1\n" + vector + "1\n\nA 0 0 1\n"}) {
      INFO(text);
      CHECK(missing(read_error(TextTrajectory(text).path),
                    {word, "is a lattice vector", "--box"}) == "");
    }
  }
  CHECK(read_all({TextTrajectory("2\n\nV 0 0 1\nVEC 0 0 2\n").path}).frames.size() ==
        1);
}

TEST_CASE("XYZ: a second line of numbers that could be a box is refused") {
  const auto first = [](const std::string& line, const io::ReadOptions& options = {}) {
    const TextTrajectory file("1\n" + line + "\nA 0 0 1\n");
    return read_all({file.path}, options).frames.at(0);
  };
  for (const char* box :
       {" 3.000 3.000 3.000", "3 0 0 0 3 0 0.5 0 3", "10 10 10 90 90 60.5",
        "CRYST1   10.000   10.000   10.000  90.00  90.00  90.00 P 1"}) {
    INFO(box);
    CHECK(missing(error_text<InputError>([&] { first(box); }), {"line 2", "--box"}) ==
          "");
    io::ReadOptions open;
    open.box = Box();
    CHECK(first(box, open).box == Box());
  }
  for (const char* remark :
       {"0 1", "-76.4 0.1 5", "0 0 0", "1 2 3 4", "1 2 3 x", "10 10 10 90 90 180"}) {
    INFO(remark);
    CHECK(first(remark).box == Box());
  }
}

TEST_CASE("XYZ: cell and unit in comments of i-PI are read") {
  const std::string cell = "1\n# CELL(abcABC):  9.0  8.0  7.0  90.0  90.0  60.0  ";
  const auto frame = [&](const std::string& units) {
    return cell + "Step:  70  Bead:  0 " + units + "\nA 1 2 3\n";
  };
  const std::string bohr = frame("positions{atomic_unit}  cell{atomic_unit}");
  const auto read = read_all({TextTrajectory(bohr).path}, {});
  CHECK(read.info.length_unit == "bohr");
  CHECK(read.frames.at(0).box == Box::from_lengths_and_angles({9, 8, 7}, {90, 90, 60}));
  CHECK(read.frames.at(0).step == 70);
  const auto in_nm = read_all(
      {TextTrajectory(frame("x_centroid{nanometer} cell{angstrom}")).path}, {});
  CHECK(in_nm.info.length_unit == "nm");
  CHECK(in_nm.frames.at(0).box ==
        Box::from_lengths_and_angles({0.9, 0.8, 0.7}, {90, 90, 60}));
  const auto error = [&](const std::string& text, const char* word) {
    return missing(read_error(TextTrajectory(text).path), {"line", word});
  };
  CHECK(error(bohr + frame("x_centroid{angstrom} cell{angstrom}"), "'A'") == "");
  CHECK(error(frame("positions{furlong} cell{angstrom}"), "'furlong'") == "");
  CHECK(error(frame("velocities{angstrom} cell{angstrom}"), "not positions") == "");
}

TEST_CASE("XYZ truncated anywhere: complete frames and a message") {
  check_truncation_anywhere("2\nremark\nA 1 2 3\nB 4 5 6\n", {4, 5, 6});
}

TEST_CASE("XYZ: errors are reported with their line") {
  const auto says = [](const std::string& text,
                       std::initializer_list<const char*> words) {
    return missing(read_error(TextTrajectory(text).path), words);
  };
  CHECK(says("1\n\nA 1 2\n", {"line 3", "3 fields for an atom, not 4"}) == "");
  CHECK(says("1\n\nA 1 two 3\n", {"line 3", "'two' is not a number (y)"}) == "");
  CHECK(says("1\n\nA 1 inf 3\n", {"y is inf"}) == "");
  CHECK(says("1\n\nA 1 2 3\nB 1 2 3\n", {"line 4", "'B' is not a whole number"}) == "");
  CHECK(says("1\nLattice=\"1 0 0 1\"\nA 1 2 3\n", {"line 2", "4 numbers, not nine"}) ==
        "");
  CHECK(says("1\nLattice=\"1 0 0 0 1 0 0 0 0\"\nA 1 2 3\n", {"line 2"}) == "");
  CHECK(says("1\nProperties=species:S:1:mass:R:1\nA 1\n", {"has no pos:R:3"}) == "");
  CHECK(says("1\nLattice=\"1 0 0 0 1 0 0 0 1\" pbc=\"T T x\"\nA 1 2 3\n",
             {"'x' in pbc"}) == "");
  CHECK(says("hello\n", {"looks like text", "LAMMPS", "XYZ"}) == "");
}

const std::string one_atom = "\nA 1 2 3\n";

std::string second_line_error(const std::string& line,
                              const io::ReadOptions& options = {}) {
  return read_error(TextTrajectory("1\n" + line + one_atom).path, options);
}

TEST_CASE(
    "XYZ: an unsupported statement about the box is refused unless --box is given") {
  io::ReadOptions cube;
  cube.box = Box::from_lengths_and_angles({9, 9, 9}, {90, 90, 90});
  for (const char* line :
       {"cell=\"9 0 0 0 9 0 0 0 9\"",
        "box = 9",
        "Box_Size={9 9 9}",
        "unitCell=[9, 9, 9]",
        "Lattice2=\"9 0 0 0 9 0 0 0 9\"",
        "boundary=\"p p f\"",
        "periodic=T",
        "a=9 b=9 c=9",
        "Lx=9 Ly=9 Lz=9",
        "pbc=\"T T T\"",
        "# CELL(abcABC):   35.2  35.2  35.2  90.0  90.0  90.0  Step: 0  Bead: 0",
        "# CELL(abcABC): 9 9 9 90 90 280 positions{angstrom} cell{atomic_unit}",
        "water box 9.0 9.0 9.0",
        "box: 9 x 9 x 9",
        "pbc T T F",
        "Lattice=\"9 0 0 0 9 0 0 0 9\" Lattice=\"8 0 0 0 8 0 0 0 8\"",
        "Lattice=\"9 0 0 0 9 0 0 0 9\" cell=\"8 8 8\"",
        "Lattice=\"9 0 0 0 9 0 0 0 9\" pbc \"T T F\"",
        "Lattice=\"9 0 0 0 9 0 0 0 9\" pbc=\"T T\"",
        "Lattice=\"9 0 0 0 9 0 0 0\"",
        "Lattice=[[9, 0, 0], [0, 9, 0]]",
        "Lattice=\"9 0 0 0 9 0 0 0 0\"",
        "Lattice=\"9 0 0 0 nan 0 0 0 9\""}) {
    INFO(line);
    CHECK(missing(second_line_error(line), {"line 2", "--box"}) == "");
    if (std::string(line).find("Lattice=\"9 0 0 0 9 0 0 0 9\" L") != 0) {
      CHECK(second_line_error(line, cube) == "");
    }
  }
}

TEST_CASE("XYZ: a line that violates the grammar is refused, or a remark") {
  for (const char* line :
       {"Lattice=\"9 0 0 0 9 0 0 0 9", "Lattice=\"9 0 0 0 9 0 0 0 9\"pbc=\"T T T\"",
        "Lattice= Properties=species:S:1:pos:R:3", "= Properties=species:S:1:pos:R:3",
        "pbc={T T T", "title=a[1] Lattice=\"9 0 0 0 9 0 0 0 9\"",
        "Lattice=\"9 0 0 0 9 0 0 0 9\" E=1 E=2"}) {
    INFO(line);
    CHECK(missing(second_line_error(line), {"line 2"}) == "");
  }
  for (const char* line :
       {"", "water, energy = -1.5", "i =        5, time =        2.500, E = -17.1",
        "Coordinates from ORCA-job it's \"new", "generated by VMD", "E=1 E=2",
        "energy: -5.07 gnorm: 0.0005 xtb: 6.4.1 (unknown)", "Atoms. Timestep: 0",
        "carboxylic acid = 3 cellulose = 4", "unit_cell=conventional", "a{b", "a=\"b",
        "step = noon", "in a box, replica 3", "properties of water 1 2 3"}) {
    INFO(line);
    CHECK(second_line_error(line) == "");
  }
  CHECK(read_text("1\ni = 5, time = 2.500, E = -17.1" + one_atom).frames[0].time ==
        2.5);
}

TEST_CASE("XYZ: a key about units requires the option") {
  CHECK(missing(second_line_error("units=bohr"),
                {"line 2", "'units=bohr'", "--unit"}) == "");
  io::ReadOptions options;
  options.length_unit = "bohr";
  CHECK(second_line_error("units=bohr", options) == "");
  CHECK(missing(second_line_error("time_unit=fs"),
                {"line 2", "'time_unit=fs'", "--time-unit"}) == "");
  options.time_unit = "fs";
  CHECK(second_line_error("time_unit=fs", options) == "");
}

TEST_CASE("extended XYZ: Properties that do not match are refused") {
  const auto refused = [](const std::string& properties, const std::string& atom,
                          std::initializer_list<const char*> words) {
    return missing(
        read_error(
            TextTrajectory("1\nProperties=" + properties + "\n" + atom + "\n").path),
        words);
  };
  CHECK(refused("species:S:1:pos:R:3", "A 1 2 3 4",
                {"line 3", "5 fields for an atom, not 4"}) == "");
  CHECK(refused("species:S:1:pos:R:3:species:S:1", "A 1 2 3 A", {"stands twice"}) ==
        "");
  CHECK(refused("Z:I:1:numbers:I:1:pos:R:3", "1 1 1 2 3", {"numbers repeats"}) == "");
  CHECK(refused("species:S:1:pos:S:3", "A 1 2 3", {"has no pos:R:3"}) == "");
  CHECK(refused("species:X:1:pos:R:3", "A 1 2 3", {"species:X"}) == "");
  CHECK(refused("species:S:pos:R:3", "A 1 2 3", {"name:type:columns"}) == "");
  CHECK(refused("species:S:1:Z:I:1:pos:R:3", "H 8 1 2 3",
                {"line 3", "'H' in one column and '8' in another"}) == "");
  CHECK(refused("species:S:1:element:S:1:pos:R:3", "H O 1 2 3", {"must agree"}) == "");
  CHECK(refused("species:S:1:Z:I:1:pos:R:3", "OW 8 1 2 3", {}) == "");
  CHECK(refused("species:I:1:Z:I:1:pos:R:3", "2 8 1 2 3", {}) == "");
}

TEST_CASE("extended XYZ: atomic numbers are names and define elements") {
  io::ReadOptions per_particle;
  per_particle.per_particle = true;
  const std::string frame = "3\nProperties=Z:I:1:pos:R:3\n8 0 0 1\n1 1 0 0\n0 0 1 0\n";
  const WholeTrajectory all = read_text(frame + frame, per_particle);
  CHECK(all.frames.size() == 2);
  CHECK(all.info.particles.name == std::vector<std::string>{"8", "1", "0"});
  CHECK(all.info.particles.element == std::vector<std::string>{"O", "H", ""});
  CHECK(missing(
            read_error(TextTrajectory("1\nProperties=Z:I:1:pos:R:3\n119 0 0 1\n").path,
                       per_particle),
            {"119", "atomic number"}) == "");
}

TEST_CASE("XYZ: a frame truncated within the file is damaged, later ones are not") {
  const std::string frame =
      "3\nLattice=\"9 0 0 0 9 0 0 0 9\"\nO 0 0 0.125\nH 1 0 0.500\nH 0 1.5 7.333\n";
  const std::string other = replaced(frame, "7.333", "8.333");
  for (std::size_t size = 1; size < frame.size(); ++size) {
    for (const char* end : {"", "\n"}) {
      if (*end == '\n' && size + 6 > frame.size()) {
        continue;  // 7.3 is a valid number, too
      }
      const std::string text = frame + frame.substr(0, size) + end + other + frame;
      INFO(text);
      const TextTrajectory file(text);
      const auto reader = io::open_trajectory({file.path}, {});
      std::vector<double> last;
      std::size_t bad = 0;
      for (std::uint64_t k = 0; k < reader->info().frame_count; ++k) {
        Frame read;
        const std::string error =
            error_text<InputError>([&] { reader->read(FrameIndex(k), read); });
        bad += error.empty() ? 0 : 1;
        if (error.empty()) {
          CHECK(read.positions.at(0).size() == 6);
          last.push_back(read.positions.at(0).at(5));
        } else {
          CHECK(missing(error, {"line ", "--skip-bad-frames"}) == "");
        }
      }
      // Digits or a remark may continue with the following text.
      CHECK((last == std::vector<double>{7.333, 8.333, 7.333} ||
             last == std::vector<double>{7.333, 7.333}));
      CHECK(bad > 0);
    }
  }
}

TEST_CASE("XYZ: lines '>' between frames, as written by ORCA, are skipped") {
  const std::string frame = "2\nremark\nA 1 2 3\nB 4 5 6\n";
  CHECK(read_text(frame + ">\n" + frame + ">\n" + frame).frames.size() == 3);
  CHECK(read_text(frame + ">\n" + frame + ">\n").info.truncation.empty());
}

TEST_CASE("XYZ and dumps: positions of zeros are lost positions") {
  std::string xyz = "9\n\n";
  std::string dump =
      "ITEM: TIMESTEP\n0\nITEM: NUMBER OF ATOMS\n9\nITEM: BOX BOUNDS pp pp pp\n0 9\n0 "
      "9\n0 9\nITEM: ATOMS type x y z\n";
  for (int k = 0; k < 9; ++k) {
    const std::string atom =
        std::to_string(k % 2 + 1) + (k == 0 ? " 1 2 3\n" : " 0 0 0\n");
    xyz += atom;
    dump += atom;
  }
  for (const std::string& text : {xyz, dump}) {
    CHECK(missing(read_error(TextTrajectory(text).path),
                  {"particles 1 to 8", "(0, 0, 0)"}) == "");
    CHECK(read_error(TextTrajectory(replaced(text, "2 0 0 0", "2 0 0 1")).path) == "");
  }
}

}  // namespace
}  // namespace starhist::testing

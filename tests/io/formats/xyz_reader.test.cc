// XYZ and extended XYZ: columns, cells, what is wrong, cut-off files.
#include "tests/support/catch.hh"
#include "tests/support/error_text.hh"
#include "tests/support/read_all.hh"
#include "tests/support/text_trajectory.hh"

namespace starhist::testing {
namespace {

WholeTrajectory read_text(const std::string& text,
                          const io::ReadOptions& options = {}) {
  return read_all({TextTrajectory(text).path}, options);
}

TEST_CASE("XYZ: names, positions and a remark, no box unless it is given") {
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

TEST_CASE("XYZ: a structure names the atoms, in their order, where it has as many") {
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

TEST_CASE("an XYZ file that is cut off anywhere: the whole frames, a sentence") {
  check_truncation_anywhere("2\nremark\nA 1 2 3\nB 4 5 6\n", {4, 5, 6});
}

TEST_CASE("an XYZ file with something wrong: what, in which line") {
  const auto says = [](const std::string& text,
                       std::initializer_list<const char*> words) {
    return missing(read_error(TextTrajectory(text).path), words);
  };
  CHECK(says("1\n\nA 1 2\n", {"frame 0", "line 3", "3 fields for an atom, not 4"}) ==
        "");
  CHECK(says("1\n\nA 1 two 3\n", {"line 3", "'two' is not a number (y)"}) == "");
  CHECK(says("1\n\nA 1 inf 3\n", {"y is inf"}) == "");
  CHECK(says("1\n\nA 1 2 3\nB 1 2 3\n", {"line 4", "'B' is not a whole number"}) == "");
  CHECK(says("1\nLattice=\"1 0 0\"\nA 1 2 3\n", {"line 2", "3 numbers, not nine"}) ==
        "");
  CHECK(says("1\nLattice=\"1 0 0 0 1 0 0 0 0\"\nA 1 2 3\n", {"line 2"}) == "");
  CHECK(says("1\nProperties=species:S:1:mass:R:1\nA 1\n", {"has no pos:R:3"}) == "");
  CHECK(says("1\nLattice=\"1 0 0 0 1 0 0 0 1\" pbc=\"T T x\"\nA 1 2 3\n",
             {"'x' in pbc"}) == "");
  CHECK(says("hello\n", {"looks like text", "LAMMPS", "XYZ"}) == "");
}

}  // namespace
}  // namespace starhist::testing

#include "io/trajectory/frame_boxes.hh"

#include "tests/support/catch.hh"
#include "tests/support/text_trajectory.hh"

namespace starhist::testing {
namespace {

io::FrameBoxes read_boxes(const std::string& text) {
  const TextTrajectory file(text, "boxes");
  return io::read_frame_boxes(file.path);
}

std::string refusal_of_boxes(const std::string& text) {
  return error_text<InputError>([&] { read_boxes(text); });
}

TEST_CASE("frame boxes: units, steps and times of a CP2K cell file") {
  const io::FrameBoxes boxes = read_boxes(
      "#   Step   Time [fs]  Ax [Angstrom]  Ay [Angstrom]  Az [Angstrom]  Bx "
      "[Angstrom]  "
      "By [Angstrom]  Bz [Angstrom]  Cx [Angstrom]  Cy [Angstrom]  Cz [Angstrom]  "
      "Volume "
      "[Angstrom^3]\n"
      "   4   2.000  10.0 0 0  1.0 11.0 0  0.5 2.0 12.0  1320.0\n");
  CHECK(boxes.length_unit == "A");
  CHECK(boxes.time_unit == "fs");
  REQUIRE(boxes.boxes.size() == 1);
  CHECK(boxes.boxes[0].step == 4);
  CHECK(boxes.boxes[0].time == 2.0);
  CHECK(boxes.boxes[0].line == 2);
  CHECK(boxes.boxes[0].box ==
        Box({Vec3{10, 0, 0}, {1, 11, 0}, {0.5, 2, 12}}, {true, true, true}));
}

TEST_CASE("frame boxes: lengths, and lengths and angles if the columns are named") {
  CHECK(read_boxes("0 10 11 12\n").boxes[0].box ==
        Box::from_lengths_and_angles({10, 11, 12}, {90, 90, 90}));
  const auto named = read_boxes("# time a b c alpha beta gamma\n0 10 11 12 80 85 95\n");
  CHECK(named.boxes[0].box == Box::from_lengths_and_angles({10, 11, 12}, {80, 85, 95}));
  CHECK(named.length_unit.empty());
  CHECK(missing(refusal_of_boxes("0 10 11 12 80 85 95\n"),
                {"boxes, line 1", "7 columns"}) == "");
  CHECK(missing(refusal_of_boxes("# time a b c alpha beta\n0 10 11 12 80 85\n"),
                {"boxes, line 2", "but not gamma"}) == "");
  // In LAMMPS xy is the x component of b; in gmx it is yx.
  const auto lammps = read_boxes("# step lx ly lz xy xz yz\n0 10 11 12 1 2 3\n");
  CHECK(lammps.boxes[0].box ==
        Box({Vec3{10, 0, 0}, {1, 11, 0}, {2, 3, 12}}, {true, true, true}));
}

TEST_CASE("frame boxes: a last line that may be cut within a number is refused") {
  const std::string rows = "# time a b c\n0 10.5 11.5 12.50\n1 10.5 11.5 12.75";
  CHECK(read_boxes(rows).boxes.size() == 2);
  CHECK(read_boxes(rows + "\n# the end").boxes.size() == 2);
  const std::string shorter = rows.substr(0, rows.size() - 1);
  CHECK(missing(refusal_of_boxes(shorter),
                {"boxes", "cut off behind line 2", "newline"}) == "");
  CHECK(read_boxes(shorter + " ").boxes.size() == 2);
  CHECK(read_boxes(shorter + "\r").boxes.size() == 2);
}

TEST_CASE("frame boxes: data sets of a Grace file are found by their legends") {
  const std::string text =
      "# gmx energy\n@    xaxis  label \"Time (ps)\"\n@    yaxis  label \"(nm)\"\n"
      "@ s0 legend \"Box-Z\"\n@ s1 legend \"Box-X\"\n@ s2 legend \"Box-Y\"\n"
      "0.0 3 1 2\n&\n";
  const io::FrameBoxes boxes = read_boxes(text);
  CHECK(boxes.length_unit == "nm");
  CHECK(boxes.time_unit == "ps");
  CHECK(boxes.boxes[0].box == Box::from_lengths_and_angles({1, 2, 3}, {90, 90, 90}));
  CHECK(missing(refusal_of_boxes("@ s0 legend \"Volume\"\n0 3\n"),
                {"[time, volume]"}) == "");
  // A data set with another legend is not a column.
  CHECK(missing(refusal_of_boxes(
                    "@ s0 legend \"Box-X\"\n@ s1 legend \"Box-Y\"\n@ s2 legend "
                    "\"Box-Z\"\n0 1 2 3 4\n"),
                {"5 columns"}) == "");
}

TEST_CASE("frame boxes: NAMD's zero vectors are non-periodic axes") {
  const io::FrameBoxes boxes = read_boxes(
      "#$LABELS step a_x a_y a_z b_x b_y b_z c_x c_y c_z o_x o_y o_z\n"
      "0 10 0 0 0 11 0 0 0 0 0 0 0\n");
  CHECK(boxes.boxes[0].box.periodic() == std::array<bool, 3>{true, true, false});
  CHECK(missing(refusal_of_boxes("0 10 0 0 0 11 0 0 0 0\n"),
                {"boxes, line 1", "zero"}) == "");
}

}  // namespace
}  // namespace starhist::testing

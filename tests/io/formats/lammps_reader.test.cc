// LAMMPS text dumps: all kinds of columns, boxes and orders of atoms; truncated files.
#include <zlib.h>

#include "tests/support/catch.hh"
#include "tests/support/error_text.hh"
#include "tests/support/read_all.hh"
#include "tests/support/text_trajectory.hh"

namespace starhist::testing {
namespace {

const std::string head = "ITEM: TIMESTEP\n50\nITEM: NUMBER OF ATOMS\n3\n";
const std::string cube = "ITEM: BOX BOUNDS pp pp pp\n-1 9.0e0\n0 10\n+0 10\n";

Frame first_frame(const std::string& text, const io::ReadOptions& options = {}) {
  const TextTrajectory file(text);
  return read_all({file.path}, options).frames.at(0);
}

TEST_CASE("LAMMPS: elements that LAMMPS writes without names are remarked") {
  const auto remarks = [](const std::string& atoms, bool per_particle) {
    const TextTrajectory file(head + cube + "ITEM: ATOMS id type element x y z\n" +
                              atoms);
    io::ReadOptions options;
    options.per_particle = per_particle;
    return read_all({file.path}, options).info.remarks;
  };
  for (const bool per_particle : {false, true}) {
    const std::vector<std::string> unnamed =
        remarks("1 1 C 0 0 0\n2 2 C 1 0 0\n3 2 C 0 1 1\n", per_particle);
    REQUIRE(unnamed.size() == 1);
    CHECK(missing(unnamed[0], {"all elements are C", "dump_modify", "--by type"}) ==
          "");
    CHECK(remarks("1 1 C 0 0 0\n2 1 C 1 0 0\n3 1 C 0 1 1\n", per_particle).empty());
    CHECK(remarks("1 1 C 0 0 0\n2 2 H 1 0 0\n3 2 H 0 1 1\n", per_particle).empty());
  }
}

TEST_CASE("LAMMPS: frames whose atoms are named by another column are refused") {
  const std::string first =
      head + cube + "ITEM: ATOMS id type x y z\n" + "1 1 0 0 0\n2 2 1 0 0\n3 2 0 1 1\n";
  const TextTrajectory file(first + head + cube + "ITEM: ATOMS id element x y z\n" +
                                "1 O 0 0 0\n2 H 1 0 0\n3 H 0 1 1\n",
                            "a.dump");
  CHECK(missing(error_text<InputError>([&] { read_all({file.path}, {}); }),
                {"frame 1", "a.dump, line 21", "named by 'element', but by 'type'"}) ==
        "");
}

TEST_CASE("LAMMPS: a repeated id and a repeated column are refused") {
  const auto refusal = [](const std::string& atoms) {
    const TextTrajectory file(head + cube + atoms, "a.dump");
    return error_text<InputError>([&] { read_all({file.path}, {}); });
  };
  for (const char* id : {"2", "1000000000", "-7"}) {
    INFO(id);
    CHECK(missing(refusal(std::string("ITEM: ATOMS id type x y z\n") + id +
                          " 1 0 0 0\n1 1 1 0 0\n" + id + " 1 0 1 0\n"),
                  {"a.dump", "line 12", "id", id, "twice"}) == "");
  }
  const std::string whole =
      "ITEM: ATOMS id type x y z\n1 1 0 0 0\n2 1 0 0 1\n5000000000 1 0 1 0\n";
  CHECK(read_all({TextTrajectory(head + cube + whole + head + cube + whole).path}, {})
            .frames.size() == 2);
  CHECK(missing(
            refusal(
                "ITEM: ATOMS id type x y z x\n1 1 0 0 0 5\n2 1 0 0 0 5\n3 1 0 0 0 5\n"),
            {"a.dump", "line 9", "'x' stands twice"}) == "");
}

TEST_CASE("LAMMPS dump: atoms in any order, by type or element, any columns") {
  const std::string atoms =
      "ITEM: ATOMS id type x y z vx\n"
      "3 2 1.5 2 3 0\n1 1 0.1 0.2 0.3 0\n2 2 4 5 6 -1e-3\n";
  const TextTrajectory file(head + cube + atoms);
  const auto reader = io::open_trajectory({file.path}, {});
  CHECK(reader->info().format == "LAMMPS text dump");
  CHECK(reader->info().species == std::vector<std::string>{"1", "2"});
  CHECK(reader->info().length_unit.empty());
  Frame frame;
  reader->read(FrameIndex(0), frame);
  CHECK(frame.step == 50);
  CHECK(frame.positions[0] == std::vector<double>{0.1, 0.2, 0.3});
  CHECK(frame.positions[1] == std::vector<double>{1.5, 2, 3, 4, 5, 6});
  CHECK(frame.box == Box({Vec3{10, 0, 0}, {0, 10, 0}, {0, 0, 10}}, {true, true, true}));

  const Frame elements = first_frame(
      head + cube +
      "ITEM: ATOMS element type xu yu zu\nO 9 1 2 3\nH 9 4 5 6\nO 9 7 8 9\n");
  CHECK(elements.positions[0] == std::vector<double>{4, 5, 6});
  CHECK(elements.positions[1] == std::vector<double>{1, 2, 3, 7, 8, 9});

  const Frame none =
      first_frame(head + cube + "ITEM: ATOMS x y z\n1 2 3\n4 5 6\n7 8 9\n");
  CHECK(none.positions.size() == 1);
}

TEST_CASE("LAMMPS dump: scaled positions, tilted boxes given by their bounding boxes") {
  // lx, ly, lz = 10, 8, 6; xy, xz, yz = 2, -3, 1
  const std::string tilted =
      "ITEM: BOX BOUNDS xy xz yz pp pp pp\n-3 12 2\n0 9 -3\n1 7 1\n";
  const std::array<Vec3, 3> edges{Vec3{10, 0, 0}, {2, 8, 0}, {-3, 1, 6}};
  for (const std::string suffix : {"s", "su"}) {
    const Frame frame =
        first_frame(head + tilted + "ITEM: ATOMS type x" + suffix + " y" + suffix +
                    " z" + suffix + "\n1 0 0 0\n1 0.5 0.5 0.5\n1 1.5 0 0\n");
    CHECK(frame.box == Box(edges, {true, true, true}));
    CHECK(frame.positions[0] == std::vector<double>{0, 0, 1, 4.5, 4.5, 4, 15, 0, 1});
  }
  const Frame general = first_frame(
      head + "ITEM: BOX BOUNDS abc origin pp pp pp\n10 0 0 1\n2 8 0 2\n-3 1 6 3\n" +
      "ITEM: ATOMS type xs ys zs\n1 0 0 0\n1 1 1 1\n1 0 0 1\n");
  CHECK(general.box == Box(edges, {true, true, true}));
  CHECK(general.positions[0] == std::vector<double>{1, 2, 3, 10, 11, 9, -2, 3, 9});
}

TEST_CASE("LAMMPS dump: units, times, non-periodic dimensions, --box") {
  const std::string text =
      "ITEM: UNITS\nreal\nITEM: TIMESTEP\n7\nITEM: TIME\n3.5\nITEM: NUMBER OF "
      "ATOMS\n1\nITEM: BOX BOUNDS pp fs mm\n0 1\n0 2\n0 3\nITEM: ATOMS type x y z\n1 0 "
      "0 "
      "0\nITEM: TIMESTEP\n8\nITEM: NUMBER OF ATOMS\n2\nITEM: BOX BOUNDS pp ff ff\n0 "
      "2\n0 "
      "2\n0 3\nITEM: ATOMS type x y z\n2 1 1 1\n1 0 0 0\n";
  const TextTrajectory file(text);
  const WholeTrajectory all = read_all({file.path}, {});
  CHECK(all.info.length_unit == "A");
  CHECK(all.info.time_unit == "fs");
  CHECK(all.info.frame_count == 2);
  CHECK(all.frames[0].time == 3.5);
  CHECK(all.frames[0].box.periodic() == std::array<bool, 3>{true, false, false});
  CHECK(all.frames[0].positions[1].empty());
  CHECK(all.frames[1].box.edges()[0] == Vec3{2, 0, 0});
  CHECK(all.frames[1].step == 8);

  io::ReadOptions open;
  open.box = Box();
  CHECK(first_frame(text, open).box == Box());
}

TEST_CASE("a LAMMPS dump truncated anywhere: complete frames and a message") {
  const std::string frame =
      head + cube + "ITEM: ATOMS type x y z\n1 1 2 3\n1 4 5 6\n2 7 8 9\n";
  check_truncation_anywhere(frame, {7, 8, 9});
}

TEST_CASE("gzip-compressed text, complete or truncated, frames in any order") {
  std::string text;
  for (int k = 0; k < 400; ++k) {
    text += "ITEM: TIMESTEP\n" + std::to_string(k) + "\nITEM: NUMBER OF ATOMS\n1\n" +
            cube + "ITEM: ATOMS type x y z\n1 0." +
            std::to_string(1000 + k * 37 % 1000) + " 0 0\n";
  }
  const TextTrajectory file("");
  gzFile out = gzopen(file.path.c_str(), "wb");
  REQUIRE(gzwrite(out, text.data(), static_cast<unsigned>(text.size())) ==
          static_cast<int>(text.size()));
  gzclose(out);
  const auto reader = io::open_trajectory({file.path}, {});
  REQUIRE(reader->info().frame_count == 400);
  Frame frame;
  for (const std::uint64_t k : {0, 399, 200, 1, 398}) {
    reader->read(FrameIndex(k), frame);
    CHECK(frame.step == static_cast<std::int64_t>(k));
  }
  const std::string bytes = read_bytes(file.path);
  const TextTrajectory cut(bytes.substr(0, bytes.size() / 2));
  const WholeTrajectory all = read_all({cut.path}, {});
  CHECK(all.frames.size() > 10);
  CHECK(all.frames.size() < 390);
  CHECK(all.info.truncation.size() == 1);
}

TEST_CASE("LAMMPS dump: blank lines between frames and at the end are skipped") {
  io::ReadOptions all;
  all.repeated = io::RepeatedFrames::keep;
  const std::string frame =
      head + cube + "ITEM: ATOMS type x y z\n1 1 2 3\n1 4 5 6\n1 7 8 9\n";
  for (const std::string& text :
       {frame + frame + "\n", frame + "\n" + frame, frame + " \n\n" + frame}) {
    const WholeTrajectory read = read_all({TextTrajectory(text, "a.dump").path}, all);
    CHECK(read.frames.size() == 2);
    CHECK(read.info.truncation.empty());
  }
}

TEST_CASE("LAMMPS dump: errors are reported with their line") {
  const std::string columns = "ITEM: ATOMS type x y z\n";
  const std::string atoms = "1 1 2 3\n1 4 5 6\n1 7 8 9\n";
  const auto says = [](const std::string& text,
                       std::initializer_list<const char*> words) {
    return missing(read_error(TextTrajectory(text).path), words);
  };
  CHECK(says(head + cube + columns + "1 1 2\n1 4 5 6\n1 7 8 9\n",
             {"line 10", "3 fields", "4 columns"}) == "");
  CHECK(says(head + cube + columns + "1 1 2 1.2.3\n1 4 5 6\n1 7 8 9\n",
             {"line 10", "'1.2.3' is not a number (z)"}) == "");
  CHECK(says(head + cube + columns + "1 nan 2 3\n1 4 5 6\n1 7 8 9\n",
             {"line 10", "x is nan"}) == "");
  CHECK(says(head + cube + "ITEM: ATOMS id type\n1 1\n2 1\n3 1\n",
             {"line", "no positions among the columns [id type]"}) == "");
  CHECK(says(head + "ITEM: BOX BOUNDS pp pp pp\n0 0\n0 1\n0 1\n" + columns + atoms,
             {"frame 0"}) == "");
  CHECK(says("ITEM: TIMESTEP\nten\n", {"line 2", "'ten' is not a whole number"}) == "");
  CHECK(says(head + cube + columns + atoms + "garbage\n",
             {"line 13", "'garbage' in place of an ITEM"}) == "");
  CHECK(says(head + cube + columns + "1 1 2 3\n" + head,
             {"line 11", "is not an atom", "atom 2 of 3"}) == "");
  io::ReadOptions group;
  group.group = "all";
  const TextTrajectory file(head + cube + columns + atoms);
  CHECK(
      missing(error_text<InputError>([&] { io::open_trajectory({file.path}, group); }),
              {"no particle groups"}) == "");
  io::ReadOptions unit;
  unit.length_unit = "sigma";
  CHECK(io::open_trajectory({file.path}, unit)->info().length_unit == "sigma");
}

const std::string three_atoms =
    "ITEM: ATOMS type x y z\n1 1 2 3\n1 4 5 6\n2 7 8 9.125\n";

TEST_CASE("LAMMPS: invalid headings and lines of the box are refused") {
  io::ReadOptions open;
  open.box = Box();
  const std::string two = "0 9\n0 9\n0 9\n";
  const std::string three = "0 9 1\n0 9 0\n0 9 2\n";
  for (const auto& [heading, rows] : std::vector<std::pair<std::string, std::string>>{
           {" pp pp pp xy xz yz", three},
           {" xy yz xz pp pp pp", three},
           {" xy xz pp pp pp", three},
           {" xy=1 xz=0 yz=2 pp pp pp", two},
           {" pp pp", two},
           {" pp pp pp pp", two},
           {" pp pp xx", two},
           {" pp pp pf", two},
           {" p p p", two},
           {" PP PP PP", two},
           {" abc origin", "9 0 0 0\n0 9 0 0\n0 0 9 0\n"},
           {" origin abc pp pp pp", "9 0 0 0\n0 9 0 0\n0 0 9 0\n"},
           {" pp pp pp", three},
           {" xy xz yz pp pp pp", two},
           {" pp pp pp", "0 9\n0 9\n9 0\n"},
           {" pp pp pp", "0 9\n0 nan\n0 9\n"},
           {" pp pp pp", "0 9\n0 9\n0 x\n"}}) {
    const std::string text = head + "ITEM: BOX BOUNDS" + heading + "\n" + rows;
    INFO(text);
    CHECK(missing(read_error(TextTrajectory(text + three_atoms).path),
                  {"frame 0", "line 5"}) == "");
    CHECK(read_error(TextTrajectory(text + three_atoms).path, open) == "");
    // --box does not position scaled coordinates.
    CHECK(read_error(TextTrajectory(text + "ITEM: ATOMS type xs ys zs\n1 0 0 1\n1 0 1 "
                                           "0\n2 1 0 0\n")
                         .path,
                     open) != "");
  }
  const std::array<bool, 3> all{true, true, true};
  CHECK(first_frame(head + "ITEM: BOX BOUNDS\n" + two + three_atoms).box ==
        Box({Vec3{9, 0, 0}, {0, 9, 0}, {0, 0, 9}}, all));
  CHECK(first_frame(head + "ITEM: BOX BOUNDS xy xz yz \n" + three + three_atoms).box ==
        Box({Vec3{8, 0, 0}, {1, 7, 0}, {0, 2, 9}}, all));
}

TEST_CASE("LAMMPS: missing, unknown or repeated items, and unknown units") {
  const auto refused = [](const std::string& text,
                          std::initializer_list<const char*> words) {
    return missing(read_error(TextTrajectory(text).path), words);
  };
  CHECK(refused(head + three_atoms, {"no 'ITEM: BOX BOUNDS'", "--box"}) == "");
  CHECK(refused(head + cube + cube + three_atoms, {"BOX BOUNDS", "twice"}) == "");
  CHECK(refused("ITEM: TIMESTEP\n1\n" + cube + "ITEM: ATOMS type x y z\n",
                {"no 'ITEM: NUMBER OF ATOMS'"}) == "");
  CHECK(refused(head + "ITEM: CELL\n9 9 9\n" + cube + three_atoms, {"'ITEM: CELL'"}) ==
        "");
  CHECK(refused("ITEM: UNITS\nfathom\n" + head + cube + three_atoms,
                {"'fathom'", "--unit"}) == "");
  CHECK(refused("ITEM: TIMESTEP\n1 2\n" + head + cube + three_atoms, {"line 2"}) == "");
  CHECK(refused("ITEM: UNITS\nreal\n" + head + cube + three_atoms +
                    "ITEM: UNITS\nlj\n" + head + cube + three_atoms,
                {"units are lj", "real"}) == "");
}

TEST_CASE("LAMMPS dump: typelabel names the species") {
  CHECK(
      read_all({TextTrajectory(head + cube +
                               "ITEM: ATOMS type typelabel x y z\n1 OW 1 2 3\n2 HW 4 5 "
                               "6\n2 HW 7 8 9\n")
                    .path},
               {})
          .info.species == std::vector<std::string>{"HW", "OW"});
}

TEST_CASE("LAMMPS dump: only the frame truncated within the file is left out") {
  const std::string frame = head + cube + three_atoms;
  std::string other = frame;
  other.replace(other.find("9.125"), 5, "5.125");
  for (std::size_t size = 1; size < frame.size(); ++size) {
    for (const char* end : {"", "\n"}) {
      if (*end == '\n' && size + 6 > frame.size()) {
        continue;  // 9.1 is a valid number, too
      }
      const std::string text = frame + frame.substr(0, size) + end + other + frame;
      INFO(text);
      const TextTrajectory file(text);
      const auto reader = io::open_trajectory({file.path}, {});
      std::vector<double> last;
      for (std::uint64_t k = 0; k < reader->info().frame_count; ++k) {
        Frame read;
        const std::string error =
            error_text<InputError>([&] { reader->read(FrameIndex(k), read); });
        if (error.empty()) {
          last.push_back(read.positions.at(1).at(2));
        } else {
          CHECK(missing(error, {"line ", "--skip-bad-frames"}) == "");
        }
      }
      CHECK(last == std::vector<double>{9.125, 5.125, 9.125});
    }
  }
}

}  // namespace
}  // namespace starhist::testing

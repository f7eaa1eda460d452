#include "io/trajectory/joined/joined_trajectory.hh"

#include "tests/support/catch.hh"
#include "tests/support/error_text.hh"
#include "tests/support/h5md_file.hh"
#include "tests/support/read_all.hh"
#include "tests/support/temporary_directory.hh"

namespace starhist {
namespace {

using testing::error_text;
using testing::missing;
using testing::positions_of;
using testing::read_all;
using testing::small_trajectory;
using testing::SmallTrajectory;
using testing::write_h5md;

TEST_CASE("several files form one trajectory with the species of all") {
  const testing::TemporaryDirectory folder;
  const std::string first = folder.file("first.h5");
  const std::string second = folder.file("second.h5");
  SmallTrajectory a = small_trajectory(3);
  SmallTrajectory b = small_trajectory(2);
  b.species = {"Na", "H", "Na", "H", "H"};
  b.positions = {{9, 8, 7, 6, 5, 4, 3, 2, 1, 0, 0, 0, 5, 5, 5},
                 {1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 0, 0, 5, 5, 5}};
  b.first_step = 1000;
  b.group = "other";
  write_h5md(first, a);
  write_h5md(second, b);
  const auto reader = io::open_trajectory({first, second}, {});
  CHECK(reader->info().paths == std::vector{first, second});
  CHECK(reader->info().species == std::vector<std::string>{"H", "Na", "O"});
  REQUIRE(reader->info().frame_count == 5);
  Frame frame;
  for (const std::uint64_t index : {0U, 1U, 2U, 3U, 4U, 0U, 4U, 3U, 1U}) {
    reader->read(FrameIndex(index), frame);
    const bool in_first = index < 3;
    const SmallTrajectory& file = in_first ? a : b;
    const std::uint64_t row = in_first ? index : index - 3;
    CHECK(frame.index == FrameIndex(index));
    CHECK(frame.step == file.first_step + static_cast<std::int64_t>(10 * row));
    CHECK(frame.positions.at(0) == positions_of(file, row, "H"));
    CHECK(frame.positions.at(1) == positions_of(file, row, "Na"));
    CHECK(frame.positions.at(2) == positions_of(file, row, "O"));
  }
}

TEST_CASE("files of different systems are refused") {
  const testing::TemporaryDirectory folder;
  const std::string first = folder.file("first.h5");
  const std::string second = folder.file("second.h5");
  SmallTrajectory a = small_trajectory(3);
  SmallTrajectory b = small_trajectory(2);
  b.species = {"Na", "H", "Na", "O"};
  b.positions = {{9, 8, 7, 6, 5, 4, 3, 2, 1, 0, 0, 0},
                 {1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 0, 0}};
  b.first_step = 1000;
  write_h5md(first, a);
  write_h5md(second, b);
  for (const io::RepeatedFrames repeated :
       {io::RepeatedFrames::drop, io::RepeatedFrames::keep}) {
    io::ReadOptions options;
    options.repeated = repeated;
    CHECK(missing(error_text<InputError>([&] {
                    io::open_trajectory({first, second}, options);
                  }),
                  {"second.h5: is of another system than", "first.h5",
                   "4 particles (H, Na, O)", "5 particles (H, O)",
                   "count each file separately"}) == "");
  }
}

TEST_CASE("files with different units are refused") {
  const testing::TemporaryDirectory folder;
  const std::string first = folder.file("first.h5");
  const std::string second = folder.file("second.h5");
  SmallTrajectory trajectory = small_trajectory(1);
  write_h5md(first, trajectory);
  const auto open = [&] {
    write_h5md(second, trajectory);
    return error_text<InputError>([&] { io::open_trajectory({first, second}, {}); });
  };
  SECTION("lengths") {
    trajectory.length_unit = "Angstrom";
    CHECK(missing(open(),
                  {first.c_str(), second.c_str(), "lengths", "\"A\"", "\"nm\""}) == "");
  }
  SECTION("a missing unit is a different unit") {
    trajectory.length_unit = "";
    CHECK(missing(open(), {"no unit", "\"nm\"", "--unit"}) == "");
    io::ReadOptions options;
    options.length_unit = "nm";
    CHECK(io::open_trajectory({first, second}, options)->info().length_unit == "nm");
    CHECK(io::open_trajectory({second, first}, options)->info().length_unit == "nm");
    options.length_unit = "A";
    CHECK(missing(error_text<InputError>([&] {
                    io::open_trajectory({second, first}, options);
                  }),
                  {first.c_str(), "in nm, not in A"}) == "");
  }
  SECTION("times") {
    trajectory.time_unit = "fs";
    CHECK(missing(open(), {"times", "\"fs\"", "\"ps\""}) == "");
    trajectory.time_unit = "";
    CHECK(missing(open(), {"times", "no unit", "--time-unit"}) == "");
    io::ReadOptions options;
    options.time_unit = "ps";
    CHECK(io::open_trajectory({first, second}, options)->info().time_unit == "ps");
  }
  SECTION("another spelling is the same unit") {
    trajectory.length_unit = "nanometer";
    CHECK(open() == "");
  }
}

TEST_CASE("the second of two files may be invalid") {
  const testing::TemporaryDirectory folder;
  const std::string first = folder.file("first.h5");
  const std::string second = folder.file("second.h5");
  SmallTrajectory trajectory = small_trajectory(2);
  write_h5md(first, trajectory);
  CHECK(missing(error_text<InputError>([&] {
                  io::open_trajectory({first, second}, {});
                }),
                {second.c_str(), "does not exist"}) == "");
  trajectory.positions[1].assign(15, 0.0);
  write_h5md(second, trajectory);
  CHECK(missing(error_text<InputError>([&] {
                  read_all({first, second});
                }),
                {"frame 3", second.c_str(), "lost"}) == "");
}

TEST_CASE("an empty list of files is refused, and a frame beyond the end is a bug") {
  CHECK_THROWS_AS(io::open_trajectory({}, {}), InputError);
  const testing::TemporaryDirectory folder;
  const std::string path = folder.file("a.h5");
  write_h5md(path, small_trajectory(2));
  const auto reader = io::open_trajectory({path}, {});
  Frame frame;
  CHECK_THROWS_AS(reader->read(FrameIndex(2), frame), InternalError);
}

TEST_CASE("frames of equal size are read into the same memory") {
  const testing::TemporaryDirectory folder;
  const std::string path = folder.file("a.h5");
  const std::string other = folder.file("b.h5");
  write_h5md(path, small_trajectory(3));
  SmallTrajectory sodium = small_trajectory(1);
  sodium.species[0] = "Na";
  write_h5md(other, sodium);
  const auto reader = io::open_trajectory({path, other}, {});
  Frame frame;
  reader->read(FrameIndex(0), frame);
  const double* hydrogens = frame.positions.at(0).data();
  reader->read(FrameIndex(1), frame);
  CHECK(frame.positions.at(0).data() == hydrogens);
  reader->read(FrameIndex(2), frame);
  CHECK(frame.positions.at(0).data() == hydrogens);
}

}  // namespace
}  // namespace starhist

#include <limits>

#include "io/formats/h5md/h5md_reader.hh"
#include "tests/support/catch.hh"
#include "tests/support/error_text.hh"
#include "tests/support/read_all.hh"
#include "tests/support/small_file.hh"

namespace starhist {
namespace {

using testing::error_text;
using testing::flat;
using testing::HdfFile;
using testing::missing;
using testing::NumberType;
using testing::positions_of;
using testing::read_all;
using testing::read_error;
using testing::small_trajectory;
using testing::SmallFile;
using testing::SmallTrajectory;
using testing::write_h5md;

TEST_CASE("positions that are not finite are reported, with frame and particle") {
  const double bad = GENERATE(std::numeric_limits<double>::quiet_NaN(),
                              std::numeric_limits<double>::infinity(),
                              -std::numeric_limits<double>::infinity());
  const auto type = GENERATE(NumberType::f32, NumberType::f64);
  const std::size_t particle = GENERATE(0U, 4U);
  const SmallFile file;
  auto positions = file.trajectory.positions;
  positions[1][3 * particle + 2] = bad;
  file.edit().numbers(file.position + "/value", {3, 5, 3}, flat(positions), {type});
  const auto reader = io::open_trajectory({file.path}, {});
  Frame frame;
  reader->read(FrameIndex(0), frame);
  const auto text = error_text<InputError>([&] { reader->read(FrameIndex(1), frame); });
  CHECK(missing(text, {"frame 1", file.path.c_str(), "not finite",
                       bad != bad ? "nan)" : "inf)",
                       ("particle " + std::to_string(particle)).c_str()}) == "");
  reader->read(FrameIndex(2), frame);
  CHECK(frame.positions.at(0) == positions_of(file.trajectory, 2, "H"));
}

TEST_CASE("lost positions are detected") {
  const testing::TemporaryDirectory folder;
  const std::string path = folder.file("lost.h5");
  SmallTrajectory trajectory = small_trajectory(0);
  trajectory.species.clear();
  for (std::size_t i = 0; i < 20; ++i) {
    trajectory.species.push_back(i % 3 == 0 ? "O" : "H");
  }
  trajectory.positions.assign(2, std::vector<double>(60, 0.5));
  auto& frame = trajectory.positions[1];
  SECTION("a whole frame of zeros") {
    std::fill(frame.begin(), frame.end(), 0.0);
    write_h5md(path, trajectory);
    CHECK(missing(read_error(path), {"frame 1", path.c_str(), "(0, 0, 0)", "lost"}) ==
          "");
  }
  SECTION("the last eight particles") {
    std::fill(frame.end() - 24, frame.end(), 0.0);
    write_h5md(path, trajectory);
    CHECK(missing(read_error(path), {"frame 1", "particles 12 to 19", "lost"}) == "");
  }
  SECTION("the fill value of the dataset") {
    write_h5md(path, trajectory);
    std::fill(frame.begin(), frame.end(), -10.0);
    HdfFile(path, HdfFile::Mode::edit)
        .numbers("particles/all/position/value", {2, 20, 3}, flat(trajectory.positions),
                 {NumberType::f64, {1, 20, 3}, -10.0});
    CHECK(missing(read_error(path), {"frame 1", "(-10, -10, -10)", "lost"}) == "");
  }
  SECTION("a few coincident particles at the origin are accepted") {
    std::fill(frame.end() - 21, frame.end(), 0.0);
    write_h5md(path, trajectory);
    CHECK(read_all({path}).frames.size() == 2);
  }
}

TEST_CASE("one particle may be at the origin, but not both of two") {
  const testing::TemporaryDirectory folder;
  const std::string path = folder.file("few.h5");
  SmallTrajectory trajectory = small_trajectory(0);
  SECTION("one") {
    trajectory.species = {"O"};
    trajectory.positions = {{0, 0, 0}};
    write_h5md(path, trajectory);
    CHECK(read_all({path}).frames.at(0).positions.at(0) ==
          std::vector<double>{0, 0, 0});
  }
  SECTION("two of different species") {
    trajectory.species = {"O", "H"};
    trajectory.positions = {{0, 0, 0, 0, 0, 0}};
    write_h5md(path, trajectory);
    CHECK(missing(read_error(path), {"frame 0", "lost"}) == "");
  }
}

TEST_CASE("files that are H5MD in name only are refused, with the value") {
  const SmallFile file;
  const std::string value = file.position + "/value";
  SECTION("no particles at all") {
    file.edit().remove("particles");
    CHECK(missing(read_error(file.path), {file.path.c_str(), "/particles"}) == "");
  }
  SECTION("no positions") {
    file.edit().remove(file.position);
    CHECK(missing(read_error(file.path),
                  {file.path.c_str(), "no group", "positions"}) == "");
  }
  SECTION("a position group without values") {
    file.edit().remove(value);
    CHECK(missing(read_error(file.path), {"/position/value", "cannot be opened"}) ==
          "");
  }
  SECTION("no frames") {
    HdfFile hdf = file.edit();
    hdf.remove(file.position);
    hdf.numbers(value, {0, 5, 3}, {}, {NumberType::f32, {1, 5, 3}});
    hdf = HdfFile(file.folder.file("other.h5"));
    CHECK(missing(read_error(file.path), {file.path.c_str(), "no frames"}) == "");
  }
  SECTION("two components") {
    file.edit().numbers(value, {3, 5, 2}, std::vector<double>(30, 1.0));
    CHECK(missing(read_error(file.path), {"/position/value", "2 components"}) == "");
  }
  SECTION("one extent too few") {
    file.edit().numbers(value, {3, 15}, std::vector<double>(45, 1.0));
    CHECK(missing(read_error(file.path), {"/position/value", "1 extents"}) == "");
  }
  SECTION("text for positions") {
    file.edit().text(value, {3, 5, 3}, std::vector<std::string>(45, "x"));
    CHECK(missing(read_error(file.path),
                  {"/position/value", "does not contain numbers"}) == "");
  }
  SECTION("fewer steps than frames") {
    file.edit().numbers(file.position + "/step", {2}, {0, 10});
    CHECK(missing(read_error(file.path), {"/position/step", "2 values for 3"}) == "");
  }
}

}  // namespace
}  // namespace starhist

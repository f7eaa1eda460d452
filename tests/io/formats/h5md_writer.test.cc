// H5MD written by convert: reading it back, precision, boxes, errors.
#include "io/formats/h5md/h5md_writer.hh"

#include <filesystem>

#include "io/hdf5/hdf5_file.hh"
#include "io/hdf5/hdf5_read.hh"
#include "tests/support/catch.hh"
#include "tests/support/error_text.hh"
#include "tests/support/read_all.hh"
#include "tests/support/stored_h5md.hh"
#include "tests/support/temporary_directory.hh"

namespace starhist::testing {
namespace {

io::TrajectoryInfo two_species() {
  io::TrajectoryInfo info;
  info.species = {"A", "B"};
  info.length_unit = "A";
  info.time_unit = "fs";
  return info;
}

Frame some_frame(std::uint64_t index) {
  Frame frame;
  frame.index = FrameIndex(index);
  frame.step = 10 * static_cast<std::int64_t>(index);
  frame.time = 0.1 * static_cast<double>(index);
  const double edge = 5.1 + static_cast<double>(index);
  frame.box =
      Box({Vec3{edge, 0, 0}, {0.3, 4.1, 0}, {0.1, 0.2, 3.7}}, {true, true, true});
  frame.positions = {{0.5, 1.5, 2.5, 0.25, 0.75, 0.125}, {1.0, 2.0, 3.0}};
  return frame;
}

bool write(const std::string& path, const std::vector<Frame>& frames,
           const io::H5mdFormat& format = {}) {
  io::H5mdWriter writer(path, io::Overwrite::no, two_species(), frames.front(),
                        frames.size() + 2, format);
  for (const Frame& frame : frames) {
    if (!writer.append(frame)) {
      return false;
    }
  }
  writer.finish("1.2.3");
  return true;
}

TEST_CASE(
    "H5MD written: species, positions, boxes, steps, times and units are read back") {
  const TemporaryDirectory folder;
  const std::string path = folder.file("a.h5");
  const std::vector<Frame> frames{some_frame(0), some_frame(2), some_frame(3)};
  REQUIRE(write(path, frames));
  const WholeTrajectory all = read_all({path});
  CHECK(all.info.format == "H5MD");
  CHECK(all.info.species == std::vector<std::string>{"A", "B"});
  CHECK(all.info.length_unit == "A");
  CHECK(all.info.time_unit == "fs");
  REQUIRE(all.frames.size() == 3);
  for (std::size_t k = 0; k < 3; ++k) {
    CHECK(all.frames[k].positions == frames[k].positions);
    CHECK(all.frames[k].box == frames[k].box);
    CHECK(all.frames[k].step == frames[k].step);
    CHECK(all.frames[k].time == frames[k].time);
  }
  CHECK_FALSE(std::filesystem::exists(path + ".partial"));
}

TEST_CASE("H5MD written without particles: frames, boxes and times are read back") {
  const TemporaryDirectory folder;
  const std::string path = folder.file("a.h5");
  std::vector<Frame> frames{some_frame(0), some_frame(1)};
  for (Frame& frame : frames) {
    frame.positions = {{}, {}};
  }
  REQUIRE(write(path, frames));
  const WholeTrajectory all = read_all({path});
  REQUIRE(all.frames.size() == 2);
  for (std::size_t k = 0; k < 2; ++k) {
    CHECK(all.frames[k].positions == std::vector<std::vector<double>>{{}});
    CHECK(all.frames[k].box == frames[k].box);
    CHECK(all.frames[k].time == frames[k].time);
  }
}

TEST_CASE("H5MD written: particles keep a known file order") {
  const TemporaryDirectory folder;
  Frame frame = some_frame(0);
  frame.order.resize(2);
  frame.order[0].row = {1, 4};
  frame.order[1].row = {2};
  const std::string path = folder.file("a.h5");
  REQUIRE(write(path, {frame}));
  CHECK(read_all({path}).frames[0].positions == some_frame(0).positions);
  const io::Hdf5Object file = io::open_hdf5_file(path);
  const io::Hdf5Object values =
      io::open_hdf5_dataset(file.get(), "particles/all/position/value");
  CHECK(io::read_hdf5_numbers<double>(values.get()) ==
        std::vector<double>{0.5, 1.5, 2.5, 1.0, 2.0, 3.0, 0.25, 0.75, 0.125});

  frame.order[1].row = {4};
  CHECK(missing(error_text<InputError>([&] { write(folder.file("b.h5"), {frame}); }),
                {"particle 4 is of two species, A and B"}) == "");
}

TEST_CASE("H5MD written: changing species get a row for each change") {
  const TemporaryDirectory folder;
  const std::string path = folder.file("a.h5");
  std::vector<Frame> frames{some_frame(0), some_frame(2), some_frame(4), some_frame(6)};
  const auto set_rows = [](Frame& frame, const std::vector<std::uint32_t>& a,
                           const std::vector<std::uint32_t>& b) {
    frame.order = {{a, {}}, {b, {}}};
  };
  set_rows(frames[0], {0, 1}, {2});
  set_rows(frames[1], {0, 1}, {2});
  set_rows(frames[2], {0, 2}, {1});
  set_rows(frames[3], {0}, {1, 2});
  std::swap(frames[3].positions[0], frames[3].positions[1]);
  REQUIRE(write(path, frames));
  const StoredH5md stored = stored_h5md(path);
  CHECK(stored.species ==
        std::vector<std::string>{"A", "A", "B", "A", "B", "A", "A", "B", "B"});
  CHECK(stored.steps == std::vector<std::int64_t>{0, 40, 60});
  const WholeTrajectory all = read_all({path});
  for (std::size_t k = 0; k < frames.size(); ++k) {
    CHECK(all.frames[k].positions == frames[k].positions);
  }
}

TEST_CASE("H5MD is written in single precision only if that is exact") {
  const TemporaryDirectory folder;
  std::vector<Frame> frames{some_frame(0), some_frame(1)};
  frames[1].positions[1][2] = 0.1;
  CHECK_FALSE(write(folder.file("a.h5"), frames));
  CHECK(std::filesystem::is_empty(folder.file("")));
  REQUIRE(write(folder.file("a.h5"), frames,
                {io::H5mdPrecision::full, io::H5mdEdges::matrix}));
  CHECK(read_all({folder.file("a.h5")}).frames[1].positions == frames[1].positions);
}

TEST_CASE("H5MD written: steps that do not increase are replaced by frame numbers") {
  const TemporaryDirectory folder;
  std::vector<Frame> frames{some_frame(0), some_frame(5)};
  frames[1].step = 0;
  REQUIRE(write(folder.file("a.h5"), frames));
  const WholeTrajectory all = read_all({folder.file("a.h5")});
  CHECK(all.frames[1].step == 5);
  CHECK(all.frames[1].box == frames[1].box);
}

TEST_CASE("H5MD written with boxes as vectors, partly periodic, and open") {
  const TemporaryDirectory folder;
  Frame frame = some_frame(0);
  const io::H5mdFormat vector{io::H5mdPrecision::single, io::H5mdEdges::vector};
  CHECK(missing(error_text<InputError>(
                    [&] { write(folder.file("a.h5"), {frame}, vector); }),
                {"frame 0", "--edges vector"}) == "");
  frame.box = Box({Vec3{5, 0, 0}, {0, 4, 0}, {0, 0, 3}}, {true, true, false});
  REQUIRE(write(folder.file("a.h5"), {frame, frame}, vector));
  CHECK(read_all({folder.file("a.h5")}).frames[1].box == frame.box);
  frame.box = Box();
  REQUIRE(write(folder.file("b.h5"), {frame}));
  CHECK(read_all({folder.file("b.h5")}).frames[0].box == Box());
}

TEST_CASE(
    "H5MD written: frames that differ from the first are refused, and the file is "
    "removed") {
  const TemporaryDirectory folder;
  Frame fewer = some_frame(7);
  fewer.positions[1].clear();
  CHECK(missing(error_text<InputError>([&] {
                  write(folder.file("a.h5"), {some_frame(0), fewer});
                }),
                {"frame 7 has 0 particles of B, the first frame 1"}) == "");
  Frame open = some_frame(7);
  open.box = Box();
  CHECK(missing(error_text<InputError>([&] {
                  write(folder.file("a.h5"), {some_frame(0), open});
                }),
                {"frame 7 is periodic along other axes"}) == "");
  CHECK(std::filesystem::is_empty(folder.file("")));
}

}  // namespace
}  // namespace starhist::testing

#include <cmath>

#include "codelets/core/base/error.hh"
#include "io/selection/species_groups.hh"
#include "tests/support/catch.hh"
#include "tests/support/error_text.hh"
#include "tests/support/gromacs_files.hh"
#include "tests/support/h5md_file.hh"
#include "tests/support/read_all.hh"
#include "tests/support/temporary_directory.hh"
#include "tests/support/test_location.hh"
#include "tests/support/text_trajectory.hh"

// TrajectoryReader::read_moment() of formats that skip the positions for it and of
// others, also through readers that join or group trajectories.

namespace starhist {
namespace {

using testing::data_file;

/// Returns "" if steps and times of all frames, read backwards, equal read()'s.
std::string difference_in_moments(const std::vector<std::string>& paths,
                                  const io::ReadOptions& options = {}) {
  const auto whole = testing::read_all(paths, options);
  const auto reader = io::open_trajectory(paths, options);
  Frame scratch;
  Frame frame;
  for (std::uint64_t k = whole.frames.size(); k-- > 0;) {
    const auto [step, time] = reader->read_moment(FrameIndex(k), scratch);
    if (step != whole.frames[k].step ||
        (time != whole.frames[k].time &&
         !(std::isnan(time) && std::isnan(whole.frames[k].time)))) {
      return paths.front() + ": frame " + std::to_string(k);
    }
    // read_moment() does not affect read().
    reader->read(FrameIndex(k), frame);
    if (frame.positions != whole.frames[k].positions ||
        !(frame.index == FrameIndex(k))) {
      return paths.front() + ": positions of frame " + std::to_string(k);
    }
  }
  return "";
}

TEST_CASE("read_moment() returns step and time of the frame") {
  const std::string water = data_file("water.h5");
  CHECK(difference_in_moments({water}) == "");
  CHECK(difference_in_moments({data_file("nacl-triclinic-npt.h5")}) == "");
  CHECK(difference_in_moments({data_file("spc.trr")}) == "");
  CHECK(difference_in_moments({water, water}) == "");
  const testing::TextTrajectory text(
      "1\nTime=2.5\nAr 0 0 0\n1\nTime=5\nAr 1 0 0\n1\nno time\nAr 1 0 0\n", "a.xyz");
  CHECK(difference_in_moments({text.path, text.path}) == "");
}

TEST_CASE("read_moment() returns step and time of text formats") {
  const testing::TextTrajectory gro(
      "water t= 1.5 step= 3\n1\n    1AR     AR    1   0.100   0.200   0.300\n"
      "   1.0   1.0   1.0\nno time\n1\n    1AR     AR    1   0.100   0.200   0.300\n"
      "   1.0   1.0   1.0\n",
      "a.gro");
  CHECK(difference_in_moments({gro.path}) == "");
  const std::string atom =
      "ATOM      1  AR  AR      1       1.000   2.000   3.000  1.00  0.00\n";
  const testing::TextTrajectory pdb(
      "TITLE     water t= 1.5 step= 3\n" + atom + "END\n" + atom + "END\n", "a.pdb");
  CHECK(difference_in_moments({pdb.path}) == "");
  const std::string dump =
      "10\nITEM: NUMBER OF ATOMS\n1\nITEM: BOX BOUNDS pp pp pp\n0 9\n0 9\n0 9\n"
      "ITEM: ATOMS type x y z\n1 1 2 3\n";
  const testing::TextTrajectory lammps(
      "ITEM: TIMESTEP\n" + dump + "ITEM: TIME\n0.5\nITEM: TIMESTEP\n2" + dump,
      "a.dump");
  CHECK(difference_in_moments({lammps.path}) == "");
  for (const std::string& path : {gro.path, pdb.path, lammps.path}) {
    CHECK(io::open_trajectory({path}, {})->info().lists_moments);
  }
}

TEST_CASE("read_moment() returns the same with grouped species") {
  const std::string water = data_file("water.h5");
  for (const char* rules : {"W=O H", "W=name O; ALL=all", "C=index 1-30"}) {
    INFO(rules);
    io::ReadOptions options;
    options.species = io::parse_species_groups(rules);
    CHECK(difference_in_moments({water}, options) == "");
    CHECK(difference_in_moments({water, water}, options) == "");
  }
}

TEST_CASE("read_moment() returns the times of XTC and TNG") {
  if (testing::has_libgromacs()) {
    CHECK(difference_in_moments({data_file("spc.xtc")}) == "");
    CHECK(difference_in_moments({data_file("spc.xtc"), data_file("spc.xtc")}) == "");
    CHECK(difference_in_moments({data_file("spc.tng")}) == "");
  }
}

TEST_CASE("H5MD: the time of a frame with unreadable positions is read") {
  testing::SmallTrajectory small = testing::small_trajectory(3);
  small.positions[1][0] = std::nan("");
  const testing::TemporaryDirectory folder;
  write_h5md(folder.file("a.h5"), small);
  const auto reader = io::open_trajectory({folder.file("a.h5")}, {});
  Frame scratch;
  CHECK(reader->read_moment(FrameIndex(1), scratch).time == 0.5);
  CHECK_THROWS_AS(reader->read(FrameIndex(1), scratch), InputError);
}

}  // namespace
}  // namespace starhist

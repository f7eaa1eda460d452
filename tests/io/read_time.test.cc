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

// TrajectoryReader::read_time() of formats that skip the positions for it and of
// others, also through readers that join or group trajectories.

namespace starhist {
namespace {

using testing::data_file;

/// Returns "" if the times of all frames, read backwards, equal read()'s.
std::string difference_in_times(const std::vector<std::string>& paths,
                                const io::ReadOptions& options = {}) {
  const auto whole = testing::read_all(paths, options);
  const auto reader = io::open_trajectory(paths, options);
  Frame scratch;
  Frame frame;
  for (std::uint64_t k = whole.frames.size(); k-- > 0;) {
    const double time = reader->read_time(FrameIndex(k), scratch);
    if (time != whole.frames[k].time &&
        !(std::isnan(time) && std::isnan(whole.frames[k].time))) {
      return paths.front() + ": frame " + std::to_string(k);
    }
    // read_time() does not affect read().
    reader->read(FrameIndex(k), frame);
    if (frame.positions != whole.frames[k].positions ||
        !(frame.index == FrameIndex(k))) {
      return paths.front() + ": positions of frame " + std::to_string(k);
    }
  }
  return "";
}

TEST_CASE("read_time() returns the time of the frame") {
  const std::string water = data_file("water.h5");
  CHECK(difference_in_times({water}) == "");
  CHECK(difference_in_times({data_file("nacl-triclinic-npt.h5")}) == "");
  CHECK(difference_in_times({data_file("spc.trr")}) == "");
  CHECK(difference_in_times({water, water}) == "");
  const testing::TextTrajectory text(
      "1\nTime=2.5\nAr 0 0 0\n1\nTime=5\nAr 1 0 0\n1\nno time\nAr 1 0 0\n", "a.xyz");
  CHECK(difference_in_times({text.path, text.path}) == "");
}

TEST_CASE("read_time() returns the same with grouped species") {
  const std::string water = data_file("water.h5");
  for (const char* rules : {"W=O H", "W=name O; ALL=all", "C=index 1-30"}) {
    INFO(rules);
    io::ReadOptions options;
    options.species = io::parse_species_groups(rules);
    CHECK(difference_in_times({water}, options) == "");
    CHECK(difference_in_times({water, water}, options) == "");
  }
}

TEST_CASE("read_time() returns the times of XTC and TNG") {
  if (testing::has_libgromacs()) {
    CHECK(difference_in_times({data_file("spc.xtc")}) == "");
    CHECK(difference_in_times({data_file("spc.xtc"), data_file("spc.xtc")}) == "");
    CHECK(difference_in_times({data_file("spc.tng")}) == "");
  }
}

TEST_CASE("H5MD: the time of a frame with unreadable positions is read") {
  testing::SmallTrajectory small = testing::small_trajectory(3);
  small.positions[1][0] = std::nan("");
  const testing::TemporaryDirectory folder;
  write_h5md(folder.file("a.h5"), small);
  const auto reader = io::open_trajectory({folder.file("a.h5")}, {});
  Frame scratch;
  CHECK(reader->read_time(FrameIndex(1), scratch) == 0.5);
  CHECK_THROWS_AS(reader->read(FrameIndex(1), scratch), InputError);
}

}  // namespace
}  // namespace starhist

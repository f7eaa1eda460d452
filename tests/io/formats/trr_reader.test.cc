// TRR: float and double to the bit, frames without positions, errors.
#include <algorithm>

#include "tests/support/catch.hh"
#include "tests/support/gromacs_files.hh"
#include "tests/support/text_trajectory.hh"

namespace starhist::testing {
namespace {

const std::vector<double> some{0.1, 1.0 / 3.0, 1e-9, -2.0, 3.5, 4.25};
const std::vector<double> other{0.7, 0.2, 0.3, 0.1, 0.5, 0.4};

TEST_CASE("TRR in double keeps every bit, and frames without positions are skipped") {
  const TextTrajectory file(trr_frame(some, 10, 0.1) +
                            trr_frame(other, 15, 0.15, true) +
                            trr_frame(other, 20, 0.2));
  const WholeTrajectory all = read_all({file.path});
  CHECK(all.info.format == "GROMACS TRR");
  REQUIRE(all.frames.size() == 2);
  CHECK(all.frames[0].positions.at(0) == some);
  CHECK(all.frames[1].positions.at(0) == other);
  CHECK(all.frames[1].step == 20);
  CHECK(all.frames[1].time == 0.2);
  CHECK(all.frames[0].box == Box::from_lengths_and_angles({5, 5, 5}, {90, 90, 90}));
}

TEST_CASE("TRR without any positions is refused") {
  const TextTrajectory file(trr_frame(some, 0, 0.0, true), "v.trr");
  CHECK(missing(read_error(file.path),
                {"v.trr: its frames have velocities or forces, but not positions"}) ==
        "");
}

TEST_CASE("TRR in float keeps every bit of positions, and times as decimals") {
  const std::vector<float> values{0.1F, 1.0F / 3.0F, 1e-9F};
  const TextTrajectory file(trr_frame(values, 10, 0.1F));
  const WholeTrajectory all = read_all({file.path});
  CHECK(all.frames.at(0).positions.at(0) ==
        std::vector<double>(values.begin(), values.end()));
  CHECK(all.frames[0].time == 0.1);
}

TEST_CASE("TRR truncated anywhere: complete frames are read") {
  const std::string frame = trr_frame(some, 10, 0.1);
  const std::string text = frame + frame;
  for (std::size_t size = 1; size < text.size(); ++size) {
    const TextTrajectory file(text.substr(0, size), "a.trr");
    INFO(size << " bytes");
    if (size < 4) {
      CHECK(read_error(file.path) != "");
    } else if (size < frame.size()) {
      CHECK(missing(read_error(file.path), {"a.trr: has no whole frame"}) == "");
    } else {
      const WholeTrajectory all = read_all({file.path});
      REQUIRE(all.frames.size() == 1);
      CHECK(all.frames[0].positions.at(0) == some);
      REQUIRE(all.info.truncation.size() == (size == frame.size() ? 0 : 1));
      if (size > frame.size()) {
        CHECK(missing(all.info.truncation[0], {"frame 1 is cut off at byte"}) == "");
      }
    }
  }
}

TEST_CASE("damaged TRR: earlier frames are read, and the damage is described") {
  const std::string frame = trr_frame(some, 10, 0.1);
  const auto sentence = [&](const std::string& second) {
    const WholeTrajectory all = read_all({TextTrajectory(frame + second).path});
    CHECK(all.frames.size() == 1);
    return all.info.truncation.empty() ? "" : all.info.truncation[0];
  };
  std::string version = frame;
  version[12] = 'X';
  CHECK(missing(sentence(version), {"frame 1 is damaged", "version is unknown"}) == "");
  std::string size = frame;
  size[24 + 4 * 7 + 3] = 47;
  CHECK(missing(sentence(size), {"frame 1 is damaged", "2 atoms"}) == "");
  CHECK(missing(sentence(std::string(200, '\0')), {"no frame begins with 0"}) == "");

  const TextTrajectory between(frame + trr_frame<double>({1, 2, 3}, 11, 1) +
                               trr_frame(some, 12, 2.0));
  const auto reader = io::open_trajectory({between.path}, {});
  REQUIRE(reader->info().frame_count == 3);
  Frame read;
  CHECK(missing(error_text<InputError>([&] { reader->read(FrameIndex(1), read); }),
                {"frame 1", "has 1 atoms, the frames before it 2"}) == "");
  CHECK_NOTHROW(reader->read(FrameIndex(2), read));

  const TextTrajectory lost(trr_frame<double>({0, 0, 0, 0, 0, 0}, 1, 1));
  CHECK(missing(read_error(lost.path), {"frame 0", "positions are lost"}) == "");
}

}  // namespace
}  // namespace starhist::testing

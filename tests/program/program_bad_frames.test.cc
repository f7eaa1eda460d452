#include <cmath>
#include <limits>

#include "tests/program/json_value.hh"
#include "tests/program/rdf_runner.hh"
#include "tests/support/catch.hh"
#include "tests/support/h5md_file.hh"
#include "tests/support/special_numbers.hh"

// Invalid frames and boxes, at the start, in the middle, and left out.

namespace starhist::testing {
namespace {

using testing::infinity;

using Words = RdfRunner::Words;
using Expected = std::initializer_list<const char*>;
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// rdf of a trajectory that a test damages.
struct BadTrajectory {
  RdfRunner rdf;
  std::string path = rdf.file("traj.h5");

  explicit BadTrajectory(const SmallTrajectory& trajectory = small_trajectory()) {
    write_h5md(path, trajectory);
  }
  HdfFile edit() const { return HdfFile(path, HdfFile::Mode::edit); }
  ProgramRun run(const Words& more = {}) const {
    Words arguments{path, "--r-max", "1", "--bins", "50"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return rdf.run(arguments);
  }
  std::string refusal(Expected words) const {
    const ProgramRun program = run();
    const std::string problem = refusal_problem(rdf, program, {path.c_str()});
    return problem.empty() ? missing(program.err, words) : problem;
  }
};

/// Ten frames; the one with index 7 has a NaN.
SmallTrajectory bad_in_the_middle() {
  SmallTrajectory small = small_trajectory(10);
  small.positions[7][4] = nan;
  return small;
}

TEST_CASE("positions that are not finite are reported with frame and particle") {
  for (const double value : {nan, infinity, -infinity}) {
    for (std::size_t component = 0; component < 3; ++component) {
      SmallTrajectory small = small_trajectory();
      small.positions[1][3 * 3 + component] = value;
      CHECK(BadTrajectory(small).refusal(
                {"frame 1", "particle 3", std::isnan(value) ? "nan" : "inf"}) == "");
    }
  }
}

TEST_CASE("a frame of zeros counts as never written") {
  SmallTrajectory small = small_trajectory();
  small.positions[2].assign(15, 0.0);
  CHECK(BadTrajectory(small).refusal({"frame 2", "particles 0 to", "(0, 0, 0)"}) == "");
}

TEST_CASE("boxes without volume are refused") {
  const BadTrajectory bad;
  const auto refused = [&](const std::vector<double>& edges, Expected words) {
    bad.edit().numbers(
        "particles/all/box/edges",
        edges.size() == 3 ? std::vector<hsize_t>{3} : std::vector<hsize_t>{3, 3},
        edges);
    return bad.refusal(words);
  };
  CHECK(refused({0, 0, 0}, {"frame 0", "box", "length 0"}) == "");
  CHECK(refused({3, nan, 3}, {"frame 0", "box", "nan"}) == "");
  CHECK(refused({3, 3, infinity}, {"frame 0", "box", "inf"}) == "");
  CHECK(refused({3, -2, 3}, {"frame 0", "box", "-2"}) == "");
  CHECK(refused({3, 0, 0, 3, 3, 0, 6, 3, 0}, {"frame 0", "box", "flat"}) == "");
  CHECK(refused({3, 0, 0, 0, 0, 0, 0, 0, 3}, {"frame 0", "box", "(0, 0, 0)"}) == "");
}

TEST_CASE("a missing box, or a periodic one without edges, is refused") {
  const BadTrajectory bad;
  SECTION("edges") {
    bad.edit().remove("particles/all/box/edges");
    CHECK(bad.refusal({"periodic", "no edges", "--box"}) == "");
  }
  SECTION("boundary") {
    bad.edit().remove_attribute("particles/all/box", "boundary");
    CHECK(bad.refusal({"no boundary", "--box"}) == "");
  }
  SECTION("box") {
    bad.edit().remove("particles/all/box");
    CHECK(bad.refusal({"no box", "--box"}) == "");
  }
  SECTION("a boundary of another kind") {
    bad.edit().remove_attribute("particles/all/box", "boundary");
    bad.edit().text_attribute("particles/all/box", "boundary", {3},
                              {"periodic", "mirror", "none"});
    CHECK(bad.refusal({"mirror"}) == "");
  }
  CHECK(bad.run({"--box", "3,4,5"}).exit_code == 0);
}

TEST_CASE("frames that are periodic along different axes cannot be combined") {
  const BadTrajectory bad;
  const std::string open = bad.rdf.file("open.h5");
  write_h5md(open, small_trajectory());
  {
    HdfFile file(open, HdfFile::Mode::edit);
    file.remove_attribute("particles/all/box", "boundary");
    file.text_attribute("particles/all/box", "boundary", {3}, {"none", "none", "none"});
  }
  CHECK(refusal_problem(bad.rdf, bad.run({open}), {"frame 3", "frame 0", "--box"}) ==
        "");
  CHECK(bad.run({open, "--box", "none"}).exit_code == 0);
}

TEST_CASE("a frame that turns bad leaves no files if no block was complete") {
  const BadTrajectory bad(bad_in_the_middle());
  CHECK(bad.refusal({"frame 7", "particle 1", "nan"}) == "");
}

TEST_CASE("a frame that turns bad leaves the earlier blocks, as partial") {
  const BadTrajectory bad(bad_in_the_middle());
  const ProgramRun run = bad.run({"--block", "2"});
  CHECK(run.exit_code == 1);
  CHECK(missing(run.err, {bad.path.c_str(), "frame 7", "particle 1"}) == "");
  CHECK_FALSE(bad.rdf.has_output());
  REQUIRE(bad.rdf.has_partial());

  const io::ResultFile partial = io::read_result(bad.rdf.partial());
  CHECK(partial.state == io::ResultState::partial);
  const BadTrajectory good(small_trajectory(6));
  REQUIRE(good.run({"--block", "2"}).exit_code == 0);
  const io::ResultFile expected = good.rdf.result();
  REQUIRE(partial.blocks.size() == 3);
  for (std::size_t b = 0; b < 3; ++b) {
    CHECK(partial.blocks[b].counts == expected.blocks[b].counts);
  }
  CHECK(missing(run_program({"info", bad.rdf.partial()}).out,
                {"partial", "blocks       3"}) == "");
}

TEST_CASE("rdf --skip-bad-frames counts the others and returns exit code 3") {
  const BadTrajectory bad(bad_in_the_middle());
  const std::string json = bad.rdf.file("summary.json");
  const ProgramRun run = bad.run({"--skip-bad-frames", "--json", json, "--block", "4"});
  CHECK(run.exit_code == 3);
  CHECK(missing(run.err, {"9 frames", "left out", "frame 7", "particle 1"}) == "");
  CHECK(json_value(json, "d['frames'], len(d['skipped_frames'])") == "9 1");
  const ProgramRun quiet = bad.run({"--skip-bad-frames", "--block", "4", "-q", "-f"});
  CHECK(quiet.exit_code == 3);
  CHECK(missing(quiet.err, {"starhist: 1 frame was left out", "frame 7", "particle 1",
                            "the exit code is 3"}) == "");
  const ProgramRun finished =
      bad.run({"--skip-bad-frames", "--block", "4", "-q", "--resume"});
  CHECK(finished.exit_code == 3);
  CHECK(missing(finished.err, {"lacks 1 frame", "the exit code is 3"}) == "");

  SmallTrajectory others = small_trajectory(10);
  others.positions.erase(others.positions.begin() + 7);
  const BadTrajectory good(others);
  REQUIRE(good.run({"--block", "1"}).exit_code == 0);
  const std::vector<BlockCounts> frames = good.rdf.result().blocks;
  const io::ResultFile result = bad.rdf.result();
  REQUIRE(result.blocks.size() == 3);
  // Frames 0 to 3; 4 to 7 without 7; 8 and 9.
  const std::size_t ends[] = {0, 4, 7, 9};
  for (std::size_t b = 0; b < 3; ++b) {
    const BlockCounts expected =
        total({frames.begin() + static_cast<std::ptrdiff_t>(ends[b]),
               frames.begin() + static_cast<std::ptrdiff_t>(ends[b + 1])});
    CHECK(result.blocks[b].frames == expected.frames);
    CHECK(result.blocks[b].counts == expected.counts);
    CHECK(result.blocks[b].out_of_range == expected.out_of_range);
  }
  CHECK(result.blocks[1].last_frame.get() == 6);
}

TEST_CASE("rdf --skip-bad-frames without a bad frame is an ordinary run") {
  const BadTrajectory good;
  CHECK(good.run({"--skip-bad-frames"}).exit_code == 0);
}

TEST_CASE("rdf --skip-bad-frames with no good frame has no result") {
  SmallTrajectory small = small_trajectory(2);
  small.positions[0][0] = nan;
  small.positions[1][0] = nan;
  const BadTrajectory bad(small);
  CHECK(refusal_problem(bad.rdf, bad.run({"--skip-bad-frames"}),
                        {"no selected frame", "frame 0", "nan"}) == "");
}

TEST_CASE("a real trajectory that was cut and padded loses frames, not counts") {
  const RdfRunner rdf;
  const std::string path = rdf.file("cut.h5");
  std::filesystem::copy_file(data_file("water.h5"), path);
  const auto size = std::filesystem::file_size(path);
  std::filesystem::resize_file(path, size * 8 / 10);
  std::filesystem::resize_file(path, size);
  const ProgramRun run = rdf.run({path, "--box", "3,3,3", "--r-max", "1", "--bins",
                                  "50", "--skip-bad-frames", "--block", "1"});
  INFO(run.err);
  REQUIRE(run.exit_code == 3);
  const RdfRunner whole;
  REQUIRE(
      whole.run({data_file("water.h5"), "--r-max", "1", "--bins", "50", "--block", "1"})
          .exit_code == 0);
  const io::ResultFile expected = whole.result();
  const io::ResultFile result = rdf.result();
  CHECK(result.blocks.size() > 20);
  CHECK(result.blocks.size() < expected.blocks.size());
  for (const BlockCounts& block : result.blocks) {
    CHECK(block.counts == expected.blocks[block.first_frame.index()].counts);
  }
}

}  // namespace
}  // namespace starhist::testing

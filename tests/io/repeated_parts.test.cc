#include <deque>
#include <string>
#include <vector>

#include "codelets/core/base/error.hh"
#include "io/trajectory/joined/joined_trajectory.hh"
#include "tests/support/catch.hh"
#include "tests/support/error_text.hh"
#include "tests/support/read_all.hh"
#include "tests/support/text_trajectory.hh"

// Parts of trajectories whose times restart, lack, or do not rise from part to part.

namespace starhist::testing {
namespace {

/// A frame of a LAMMPS dump of two atoms whose positions depend on the step. `turned`:
/// the second atom is written first. `time`: of the item TIME; "": without it.
std::string dumped(int step, bool turned = false, const std::string& time = "") {
  const std::string x = std::to_string(0.01 * step);
  const std::string first = "1 1 " + x + " 1 1\n";
  const std::string second = "2 1 4 " + x + " 2\n";
  return (time.empty() ? "" : "ITEM: TIME\n" + time + "\n") + "ITEM: TIMESTEP\n" +
         std::to_string(step) +
         "\nITEM: NUMBER OF ATOMS\n2\nITEM: BOX BOUNDS pp pp pp\n0 9\n0 9\n0 9\n"
         "ITEM: ATOMS id type x y z\n" +
         (turned ? second + first : first + second);
}

/// A dump of the steps first, first + every, ... last. `restart_time`: with times that
/// begin at 0.
std::string dump_of_steps(int first, int last, int every, bool turned = false,
                          bool restart_time = false) {
  std::string text;
  for (int step = first; step <= last; step += every) {
    text += dumped(step, turned,
                   restart_time ? std::to_string(step - first) : std::string());
  }
  return text;
}

/// The steps of all frames that are read.
std::vector<std::int64_t> steps_of(
    const std::vector<std::string>& texts,
    io::RepeatedFrames repeated = io::RepeatedFrames::drop) {
  std::deque<TextTrajectory> files;
  std::vector<std::string> paths;
  for (const std::string& text : texts) {
    files.emplace_back(text, (std::to_string(files.size()) + ".dump").c_str());
    paths.push_back(files.back().path);
  }
  io::ReadOptions options;
  options.repeated = repeated;
  const WholeTrajectory all = read_all(paths, options);
  CHECK(all.info.truncation.empty());
  std::vector<std::int64_t> steps;
  for (const Frame& frame : all.frames) {
    steps.push_back(frame.step);
  }
  return steps;
}

std::string refusal_of_parts(const std::vector<std::string>& texts) {
  return error_text<InputError>([&] { steps_of(texts); });
}

using Steps = std::vector<std::int64_t>;

TEST_CASE("repeated frames are found whatever the order of their particles") {
  const std::string before = dump_of_steps(0, 30, 10);
  const std::string after = dump_of_steps(20, 50, 10, /*turned=*/true);
  CHECK(steps_of({before, after}) == Steps{0, 10, 20, 30, 40, 50});
  CHECK(steps_of({before + after}) == Steps{0, 10, 20, 30, 40, 50});
  CHECK(missing(refusal_of_parts({dump_of_steps(0, 30, 10), dump_of_steps(60, 90, 10),
                                  dump_of_steps(30, 60, 10, true)}),
                {"would count twice", "in the order of their times"}) == "");
}

TEST_CASE("frames that fill a gap of an earlier part are not taken for repeated ones") {
  const std::string one = dump_of_steps(0, 30, 10);
  const std::string two = dump_of_steps(30, 60, 10);
  const std::string three = dump_of_steps(60, 90, 10);
  for (const std::vector<std::string>& texts :
       {std::vector{one + three + two},
        {one + three, two},
        {dump_of_steps(0, 60, 30), dump_of_steps(30, 80, 10)}}) {
    CHECK(missing(refusal_of_parts(texts),
                  {"lacks some of its frames", "step 40", "--repeated keep"}) == "");
  }
  CHECK(steps_of({one + three + two}, io::RepeatedFrames::keep).size() == 12);
  CHECK(steps_of({one + two + three}).size() == 10);
  CHECK(steps_of({dump_of_steps(0, 60, 10), dump_of_steps(30, 90, 30)}) ==
        Steps{0, 10, 20, 30, 40, 50, 60, 90});
}

TEST_CASE("times that restart at 0 while steps continue repeat only equal frames") {
  const auto part = [](int first, int last) {
    return dump_of_steps(first, last, 10, /*turned=*/false, /*restart_time=*/true);
  };
  CHECK(steps_of({part(0, 30), part(30, 60), part(60, 80)}) ==
        Steps{0, 10, 20, 30, 40, 50, 60, 70, 80});
  CHECK(steps_of({part(0, 30) + part(30, 60) + part(60, 80)}).size() == 9);
  CHECK(steps_of({part(0, 30), part(20, 60)}) == Steps{0, 10, 20, 30, 40, 50, 60});
  // without a common step, as of two runs
  CHECK(steps_of({part(0, 30), part(45, 75)}).size() == 8);
  CHECK(missing(refusal_of_parts({part(0, 30), part(60, 80), part(30, 60)}),
                {"would count twice"}) == "");
}

TEST_CASE("files without steps and times join at a repeated frame") {
  const auto frame = [](double x) { return "1\n\nAr 0 0 " + std::to_string(x) + "\n"; };
  const TextTrajectory one(frame(1) + frame(2) + frame(3), "one.xyz");
  const TextTrajectory two(frame(3) + frame(4), "two.xyz");
  const TextTrajectory other(frame(5) + frame(6), "other.xyz");
  const WholeTrajectory joined = read_all({one.path, two.path, other.path});
  CHECK(joined.frames.size() == 6);
  REQUIRE(joined.info.remarks.size() == 1);
  CHECK(missing(joined.info.remarks[0],
                {"two.xyz", "its first frame repeats the last one of", "one.xyz",
                 "left out"}) == "");
  // particles at rest
  const TextTrajectory rest(frame(3) + frame(3), "rest.xyz");
  const TextTrajectory still(frame(3) + frame(3) + frame(3), "still.xyz");
  CHECK(read_all({rest.path, still.path}).frames.size() == 5);
}

}  // namespace
}  // namespace starhist::testing

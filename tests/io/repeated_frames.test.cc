#include "io/trajectory/joined/repeated_frames.hh"

#include <algorithm>
#include <cmath>
#include <memory>

#include "codelets/core/base/error.hh"
#include "io/selection/species_groups.hh"
#include "io/trajectory/joined/joined_trajectory.hh"
#include "tests/support/catch.hh"
#include "tests/support/error_text.hh"
#include "tests/support/gromacs_files.hh"
#include "tests/support/read_all.hh"
#include "tests/support/test_location.hh"
#include "tests/support/text_trajectory.hh"

namespace starhist::testing {
namespace {

/// An XYZ file with a frame for each of these comments.
class Part {
 public:
  explicit Part(const std::vector<std::string>& comments, const std::string& name)
      : file_(text(comments), name.c_str()), path(file_.path) {}

 private:
  static std::string text(const std::vector<std::string>& comments) {
    std::string all;
    for (const std::string& comment : comments) {
      all += "1\n" + comment + "\nAr 0 0 0\n";
    }
    return all;
  }
  TextTrajectory file_;

 public:
  const std::string path;
};

std::vector<double> times(const std::vector<std::string>& paths,
                          io::RepeatedFrames repeated = io::RepeatedFrames::drop) {
  io::ReadOptions options;
  options.repeated = repeated;
  std::vector<double> all;
  for (const Frame& frame : read_all(paths, options).frames) {
    all.push_back(frame.time);
  }
  return all;
}

using Times = std::vector<double>;

TEST_CASE("a frame repeated by a continuation is read once") {
  const Part a({"Step=0 Time=0", "Step=10 Time=1"}, "a.xyz");
  const Part b({"Step=10 Time=1", "Step=20 Time=2"}, "b.xyz");
  const Part c({"Step=20 Time=2"}, "c.xyz");
  const Part d({"Step=20 Time=2", "Step=30 Time=3"}, "d.xyz");
  CHECK(times({a.path, b.path}) == Times{0, 1, 2});
  CHECK(times({a.path, b.path, c.path, d.path}) == Times{0, 1, 2, 3});
  CHECK(times({a.path, b.path, c.path}) == Times{0, 1, 2});
  CHECK(times({a.path, b.path}, io::RepeatedFrames::keep) == Times{0, 1, 1, 2});
  const auto whole = read_all({a.path, b.path});
  REQUIRE(whole.info.remarks.size() == 1);
  CHECK(missing(whole.info.remarks[0],
                {b.path.c_str(), "repeats the last one of", a.path.c_str(),
                 "(step 10, time 1)", "left out", "--repeated keep"}) == "");
  CHECK(missing(error_text<InputError>([&] {
                  times({a.path, b.path}, io::RepeatedFrames::fail);
                }),
                {b.path.c_str(), "repeats", "--repeated is fail"}) == "");
}

TEST_CASE("frames with other times or steps are not repetitions") {
  const Part a({"Step=0 Time=0", "Step=10 Time=1"}, "a.xyz");
  const Part other_step({"Step=11 Time=1"}, "b.xyz");
  const Part other_time({"Step=10 Time=1.5"}, "c.xyz");
  CHECK(times({a.path, other_step.path}) == Times{0, 1, 1});
  CHECK(times({a.path, other_time.path}) == Times{0, 1, 1.5});
}

TEST_CASE("any number of frames repeated by a continuation are read once") {
  const Part a({"Step=0 Time=0", "Step=10 Time=1", "Step=20 Time=2"}, "a.xyz");
  const Part b({"Step=10 Time=1", "Step=20 Time=2", "Step=30 Time=3"}, "b.xyz");
  CHECK(times({a.path, b.path}) == Times{0, 1, 2, 3});
  const auto whole = read_all({a.path, b.path});
  REQUIRE(whole.info.remarks.size() == 1);
  CHECK(missing(whole.info.remarks[0], {"b.xyz", "first 2 frames repeat times of",
                                        "a.xyz", "from step 10, time 1"}) == "");
  CHECK(missing(error_text<InputError>([&] {
                  times({a.path, b.path}, io::RepeatedFrames::fail);
                }),
                {"first 2 frames repeat", "--repeated is fail"}) == "");
}

/// Counts the frames that are read.
class CountedReader : public io::TrajectoryReader {
 public:
  CountedReader(const std::string& path, int& reads)
      : reader_(io::open_trajectory({path}, {})), reads_(reads) {}
  const io::TrajectoryInfo& info() const override { return reader_->info(); }
  void read(FrameIndex index, Frame& frame) override {
    ++reads_;
    reader_->read(index, frame);
  }
  StepAndTime read_moment(FrameIndex index, Frame& scratch) override {
    return reader_->read_moment(index, scratch);
  }

 private:
  std::unique_ptr<io::TrajectoryReader> reader_;
  int& reads_;
};

TEST_CASE("a long overlap is found without reading all of its frames") {
  std::vector<std::string> comments;
  for (int time = 0; time < 1500; ++time) {
    comments.push_back("Time=" + std::to_string(time));
  }
  const Part a({comments.begin(), comments.begin() + 1000}, "a.xyz");
  const int begin = GENERATE(1, 100, 998);
  const Part b({comments.begin() + begin, comments.end()}, "b.xyz");
  int reads = 0;
  const io::JoinedTrajectory joined({a.path, b.path},
                                    [&reads](const std::string& path) {
                                      return std::make_unique<CountedReader>(path,
                                                                             reads);
                                    },
                                    {});
  CHECK(joined.info().frame_count == 1500);
  CHECK(reads < 50);
}

TEST_CASE("frames of an overlap that cannot be read are left out with it") {
  const auto frame = [](int time) {
    return "1\nTime=" + std::to_string(time) + "\nAr 0 0 1\n";
  };
  const std::string bad = "1\nTime=0\nAr nan 0 0\n";
  const std::string first = frame(1) + frame(2) + frame(3) + frame(4) + frame(5);
  const TextTrajectory a(first, "a.xyz");
  const auto frames_with = [&](const std::string& second) {
    const TextTrajectory b(second, "b.xyz");
    return io::open_trajectory({a.path, b.path}, {})->info().frame_count;
  };
  CHECK(frames_with(frame(2) + frame(3) + bad + bad + frame(5) + frame(6)) == 6);
  CHECK(frames_with(frame(2) + bad + bad + bad + bad + frame(6)) == 6);
  CHECK(frames_with(frame(2) + frame(3) + frame(6) + bad + bad + bad) == 9);
  CHECK(frames_with(frame(2) + bad + bad + bad) == 5);
}

/// A frame of one atom at x = time / 10 + shift.
std::string frame_at(const std::string& comment, double x) {
  return "1\n" + comment + "\nAr 0 0 " + std::to_string(x) + "\n";
}

/// A run with the frames at times begin .. end - 1. `shift`: positions of another run.
std::string run_text(int begin, int end, double shift = 0.0) {
  std::string text;
  for (int time = begin; time < end; ++time) {
    text +=
        frame_at("Step=" + std::to_string(10 * time) + " Time=" + std::to_string(time),
                 0.1 * time + shift);
  }
  return text;
}

/// Returns a run without times.
std::string stepped_text(int begin, int end, double shift = 0.0) {
  std::string text;
  for (int step = begin; step < end; ++step) {
    text += frame_at("Step=" + std::to_string(step), 0.1 * step + shift);
  }
  return text;
}

/// The frames' times, steps and first coordinates.
std::vector<std::string> frames_of(const std::vector<std::string>& paths) {
  std::vector<std::string> all;
  for (const Frame& frame : read_all(paths, {}).frames) {
    all.push_back(io::moment_text({frame.step, frame.time}, "") + " at " +
                  std::to_string(frame.positions[0][2]));
  }
  return all;
}

TEST_CASE("frames repeated within a file are treated like frames of several files") {
  const auto parts =
      GENERATE(std::vector{run_text(0, 7), run_text(5, 11)},  // a restarted run
               std::vector{run_text(0, 7), run_text(6, 11)},
               std::vector{run_text(0, 7), run_text(0, 7)},
               std::vector{run_text(0, 7), run_text(0, 9)},
               std::vector{run_text(0, 7), run_text(0, 7, 3.0)},
               std::vector{run_text(0, 7),
                           run_text(5, 11, 3.0)},  // continued from before its end
               std::vector{run_text(0, 7), run_text(5, 8), run_text(6, 11)},
               std::vector{run_text(0, 7), run_text(0, 7, 3.0), run_text(0, 7)},
               std::vector{stepped_text(0, 7), stepped_text(5, 11)},
               std::vector{stepped_text(0, 7), stepped_text(0, 7)},
               std::vector{stepped_text(3, 8), stepped_text(3, 8, 3.0)});
  std::string joined;
  std::vector<std::unique_ptr<TextTrajectory>> files;
  std::vector<std::string> paths;
  for (const std::string& part : parts) {
    joined += part;
    files.push_back(
        std::make_unique<TextTrajectory>(part, std::to_string(files.size()) + ".xyz"));
    paths.push_back(files.back()->path);
  }
  const TextTrajectory whole(joined, "whole.xyz");
  INFO(joined);
  const std::vector<std::string> expected = frames_of(paths);
  CHECK(frames_of({whole.path}) == expected);
  CHECK(frames_of({whole.path, whole.path}) == expected);
  CHECK(frames_of({paths[0], whole.path}) == expected);
  CHECK_FALSE(read_all({whole.path}).info.remarks.size() +
                  read_all({whole.path}).info.truncation.size() ==
              0);
  const auto lines =
      static_cast<std::size_t>(std::count(joined.begin(), joined.end(), '\n'));
  CHECK(times({whole.path}, io::RepeatedFrames::keep).size() == lines / 3);
}

TEST_CASE("messages about parts of a file contain their first frame") {
  const TextTrajectory file(run_text(0, 7) + run_text(5, 11), "restart.xyz");
  const auto info = io::open_trajectory({file.path}, {})->info();
  REQUIRE(info.remarks.size() == 1);
  CHECK(missing(info.remarks[0], {"restart.xyz from frame 7 on",
                                  "first 2 frames repeat times of an "
                                  "earlier part (from step 50, time 5)",
                                  "left out", "--repeated keep"}) == "");
  CHECK(missing(error_text<InputError>(
                    [&] { times({file.path}, io::RepeatedFrames::fail); }),
                {"from frame 7 on", "--repeated is fail"}) == "");
  std::string many;
  for (int part = 0; part < 9; ++part) {
    many += run_text(2 * part, 2 * part + 4);
  }
  const TextTrajectory parts(many, "many.xyz");
  const auto remarks = io::open_trajectory({parts.path}, {})->info().remarks;
  REQUIRE(remarks.size() == 4);
  CHECK(missing(remarks[3], {"many.xyz", "5 more of its parts"}) == "");
}

TEST_CASE("frames in any order are a set of snapshots, which all count") {
  const auto frame = [](int time, double x) {
    return frame_at("Time=" + std::to_string(time), x);
  };
  const std::string shuffled =
      frame(5, 0.1) + frame(2, 0.2) + frame(9, 0.3) + frame(3, 0.4) + frame(7, 0.5);
  const TextTrajectory set(shuffled, "set.xyz");
  CHECK(times({set.path}) == Times{5, 2, 9, 3, 7});
  CHECK(times({set.path}, io::RepeatedFrames::fail).size() == 5);
  const auto remarks = io::open_trajectory({set.path}, {})->info().remarks;
  REQUIRE(remarks.size() == 1);
  CHECK(missing(remarks[0], {"set.xyz", "2 of its 5 frames", "all count"}) == "");
  const TextTrajectory twice(shuffled + frame(2, 0.2), "twice.xyz");
  CHECK(times({twice.path}).size() == 6);
  CHECK(missing(io::open_trajectory({twice.path}, {})->info().remarks.at(0),
                {"1 have step and time of an earlier one", "count twice"}) == "");
  CHECK(missing(error_text<InputError>(
                    [&] { times({twice.path}, io::RepeatedFrames::fail); }),
                {"twice.xyz", "--repeated is fail"}) == "");
}

TEST_CASE("snapshots at one time are counted, and frames without time not compared") {
  const TextTrajectory one(frame_at("Time=5", 0.1), "one.xyz");
  const TextTrajectory other(frame_at("Time=5", 0.2), "other.xyz");
  CHECK(times({one.path, other.path}) == Times{5, 5});
  CHECK(times({one.path, one.path}) == Times{5});
  for (const std::string comment : {"", "Step=0 Time=0", "Time=0"}) {
    const TextTrajectory set(frame_at(comment, 0.1) + frame_at(comment, 0.1),
                             "set.xyz");
    CHECK(times({set.path}).size() == 2);
    CHECK(io::open_trajectory({set.path}, {})->info().remarks.empty());
  }
}

TEST_CASE("short intervals between late times are not taken as repetitions") {
  std::string text;
  for (int k = 0; k < 20; ++k) {
    text += frame_at("Time=" + std::to_string(1000000 + k) + ".125", 0.1 * k) +
            frame_at("Time=" + std::to_string(1000000 + k) + ".25", 0.1 * k);
  }
  const TextTrajectory late(text, "late.xyz");
  CHECK(times({late.path}).size() == 40);
  CHECK(io::open_trajectory({late.path}, {})->info().remarks.empty());
}

TEST_CASE("a file that is given twice, or resumes from the same start, is read once") {
  const Part a({"Time=0", "Time=1"}, "a.xyz");
  const Part same({"Time=0", "Time=1"}, "same.xyz");
  const Part longer({"Time=0", "Time=1", "Time=2"}, "longer.xyz");
  CHECK(times({a.path, a.path}) == Times{0, 1});
  CHECK(times({a.path, longer.path, same.path}) == Times{0, 1, 2});
  CHECK(times({a.path, a.path}, io::RepeatedFrames::keep) == Times{0, 1, 0, 1});
}

TEST_CASE(
    "times that jump back are reported, and count if they belong to another run") {
  const TextTrajectory a("1\nTime=0\nAr 0 0 0\n1\nTime=1\nAr 0 0 1\n", "a.xyz");
  const TextTrajectory b("1\nTime=0\nAr 0 0 0\n1\nTime=1\nAr 0 0 2\n", "b.xyz");
  const auto both = read_all({a.path, b.path});
  CHECK(both.frames.size() == 4);
  REQUIRE(both.info.remarks.size() == 1);
  CHECK(missing(both.info.remarks[0], {"b.xyz", "go back to", "a.xyz"}) == "");
}

/// A dump of one step with two atoms, whose ids begin at `id`.
std::string dump_of(int step, int id) {
  return "ITEM: TIMESTEP\n" + std::to_string(step) +
         "\nITEM: NUMBER OF ATOMS\n2\nITEM: BOX BOUNDS pp pp pp\n0 9\n0 9\n0 9\n"
         "ITEM: ATOMS id type x y z\n" +
         std::to_string(id) + " 1 1 " + std::to_string(id) + " 1\n" +
         std::to_string(id + 1) + " 1 2 " + std::to_string(id) + " 2\n";
}

TEST_CASE("files that hold different particles of the same frames are refused") {
  const TextTrajectory a(dump_of(0, 1) + dump_of(10, 1), "run.0.dump");
  const TextTrajectory b(dump_of(0, 3) + dump_of(10, 3), "run.1.dump");
  const TextTrajectory joined(dump_of(0, 1) + dump_of(9, 1) + dump_of(10, 1) +
                                  dump_of(0, 3) + dump_of(9, 3) + dump_of(10, 3),
                              "cat.dump");
  const TextTrajectory later(dump_of(20, 3), "later.dump");
  io::ReadOptions particles;
  particles.by = io::SpeciesBy::type;
  for (const io::ReadOptions& options : {io::ReadOptions(), particles}) {
    CHECK(missing(error_text<InputError>([&] {
                    read_all({a.path, b.path}, options);
                  }),
                  {"run.1.dump: frame 0 (step 0) has other particles than frame 0 of",
                   "parts of one frame", "write one file"}) == "");
  }
  CHECK(missing(error_text<InputError>([&] { times({joined.path}); }),
                {"cat.dump: frame 3 (step 0)", "parts of one frame"}) == "");
  CHECK(times({a.path, b.path}, io::RepeatedFrames::keep).size() == 4);
  CHECK(times({a.path, later.path}).size() == 3);
}

TEST_CASE("files and parts of files out of order must not count frames twice") {
  const auto is_refused = [](const std::vector<std::string>& paths,
                             const std::string& names) {
    CHECK(!times(paths, io::RepeatedFrames::keep).empty());
    const std::string message = error_text<InputError>([&] { times(paths); });
    return missing(message, {names.c_str(), "would count twice",
                             "in the order of their", "--repeated keep"});
  };
  const TextTrajectory early(run_text(0, 7), "early.xyz");
  const TextTrajectory late(run_text(5, 12), "late.xyz");
  const TextTrajectory last(run_text(20, 24), "last.xyz");
  const TextTrajectory middle(run_text(2, 4), "middle.xyz");
  const TextTrajectory to_last(run_text(9, 22), "to-last.xyz");
  const TextTrajectory begin(run_text(0, 4), "begin.xyz");
  const TextTrajectory all(run_text(0, 30), "all.xyz");
  CHECK(times({early.path, late.path, last.path}).size() == 16);
  CHECK(is_refused({late.path, early.path}, late.path + " also contains") == "");
  CHECK(is_refused({early.path, last.path, late.path}, "late.xyz: frames that ") == "");
  CHECK(is_refused({early.path, late.path, middle.path}, early.path + " also") == "");
  CHECK(is_refused({early.path, late.path, begin.path}, early.path + " also") == "");
  CHECK(is_refused({early.path, late.path, all.path}, early.path + " also") == "");
  // The overlap with the file before it is left out, the other one would count.
  CHECK(is_refused({last.path, late.path, to_last.path}, last.path + " also") == "");
  const TextTrajectory parts(run_text(5, 9) + run_text(0, 6), "parts.xyz");
  CHECK(is_refused({parts.path}, "an earlier part of the file also contains") == "");
  io::ReadOptions options;
  options.repeated = io::RepeatedFrames::describe;
  const auto described = io::open_trajectory({parts.path}, options)->info();
  CHECK(described.frame_count == 10);
  CHECK(missing(described.remarks.at(0), {"would count twice"}) == "");
  // Other runs, also in segments, are counted; so are snapshots of a run.
  const TextTrajectory moved_early(run_text(0, 7, 3.0), "moved-early.xyz");
  const TextTrajectory moved_late(run_text(5, 12, 3.0), "moved-late.xyz");
  CHECK(times({early.path, late.path, moved_early.path, moved_late.path}).size() == 24);
  CHECK(times({last.path, early.path}).size() == 11);
}

TEST_CASE("repeated times with other positions are left out and reported") {
  const auto frame = [](int time, double x) {
    return "1\nTime=" + std::to_string(time) + "\nAr 0 0 " + std::to_string(x) + "\n";
  };
  const TextTrajectory a(frame(1, 0.1) + frame(2, 0.2) + frame(3, 0.3), "a.xyz");
  const TextTrajectory same(frame(2, 0.2) + frame(3, 0.7) + frame(4, 0.8), "b.xyz");
  const TextTrajectory other(frame(2, 0.6) + frame(3, 0.7) + frame(4, 0.8), "c.xyz");
  const auto continued = read_all({a.path, same.path});
  CHECK(continued.frames.size() == 4);
  CHECK(continued.info.truncation.empty());
  const auto differing = read_all({a.path, other.path});
  CHECK(differing.frames.size() == 4);
  REQUIRE(differing.info.truncation.size() == 1);
  CHECK(missing(differing.info.truncation[0],
                {"c.xyz", "first 2 frames", "a.xyz", "with different positions",
                 "--repeated keep"}) == "");
}

TEST_CASE("times are compared up to rounding, also if steps restart") {
  const Part a({"Step=999 Time=99.9", "Step=1000 Time=99.9999999999986"}, "a.xyz");
  const Part rounded({"Step=1000 Time=100", "Step=1001 Time=100.1"}, "b.xyz");
  CHECK(times({a.path, rounded.path}) == Times{99.9, 99.9999999999986, 100.1});
  const Part anew({"Step=0 Time=100", "Step=1 Time=100.1"}, "c.xyz");
  CHECK(times({a.path, anew.path}) == Times{99.9, 99.9999999999986, 100.1});
}

TEST_CASE("an unreadable frame at a join does not hide repetitions") {
  const std::string bad = "1\nTime=3\nAr nan 0 0\n";
  const TextTrajectory a("1\nTime=1\nAr 0 0 1\n1\nTime=2\nAr 0 0 2\n" + bad, "a.xyz");
  const TextTrajectory b("1\nTime=2\nAr 0 0 2\n1\nTime=4\nAr 0 0 4\n", "b.xyz");
  CHECK(io::open_trajectory({a.path, b.path}, {})->info().frame_count == 4);
}

TEST_CASE("unknown repetitions are reported if frames are unreadable") {
  const TextTrajectory a(xtc_frame({0.5F, 1.25F, 2.0F}, 1, 1.0F), "a.xtc");
  const TextTrajectory b(xtc_frame({NAN, 1.25F, 2.0F}, 1, 1.0F), "b.xtc");
  const auto reader = io::open_trajectory({a.path, b.path}, {});
  CHECK(reader->info().frame_count == 2);
  const std::vector<std::string>& remarks = reader->info().remarks;
  CHECK(std::any_of(remarks.begin(), remarks.end(), [](const std::string& remark) {
    return missing(remark, {"b.xtc", "a.xtc", "is unknown"}).empty();
  }));
}

TEST_CASE("frames without step and time, or at step and time 0, are not repetitions") {
  const Part nothing({"", ""}, "a.xyz");
  const Part longer({"", "", ""}, "b.xyz");
  CHECK(times({nothing.path, longer.path}).size() == 5);
  const Part begin({"Step=0 Time=0"}, "c.xyz");
  const Part other({"Step=0  Time=0"}, "d.xyz");
  CHECK(times({begin.path, other.path}) == Times{0, 0});
  const Part step({"Step=5"}, "e.xyz");
  const Part same_step({"Step=5 "}, "f.xyz");
  CHECK(times({step.path, same_step.path}).size() == 1);
}

TEST_CASE("values of option --repeated are parsed") {
  CHECK(io::parse_repeated_frames("keep") == io::RepeatedFrames::keep);
  CHECK(missing(error_text<InputError>([] { io::parse_repeated_frames("twice"); }),
                {"--repeated", "'twice'", "drop, keep, fail"}) == "");
}

TEST_CASE("a trajectory without atom names reports the option that supplies them") {
  const auto info = io::open_trajectory({data_file("spc.trr")}, {})->info();
  REQUIRE(info.remarks.size() == 1);
  CHECK(missing(info.remarks[0], {"spc.trr: contains no names", "--structure"}) == "");
  io::ReadOptions rules;
  rules.species = io::parse_species_groups("A=index 1-3; B=index 4");
  CHECK(io::open_trajectory({data_file("spc.trr")}, rules)->info().remarks.empty());
  if (!has_libgromacs()) {
    return;
  }
  io::ReadOptions options;
  options.structure = data_file("spc.tpr");
  CHECK(io::open_trajectory({data_file("spc.trr")}, options)->info().remarks.empty());
}

}  // namespace
}  // namespace starhist::testing

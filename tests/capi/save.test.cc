// Files that libstarhist_file writes can be read like those of `starhist rdf`, with the
// same numbers.
#include <filesystem>
#include <fstream>

#include <starhist_file.h>

#include "io/result/result_reader.hh"
#include "tests/capi/c_library.hh"
#include "tests/capi/particle_arrays.hh"
#include "tests/support/catch.hh"
#include "tests/support/error_text.hh"
#include "tests/support/run_program.hh"
#include "tests/support/temporary_directory.hh"
#include "tests/tasks/trajectories.hh"

namespace starhist::testing {
namespace {

/// Frames with boxes that are periodic along all axes.
Trajectory periodic_frames() {
  Trajectory trajectory = random_trajectory(23, 40);
  std::erase_if(trajectory.frames,
                [](const Frame& frame) { return !frame.box.has_volume(); });
  for (std::size_t k = 0; k < trajectory.frames.size(); ++k) {
    trajectory.frames[k].index = FrameIndex(k);
  }
  return trajectory;
}

void add_all(const TestHistogram& histogram, const Trajectory& trajectory) {
  Random random(1);
  for (const Frame& frame : trajectory.frames) {
    const auto arrays = arrays_of<double>(frame, Arrangement::compact, random);
    must(starhist_set_labels(histogram.get(), arrays.labels.size(),
                             arrays.labels.data()));
    must(starhist_set_time(histogram.get(), frame.step, frame.time));
    must(starhist_add_frame(histogram.get(), arrays.particles, arrays.positions(), 0, 0,
                            matrix_of(frame.box).data()));
  }
}

TEST_CASE("a saved file has all blocks, and more frames may follow") {
  const TemporaryDirectory folder;
  const std::string path = folder.file("saved.h5");
  const TestContext context;
  const Trajectory trajectory = periodic_frames();
  const HistogramLayout& layout = trajectory.layout;
  const TestHistogram histogram(context, layout.bins.r_max, layout.bins.count,
                                STARHIST_BOX_MATRIX);
  histogram.set_species(layout.species);
  must(starhist_set_units(histogram.get(), "nanometers", "picosecond"));
  must(starhist_set_frames_per_block(histogram.get(), 3));
  CHECK(missing(outcome(starhist_save(histogram.get(), path.c_str(), 0)),
                {"STARHIST_NO_FRAMES"}) == "");
  add_all(histogram, trajectory);
  must(starhist_save(histogram.get(), path.c_str(), 0));

  const io::ResultFile result = io::read_result(path);
  CHECK(result.state == io::ResultState::complete);
  CHECK(result.layout.species == layout.species);
  CHECK(result.layout.pairs == layout.pairs);
  CHECK(result.layout.length_unit == "nm");
  CHECK(result.layout.time_unit == "ps");
  CHECK(result.layout.bins.r_max == layout.bins.r_max);
  CHECK(io::value_of(result.record, "program") == "libstarhist");
  CHECK(io::value_of(result.record, "scheduler") == "lws");
  CHECK(io::value_of(result.record, "workers") == "2");
  CHECK(io::value_of(result.record, io::result_id).value_or("").size() == 16);
  const auto expected = expected_blocks(trajectory, 3);
  REQUIRE(result.blocks.size() == expected.size());
  for (std::size_t b = 0; b < expected.size(); ++b) {
    const BlockCounts& ours = result.blocks[b];
    CHECK(ours.counts == expected[b].counts);
    CHECK(ours.out_of_range == expected[b].out_of_range);
    CHECK(ours.pairs == expected[b].pairs);
    CHECK(ours.particle_number == expected[b].particle_number);
    CHECK(ours.frames == expected[b].frames);
    CHECK(ours.last_step == expected[b].last_step);
    CHECK(ours.last_time == expected[b].last_time);
    CHECK(ours.volume == Approx(expected[b].volume));
    const Box& first = trajectory.frames[3 * b].box;
    bool same = true;
    for (std::size_t k = 3 * b; k < std::min(3 * b + 3, trajectory.frames.size());
         ++k) {
      same = same && trajectory.frames[k].box == first;
    }
    CHECK(ours.box == (same ? std::optional(first) : std::nullopt));
  }

  add_all(histogram, trajectory);
  CHECK(missing(outcome(starhist_save(histogram.get(), path.c_str(), 0)),
                {"STARHIST_FILE_ERROR", "exists already", "overwrite"}) == "");
  CHECK(io::read_result(path).blocks.size() == expected.size());
  must(starhist_save(histogram.get(), path.c_str(), 1));
  CHECK(total(io::read_result(path).blocks).frames == 2 * trajectory.frames.size());
  const ProgramRun info = run_program({"info", path});
  CHECK(info.exit_code == 0);
  CHECK(missing(info.out, {"libstarhist"}) == "");
}

TEST_CASE("merge finds frames that two processes counted, whatever their numbers") {
  const TemporaryDirectory folder;
  const TestContext context;
  const Trajectory all = periodic_frames();
  REQUIRE(all.frames.size() >= 12);
  const auto save = [&](const std::string& name, std::ptrdiff_t begin,
                        std::ptrdiff_t end) {
    const std::string path = folder.file(name);
    Trajectory part = all;
    part.frames.assign(all.frames.begin() + begin, all.frames.begin() + end);
    const TestHistogram histogram(context, all.layout.bins.r_max, all.layout.bins.count,
                                  STARHIST_BOX_MATRIX);
    histogram.set_species(all.layout.species);
    must(starhist_set_frames_per_block(histogram.get(), 3));
    add_all(histogram, part);
    must(starhist_save(histogram.get(), path.c_str(), 0));
    return path;
  };
  const std::string first = save("first.h5", 0, 6);
  const ProgramRun apart = run_program(
      {"merge", first, save("apart.h5", 6, 12), "-o", folder.file("all.h5")});
  INFO(apart.err);
  CHECK(apart.exit_code == 0);
  const ProgramRun twice = run_program(
      {"merge", first, save("twice.h5", 3, 9), "-o", folder.file("twice-all.h5")});
  CHECK(twice.exit_code == 1);
  CHECK(missing(twice.err, {"frame 3 of ", "there as frame 0 of ", "count twice"}) ==
        "");
}

TEST_CASE("unwritable files and invalid handles are refused") {
  const TemporaryDirectory folder;
  const TestContext context;
  const TestHistogram histogram(context, 0.5, 10, STARHIST_BOX_NONE);
  const std::vector<double> positions(6, 0.25);
  must(starhist_add_frame(histogram.get(), 2, positions.data(), 0, 0, nullptr));
  const auto saved = [&](const std::string& path) {
    return outcome(starhist_save(histogram.get(), path.c_str(), 0));
  };
  CHECK(missing(saved(folder.file("no/such/folder.h5")), {"STARHIST_FILE_ERROR"}) ==
        "");
  CHECK(missing(saved(folder.file("")), {"STARHIST_FILE_ERROR"}) == "");
  CHECK(missing(saved(""), {"STARHIST_FILE_ERROR"}) == "");
  std::ofstream(folder.file("begun.h5.partial")) << "x";
  CHECK(missing(saved(folder.file("begun.h5")),
                {"STARHIST_FILE_ERROR", "begun.h5.partial", "exists"}) == "");
  CHECK(
      outcome(starhist_save(nullptr, "x.h5", 0)).starts_with("STARHIST_NULL_POINTER"));
  CHECK(outcome(starhist_save(histogram.get(), nullptr, 0))
            .starts_with("STARHIST_NULL_POINTER"));
  CHECK(saved(folder.file("open.h5")) == "STARHIST_OK");
  CHECK(io::read_result(folder.file("open.h5")).blocks.front().counts[0][0] == 1);
}

}  // namespace
}  // namespace starhist::testing

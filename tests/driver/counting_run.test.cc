// A run without files: frames from any source in, the blocks of the reference kernel
// out.
#include "driver/run/counting_run.hh"

#include <algorithm>
#include <atomic>

#include "codelets/core/base/error.hh"
#include "tests/support/catch.hh"
#include "tests/support/error_text.hh"
#include "tests/support/starpu_environment.hh"
#include "tests/tasks/trajectories.hh"

namespace starhist {
namespace {

using testing::difference;
using testing::error_text;
using testing::expected_blocks;
using testing::missing;
using testing::StarpuEnvironment;
using testing::Trajectory;

/// Frames of one periodicity, as a run requires; otherwise irregular.
Trajectory periodic_trajectory(std::uint64_t seed, std::size_t frame_count) {
  Trajectory trajectory = testing::random_trajectory(seed, 4 * frame_count);
  std::vector<Frame> periodic;
  for (Frame& frame : trajectory.frames) {
    if (frame.box.periodic_axis_count() == 3 &&
        pair_count(trajectory.layout, frame) > 0) {
      periodic.push_back(std::move(frame));
    }
  }
  REQUIRE(periodic.size() >= frame_count);
  periodic.resize(frame_count);
  trajectory.frames = std::move(periodic);
  return trajectory;
}

/// Hands out the frames of a vector.
class VectorSource : public driver::FrameSource {
 public:
  explicit VectorSource(std::vector<Frame> frames) : frames_(std::move(frames)) {}

  std::optional<Frame> next() override {
    if (taken == bad_frame) {
      throw InputError("frame " + std::to_string(taken) + " is bad");
    }
    if (stop_after == taken) {
      stop.request_stop();
    }
    if (taken == frames_.size()) {
      return std::nullopt;
    }
    return frames_[taken++];
  }
  void recycle(Frame&&) override { ++recycled; }
  std::uint64_t passed() const override { return taken; }
  std::vector<std::string> skipped() const override { return left_out; }

  std::size_t taken = 0;
  std::size_t recycled = 0;
  std::size_t bad_frame = SIZE_MAX;
  std::size_t stop_after = SIZE_MAX;
  std::stop_source stop;
  std::vector<std::string> left_out;

 private:
  std::vector<Frame> frames_;
};

/// A runtime with two workers, and the output of a run.
struct Counting {
  explicit Counting(const Trajectory& trajectory, std::uint32_t frames_per_block = 3) {
    spec.layout = trajectory.layout;
    spec.options.frames = trajectory.frames.size();
    spec.options.frames_per_block = frames_per_block;
  }

  driver::RunResult run(driver::FrameSource& source,
                        const driver::RunHooks& hooks = {}) {
    return count_frames(
        source, runtime, spec,
        [this](BlockCounts&& block) { blocks.push_back(std::move(block)); }, hooks);
  }

  StarpuEnvironment environment;
  tasks::Runtime runtime{(environment.set("STARPU_NCPU", "2"), tasks::CpuMode::core)};
  driver::RunSpec spec;
  std::vector<BlockCounts> blocks;
};

std::uint64_t pairs_of(const std::vector<BlockCounts>& blocks) {
  const BlockCounts sum = total(blocks);
  std::uint64_t pairs = 0;
  for (const std::uint64_t of_pair : sum.pairs) {
    pairs += of_pair;
  }
  return pairs;
}

TEST_CASE("frames of a source are counted, and recycled") {
  const Trajectory trajectory = periodic_trajectory(501, 10);
  const auto expected = expected_blocks(trajectory, 3);
  Counting counting(trajectory);
  counting.spec.options.record_tasks = true;
  VectorSource source(trajectory.frames);
  source.left_out = {"frame 99 is bad"};
  const driver::RunResult result = counting.run(source);
  CHECK(difference(counting.blocks, expected) == "");
  CHECK(result.frames == 10);
  CHECK(result.blocks == 4);
  CHECK_FALSE(result.cancelled);
  CHECK(result.pairs == pairs_of(expected));
  CHECK(result.skipped_frames == source.left_out);
  CHECK(source.recycled > 0);
  CHECK(result.workers.size() == 2);
  REQUIRE_FALSE(result.tasks.empty());
  std::uint64_t pairs = 0;
  for (const codelets::TaskRecord& task : result.tasks) {
    const std::vector<std::string> names{"A-A", "A-B", "A-C", "B-B", "B-C", "C-C"};
    CHECK(std::find(names.begin(), names.end(), task.name) != names.end());
    pairs += task.pairs;
  }
  CHECK(pairs == result.pairs);
}

TEST_CASE("one runtime serves several runs in sequence") {
  const Trajectory trajectory = periodic_trajectory(502, 6);
  Counting counting(trajectory, 2);
  for (int run = 0; run < 2; ++run) {
    counting.blocks.clear();
    VectorSource source(trajectory.frames);
    CHECK(counting.run(source).frames == 6);
    CHECK(difference(counting.blocks, expected_blocks(trajectory, 2)) == "");
  }
}

TEST_CASE("a resumed run numbers its blocks from the end of the first one") {
  const Trajectory trajectory = periodic_trajectory(503, 10);
  Counting counting(trajectory);
  const auto half = trajectory.frames.begin() + 6;
  VectorSource first({trajectory.frames.begin(), half});
  counting.run(first);
  counting.spec.options.first_number = 6;
  VectorSource second({half, trajectory.frames.end()});
  counting.run(second);
  CHECK(difference(counting.blocks, expected_blocks(trajectory, 3)) == "");
}

TEST_CASE("progress is reported during the run, and at its end") {
  const Trajectory trajectory = periodic_trajectory(504, 40);
  Counting counting(trajectory);
  VectorSource source(trajectory.frames);
  std::atomic<int> calls = 0;
  bool ascending = true;
  driver::RunProgress last;
  driver::RunHooks hooks;
  hooks.progress_interval = std::chrono::milliseconds(1);
  hooks.progress = [&](const driver::RunProgress& progress) {
    ascending = ascending && progress.frames >= last.frames &&
                progress.pairs >= last.pairs && progress.seconds >= last.seconds;
    last = progress;
    ++calls;
  };
  const driver::RunResult result = counting.run(source, hooks);
  CHECK(calls >= 1);
  CHECK(ascending);
  CHECK(last.frames == 40);
  CHECK(last.pairs == result.pairs);
  CHECK(last.expected_pairs ==
        40 * pair_count(trajectory.layout, trajectory.frames.front()));
}

TEST_CASE("cancelled between frames: earlier counts are delivered") {
  const Trajectory trajectory = periodic_trajectory(505, 20);
  for (const std::size_t frames : {0U, 1U, 3U, 7U}) {
    INFO(frames << " frames");
    Counting counting(trajectory);
    VectorSource source(trajectory.frames);
    driver::RunHooks hooks;
    hooks.cancel = source.stop.get_token();
    if (frames == 0) {
      source.stop.request_stop();
    } else {
      source.stop_after = frames - 1;  // while the last of them is returned
    }
    const driver::RunResult result = counting.run(source, hooks);
    CHECK(result.cancelled);
    CHECK(result.frames == frames);
    CHECK(source.taken == frames);
    Trajectory counted = trajectory;
    counted.frames.resize(frames);
    CHECK(difference(counting.blocks, expected_blocks(counted, 3)) == "");
  }
}

TEST_CASE("a run that reached its end was not cancelled") {
  const Trajectory trajectory = periodic_trajectory(506, 4);
  Counting counting(trajectory);
  VectorSource source(trajectory.frames);
  std::stop_source stop;
  const driver::RunResult result = counting.run(source, {{}, {}, stop.get_token()});
  CHECK_FALSE(result.cancelled);
  CHECK(result.frames == 4);
}

TEST_CASE("an unusable frame: the full blocks before it are delivered") {
  const Trajectory trajectory = periodic_trajectory(507, 10);
  Counting counting(trajectory);
  VectorSource source(trajectory.frames);
  source.bad_frame = 8;
  CHECK(error_text<InputError>([&] { counting.run(source); }) == "frame 8 is bad");
  Trajectory counted = trajectory;
  counted.frames.resize(6);
  CHECK(difference(counting.blocks, expected_blocks(counted, 3)) == "");
}

TEST_CASE("frames of other periodicity and excessive r_max are refused") {
  Trajectory trajectory = periodic_trajectory(508, 3);
  trajectory.frames.back().box = Box();
  Counting counting(trajectory);
  {
    VectorSource source(trajectory.frames);
    CHECK(missing(error_text<InputError>([&] { counting.run(source); }),
                  {"is not periodic along the same axes", "--box", "--first"}) == "");
  }
  counting.spec.layout.bins = make_bins(100.0, 10);
  VectorSource source(trajectory.frames);
  CHECK(missing(error_text<InputError>([&] { counting.run(source); }),
                {"100", "is too large: in frame ", "nm"}) == "");
}

TEST_CASE("a run without frames fails, with the reason") {
  const Trajectory trajectory = periodic_trajectory(509, 1);
  Counting counting(trajectory);
  VectorSource source({});
  CHECK(error_text<InputError>([&] { counting.run(source); }) == "no frames to count");
  source.left_out = {"frame 0 is bad"};
  CHECK(missing(error_text<InputError>([&] { counting.run(source); }),
                {"no selected frame", "frame 0 is bad"}) == "");
}

TEST_CASE("counts that do not fit into memory are refused before the first frame") {
  const Trajectory trajectory = periodic_trajectory(510, 1);
  Counting counting(trajectory);
  counting.spec.layout.bins = make_bins(0.7, 100'000'000);
  counting.spec.options.memory_bytes = 1U << 20U;
  VectorSource source(trajectory.frames);
  CHECK(missing(error_text<InputError>([&] { counting.run(source); }), {"memory"}) ==
        "");
  CHECK(source.taken == 0);
}

TEST_CASE("exceptions of the sink end the run") {
  const Trajectory trajectory = periodic_trajectory(511, 10);
  Counting counting(trajectory);
  VectorSource source(trajectory.frames);
  CHECK(error_text<RunError>([&] {
          count_frames(source, counting.runtime, counting.spec,
                       [](BlockCounts&&) { throw RunError("the disk is full"); });
        }) == "the disk is full");
}

}  // namespace
}  // namespace starhist

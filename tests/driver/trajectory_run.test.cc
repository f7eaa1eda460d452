// A run from files to a file.
#include "driver/run/trajectory_run.hh"

#include <csignal>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include <fcntl.h>
#include <unistd.h>

#include "codelets/core/base/error.hh"
#include "io/output/checkpoint.hh"
#include "io/result/result_reader.hh"
#include "tasks/runtime/needed_workers.hh"
#include "tests/support/catch.hh"
#include "tests/support/error_text.hh"
#include "tests/support/file_bytes.hh"
#include "tests/support/run_program.hh"
#include "tests/support/starpu_environment.hh"
#include "tests/support/temporary_directory.hh"
#include "tests/support/test_location.hh"

namespace starhist {
namespace {

using testing::data_file;
using testing::error_text;
using testing::missing;

/// The water sample in 280 bins up to 1.4 nm, with a worker, into a folder.
struct WaterRun {
  WaterRun() {
    environment.set("STARPU_NCPU", "1");
    spec.inputs = {data_file("water.h5")};
    spec.output = folder.file("out.h5");
    spec.bins = make_bins(1.4, 280);
    spec.counting.frames_per_block = 2;
  }

  testing::StarpuEnvironment environment;
  testing::TemporaryDirectory folder;
  driver::TrajectoryRunSpec spec;
};

/// Reads, counts and writes the result as `starhist rdf` does.
driver::RunSummary run_trajectory(const driver::TrajectoryRunSpec& spec,
                                  const driver::RunHooks& hooks = {}) {
  driver::TrajectoryRun run(spec);
  run.start_reading();
  constexpr auto mode = tasks::CpuMode::core;
  tasks::Runtime runtime(mode, run.kernels(),
                         run.useful_workers(tasks::settings_for_run(
                             mode, run.expected_pairs(), run.run().options.frames)));
  return run.count(runtime, hooks);
}

using CountsOfPairs = std::vector<std::vector<std::uint64_t>>;

std::vector<CountsOfPairs> counts_of(const std::string& path) {
  std::vector<CountsOfPairs> counts;
  for (const BlockCounts& block : io::read_result(path).blocks) {
    counts.push_back(block.counts);
    counts.back().push_back(block.out_of_range);
  }
  return counts;
}

std::map<std::string, std::string> record_of(const std::string& path) {
  const io::RunRecord record = io::read_result(path).record;
  return {record.begin(), record.end()};
}

TEST_CASE("the pairs of a run are estimated from its first frame") {
  WaterRun water;
  constexpr double particles = 2652.0;
  constexpr double pairs = particles * (particles - 1.0) / 2.0;
  driver::TrajectoryRun run(water.spec);
  CHECK(run.expected_pairs() == std::nullopt);  // no frame is read yet
  CHECK(run.expected_pairs(run.planned_frame()) == 51.0 * pairs);

  // A file with room for twice as many particles in each frame.
  const std::string large = water.folder.file("large.h5");
  std::filesystem::copy_file(data_file("water.h5"), large);
  std::filesystem::resize_file(large, 51 * 2 * 2652 * 24);
  water.spec.inputs = {large};
  water.spec.frames = {0, 9, 1};
  driver::TrajectoryRun of_large(water.spec);
  CHECK(of_large.expected_pairs(of_large.planned_frame()) == 10.0 * pairs * 4.0);
}

TEST_CASE("runs that need cores keep their CPU workers alongside GPUs") {
  WaterRun water;
  const auto workers = [](const driver::TrajectoryRunSpec& spec) {
    tasks::StarpuSettings settings;
    settings.cpu_workers_beside_gpus = 1;
    return driver::TrajectoryRun(spec).useful_workers(settings).cpu_workers_beside_gpus;
  };
  CHECK(workers(water.spec) == 1);
  water.spec.second = parse_second_axis("dz");
  CHECK(workers(water.spec) == -1);
}

TEST_CASE("only CPUs count bins of unequal width and separations along a normal") {
  WaterRun water;
  const auto gpus = [](const driver::TrajectoryRunSpec& spec) {
    const driver::TrajectoryRun run(spec);
    tasks::StarpuSettings settings;
    settings.gpus = 4;
    settings = run.useful_workers(settings);
    CHECK(run.needs_cpus() == (settings.gpus == 0));
    return settings.gpus;
  };
  CHECK(gpus(water.spec) == 4);
  water.spec.second = parse_second_axis("dz");
  CHECK(gpus(water.spec) == 4);
  water.spec.reading.plane = Plane::xy;
  CHECK(gpus(water.spec) == 0);
  water.spec.second.reset();
  CHECK(gpus(water.spec) == 4);
  water.spec.bins = make_bins_between({0.0, 0.1, 0.5});
  CHECK(gpus(water.spec) == 0);
}

TEST_CASE("a run by function has the counts of the program") {
  WaterRun water;
  water.spec.pairs = "O-O,H-O";
  water.spec.frames = {1, 7, 2};
  const driver::RunSummary summary = run_trajectory(water.spec);
  const std::string of_program = water.folder.file("program.h5");
  const auto run = testing::run_program({"rdf", water.spec.inputs.front(), "-o",
                                         of_program, "--r-max", "1.4", "--bins", "280",
                                         "--block", "2", "--pairs", "O-O,H-O",
                                         "--first", "1", "--last", "7", "--step", "2"});
  INFO(run.err);
  REQUIRE(run.exit_code == 0);
  CHECK(counts_of(water.spec.output) == counts_of(of_program));
  CHECK(summary.frames == 4);
  CHECK(summary.blocks == 2);
  CHECK(summary.output == water.spec.output);
  CHECK(summary.workers.size() == 1);
  CHECK(summary.seconds >= summary.count_seconds);
  CHECK_FALSE(std::filesystem::exists(water.spec.output + ".partial"));
  // merge and info read these entries, whichever program wrote the file.
  auto ours = record_of(water.spec.output);
  auto theirs = record_of(of_program);
  for (const char* key :
       {"version", "input 1", "input 1 bytes", "format", "group", "option --step",
        "scheduler", "cpu variant", "frames left out"}) {
    INFO(key);
    CHECK(ours.count(key) == 1);
    CHECK(ours[key] == theirs[key]);
  }
}

/// Text that `action` writes to a standard stream.
template <class Action>
std::string written_to(int stream, const std::string& file, Action&& action) {
  const int kept = ::dup(stream);
  const int other = ::open(file.c_str(), O_CREAT | O_TRUNC | O_WRONLY, 0600);
  ::dup2(other, stream);
  ::close(other);
  action();
  ::dup2(kept, stream);
  ::close(kept);
  return testing::read_bytes(file);
}

/// `text` without the line that StarPU as packaged in Debian 13 and Ubuntu 24.04 always
/// prints: its installation's folder for models is missing.
std::string without_starpu_packaging(const std::string& text) {
  std::istringstream lines(text);
  std::string others;
  for (std::string line; std::getline(lines, line);) {
    if (line.rfind("[starpu][", 0) != 0 ||
        line.find("[_perf_model_add_dir] Warning: directory") == std::string::npos ||
        line.find("as set by installation directory") == std::string::npos) {
      others += line + "\n";
    }
  }
  return others;
}

TEST_CASE("a run by function prints nothing and leaves the process unchanged") {
  WaterRun water;
  std::vector<std::string> before;
  for (char** variable = environ; *variable != nullptr; ++variable) {
    before.emplace_back(*variable);
  }
  struct sigaction interrupt_before {};
  struct sigaction abort_before {};
  sigaction(SIGINT, nullptr, &interrupt_before);
  sigaction(SIGABRT, nullptr, &abort_before);
  std::string out;
  const std::string error = written_to(STDERR_FILENO, water.folder.file("err"), [&] {
    out = written_to(STDOUT_FILENO, water.folder.file("out"),
                     [&] { run_trajectory(water.spec); });
  });
  CHECK(out == "");
  CHECK(without_starpu_packaging(error) == "");
  std::vector<std::string> after;
  for (char** variable = environ; *variable != nullptr; ++variable) {
    after.emplace_back(*variable);
  }
  CHECK(after == before);
  struct sigaction now {};
  sigaction(SIGINT, nullptr, &now);
  CHECK((now.sa_handler == interrupt_before.sa_handler));
  sigaction(SIGABRT, nullptr, &now);
  CHECK((now.sa_handler == abort_before.sa_handler));
}

TEST_CASE("a cancelled run leaves its counts") {
  WaterRun water;
  std::stop_source stop;
  driver::RunHooks hooks;
  hooks.cancel = stop.get_token();
  stop.request_stop();
  const driver::RunSummary nothing = run_trajectory(water.spec, hooks);
  CHECK(nothing.cancelled);
  CHECK(nothing.frames == 0);
  CHECK_FALSE(std::filesystem::exists(water.spec.output));
  CHECK_FALSE(std::filesystem::exists(water.spec.output + ".partial"));

  std::stop_source later;
  hooks.cancel = later.get_token();
  hooks.progress_interval = std::chrono::milliseconds(1);
  hooks.progress = [&](const driver::RunProgress& progress) {
    if (progress.frames >= 3) {
      later.request_stop();
    }
  };
  water.spec.reading.repeated = io::RepeatedFrames::keep;
  water.spec.inputs.assign(40, water.spec.inputs.front());
  const driver::RunSummary some = run_trajectory(water.spec, hooks);
  REQUIRE(some.cancelled);
  CHECK(some.frames_kept >= 3);
  CHECK_FALSE(std::filesystem::exists(water.spec.output));
  const io::ResultFile partial = io::read_result(water.spec.output + ".partial");
  CHECK(partial.state == io::ResultState::partial);
  std::uint64_t kept = partial.blocks.empty() ? 0 : total(partial.blocks).frames;
  CHECK(kept == some.frames);
  const std::string id = io::value_of(partial.record, io::result_id).value_or("");
  const auto checkpoint = io::read_checkpoint(water.spec.output, id);
  kept += checkpoint ? checkpoint->block.frames : 0;
  CHECK(kept == some.frames_kept);

  // Another run resumes; the result equals that of a single run.
  water.spec.resume = true;
  const driver::RunSummary rest = run_trajectory(water.spec);
  CHECK(rest.frames_before == some.frames_kept);
  CHECK(rest.frames_kept == 40 * 51);
  const io::ResultFile whole = io::read_result(water.spec.output);
  CHECK(whole.state == io::ResultState::complete);
  CHECK(total(whole.blocks).frames == 40 * 51);
  CHECK_FALSE(std::filesystem::exists(water.spec.output + ".partial"));
  CHECK_FALSE(std::filesystem::exists(water.spec.output + ".checkpoint"));
}

TEST_CASE("invalid runs are refused, and nothing is written") {
  WaterRun water;
  const auto refusal = [](const driver::TrajectoryRunSpec& spec) {
    return error_text<InputError>([&] { run_trajectory(spec); });
  };
  driver::TrajectoryRunSpec spec = water.spec;
  spec.bins = {};
  CHECK(missing(refusal(spec), {"no bins"}) == "");
  spec = water.spec;
  spec.frames.step = 0;
  CHECK(missing(refusal(spec), {"--step"}) == "");
  spec = water.spec;
  spec.counting.frames_per_block = 0;
  CHECK(missing(refusal(spec), {"--block"}) == "");
  spec = water.spec;
  spec.output = "";
  CHECK(missing(refusal(spec), {"no name"}) == "");
  spec = water.spec;
  spec.pairs = "O-X";
  CHECK(missing(refusal(spec), {"O-X"}) == "");
  spec = water.spec;
  spec.inputs = {water.folder.file("missing.h5")};
  CHECK(missing(refusal(spec), {"missing.h5"}) == "");
  CHECK_FALSE(std::filesystem::exists(water.spec.output));
}

TEST_CASE("a result never replaces its input, under any name") {
  WaterRun water;
  const std::string copy = water.folder.file("copy.h5");
  for (const char* name : {"copy.h5", "copy.h5.partial"}) {
    const std::string input = water.folder.file(name);
    std::filesystem::copy_file(data_file("water.h5"), input);
    const auto size = std::filesystem::file_size(input);
    water.spec.inputs = {input};
    water.spec.output = copy;
    water.spec.overwrite = true;
    CHECK(missing(error_text<InputError>([&] { run_trajectory(water.spec); }),
                  {"would overwrite", "which is read"}) == "");
    CHECK(std::filesystem::file_size(input) == size);
    std::filesystem::remove(input);
  }
}

TEST_CASE("the plan is based on the first selected frame") {
  WaterRun water;
  water.spec.frames.first = 3;
  driver::TrajectoryRun run(water.spec);
  CHECK(run.planned_frame().index.get() == 3);
  CHECK(run.run().options.frames == run.info().frame_count - 3);
  water.spec.bins = make_bins(100.0, 10);
  driver::TrajectoryRun too_far(water.spec);
  CHECK(missing(error_text<InputError>([&] { too_far.planned_frame(); }),
                {"is too large: in frame "}) == "");
}

}  // namespace
}  // namespace starhist

// Whole runs with GPUs: the counts are those of the CPU, whichever worker counts, also
// when a GPU refuses a task.
#include <sstream>

#include "io/result/lag_result.hh"
#include "tests/cuda/gpu_only.hh"
#include "tests/program/rdf_runner.hh"
#include "tests/support/water_molecules.hh"

namespace starhist::testing {
namespace {

using Environment = std::map<std::string, std::string>;

ProgramSetting setting_of(const Environment& environment) {
  ProgramSetting setting;
  setting.environment = environment;
  setting.timeout_seconds = 120.0;
  return setting;
}

struct Trajectory {
  std::string file;
  std::vector<std::string> options;
};

const std::vector<Trajectory> trajectories{
    {"water.h5", {"--r-max", "1.4", "--bins", "280"}},
    {"water.h5", {"--r-max", "2.5", "--bins", "1000", "--block", "7"}},
    {"water.h5", {"--r-max", "2.5", "--bins", "100000", "--box", "none"}},
    {"nacl-triclinic-npt.h5", {"--r-max", "1.0", "--bins", "200"}},
    {"nacl-triclinic-npt.h5", {"--r-max", "2.2", "--bins", "777", "--block", "3"}}};

std::vector<BlockCounts> run_blocks(const Trajectory& trajectory,
                                    const Environment& environment,
                                    std::string* messages = nullptr) {
  const RdfRunner rdf;
  std::vector<std::string> words{
      trajectory.file.front() == '/' ? trajectory.file : data_file(trajectory.file)};
  words.insert(words.end(), trajectory.options.begin(), trajectory.options.end());
  words.push_back("--verbose");
  const ProgramRun run = rdf.run(words, setting_of(environment));
  INFO(run.err);
  REQUIRE(run.exit_code == 0);
  if (messages != nullptr) {
    *messages = run.err;
  }
  return rdf.result().blocks;
}

std::ptrdiff_t lines_with(const std::string& text, const std::string& word) {
  std::istringstream lines(text);
  std::ptrdiff_t count = 0;
  for (std::string line; std::getline(lines, line);) {
    count += line.find(word) != std::string::npos ? 1 : 0;
  }
  return count;
}

bool equal(const std::vector<BlockCounts>& a, const std::vector<BlockCounts>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const BlockCounts& x, const BlockCounts& y) {
                      return x.counts == y.counts && x.underflow == y.underflow &&
                             x.out_of_range == y.out_of_range && x.pairs == y.pairs;
                    });
}

io::LagResult run_vanhove(const Trajectory& trajectory, const Environment& environment,
                          std::string& messages) {
  const RdfRunner folder;
  std::vector<std::string> words{"vanhove", data_file(trajectory.file), "-o",
                                 folder.output()};
  words.insert(words.end(), trajectory.options.begin(), trajectory.options.end());
  words.push_back("--verbose");
  const ProgramRun run = run_program(words, setting_of(environment));
  INFO(run.err);
  REQUIRE(run.exit_code == 0);
  messages = run.err;
  return io::read_lag_result(folder.output());
}

TEST_CASE("GPU: vanhove counts pairs of different frames as CPUs do") {
  if (skipped()) {
    return;
  }
  const std::vector<Trajectory> cases{
      {"water.h5", {"--lags", "0,1,5,20", "--r-max", "1.4", "--bins", "280"}},
      {"water.h5",
       {"--lags", "log:6", "--r-max", "0.6", "--bins", "100000", "--tiles", "on"}},
      {"nacl-triclinic-npt.h5",
       {"--lags", "0:9:3", "--every-origin", "2", "--r-max", "2.2", "--bins", "777",
        "--block", "3"}}};
  for (const Trajectory& trajectory : cases) {
    std::string messages;
    const io::LagResult expected =
        run_vanhove(trajectory, {{"STARPU_NCUDA", "0"}}, messages);
    for (const char* cpus : {"0", "3"}) {
      INFO(trajectory.file << ", " << cpus << " CPU workers");
      const io::LagResult counted =
          run_vanhove(trajectory, {{"STARPU_NCPU", cpus}}, messages);
      CHECK(missing(messages, {"CUDA 0"}) == "");
      CHECK(equal(counted.channels.blocks, expected.channels.blocks));
      for (std::size_t b = 0; b < expected.displacements.size(); ++b) {
        for (std::size_t d = 0; d < expected.displacements[b].size(); ++d) {
          CHECK(counted.displacements[b][d].counts ==
                expected.displacements[b][d].counts);
        }
      }
    }
  }
}

TEST_CASE("GPU: runs on CPU, GPU and both have the same counts, with any scheduler") {
  if (skipped()) {
    return;
  }
  for (const Trajectory& trajectory : trajectories) {
    const auto expected = run_blocks(trajectory, {{"STARPU_NCUDA", "0"}});
    for (const char* scheduler : {"dmdas", "dmda", "lws", "eager", "random", "prio"}) {
      for (const char* cpus : {"0", "3", "15"}) {
        std::string messages;
        INFO(trajectory.file << ' ' << scheduler << ", " << cpus << " CPU workers");
        CHECK(equal(
            run_blocks(trajectory, {{"STARPU_SCHED", scheduler}, {"STARPU_NCPU", cpus}},
                       &messages),
            expected));
        CHECK(missing(messages, {"CUDA 0"}) == "");
      }
    }
  }
}

TEST_CASE("GPU: counts by second axis on CPUs, GPUs and both") {
  if (skipped()) {
    return;
  }
  // More than 2^20 pairs O-H and H-H, so that GPUs take a share; O-O is left to cores.
  for (const char* axis : {"cos(z)", "dz"}) {
    const Trajectory trajectory{
        "water.h5",
        {"--r-max", "1.4", "--bins", "280", "--axis2", axis, "--last", "7"}};
    const auto expected = run_blocks(trajectory, {{"STARPU_NCUDA", "0"}});
    for (const Environment& environment :
         {Environment{{"STARPU_NCUDA", "1"}},
          Environment{{"STARPU_NCUDA", "1"}, {"STARPU_NCPU", "0"}},
          Environment{{"STARPU_NCUDA", "1"}, {"STARPU_NCPU", "2"}}}) {
      const auto found = run_blocks(trajectory, environment);
      REQUIRE(equal(found, expected));
      for (std::size_t b = 0; b < found.size(); ++b) {
        CHECK((found[b].second == expected[b].second));
      }
    }
  }
}

TEST_CASE("GPU: two workers for each, or the requested number") {
  if (skipped()) {
    return;
  }
  const Trajectory& trajectory = trajectories[0];
  const auto expected = run_blocks(trajectory, {{"STARPU_NCUDA", "0"}});
  const auto workers = [&](Environment environment) {
    environment["STARPU_NCUDA"] = "1";
    environment["STARPU_NCPU"] = "0";
    std::string messages;
    CHECK(equal(run_blocks(trajectory, environment, &messages), expected));
    return lines_with(messages, "CUDA 0");
  };
  CHECK(workers({}) == 2);
  CHECK(workers({{"STARPU_NWORKER_PER_CUDA", "1"}}) == 1);
  CHECK(workers({{"STARPU_NWORKER_PER_CUDA", "3"}}) == 3);
}

TEST_CASE("GPU: excluded pairs, with and without CPU workers, with and without tiles") {
  if (skipped()) {
    return;
  }
  const WaterMolecules water;
  for (const char* option : {"--exclude-same", "--only-same"}) {
    for (const char* clusters : {"on", "off"}) {
      const Trajectory trajectory{water.path(),
                                  {"--species", "O=name O; all=all", "--r-max", "1.4",
                                   "--r-min", "0.2", "--bin-width", "0.005", "--block",
                                   "7", "--tiles", clusters, option, "molecule"}};
      const auto expected = run_blocks(trajectory, {{"STARPU_NCUDA", "0"}});
      for (const char* cpus : {"0", "1", "7"}) {
        INFO(option << ", tiles " << clusters << ", " << cpus << " CPU workers");
        CHECK(equal(run_blocks(trajectory, {{"STARPU_NCPU", cpus}}), expected));
      }
    }
  }
}

TEST_CASE("GPU: every variant, many small tasks, recorded and frozen models") {
  if (skipped()) {
    return;
  }
  for (Trajectory trajectory : trajectories) {
    const auto expected = run_blocks(trajectory, {{"STARPU_NCUDA", "0"}});
    const std::size_t options = trajectory.options.size();
    for (const char* variant : {"tensor", "fixed-point", "definition"}) {
      for (const char* pairs : {"20000", "100000000"}) {
        trajectory.options.resize(options);
        trajectory.options.insert(trajectory.options.end(),
                                  {"--variant", variant, "--task-pairs", pairs});
        for (const char* calibrate : {"0", "1"}) {
          INFO(trajectory.file << ' ' << variant << ' ' << pairs << ' ' << calibrate);
          CHECK(equal(run_blocks(trajectory, {{"STARPU_CALIBRATE", calibrate}}),
                      expected));
        }
      }
    }
  }
}

TEST_CASE("GPU: CPU workers repeat refused tasks") {
  if (skipped()) {
    return;
  }
  for (const Trajectory& trajectory : trajectories) {
    const auto expected = run_blocks(trajectory, {{"STARPU_NCUDA", "0"}});
    for (const char* fault : {"refuse:1", "refuse:2", "refuse:7"}) {
      std::string messages;
      INFO(trajectory.file << ' ' << fault);
      CHECK(equal(
          run_blocks(trajectory, {{"STARHIST_GPU_FAULT", fault}, {"STARPU_NCPU", "2"}},
                     &messages),
          expected));
      CHECK(missing(messages, {"refused by a GPU"}) == "");
    }
  }
}

TEST_CASE("GPU: without a CPU worker a refusal ends the run with a message") {
  if (skipped()) {
    return;
  }
  const RdfRunner rdf;
  const ProgramRun run =
      rdf.run({data_file("water.h5"), "--r-max", "1", "--bins", "100"},
              setting_of({{"STARHIST_GPU_FAULT", "refuse:3"}, {"STARPU_NCPU", "0"}}));
  CHECK(run.exit_code == 2);
  CHECK(missing(run.err, {"CUDA reports", "no CPU worker"}) == "");
  CHECK_FALSE(rdf.has_output());
}

TEST_CASE("GPU: after a permanent fault, the finished blocks are in the file") {
  if (skipped()) {
    return;
  }
  const RdfRunner rdf;
  const ProgramRun run =
      rdf.run({data_file("water.h5"), "--r-max", "1", "--bins", "100", "--block", "1",
               "--task-pairs", "1000000"},
              setting_of({{"STARHIST_GPU_FAULT", "trap:150"}, {"STARPU_NCPU", "1"}}));
  INFO(run.err);
  CHECK(run.exit_code == 2);
  CHECK(missing(run.err, {"starhist: ", "GPU"}) == "");
  REQUIRE(rdf.has_partial());
  const io::ResultFile result = io::read_result(rdf.partial());
  REQUIRE_FALSE(result.blocks.empty());
  auto expected =
      run_blocks({"water.h5", {"--r-max", "1", "--bins", "100", "--block", "1"}},
                 {{"STARPU_NCUDA", "0"}});
  REQUIRE(result.blocks.size() < expected.size());
  expected.resize(result.blocks.size());
  CHECK(equal(result.blocks, expected));
}

TEST_CASE("GPU: little memory does not change counts, too little causes a message") {
  if (skipped()) {
    return;
  }
  const Trajectory trajectory{"water.h5", {"--r-max", "1.4", "--bins", "200000"}};
  const auto expected = run_blocks(trajectory, {{"STARPU_NCUDA", "0"}});
  for (const char* cpus : {"0", "3"}) {
    CHECK(equal(run_blocks(trajectory,
                           {{"STARPU_LIMIT_CUDA_MEM", "120"}, {"STARPU_NCPU", cpus}}),
                expected));
  }
  const RdfRunner rdf;
  const ProgramRun run =
      rdf.run({data_file("water.h5"), "--r-max", "1.4", "--bins", "200000"},
              setting_of({{"STARPU_LIMIT_CUDA_MEM", "30"}}));
  CHECK(run.exit_code == 1);
  CHECK(missing(run.err, {"GPU", "memory", "STARPU_NCUDA=0"}) == "");
}

TEST_CASE("GPU: STARPU_NCUDA=0 does not use it") {
  if (skipped()) {
    return;
  }
  std::string messages;
  run_blocks(trajectories.front(), {{"STARPU_NCUDA", "0"}}, &messages);
  CHECK(messages.find("CUDA") == std::string::npos);
  CHECK(missing(messages, {"scheduler lws"}) == "");
}

}  // namespace
}  // namespace starhist::testing

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "tests/program/json_value.hh"
#include "tests/program/rdf_runner.hh"
#include "tests/support/catch.hh"
#include "tests/support/file_bytes.hh"

// starhist calibrate, and its use in rdf.

namespace starhist::testing {
namespace {

/// Largest number of tasks of one size in the output of calibrate: the number before
/// "tasks".
int most_tasks(const std::string& printed) {
  std::istringstream words(printed);
  int most = 0;
  std::string last;
  for (std::string word; words >> word; last = word) {
    if (word == "tasks") {
      most = std::max(most, std::stoi(last));
    }
  }
  return most;
}

TEST_CASE("calibrate measures and keeps the times, and rdf predicts with them") {
  const RdfRunner rdf;
  const ProgramSetting setting{{{"STARPU_PERF_MODEL_DIR", rdf.file("models")},
                                {"STARPU_HOSTNAME", "here"},
                                {"STARPU_SCHED", "dmdas"},
                                {"STARPU_NCUDA", "0"},
                                {"STARPU_NCPU", "2"}}};
  const ProgramRun run = run_program({"calibrate", "--bins", "60", "--boxes",
                                      "orthorhombic", "--most-pairs", "400000000"},
                                     setting);
  INFO(run.err);
  CHECK(run.exit_code == 0);
  CHECK(missing(run.out, {"count_pairs_like_orthorhombic_1000bins", "_tiled", "CPU x 2",
                          "10^9 pairs/s at best", "deviation", "prediction error"}) ==
        "");
  CHECK(run.out.find("frames a task") == std::string::npos);  // only for GPUs
  CHECK(most_tasks(run.out) > 100);  // the smallest, which are measured longest
  std::size_t models = 0;
  for (const auto& file :
       std::filesystem::recursive_directory_iterator(rdf.file("models"))) {
    const std::string name = file.path().filename().string();
    if (name.starts_with("count_pairs_") && name.ends_with(".here")) {
      ++models;
    }
    CHECK(name.find("frames.") == std::string::npos);
  }
  CHECK(models == 4);  // like, unlike; in any order, in tiles

  const ProgramRun counted = rdf.run({data_file("water.h5"), "--r-max", "1.2", "--bins",
                                      "60", "--json", rdf.file("run.json")},
                                     setting);
  CHECK(counted.exit_code == 0);
  const std::string json = rdf.file("run.json");
  CHECK(json_value(json, "d['scheduler']") == "dmdas");
  CHECK(json_value(json, "d['prediction']['tasks'] > 0") == "True");
}

TEST_CASE("calibrate refuses numbers of streams that GPUs do not have") {
  for (const char* streams : {"0", "9", "-1", "two"}) {
    const ProgramRun run = run_program({"calibrate", "--streams", streams});
    INFO(run.err);
    CHECK(run.exit_code == 1);
    CHECK(missing(run.err, {"--streams", streams}) == "");
  }
}

TEST_CASE("models of another machine, shipped with the program, are harmless") {
  const RdfRunner rdf;
  const std::string models = rdf.file("models");
  std::filesystem::copy(data_file("../../perfmodels/sampling"), models,
                        std::filesystem::copy_options::recursive);
  const std::vector<std::string> words{data_file("water.h5"), "--r-max", "1.4",
                                       "--bins", "280"};
  CHECK(rdf.run(words).exit_code == 0);
  const auto expected = rdf.result();
  for (const char* scheduler : {"dmdas", "dmda"}) {
    const RdfRunner other;
    const ProgramRun run = other.run(words, {{{"STARPU_PERF_MODEL_DIR", models},
                                              {"STARPU_HOSTNAME", "h100"},
                                              {"STARPU_SCHED", scheduler}}});
    INFO(run.err);
    CHECK(run.exit_code == 0);
    CHECK(summed_counts(other.result()) == summed_counts(expected));
  }
}

TEST_CASE("calibrate refuses unknown options and values") {
  CHECK(missing(run_program({"calibrate", "--boxes", "round", "--bins", "0"}).err,
                {"'round'", "--bins"}) == "");
  CHECK(run_program({"calibrate", "--boxes", "round"}).exit_code == 1);
  CHECK(missing(run_program({"calibrate", "--help"}).out,
                {"usage: starhist calibrate", "STARPU_PERF_MODEL_DIR"}) == "");
}

TEST_CASE("rdf --trace lists every task, --variant chooses the kernel") {
  const RdfRunner rdf;
  const ProgramRun run =
      rdf.run({data_file("water.h5"), "--r-max", "1.2", "--bins", "60", "--step", "10",
               "--variant", "baseline", "--trace", rdf.file("tasks.csv"),
               "--task-pairs", "500000", "--verbose"},
              {{{"STARPU_NCUDA", "0"}}});
  INFO(run.err);
  CHECK(run.exit_code == 0);
  CHECK(missing(run.err, {"kernel baseline"}) == "");
  std::istringstream lines(read_bytes(rdf.file("tasks.csv")));
  std::string line;
  std::getline(lines, line);
  CHECK(line == "task,worker,kind,pairs,frames,start,end,predicted");
  std::uint64_t pairs = 0;
  while (std::getline(lines, line)) {
    const std::size_t kind = line.find(",cpu,");
    REQUIRE(kind != std::string::npos);
    pairs += std::stoull(line.substr(kind + 5));
  }
  CHECK(pairs == 21091356);  // 6 * 2652 * 2651 / 2

  const RdfRunner other;
  const ProgramRun unknown = other.run(
      {data_file("water.h5"), "--r-max", "1", "--bins", "60", "--variant", "fastest"});
  CHECK(refusal_problem(other, unknown,
                        {"--variant 'fastest'", "tensor", "baseline"}) == "");
  const ProgramRun two = other.run({data_file("water.h5"), "--r-max", "1", "--bins",
                                    "60", "--variant", "baseline,tensor,baseline"});
  CHECK(refusal_problem(other, two, {"two kernels of one kind", "one on CPUs"}) == "");
}

}  // namespace
}  // namespace starhist::testing

#include "driver/simulation/simulated_machine.hh"

#include <fstream>
#include <sstream>

#include "codelets/core/base/error.hh"
#include "driver/simulation/simulated_run.hh"
#include "tests/support/catch.hh"
#include "tests/support/error_text.hh"
#include "tests/support/temporary_directory.hh"

// Simulated machines, and the files exchanged with starhist-simulate.

namespace starhist::driver {
namespace {

using testing::error_text;
using testing::missing;
using testing::TemporaryDirectory;

std::string text_of(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

std::string written(const TemporaryDirectory& folder, const std::string& name,
                    const std::string& text) {
  std::filesystem::create_directories(
      std::filesystem::path(folder.file(name)).parent_path());
  std::ofstream(folder.file(name)) << text;
  return folder.file(name);
}

std::size_t occurrences(const std::string& text, const std::string& word) {
  std::size_t count = 0;
  for (std::size_t at = text.find(word); at != std::string::npos;
       at = text.find(word, at + 1)) {
    ++count;
  }
  return count;
}

TEST_CASE("a description of a machine sets its properties") {
  const TemporaryDirectory folder;
  const std::string path = written(folder, "node.machine",
                                   "# a node\n"
                                   "cpus 32\n\n"
                                   "gpus 4   # of them\n"
                                   "memory 512\ngpu-memory 40\n"
                                   "to-gpu 50\nfrom-gpu 40\nbetween-gpus 200\n"
                                   "latency 10\ncopying 12\nfirst-copying 3\n"
                                   "pinning 40\nframe-time 7\ntask-time 50\n"
                                   "models times\nhost node7\n"
                                   "variant avx2\ngpu-time-factor 0.5\n"
                                   "gpu-capability 8.6\ngpu-multiprocessors 84\n"
                                   "gpu-clock 1.74\ngpu-shared-memory 99\n");
  const SimulatedMachine machine = parse_machine(path);
  CHECK(machine.name == "node.machine");
  CHECK(machine.cpu_workers == 32);
  CHECK(machine.gpus == 4);
  CHECK(machine.memory_bytes == 512ULL << 30U);
  CHECK(machine.gpu_memory_bytes == 40ULL << 30U);
  CHECK(machine.to_gpu == 50e9);
  CHECK(machine.from_gpu == 40e9);
  CHECK(machine.between_gpus == 200e9);
  CHECK(machine.latency == 10 * 1e-6);
  CHECK(machine.copying == 12e9);
  CHECK(machine.first_copying == 3e9);
  CHECK(machine.pinning == 40e9);
  CHECK(machine.frame_seconds == 7 * 1e-6);
  CHECK(machine.task_seconds == 50 * 1e-6);
  CHECK(machine.models == folder.file("times"));
  CHECK(machine.host == "node7");
  CHECK(machine.cpu_variant == "avx2");
  CHECK(machine.gpu_time_factor == 0.5);
  REQUIRE(machine.gpu_properties.size() == 1);
  CHECK(machine.gpu_properties[0].capability == 86);
  CHECK(machine.gpu_properties[0].multiprocessors == 84);
  CHECK(machine.gpu_properties[0].clock == 1.74e9);
  CHECK(machine.gpu_properties[0].shared_bytes == 99 * 1024);
}

TEST_CASE("a description can contain the properties of each GPU") {
  const TemporaryDirectory folder;
  const SimulatedMachine machine =
      parse_machine(written(folder, "two.machine",
                            "gpus 2\ngpu-clock 1.5\ngpu-multiprocessors 132,54\n"
                            "gpu-capability 9.0,8.0\n"));
  REQUIRE(machine.gpu_properties.size() == 2);
  CHECK(machine.gpu_properties[0].multiprocessors == 132);
  CHECK(machine.gpu_properties[1].multiprocessors == 54);
  CHECK(machine.gpu_properties[0].capability == 90);
  CHECK(machine.gpu_properties[1].capability == 80);
  CHECK(machine.gpu_properties[0].clock == 1.5e9);
  CHECK(machine.gpu_properties[1].clock == 1.5e9);
}

TEST_CASE("invalid machines are refused, with the reason") {
  const TemporaryDirectory folder;
  const auto problem = [](const std::string& text) {
    return error_text<InputError>([&] { parse_machines(text); });
  };
  CHECK(missing(problem("cray"), {"--machine cray", "cpu:N", "h100:N"}) == "");
  CHECK(missing(problem("cpu:0"), {"--machine cpu:0", "1 to 256"}) == "");
  CHECK(missing(problem("cpu:257"), {"1 to 256"}) == "");
  CHECK(missing(problem("cpu:1.5"), {"not a whole number"}) == "");
  CHECK(missing(problem("cpu:"), {"is not a number"}) == "");
  CHECK(missing(problem("h100:17"), {"1 to 16"}) == "");
  CHECK(missing(problem("h100:nan"), {"is not a number"}) == "");
  CHECK(missing(problem("cpu:1,,cpu:2"), {"neither cpu:N"}) == "");
  CHECK(missing(problem(""), {"names no machine"}) == "");
  const auto file_problem = [&](const std::string& text) {
    return problem(written(folder, "m", text));
  };
  CHECK(missing(file_problem("cpus 1\ncpu 2\n"), {"line 2", "'cpu'", "cpus", "gpus"}) ==
        "");
  CHECK(missing(file_problem("cpus\n"), {"line 1", "takes one value"}) == "");
  CHECK(missing(file_problem("cpus 1 2\n"), {"line 1", "takes one value"}) == "");
  CHECK(missing(file_problem("cpus -1\n"), {"cpus '-1'", "0 to 256"}) == "");
  CHECK(missing(file_problem("latency 0\n"), {"latency '0'"}) == "");
  CHECK(missing(file_problem("memory inf\n"), {"memory 'inf'"}) == "");
  CHECK(missing(file_problem("variant sse\n"), {"'sse'", "avx512"}) == "");
  CHECK(missing(file_problem("memory 4\n"), {"neither cpus nor gpus"}) == "");
  CHECK(missing(file_problem("gpus 3\ngpu-clock 1.5,2\n"),
                {"properties of 2 GPUs", "gpus is 3", "one for each"}) == "");
  CHECK(missing(file_problem("gpus 2\ngpu-clock 1.5,2\ngpu-multiprocessors 1,2,3\n"),
                {"line 3", "has 3 values", "has 2"}) == "");
  CHECK(missing(file_problem("gpus 2\ngpu-clock 1.5,fast\n"), {"gpu-clock 'fast'"}) ==
        "");
}

TEST_CASE("a machine is written in the formats of StarPU and SimGrid") {
  const TemporaryDirectory folder;
  const std::string model =
      "# device type (CPU - 0, CUDA - 1)\n"
      "1\n"
      "# hash\t\tsize\t\tflops\t\tmean\t\tdev\t\tsum\t\tsum2\t\tn\n"
      "e267c98d\t3153736\t8.589869e+09\t1.5e+04\t2e+02\t1.8e+05\t2.7e+09\t12\n"
      "# device type (CPU - 0, CUDA - 1)\n"
      "0\n"
      "e267c98d\t3153736\t8.589869e+09\t1.5e+04\t2e+02\t1.8e+05\t2.7e+09\t12\n";
  written(folder, "models/codelets/45/count_pairs.node7", model);
  written(folder, "models/codelets/45/count_pairs.node77", "other\n");
  SimulatedMachine machine = parse_machine(
      written(folder, "m", "cpus 3\ngpus 2\nmodels models\nhost node7\nto-gpu 50\n"));
  machine.gpu_time_factor = 0.5;
  const std::filesystem::path target = folder.file("simulated");
  CHECK(write_machine(machine, target) == 1);

  const std::string copied = text_of(target / "codelets/45/count_pairs.simulated");
  CHECK(missing(copied, {"e267c98d\t3153736\t8.589869e+09\t7.500000e+03\t1.000000e+02\t"
                         "9.000000e+04\t6.750000e+08\t12\n",
                         "0\ne267c98d\t3153736\t8.589869e+09\t1.5e+04\t2e+02\t1.8e+05\t"
                         "2.7e+09\t12\n"}) == "");
  const std::string platform = text_of(target / "bus/simulated.platform.v4.xml");
  CHECK(occurrences(platform, "<host id=\"CPU") == 3 + 2);
  CHECK(occurrences(platform, "<host id=\"CUDA") == 2);
  CHECK(occurrences(platform, "<route ") == 2 * 2 + 2);
  CHECK(missing(platform, {"<link id=\"to1\" bandwidth=\"50000000000Bps\"",
                           "<route src=\"CUDA1\" dst=\"CUDA0\""}) == "");
  const std::string bandwidth = text_of(target / "bus/simulated.bandwidth");
  CHECK(missing(bandwidth, {"\n0.000000e+00\t5.000000e+04\t5.000000e+04\n"}) == "");
  CHECK(std::filesystem::exists(target / "bus/simulated.config"));
  CHECK(std::filesystem::exists(target / "bus/simulated.latency"));

  machine.models = folder.file("nowhere");
  CHECK(write_machine(machine, folder.file("second")) == 0);
}

TEST_CASE("a run and its result are unchanged by the exchange files") {
  SimulatedRun run;
  run.layout.species = {"O 1", ""};
  run.layout.pairs = {{SpeciesId(0), SpeciesId(1)}, {SpeciesId(1), SpeciesId(1)}};
  run.layout.bins = make_bins(1.0 / 3.0, 7, 2);
  run.frame.box = Box::from_lengths_and_angles({3.0, 4.0, 5.0}, {90.0, 80.0, 70.0});
  run.frame.positions = {{0.1, 1e-300, -7.0}, {}};
  run.options.frames = 12'345'678'901ULL;
  run.options.frames_per_block = 9;
  run.options.memory_bytes = 1ULL << 40U;
  run.options.most_pairs_per_task = 5;
  run.options.clusters = tasks::Clustering::off;
  run.options.labels = tasks::Labelling::on;
  run.options.record_tasks = true;
  run.cpu_workers = 4;
  run.cpu_variant = "avx2";
  run.seconds_to_read_a_frame = 1.0 / 3e4;
  run.seconds_to_accept_a_frame = 1.0 / 7e4;
  run.seconds_to_start = 1.0 / 3e2;
  run.submission = {1.0 / 3e5, 1.0 / 3e4, 1.0 / 7e3, 1.0 / 9e9, 1.0 / 3e10};
  run.gpus = {{86, 84, 1.74e9, 101'376}, {90, 132, 1.98e9, 232'448}};
  run.trace = "/tmp/a file.csv";
  std::stringstream text;
  write_run(text, run);
  const SimulatedRun read = read_run(text);
  CHECK(read.layout.species == run.layout.species);
  CHECK(read.layout.pairs == run.layout.pairs);
  CHECK(read.layout.bins.r_max == run.layout.bins.r_max);
  CHECK(read.layout.bins.inverse_width == run.layout.bins.inverse_width);
  CHECK(read.layout.bins.count == 7);
  CHECK(read.layout.bins.below == 2);
  CHECK(read.frame.box == run.frame.box);
  CHECK(read.frame.positions == run.frame.positions);
  CHECK(read.options.frames == run.options.frames);
  CHECK(read.options.frames_per_block == 9);
  CHECK(read.options.memory_bytes == run.options.memory_bytes);
  CHECK(read.options.most_pairs_per_task == 5);
  CHECK(read.options.clusters == tasks::Clustering::off);
  CHECK(read.options.labels == tasks::Labelling::on);
  CHECK(read.options.record_tasks);
  CHECK(read.cpu_workers == 4);
  CHECK(read.cpu_variant == "avx2");
  CHECK(read.seconds_to_read_a_frame == run.seconds_to_read_a_frame);
  CHECK(read.seconds_to_accept_a_frame == run.seconds_to_accept_a_frame);
  CHECK(read.seconds_to_start == run.seconds_to_start);
  CHECK(read.submission.task == run.submission.task);
  CHECK(read.submission.sample == run.submission.sample);
  CHECK(read.submission.new_block == run.submission.new_block);
  CHECK(read.submission.new_byte == run.submission.new_byte);
  CHECK(read.submission.copied_byte == run.submission.copied_byte);
  CHECK(read.gpus == run.gpus);
  CHECK(read.trace == run.trace);

  SimulatedResult result;
  result.seconds = 0.1;
  result.pairs = 1ULL << 60U;
  result.scheduler = "dmdas";
  result.measured = true;
  result.clustered = true;
  result.frames_per_batch = 5;
  result.most_pairs_per_task = 6;
  result.most_pairs_per_gpu_task = 7;
  result.cpu_share = 1.0 / 3.0;
  result.workers = {{"CUDA 0.0 (Simgrid 71.3 GiB)", true, "", 3, 4, 0.7}};
  std::stringstream answer;
  write_result(answer, result);
  const SimulatedResult back = read_result(answer);
  CHECK(back.seconds == 0.1);
  CHECK(back.pairs == result.pairs);
  CHECK(back.scheduler == "dmdas");
  CHECK(back.measured);
  CHECK(back.clustered);
  CHECK(back.frames_per_batch == 5);
  CHECK(back.most_pairs_per_task == 6);
  CHECK(back.most_pairs_per_gpu_task == 7);
  CHECK(back.cpu_share == 1.0 / 3.0);
  REQUIRE(back.workers.size() == 1);
  CHECK(back.workers[0].name == result.workers[0].name);
  CHECK(back.workers[0].cuda);
  CHECK(back.workers[0].busy_seconds == 0.7);

  const std::string lines = text.str();
  for (const std::string& other : {"1" + lines.substr(1), lines.substr(0, 8)}) {
    std::istringstream of_other(other);
    CHECK(missing(error_text<InputError>([&] { read_run(of_other); }),
                  {"are of different versions", "build both"}) == "");
  }
}

}  // namespace
}  // namespace starhist::driver

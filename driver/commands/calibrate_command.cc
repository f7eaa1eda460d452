#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iomanip>
#include <iostream>
#include <numeric>

#include "codelets/core/base/error.hh"
#include "codelets/core/base/text.hh"
#include "codelets/count_pairs_codelet.hh"
#include "driver/commands/command.hh"
#include "driver/commands/starpu_defaults.hh"
#include "driver/options/manual.hh"
#include "driver/options/option_values.hh"
#include "driver/trials/random_particles.hh"
#include "perfmodels/task_times.hh"
#include "tasks/submission/calibration.hh"

namespace starhist::driver {
namespace {

struct CalibrateOptions {
  std::vector<std::uint32_t> bins;
  std::vector<SampleBox> boxes;
  double most_pairs = 1.6e10;
  std::uint64_t streams = 0;  ///< workers of each GPU; 0: as in rdf
  bool again = false;
  bool quiet = false;
};

/// More workers per GPU do not help.
constexpr std::uint64_t most_streams = 8;

CalibrateOptions check_calibrate_options(const ParsedOptions& parsed,
                                         Problems& problems) {
  CalibrateOptions options;
  problems.collect([&] {
    for (const std::string& word : split_list(parsed.get("bins"))) {
      options.bins.push_back(make_bins(1.0, parse_positive("--bins", word)).count);
    }
  });
  problems.collect([&] { options.boxes = parse_sample_boxes(parsed.get("boxes")); });
  problems.collect([&] {
    options.most_pairs =
        static_cast<double>(parse_positive("--most-pairs", parsed.get("most-pairs")));
  });
  problems.collect([&] {
    if (!parsed.has("streams")) {
      return;
    }
    options.streams = parse_positive("--streams", parsed.get("streams"));
    if (options.streams > most_streams) {
      throw InputError("--streams " + parsed.get("streams") +
                       " is not usable (give 1 to " + std::to_string(most_streams) +
                       ")");
    }
  });
  options.again = parsed.has("again");
  options.quiet = parsed.has("quiet");
  return options;
}

/// Workers that are measured concurrently, as in a run: all CPU workers, or the workers
/// of one GPU.
struct WorkerSet {
  std::string name;
  std::vector<int> ids;  ///< StarPU's numbers
  starpu_worker_archtype kind;
  double most_pairs;  ///< number of pairs of the largest task
};

std::vector<WorkerSet> worker_sets(const tasks::Runtime& runtime, double most_pairs) {
  constexpr double cores_share = 0.005;  // about a tenth of a second on a core
  std::vector<WorkerSet> sets;
  int gpu = -1;  // GPU of the last set
  WorkerSet cores{"CPU", {}, STARPU_CPU_WORKER, cores_share * most_pairs};
  for (const tasks::Worker& worker : runtime.workers()) {
    if (!worker.cuda) {
      cores.ids.push_back(worker.id);
    } else if (!sets.empty() && gpu == worker.gpu) {
      sets.back().ids.push_back(worker.id);
      sets.back().name =
          "GPU " + std::to_string(gpu) + " x " + std::to_string(sets.back().ids.size());
    } else {
      sets.push_back({worker.name, {worker.id}, STARPU_CUDA_WORKER, most_pairs});
      gpu = worker.gpu;
    }
  }
  if (!cores.ids.empty()) {
    cores.name += " x " + std::to_string(cores.ids.size());
    sets.push_back(cores);
  }
  return sets;
}

/// Particle numbers whose numbers of pairs grow by about a factor of 2 each, up to
/// most_pairs per task, or twice as many per task of several frames. Tasks of few
/// frames start at the size at which tasks of many frames end.
std::vector<std::uint64_t> sizes(perfmodels::PairKind pairs, perfmodels::Order order,
                                 std::size_t measurement, double most_pairs) {
  std::vector<std::uint64_t> list;
  const double per_square = pairs == perfmodels::PairKind::like ? 0.5 : 1.0;
  const double least = order == perfmodels::Order::spatial
                           ? 1024.0
                           : 256.0;  // smaller tasks do not profit from clusters
  constexpr double with_frames = 2.0;
  const auto most_of_a_frame = [&](std::size_t of) {
    return (of > 0 ? with_frames : 1.0) * most_pairs / perfmodels::measured_frames[of];
  };
  const double few = measurement > 1 ? 0.5 * most_of_a_frame(measurement - 1) : 0.0;
  for (double n = least; per_square * n * n <= most_of_a_frame(measurement);
       n *= std::sqrt(2.0)) {
    if (per_square * n * n >= few) {
      list.push_back(static_cast<std::uint64_t>(n));
    }
  }
  return list;
}

struct Statistics {
  double mean = 0.0;       ///< [s]
  double median = 0.0;     ///< [s]
  double deviation = 0.0;  ///< standard deviation, relative to the mean
  std::size_t tasks = 0;
};

/// Statistics of task times [s] without each worker's first task, which includes
/// loading code.
Statistics statistics_of(std::vector<double> seconds, std::size_t workers) {
  seconds.erase(seconds.begin(), seconds.begin() + static_cast<std::ptrdiff_t>(std::min(
                                                       workers, seconds.size() - 1)));
  const auto count = static_cast<double>(seconds.size());
  const double mean = std::accumulate(seconds.begin(), seconds.end(), 0.0) / count;
  double squares = 0.0;
  for (const double time : seconds) {
    squares += (time - mean) * (time - mean);
  }
  const auto middle = seconds.begin() + static_cast<std::ptrdiff_t>(seconds.size() / 2);
  std::nth_element(seconds.begin(), middle, seconds.end());
  return {mean, *middle, std::sqrt(squares / count) / mean, seconds.size()};
}

/// Errors of predictions and spread of measurements of one model on one set of workers.
struct Quality {
  perfmodels::SpeedTable table;
  std::vector<std::pair<double, double>> tests;  ///< number of pairs, time [s]
  double largest_deviation = 0.0;
  double deviation_sum = 0.0;
  int measurements = 0;
  double best_rate = 0.0;

  double mean_error() const {
    double sum = 0.0;
    for (const auto& [pairs, seconds] : tests) {
      sum += std::abs(table.seconds(pairs) / seconds - 1.0);
    }
    return tests.empty() ? 0.0 : sum / static_cast<double>(tests.size());
  }
};

/// Number of additional tasks per worker [>= 0] after `repeat` tasks with a median time
/// of `seconds` (their mean includes interruptions). CPU workers measure for 0.05 s:
/// with few times, one interrupted task makes StarPU discard the earlier times, and
/// then represents all tasks of its size.
int further_repetitions(starpu_worker_archtype kind, double seconds, int repeat) {
  constexpr double enough = 0.05;  // [s]
  constexpr double most = 200.0;
  return kind == STARPU_CPU_WORKER
             ? std::max(static_cast<int>(std::min(enough / seconds, most)) - repeat, 0)
             : 0;
}

/// Measures tasks of perfmodels::measured_frames[measurement] frames.
void measure_model(tasks::Runtime& runtime, const CalibrateOptions& options,
                   const SampleBox& sample, std::uint32_t bins,
                   perfmodels::PairKind pairs, perfmodels::Order order,
                   const WorkerSet& set, unsigned implementation,
                   std::size_t measurement) {
  const std::uint32_t frames = perfmodels::measured_frames[measurement];
  // StarPU discards the first time and needs 10 for its own predictions, which apply to
  // single frames.
  const int least_samples = measurement == 0 ? 12 : 6;
  Quality quality;
  bool test = false;
  const std::vector<std::uint64_t> numbers =
      sizes(pairs, order, measurement, set.most_pairs);
  if (numbers.empty()) {
    std::cout << "  " << set.name << ": --most-pairs excludes all sizes\n";
    return;
  }
  for (const std::uint64_t n : numbers) {
    const std::vector<double> first = random_positions(sample.box, n, 1);
    const std::vector<double> second = pairs == perfmodels::PairKind::like
                                           ? std::vector<double>()
                                           : random_positions(sample.box, n, 2);
    const tasks::CalibrationWork work{
        pairs, sample.box, make_bins(sample.r_max, bins), first, second,
        order, measurement};
    const int workers = static_cast<int>(set.ids.size());
    const int repeat = 1 + (least_samples + workers - 1) / workers;
    Statistics time =
        statistics_of(tasks::time_tasks(runtime, work, set.ids, implementation, repeat),
                      set.ids.size());
    if (const int more = further_repetitions(set.kind, time.median, repeat); more > 0) {
      time =
          statistics_of(tasks::time_tasks(runtime, work, set.ids, implementation, more),
                        set.ids.size());
    }
    const auto count = static_cast<double>(frames * work.pair_count());
    if (test) {
      quality.tests.emplace_back(count, time.mean);
    } else {
      quality.table.add(count, time.mean);
    }
    test = !test;
    quality.largest_deviation = std::max(quality.largest_deviation, time.deviation);
    quality.deviation_sum += time.deviation;
    ++quality.measurements;
    quality.best_rate = std::max(quality.best_rate, count / time.mean);
    if (!options.quiet) {
      std::cout << "    " << std::scientific << std::setprecision(2) << count
                << " pairs  " << time.mean << " s  " << std::fixed << std::setw(9)
                << 1e-9 * count / time.mean << " 10^9 pairs/s  +- "
                << std::setprecision(1) << 100.0 * time.deviation << " %  "
                << time.tasks << " tasks\n";
    }
  }
  std::cout << "  " << set.name << ", implementation " << implementation
            << (frames > 1 ? ", " + std::to_string(frames) + " frames a task" : "")
            << ": " << std::fixed << std::setprecision(2) << 1e-9 * quality.best_rate
            << " 10^9 pairs/s at best, deviation " << std::setprecision(1)
            << 100.0 * quality.deviation_sum / std::max(quality.measurements, 1)
            << " % (largest " << 100.0 * quality.largest_deviation
            << " %), prediction error " << 100.0 * quality.mean_error() << " %"
            << std::endl;
}

void calibrate(tasks::Runtime& runtime, const CalibrateOptions& options,
               const SampleBox& sample, std::uint32_t bins, perfmodels::PairKind pairs,
               perfmodels::Order order) {
  codelets::CountPairsCodelet& codelet = runtime.count_pairs(
      pairs, perfmodels::geometry_of(sample.box, make_bins(sample.r_max, bins)), order);
  std::cout << codelet.model().name() << '\n';
  for (WorkerSet set : worker_sets(runtime, options.most_pairs)) {
    if (set.kind == STARPU_CUDA_WORKER && order == perfmodels::Order::spatial) {
      set.ids.resize(1);  // only this worker counts (TaskWorkers)
    }
    const unsigned implementations =
        set.kind == STARPU_CUDA_WORKER && codelet.get()->cuda_funcs[1] != nullptr ? 2
                                                                                  : 1;
    for (unsigned k = 0; k < implementations; ++k) {
      measure_model(runtime, options, sample, bins, pairs, order, set, k, 0);
      for (std::size_t measurement = 1;
           set.kind == STARPU_CUDA_WORKER &&
           measurement < perfmodels::measured_frames.size();
           ++measurement) {
        measure_model(runtime, options, sample, bins, pairs, order, set, k,
                      measurement);
      }
    }
  }
}

void calibrate(const CalibrateOptions& options, std::uint32_t bins) {
  tasks::Runtime runtime(tasks::CpuMode::core, {bins, "auto"});
  for (const std::string& problem : runtime.problems()) {
    std::cerr << "starhist: " << problem << '\n';
  }
  for (const SampleBox& sample : options.boxes) {
    for (const perfmodels::PairKind pairs :
         {perfmodels::PairKind::like, perfmodels::PairKind::unlike}) {
      for (const perfmodels::Order order :
           {perfmodels::Order::any, perfmodels::Order::spatial}) {
        calibrate(runtime, options, sample, bins, pairs, order);
      }
    }
  }
}

}  // namespace

Manual calibrate_manual() {
  const std::vector<std::string> boxes = sample_box_names();
  return {
      .command = "calibrate",
      .summary = "measure task times for StarPU's schedulers",
      .synopsis = "[options]",
      .description =
          R"(Measures the times of counting tasks, on all GPUs and cores at the same time.
The tasks count pairs of few to many random particles, of one or two species,
in each kind of box, with and without clusters; on GPUs some tasks have several
frames. StarPU stores the times in STARPU_PERF_MODEL_DIR (default
~/.starpu/sampling). rdf uses these times to decide whether to use clusters;
the schedulers dmda, dmdas, ... use them to place tasks. calibrate then predicts
the times of one half of the tasks from the times of the other half, and prints
the errors.)",
      .options = {{OptionGroup::counting,
                   "bins",
                   "N,...",
                   "numbers of bins",
                   {.fallback = "1000,10000,50000"}},
                  // One box for each geometry that the models distinguish.
                  {OptionGroup::counting,
                   "boxes",
                   "NAME,...",
                   "boxes",
                   {.fallback = "open,orthorhombic,triclinic-near,triclinic",
                    .otherwise = "open, orthorhombic, triclinic-near and triclinic",
                    .choices = boxes}},
                  {OptionGroup::counting,
                   "most-pairs",
                   "N",
                   "pairs in the largest frame for a GPU",
                   {.fallback = "16000000000",
                    .otherwise = "1.6e10; a 200th of it for a core"}},
                  {OptionGroup::counting,
                   "streams",
                   "N",
                   "number of workers per GPU",
                   {.otherwise = "2, as in rdf"}},
                  {OptionGroup::running, "again", "",
                   "discard earlier measurements of these models"},
                  {OptionGroup::running, "quiet,q", "",
                   "print only the summary of each model"}},
      .sections = {
          {"boxes", "  " + join(boxes, " ") + "\n"},
          {"example", "  starhist calibrate --bins 10000 --boxes orthorhombic\n"}}};
}

ExitCode run_calibrate(const std::vector<std::string>& arguments) {
  Problems problems;
  const auto parsed = parse_options_alone(calibrate_manual(), arguments, problems);
  if (!parsed) {
    return ExitCode::done;
  }
  const CalibrateOptions options = check_calibrate_options(*parsed, problems);
  problems.throw_if_any("calibrate");

  if (options.streams > 0) {
    setenv("STARPU_NWORKER_PER_CUDA", std::to_string(options.streams).c_str(),
           /*overwrite=*/1);
  }
  set_starpu_defaults(tasks::CpuMode::core);
  setenv("STARPU_CALIBRATE", options.again ? "2" : "1", /*overwrite=*/1);
  for (const std::uint32_t bins : options.bins) {
    calibrate(options, bins);
  }
  return ExitCode::done;
}

}  // namespace starhist::driver

#include <algorithm>
#include <chrono>
#include <exception>
#include <fstream>
#include <iostream>
#include <map>

#include <sys/stat.h>

#include "codelets/core/base/error.hh"
#include "codelets/core/base/text.hh"
#include "codelets/kernels/cpu/variants.hh"
#include "driver/commands/command.hh"
#include "driver/commands/starpu_defaults.hh"
#include "driver/options/rdf_options.hh"
#include "driver/report/abort_message.hh"
#include "driver/report/plan_report.hh"
#include "driver/report/progress_bar.hh"
#include "driver/report/run_summary.hh"
#include "driver/report/task_trace.hh"
#include "driver/report/version.hh"
#include "driver/run/block_writer.hh"
#include "driver/run/exclusions.hh"
#include "driver/run/frame_stream.hh"
#include "driver/run/read_ahead.hh"
#include "io/output/result_writer.hh"
#include "io/text/text_index_store.hh"
#include "tasks/pair_counter.hh"
#include "tasks/planning/batch_plan.hh"
#include "tasks/runtime/gpus.hh"

namespace starhist::driver {
namespace {

HistogramLayout make_layout(const RdfOptions& options, const io::TrajectoryInfo& info) {
  HistogramLayout layout;
  layout.species = info.species;
  layout.pairs = options.pairs.empty() ? all_pairs(info.species.size())
                                       : parse_pairs(options.pairs, info.species);
  layout.bins = options.bins;
  layout.length_unit = info.length_unit;
  layout.time_unit = info.time_unit;
  layout.exclusion = options.exclusion;
  return layout;
}

io::RunRecord make_record(const RdfOptions& options, const io::TrajectoryInfo& info,
                          const tasks::Runtime& runtime) {
  io::RunRecord record{{"program", "starhist"}, {"version", version()}};
  for (std::size_t k = 0; k < options.inputs.size(); ++k) {
    struct stat file {};
    const std::string name = "input " + std::to_string(k + 1);
    record.emplace_back(name, options.inputs[k]);
    if (stat(options.inputs[k].c_str(), &file) == 0) {
      record.emplace_back(name + " bytes", std::to_string(file.st_size));
      record.emplace_back(name + " modified (unix time)",
                          std::to_string(file.st_mtime));
    }
  }
  record.emplace_back("format", info.format);
  record.emplace_back("group", info.group);
  record.insert(record.end(), options.as_written.begin(), options.as_written.end());
  record.emplace_back("scheduler", runtime.scheduler());
  record.emplace_back("workers", std::to_string(runtime.workers().size()));
  record.emplace_back("threads per worker",
                      std::to_string(runtime.threads_per_worker()));
  record.emplace_back("cpu variant", kernels::cpu::selected_variant().name);
  std::map<int, std::string> gpus;  // several workers share one
  for (const tasks::Worker& worker : runtime.workers()) {
    if (worker.cuda) {
      gpus[worker.gpu] = worker.device;
    }
  }
  for (const auto& [number, device] : gpus) {
    record.emplace_back("GPU " + std::to_string(number), device);
  }
  return record;
}

/// An r_max of more than twice the largest distance is nearly always a wrong unit; a
/// little beyond it is harmless, and boxes may grow.
void check_range(const RdfOptions& options, const Frame& frame,
                 const std::string& unit) {
  const double farthest = frame.box.covering_radius();
  if (options.bins.r_max > 2.0 * farthest) {
    throw InputError(
        "--r-max " + number_text(options.bins.r_max) +
        " is far beyond every distance: in frame " + std::to_string(frame.index.get()) +
        " no two points are farther apart than " + number_text(farthest) +
        (unit.empty() ? "" : " " + unit) + " (is it in the file's length unit?)");
  }
}

void check_box_kind(const Frame& first, const Frame& frame) {
  if (first.box.periodic() != frame.box.periodic()) {
    throw InputError("frame " + std::to_string(frame.index.get()) +
                     " is periodic along other axes than frame " +
                     std::to_string(first.index.get()) +
                     " (give one box for all with --box)");
  }
}

void write_json(const std::string& path, const RunSummary& summary) {
  std::ofstream file(path);
  file << summary_json(summary);
  file.close();
  if (!file) {
    throw RunError("cannot write the summary to '" + path + "'");
  }
}

/// What the bins alone need is known before there is a frame, and a file for it.
void check_memory(const HistogramLayout& layout, const tasks::CountingOptions& counting,
                  const tasks::Runtime& runtime) {
  tasks::WorkEstimate least;
  least.pair_kinds = layout.pairs.size();
  least.frames = counting.frames;
  least.bins = layout.bins.count_from_zero();
  least.workers = runtime.cpu_workers();
  least.gpus = runtime.gpus();
  least.streams_per_gpu = runtime.streams_per_gpu();
  least.gpu_speed = 1e12;  // of no account for the memory of the counts
  least.threads_per_worker = static_cast<std::uint64_t>(runtime.threads_per_worker());
  tasks::plan_batches(least, counting.memory_bytes, counting.most_pairs_per_task);
}

/// Counts the selected frames. The first that cannot be used ends that: its InputError
/// is returned, so that the blocks before it can be finished.
std::exception_ptr count_selected(const RdfOptions& options,
                                  const HistogramLayout& layout,
                                  const PairExclusions& exclusions,
                                  std::uint64_t expected_frames, FrameStream& frames,
                                  tasks::PairCounter& counter, RunSummary& summary) {
  std::optional<ProgressBar> bar;
  if (options.verbosity == Verbosity::normal) {
    bar.emplace([&counter] { return counter.status().pairs_done(); });
  }
  std::optional<Frame> first;  // its index and box, for comparison
  bool total_known = false;    // of the progress bar
  try {
    while (std::optional<Frame> frame = frames.next()) {
      if (!first) {
        check_range(options, *frame, layout.length_unit);
        first.emplace();
        first->index = frame->index;
        first->box = frame->box;
      }
      if (bar && !total_known) {
        const std::uint64_t pairs = exclusions.work(layout, *frame);
        bar->set_total(pairs * expected_frames);
        total_known = pairs > 0;
      }
      check_box_kind(*first, *frame);
      counter.add(std::move(*frame));
      for (Frame& used : counter.take_used_frames()) {
        frames.recycle(std::move(used));
      }
      ++summary.frames;
    }
    if (!first) {
      throw InputError("none of the selected frames can be used; the first: " +
                       frames.skipped().front());
    }
    counter.finish();
  } catch (const InputError&) {
    return std::current_exception();
  }
  return nullptr;
}

double seconds_since(std::chrono::steady_clock::time_point start) {
  const std::chrono::duration<double> elapsed =
      std::chrono::steady_clock::now() - start;
  return elapsed.count();
}

tasks::CountingOptions counting_options(const RdfOptions& options,
                                        const io::TrajectoryInfo& info) {
  tasks::CountingOptions counting;
  counting.frames = options.frames.count(info.frame_count);
  counting.frames_per_block = options.frames_per_block;
  counting.memory_bytes = options.memory_bytes;
  counting.most_pairs_per_task = options.most_pairs_per_task;
  counting.clusters = options.clusters;
  counting.record_tasks = !options.trace.empty();
  return counting;
}

void explain_run(const RdfOptions& options, const HistogramLayout& layout,
                 const PairExclusions& exclusions, io::TrajectoryReader& reader,
                 tasks::Runtime& runtime) {
  Frame frame;
  const std::uint64_t frames = options.frames.count(reader.info().frame_count);
  for (std::uint64_t k = 0; k < frames; ++k) {
    reader.read(FrameIndex(options.frames.first + k * options.frames.step), frame);
    if (k == 0) {
      check_range(options, frame, layout.length_unit);
    }
    exclusions.check(layout, frame);
    if (exclusions.work(layout, frame) > 0) {
      break;  // the first with pairs, by which a run is planned
    }
  }
  report_plan(std::cout, runtime, layout, exclusions,
              counting_options(options, reader.info()), frame);
}

RunSummary count_frames(const RdfOptions& options, const HistogramLayout& layout,
                        const PairExclusions& exclusions,
                        const io::TrajectoryInfo& info, FrameStream& frames,
                        tasks::Runtime& runtime) {
  const auto start = std::chrono::steady_clock::now();
  const tasks::CountingOptions counting = counting_options(options, info);
  check_memory(layout, counting, runtime);

  const AbortMessage last_words(
      "the run was aborted (a GPU may have failed: see the lines above); the blocks "
      "finished before are in '" +
      options.output + ".partial'");
  RunSummary summary;
  io::ResultWriter writer(options.output, layout, make_record(options, info, runtime),
                          options.overwrite);
  {
    BlockWriter blocks(writer,
                       std::min<std::size_t>(1U << 25U, options.memory_bytes / 32));
    std::exception_ptr bad_frame;
    tasks::PairCounter counter(
        runtime, layout, counting,
        [&](BlockCounts&& block) {
          if (bad_frame && block.frames < options.frames_per_block) {
            return;  // not a block that was asked for
          }
          for (const std::uint64_t excluded : block.excluded) {
            summary.excluded_pairs += excluded;
          }
          blocks.append(std::move(block));
          ++summary.blocks;
        },
        exclusions);
    bad_frame = count_selected(options, layout, exclusions, counting.frames, frames,
                               counter, summary);
    if (bad_frame) {
      counter.finish();
      std::rethrow_exception(bad_frame);
    }
    summary.pairs = counter.status().pairs_done();
    summary.count_seconds = seconds_since(start);
    summary.workers = summarize_workers(runtime, counter.status());
    summary.predictions = counter.status().predictions();
    summary.skipped_pairs = counter.status().skipped_pairs();
    summary.repeated_tasks = counter.status().repeated_tasks();
    summary.bytes_moved = runtime.bytes_moved();
    if (!options.trace.empty()) {
      write_task_trace(options.trace, counter.status().records(), runtime.workers());
    }
    blocks.wait();
  }
  summary.skipped_frames = frames.skipped();
  if (options.frames.last.value_or(info.frame_count) >= info.frame_count) {
    const std::vector<std::string>& tails = info.truncation;
    summary.skipped_frames.insert(summary.skipped_frames.end(), tails.begin(),
                                  tails.end());
  }
  io::RunRecord last{
      {"frames left out", std::to_string(summary.skipped_frames.size())}};
  last.emplace_back("pairs evaluated",
                    std::to_string(summary.pairs - summary.skipped_pairs));
  last.emplace_back("pairs out of range tile by tile",
                    std::to_string(summary.skipped_pairs));
  writer.finish(last);
  summary.seconds = seconds_since(start);
  summary.output = options.output;
  summary.scheduler = runtime.scheduler();
  summary.exclusion = layout.exclusion;
  summary.cpu_variant = kernels::cpu::selected_variant().name;
  summary.cuda_variant = options.cuda_variant;
  summary.threads_per_worker = runtime.threads_per_worker();
  return summary;
}

}  // namespace

ExitCode run_rdf(const std::vector<std::string>& arguments) {
  const auto start = std::chrono::steady_clock::now();
  const std::optional<RdfOptions> options = parse_rdf_options(arguments);
  if (!options) {
    return ExitCode::done;
  }
  io::ReadOptions reading = options->reading();
  reading.text_indexes = std::make_shared<io::TextIndexStore>();
  const io::FileFingerprints files(options->inputs);
  auto reader = io::open_trajectory(options->inputs, reading);
  // Pairs that do not exist, molecules that are not known: before StarPU starts.
  const HistogramLayout layout = make_layout(*options, reader->info());
  const PairExclusions exclusions = make_exclusions(layout, reader->info());
  options->frames.count(reader->info().frame_count);
  if (!options->cpu_variant.empty()) {
    kernels::cpu::select_variant(options->cpu_variant);
  }
  // Read while StarPU starts, which takes some tenths of a second with GPUs.
  set_starpu_defaults(options->cpu_mode);
  std::optional<FrameStream> frames;
  if (!options->explain) {
    frames.emplace(*reader, options->frames, options->bad_frames,
                   read_ahead(options->inputs, reading, reader->info(), files,
                              options->memory_bytes, tasks::expect_gpus()));
  }
  tasks::Runtime runtime(options->cpu_mode,
                         {options->bins.count_from_zero(), options->cuda_variant});
  const double start_seconds = seconds_since(start);
  for (const std::string& problem : runtime.problems()) {
    std::cerr << "starhist: " << problem << '\n';
  }
  if (options->explain) {
    explain_run(*options, layout, exclusions, *reader, runtime);
    return ExitCode::done;
  }
  RunSummary summary =
      count_frames(*options, layout, exclusions, reader->info(), *frames, runtime);
  summary.start_seconds = start_seconds;
  if (options->verbosity == Verbosity::normal) {
    std::cerr << summary_text(summary);
  }
  if (!options->json.empty()) {
    write_json(options->json, summary);
  }
  return summary.skipped_frames.empty() ? ExitCode::done : ExitCode::frames_left_out;
}

}  // namespace starhist::driver

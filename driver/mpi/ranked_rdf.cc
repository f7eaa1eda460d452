#include <iomanip>
#include <iostream>
#include <memory>
#include <optional>

#include "codelets/core/base/error.hh"
#include "driver/axes/second_axis_counter.hh"
#include "driver/commands/rdf_reports.hh"
#include "driver/mpi/agreement.hh"
#include "driver/mpi/ranked_program.hh"
#include "driver/options/vanhove_options.hh"
#include "driver/ranks/packing.hh"
#include "driver/ranks/rank_counting.hh"
#include "driver/ranks/rank_plan.hh"
#include "driver/ranks/rank_summary.hh"
#include "driver/ranks/unit_cutter.hh"
#include "driver/report/abort_message.hh"
#include "driver/report/plan_report.hh"
#include "driver/report/progress_bar.hh"
#include "driver/report/summary_text.hh"
#include "driver/run/run_checks.hh"

namespace starhist::driver {
namespace {

/// A run that counts pairs with StarPU.
class RankedRun : public RankedProgram {
 public:
  using Parser = std::optional<RdfOptions> (*)(
      const std::vector<std::string>& arguments, bool writes);

  RankedRun(Communicator& ranks, StopSignals& signals, std::string command,
            Parser parser, std::vector<std::string> arguments)
      : RankedProgram(ranks, signals, std::move(command), std::move(arguments)),
        parser_(parser) {}

 private:
  std::optional<RdfOptions> parse(bool writes) override {
    return parser_(arguments_, writes);
  }
  void check_first() override { check_range(run_->run().layout, first_); }
  ExitCode go() override;

  void start_runtime();
  ExitCode explain();
  void start_reading();
  void plan_units();
  RankedFrames planned_frames(const Frame& frame);
  RankRun rank_run() const;
  ExitCode count_and_report();
  RunSummary count();
  RunResult count_on_all(tasks::Runtime& runtime, const RunSpec& spec,
                         const RunSink& sink, const RunHooks& hooks);
  BlockAssembly assembly(const RunSpec& spec, const RunSink& sink, RunResult& result);

  const Parser parser_;
  std::unique_ptr<tasks::Runtime> runtime_;
  double start_seconds_ = 0.0;
  Plane flat_ = Plane::none;        ///< RunResult::flat, on rank 0
  std::array<double, 3> vacuum_{};  ///< RunResult::vacuum, on rank 0
  RankWeights weights_;             ///< on rank 0
  RankedFrames frames_;             ///< on rank 0
  std::uint64_t most_frames_per_unit_ = 1;
  std::optional<WorkUnit> read_ahead_;  ///< unit that stream_ reads before counting
  std::optional<RunSpec> spec_;         ///< of this rank
};

/// The first rank of each host starts StarPU first, because it may measure the machine
/// and write the results.
void RankedRun::start_runtime() {
  agree(ranks_, [this] {
    const bool first = ranks_.first_rank_on_host() == ranks_.rank();
    const auto start = [this] {
      const AbortMessage last_words(
          ranks_.name_of(ranks_.rank()) +
          ": StarPU could not start (memory may have run out, or a folder may not be "
          "writable: see the lines above)");
      runtime_ = std::make_unique<tasks::Runtime>(options_->cpu_mode, run_->kernels(),
                                                  run_->useful_workers({}));
    };
    std::exception_ptr error;
    try {
      if (first) {
        start();
      }
    } catch (const std::exception&) {
      error = std::current_exception();  // the host's other ranks wait
    }
    ranks_.wait_for_host();
    if (error) {
      std::rethrow_exception(error);
    }
    if (!first) {
      start();
    }
  });
  const std::chrono::duration<double> elapsed = Clock::now() - start_;
  start_seconds_ = elapsed.count();
  for (const std::string& gpus : ranks_.gather(std::to_string(runtime_->gpus()))) {
    weights_.push_back(weight_of_rank(std::stoull(gpus)));
  }
  for (const std::string& problem : runtime_->problems()) {
    std::cerr << "starhist-mpi: " << ranks_.name_of(ranks_.rank()) << ": " << problem
              << '\n';
  }
}

/// Rank 0 prints its plan, for its share of the frames, and the time that all ranks
/// need.
ExitCode RankedRun::explain() {
  const RunSpec& spec = run_->run();
  Frame frame;
  double seconds = 0.0;  // if this rank counted all frames
  agree(ranks_, [&] {
    frame = run_->planned_frame();
    seconds =
        planned_seconds(*runtime_, spec.layout, spec.exclusions, spec.options, frame);
  });
  const std::vector<std::string> alone = ranks_.gather(std::to_string(seconds));
  ranks_.set_agreed_end();  // the others have finished
  if (!leads()) {
    return ExitCode::done;
  }
  const std::string bins = default_bins_sentence(
      spec.layout.bins, spec.layout.length_unit, run_->default_options());
  std::cout << (bins.empty() ? "" : bins + "\n");
  report_plan(std::cout, *runtime_, spec.layout, spec.exclusions,
              options_of_rank(spec.options, weights_.size()), frame);
  const RankedFrames frames = planned_frames(frame);
  const std::uint32_t parts = row_parts(frames, weights_);
  const std::uint64_t most = most_frames_per_unit(frames, weights_);
  double rate = 0.0;  // of all ranks [runs/s]
  for (const std::string& time : alone) {
    rate += std::stod(time) > 0.0 ? 1.0 / std::stod(time) : 0.0;
  }
  std::cout << "the above is rank 0's share; ranks: " << ranks_text(ranks_)
            << "\nwork units: "
            << (parts > 1 ? std::to_string(parts) + " of each frame"
                          : "up to " + std::to_string(most) +
                                (most == 1 ? " frame" : " frames"))
            << "\nexpected for all ranks: " << std::fixed << std::setprecision(3)
            << (rate > 0.0 ? 1.0 / rate : 0.0) << " s" << std::endl;
  return ExitCode::done;
}

/// On rank 0: the frames of a run whose frames are like `frame`.
RankedFrames RankedRun::planned_frames(const Frame& frame) {
  const RunSpec spec = run_->counted();
  if (run_->lags()) {
    RankedFrames frames;
    frames.begin = spec.options.first_number;
    frames.end = frames.begin + spec.options.frames;
    frames.frames_per_block = spec.options.frames_per_block;
    frames.smallest = SmallestUnit::block;
    return frames;
  }
  return ranked_frames(*runtime_, spec.layout, spec.exclusions, spec.options, weights_,
                       frame);
}

/// Starts reading the first work unit while StarPU starts.
void RankedRun::start_reading() {
  if (beginning_.end == beginning_.number) {
    return;
  }
  agree(ranks_, [this] {
    const RunSpec& spec = run_->run();
    stream_ = run_->growing_stream();
    if (run_->lags()) {
      return;
    }
    RankedFrames frames{beginning_.number, beginning_.end,
                        spec.options.frames_per_block,
                        spec.exclusions.work(spec.layout, first_)};
    frames.smallest = spec.layout.second ? SmallestUnit::frame : SmallestUnit::rows;
    read_ahead_ = first_unit(frames, static_cast<std::uint32_t>(ranks_.size()),
                             static_cast<std::uint32_t>(ranks_.rank()));
    if (read_ahead_) {
      stream_->append(read_ahead_->begin, read_ahead_->end);
    }
  });
}

/// Rank 0 plans, and sends the others their part of the plan.
void RankedRun::plan_units() {
  agree(ranks_, [&] {
    if (leads() && beginning_.end > beginning_.number) {
      frames_ = planned_frames(first_);
      most_frames_per_unit_ = most_frames_per_unit(frames_, weights_);
    }
    if (options_->second) {
      check_second_counts(run_->run().layout, run_->run().options.memory_bytes);
    }
  });
  most_frames_per_unit_ =
      std::stoull(ranks_.broadcast(std::to_string(most_frames_per_unit_)));
  if (leads()) {
    flat_ = undeclared_plane(run_->run().layout, first_);
    vacuum_ = undeclared_vacuum(run_->run().layout, first_);
  }
  first_.positions.clear();
  spec_ = run_->counted();
  spec_->options =
      options_of_rank(spec_->options, static_cast<std::uint64_t>(ranks_.size()));
}

RankRun RankedRun::rank_run() const {
  RankRun run;
  run.spec = &*spec_;
  run.lags = run_->lags() ? &*run_->lags() : nullptr;
  run.vectors = run_->vectors();
  run.frames = stream_.get();
  run.bad_frames = options_->bad_frames;
  run.first = first_;
  run.most_frames_per_unit = most_frames_per_unit_;
  run.read_ahead = read_ahead_;
  run.stop = signals_.token();
  run.signal = [this] { return signals_.signal(); };
  return run;
}

/// The blocks of the run from the ranks' counts, for `sink`; adds them to `result`.
BlockAssembly RankedRun::assembly(const RunSpec& spec, const RunSink& sink,
                                  RunResult& result) {
  const auto pass_on = [&](LaggedBlock&& block) {
    result.frames += block.pairs.frames;
    ++result.blocks;
    sink(std::move(block));
  };
  if (run_->lags()) {
    return {frames_.begin, frames_.end, [pass_on](UnitCounts&& counts) {
              pass_on(unpacked_block<LaggedBlock>(counts.block));
            }};
  }
  return {spec.layout,
          spec.options.frames_per_block,
          frames_.begin,
          frames_.end,
          spec.options.begun_block,
          [&result, pass_on](BlockCounts&& block) {
            for (const std::uint64_t excluded : block.excluded) {
              result.excluded_pairs += excluded;
            }
            pass_on({std::move(block), {}});
          }};
}

/// Replaces count_frames() on rank 0.
RunResult RankedRun::count_on_all(tasks::Runtime& runtime, const RunSpec& spec,
                                  const RunSink& sink, const RunHooks& hooks) {
  RunResult result;
  result.flat = flat_;
  result.vacuum = vacuum_;
  const tasks::CountingOptions& options = spec.options;
  const auto count = static_cast<std::uint32_t>(ranks_.size());
  const std::vector<std::uint64_t> in_hand = most_in_hand(frames_, weights_);
  Coordinator coordinator(
      count,
      HandOut(UnitCutter(frames_, weights_), weights_, in_hand,
              window_of(spec.layout, options.memory_bytes, in_hand)),
      assembly(spec, sink, result));
  RankedCounts counts = lead(
      std::move(coordinator), hooks,
      run_->lags() ? spec.expected_pairs : frames_.pairs_per_frame * options.frames,
      [&](RankLink& link) { return count_units(rank_run(), runtime, link); });
  add_ranks(counts.work, result);
  result.skipped_frames = std::move(counts.left_out);
  result.cancelled = counts.cancelled;
  if (!result.cancelled && result.frames == 0 && !result.skipped_frames.empty()) {
    refuse_no_frames(result.skipped_frames);
  }
  return result;
}

RunSummary RankedRun::count() {
  const AbortMessage last_words(
      "the run was aborted (memory may have run out, or a GPU may have failed: see the "
      "lines above); finished blocks are in '" +
      options_->output + ".partial'");
  ProgressBar bar;
  RunHooks hooks;
  if (options_->verbosity != Verbosity::quiet && ProgressBar::has_terminal()) {
    hooks.progress = [&bar](const RunProgress& progress) { bar.draw(progress); };
  }
  return run_->count(
      *runtime_, hooks,
      [&](tasks::Runtime& runtime, const RunSpec& spec, const RunSink& sink,
          const RunHooks& own) { return count_on_all(runtime, spec, sink, own); });
}

ExitCode RankedRun::count_and_report() {
  report_start(*options_, *run_);
  std::optional<RunSummary> summary;
  try {
    summary = count();
  } catch (...) {
    tell_end();
    throw;
  }
  signals_.disarm();
  tell_end();
  summary->start_seconds = start_seconds_;
  if (summary->cancelled) {
    report_stop(*summary, *run_, signal_, go_on_);
    return ExitCode::stopped;
  }
  return report_end(*options_, *summary);
}

ExitCode RankedRun::go() {
  if (options_->explain) {
    start_runtime();
    return explain();
  }
  find_first_frame();
  start_reading();
  start_runtime();
  plan_units();
  return leads() ? count_and_report() : follow([this](RankLink& link) {
    return count_units(rank_run(), *runtime_, link);
  });
}

}  // namespace

ExitCode run_ranked_rdf(Communicator& ranks, StopSignals& signals,
                        const std::vector<std::string>& arguments) {
  return RankedRun(ranks, signals, "rdf", parse_rdf_options, arguments).run();
}

ExitCode run_ranked_vanhove(Communicator& ranks, StopSignals& signals,
                            const std::vector<std::string>& arguments) {
  return RankedRun(ranks, signals, "vanhove", parse_vanhove_options, arguments).run();
}

}  // namespace starhist::driver

#include "driver/mpi/ranked_rdf.hh"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <iomanip>
#include <iostream>
#include <memory>
#include <optional>
#include <sstream>

#include "codelets/core/base/error.hh"
#include "driver/commands/rdf_reports.hh"
#include "driver/commands/starpu_defaults.hh"
#include "driver/mpi/agreement.hh"
#include "driver/mpi/host_places.hh"
#include "driver/mpi/mpi_link.hh"
#include "driver/mpi/rank_service.hh"
#include "driver/options/rdf_options.hh"
#include "driver/ranks/ended_ranks.hh"
#include "driver/ranks/rank_counting.hh"
#include "driver/ranks/rank_plan.hh"
#include "driver/ranks/rank_summary.hh"
#include "driver/ranks/unit_cutter.hh"
#include "driver/report/abort_message.hh"
#include "driver/report/error_text.hh"
#include "driver/report/plan_report.hh"
#include "driver/report/progress_bar.hh"
#include "driver/report/summary_text.hh"
#include "driver/run/run_checks.hh"
#include "driver/run/version.hh"

namespace starhist::driver {
namespace {

// Messages from rank 0 to the others.
constexpr const char* to_begin = "begin";
constexpr const char* to_end = "end";

/// Calls a function. An exception ends all ranks.
template <class Function>
auto or_abort(Communicator& ranks, Function function) {
  try {
    return function();
  } catch (const InputError& error) {
    ranks.abort(error.what(), ExitCode::bad_input);
  } catch (const std::exception& error) {
    ranks.abort(error_text(error), ExitCode::failure);
  }
}

/// Input, options and version as lines, for comparison with other ranks.
std::string identity_text(const TrajectoryRun& run) {
  std::ostringstream text;
  for (const auto& [name, value] : run.identity()) {
    if (name != "ranks") {
      text << name << ": " << value << '\n';
    }
  }
  for (const std::string& species : run.run().layout.species) {
    text << "species: " << species << '\n';
  }
  text << "frames: " << run.info().frame_count << '\n';
  text.precision(17);
  text << "r_max: " << run.run().layout.bins.r_max << '\n';
  return text.str();
}

/// "4 on 2 hosts: a b"
std::string ranks_text(const Communicator& ranks) {
  std::vector<std::string> hosts;
  for (int rank = 0; rank < ranks.size(); ++rank) {
    if (std::find(hosts.begin(), hosts.end(), ranks.host_of(rank)) == hosts.end()) {
      hosts.push_back(ranks.host_of(rank));
    }
  }
  std::string text = std::to_string(ranks.size()) + " on " +
                     std::to_string(hosts.size()) +
                     (hosts.size() == 1 ? " host:" : " hosts:");
  for (const std::string& host : hosts) {
    text += " " + host;
  }
  return text;
}

/// Information about the frames that rank 0 sends to the others.
struct Beginning {
  std::uint64_t number = 0;  ///< number of the first counted frame
  std::uint64_t end = 0;     ///< one past the number of the last one
  std::uint64_t first = 0;   ///< number in the trajectory of the first usable frame
};

std::string text_of(const Beginning& beginning) {
  return std::to_string(beginning.number) + " " + std::to_string(beginning.end) + " " +
         std::to_string(beginning.first);
}

Beginning beginning_of(const std::string& text) {
  Beginning beginning;
  std::istringstream stream(text);
  stream >> beginning.number >> beginning.end >> beginning.first;
  return beginning;
}

/// A run on all ranks, as seen by one of them.
class RankedRun {
 public:
  RankedRun(Communicator& ranks, StopSignals& signals,
            std::vector<std::string> arguments)
      : ranks_(ranks), signals_(signals), arguments_(std::move(arguments)) {}

  ExitCode run();

 private:
  bool leads() const { return ranks_.rank() == 0; }
  std::string how_to_go_on(bool replaces) const;
  void open();
  void agree_on_block_length();
  void start_runtime();
  ExitCode explain();
  void find_first_frame();
  void start_reading();
  void plan_units();
  RankedFrames planned_frames(const Frame& frame);
  RankRun rank_run() const;
  ExitCode count_as_other();
  void tell_end();
  ExitCode count_and_report();
  RunSummary count();
  RunResult count_on_all(tasks::Runtime& runtime, const RunSpec& spec,
                         const tasks::PairCounter::BlockSink& sink,
                         const RunHooks& hooks);
  RankWork work_of(RankWork work) const;
  void set_last_words(const std::shared_ptr<const EndedRanks>& ended);

  using Clock = std::chrono::steady_clock;
  Communicator& ranks_;
  StopSignals& signals_;
  const std::vector<std::string> arguments_;
  std::string go_on_ = how_to_go_on(false);
  const Clock::time_point start_ = Clock::now();
  std::optional<RdfOptions> options_;
  std::unique_ptr<TrajectoryRun> run_;
  std::unique_ptr<tasks::Runtime> runtime_;
  double start_seconds_ = 0.0;
  Frame first_;          ///< without positions once units are planned
  RankWeights weights_;  ///< on rank 0
  RankedFrames frames_;  ///< on rank 0
  Beginning beginning_;
  std::uint64_t most_frames_per_unit_ = 1;
  std::unique_ptr<FrameStream> stream_;
  std::optional<WorkUnit> read_ahead_;  ///< unit that stream_ reads before counting
  std::optional<RunSpec> spec_;         ///< of this rank
  int signal_ = 0;                      ///< signal that stopped the run, on any rank
};

std::string RankedRun::how_to_go_on(bool replaces) const {
  const std::string program = as_invoked("starhist-mpi");
  return driver::how_to_go_on(
      ranks_.size() > 1 ? "mpirun -n " + std::to_string(ranks_.size()) + " " + program
                        : program,
      arguments_, replaces);
}

/// Up to the end of this function all ranks learn of each other's errors.
void RankedRun::open() {
  agree_on(ranks_, version(), "the version of starhist",
           "start the same program on all hosts");
  agree(ranks_, [this] { options_ = parse_rdf_options(arguments_, leads()); });
  std::error_code ignored;
  if (leads() && options_->overwrite &&
      std::filesystem::exists(options_->output, ignored)) {
    go_on_ = how_to_go_on(true);
    set_last_words(nullptr);
  }
  const HostShare share = share_of_host(ranks_);
  take_share(share);
  options_->processes_on_host = share.ranks;
  if (leads()) {
    options_->as_written.emplace_back("ranks", ranks_text(ranks_));
  } else {
    options_->resume = false;
  }
  agree_on_block_length();
  agree(ranks_, [this] {
    run_ = std::make_unique<TrajectoryRun>(*options_);
    if (run_->info().stream) {
      throw InputError(run_->info().paths.front() +
                       ": frames of a running simulation arrive only once, in one "
                       "process (count them with starhist rdf)");
    }
  });
  agree(ranks_, [this] {
    if (options_->second) {
      throw InputError(
          "--axis2 is not available in starhist-mpi (only one process "
          "counts by a second axis): use starhist rdf, or divide the "
          "frames with its --part and combine the results with starhist "
          "merge");
    }
  });
  agree_on(ranks_, identity_text(*run_), "the run",
           "give all ranks the same files and options");
  agree(ranks_, [this] { set_starpu_defaults(options_->cpu_mode); });
}

/// Only rank 0 has the files of the run that is resumed.
void RankedRun::agree_on_block_length() {
  std::uint32_t length = 0;
  agree(ranks_, [&] {
    if (leads() && options_->resume && options_->choose_block_length) {
      length = resumed_block_length(options_->output, options_->overwrite);
    }
  });
  options_->resumed_block_length =
      static_cast<std::uint32_t>(std::stoul(ranks_.broadcast(std::to_string(length))));
}

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
  const RunSpec& spec = run_->run();
  return ranked_frames(*runtime_, spec.layout, spec.exclusions, spec.options, weights_,
                       frame);
}

/// All ranks read it, so that each knows its box and pairs.
void RankedRun::find_first_frame() {
  const tasks::CountingOptions& options = run_->run().options;
  agree(ranks_, [&] {
    if (leads() && options.frames > 0) {
      first_ = run_->first_frame();
      beginning_ = {options.first_number, options.first_number + options.frames,
                    first_.index.get()};
    }
  });
  beginning_ = beginning_of(ranks_.broadcast(text_of(beginning_)));
  agree(ranks_, [&] {
    if (!leads() && beginning_.end > beginning_.number) {
      run_->read(FrameIndex(beginning_.first), first_);
    }
  });
}

/// Starts reading the first work unit while StarPU starts.
void RankedRun::start_reading() {
  if (beginning_.end == beginning_.number) {
    return;
  }
  agree(ranks_, [this] {
    const RunSpec& spec = run_->run();
    stream_ = run_->growing_stream();
    const RankedFrames frames{beginning_.number, beginning_.end,
                              spec.options.frames_per_block,
                              spec.exclusions.work(spec.layout, first_)};
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
  });
  most_frames_per_unit_ =
      std::stoull(ranks_.broadcast(std::to_string(most_frames_per_unit_)));
  first_.positions.clear();
  spec_ = run_->run();
  spec_->options =
      options_of_rank(spec_->options, static_cast<std::uint64_t>(ranks_.size()));
}

RankRun RankedRun::rank_run() const {
  RankRun run;
  run.spec = &*spec_;
  run.frames = stream_.get();
  run.bad_frames = options_->bad_frames;
  run.first = first_;
  run.most_frames_per_unit = most_frames_per_unit_;
  run.read_ahead = read_ahead_;
  run.stop = signals_.token();
  run.signal = [this] { return signals_.signal(); };
  return run;
}

RankWork RankedRun::work_of(RankWork work) const {
  work.rank = static_cast<std::uint32_t>(ranks_.rank());
  work.host = ranks_.host();
  try {
    run_->check_unchanged();
  } catch (const RunError& error) {
    work.changed_file = error.what();
  }
  return work;
}

ExitCode RankedRun::count_as_other() {
  const AbortMessage last_words(ranks_.name_of(ranks_.rank()) +
                                ": the run was aborted (memory may have run out, or a "
                                "GPU may have failed: see the lines above)");
  return or_abort(ranks_, [&] {
    if (ranks_.broadcast() == to_begin) {
      MpiLink link(ranks_);
      link.send(work_of(count_units(rank_run(), *runtime_, link)));
      signals_.disarm();   // nothing is left to stop
      ranks_.broadcast();  // the result is written meanwhile
    }
    return ExitCode::done;
  });
}

/// Replaces count_frames() on rank 0.
RunResult RankedRun::count_on_all(tasks::Runtime& runtime, const RunSpec& spec,
                                  const tasks::PairCounter::BlockSink& sink,
                                  const RunHooks& hooks) {
  RunResult result;
  result.flat = undeclared_plane(spec.layout, first_);
  result.vacuum = undeclared_vacuum(spec.layout, first_);
  const tasks::CountingOptions& options = spec.options;
  const auto count = static_cast<std::uint32_t>(ranks_.size());
  const std::vector<std::uint64_t> in_hand = most_in_hand(frames_, weights_);
  Coordinator coordinator(
      count,
      HandOut(UnitCutter(frames_, weights_), weights_, in_hand,
              window_of(spec.layout, options.memory_bytes, in_hand)),
      BlockAssembly(spec.layout, options.frames_per_block, frames_.begin, frames_.end,
                    options.begun_block, [&](BlockCounts&& block) {
                      for (const std::uint64_t excluded : block.excluded) {
                        result.excluded_pairs += excluded;
                      }
                      result.frames += block.frames;
                      ++result.blocks;
                      sink(std::move(block));
                    }));
  LocalLink link;
  const auto ended_ranks = std::make_shared<EndedRanks>(count);
  set_last_words(ended_ranks);
  std::optional<RankService> service;
  or_abort(ranks_, [&] {
    ranks_.broadcast(to_begin);
    service.emplace(
        ranks_, link, std::move(coordinator), hooks,
        frames_.pairs_per_frame * options.frames, *ended_ranks,
        [this](const std::string& why) { ranks_.abort(why, ExitCode::failure); });
    link.send(work_of(count_units(rank_run(), runtime, link)));
    stream_.reset();  // its reader is needed again
  });
  service->join();
  const Coordinator& ended = service->coordinator();
  add_ranks(ended.work(), result);
  for (const LeftOutFrame& frame : ended.assembly().left_out()) {
    result.skipped_frames.push_back(frame.why);
  }
  result.cancelled = ended.stopped();
  signal_ = ended.signal();
  for (const RankWork& work : ended.work()) {
    if (!work.changed_file.empty()) {
      throw RunError("rank " + std::to_string(work.rank) + " on " + work.host + ": " +
                     work.changed_file);
    }
  }
  if (!ended.bad_frame().empty()) {
    throw InputError(ended.bad_frame());
  }
  if (!result.cancelled && result.frames == 0 && !result.skipped_frames.empty()) {
    throw InputError("no selected frame can be used; the first problem: " +
                     result.skipped_frames.front());
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
      [&](tasks::Runtime& runtime, const RunSpec& spec,
          const tasks::PairCounter::BlockSink& sink,
          const RunHooks& own) { return count_on_all(runtime, spec, sink, own); });
}

/// On rank 0: releases the others.
void RankedRun::tell_end() {
  ranks_.broadcast(to_end);
  ranks_.set_agreed_end();
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

/// On rank 0, for a run that does not stop in time. `ended`: ranks that have ended;
/// null before they count.
void RankedRun::set_last_words(const std::shared_ptr<const EndedRanks>& ended) {
  std::vector<std::string> names;
  for (int rank = 0; ended != nullptr && rank < ranks_.size(); ++rank) {
    names.push_back(ranks_.name_of(rank));
  }
  signals_.set_last_words([=, go_on = go_on_, leads = leads()] {
    if (!leads) {
      return;
    }
    std::string where = ended == nullptr ? "before the first frame" : "";
    for (const std::size_t rank :
         ended ? ended->missing() : std::vector<std::size_t>()) {
      where += (where.empty() ? "within a frame of " : ", ") + names[rank];
    }
    std::cerr << "starhist: stopped " << (where.empty() ? "while saving counts" : where)
              << "; earlier results are saved; " << go_on << std::endl;
  });
}

ExitCode RankedRun::run() {
  set_last_words(nullptr);
  open();
  if (ranks_.broadcast(leads() && is_finished(*run_) ? to_end : to_begin) == to_end) {
    ranks_.set_agreed_end();  // the others have finished
    return leads() ? report_finished(*options_, *run_) : ExitCode::done;
  }
  if (options_->explain) {
    start_runtime();
    return explain();
  }
  find_first_frame();
  start_reading();
  start_runtime();
  plan_units();
  return leads() ? count_and_report() : count_as_other();
}

}  // namespace

ExitCode run_ranked_rdf(Communicator& ranks, StopSignals& signals,
                        const std::vector<std::string>& arguments) {
  try {
    return RankedRun(ranks, signals, arguments).run();
  } catch (const AgreedEnd&) {
    return ExitCode::done;  // rank 0 has the exit code
  } catch (const std::exception& error) {
    if (ranks.rank() == 0 && ranks.has_agreed_end()) {
      throw;
    }
    ranks.abort(error_text(error), ExitCode::failure);
  }
}

}  // namespace starhist::driver

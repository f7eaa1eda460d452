#include <chrono>
#include <deque>
#include <functional>
#include <iomanip>
#include <iostream>
#include <map>
#include <stop_token>
#include <utility>

#include "codelets/core/base/error.hh"
#include "codelets/core/base/seconds_since.hh"
#include "driver/commands/coordination/coordination_command.hh"
#include "driver/commands/rdf_reports.hh"
#include "driver/coordination/coordination_run.hh"
#include "driver/mpi/agreement.hh"
#include "driver/mpi/ranked_program.hh"
#include "driver/ranks/packing.hh"
#include "driver/ranks/rank_link.hh"
#include "driver/ranks/rank_summary.hh"
#include "driver/ranks/unit_cutter.hh"
#include "driver/run/frames/frame_stream.hh"

namespace starhist::driver {

STARHIST_FIELDS(io::FrameNeighbours, centres, neighbours)
STARHIST_FIELDS(CoordinationBlock, number, counted, counts, times, frames, particles)

namespace {

/// Inputs of a rank that counts neighbours.
struct NeighbourRun {
  const TrajectoryRun* run = nullptr;
  const CoordinationSpec* spec = nullptr;
  FrameStream* frames = nullptr;  ///< TrajectoryRun::growing_stream()
  const Frame* first = nullptr;   ///< for NeighbourCounter::follow()
  std::stop_token stop;           ///< requested after a signal to this process
  std::function<int()> signal;    ///< number of the signal, after `stop` was requested
};

using std::chrono::milliseconds;

/// Counts the neighbours in the work units of one rank, which are whole blocks, like
/// count_units(). Frames of several units may be counted together. UnitCounts::block is
/// a packed CoordinationBlock.
class NeighbourUnits {
 public:
  NeighbourUnits(const NeighbourRun& run, RankLink& link)
      : run_(run),
        link_(link),
        counter_(*run.run, *run.spec,
                 [this](CoordinationBlock&& block, const std::vector<FileOrder>&) {
                   blocks_.emplace(block.number, std::move(block));
                 }) {
    counter_.follow(*run.first);
  }

  RankWork count() {
    const auto start = std::chrono::steady_clock::now();
    while (count_batch()) {
    }
    work_.result.count_seconds = seconds_since(start);
    return std::move(work_);
  }

 private:
  /// Returns false after the last unit.
  bool count_batch() {
    if (run_.stop.stop_requested() && !std::exchange(told_, true)) {
      link_.send(StopRequest{run_.signal()});
    }
    const auto start = std::chrono::steady_clock::now();
    const bool idle = units_.empty();
    receive(milliseconds(idle ? 1 : 0));
    work_.waited_for_work += idle ? seconds_since(start) : 0.0;
    if (stopped_ || units_.empty()) {
      return !stopped_ && !no_more_;
    }
    const std::uint64_t first = units_.front().number;
    std::uint64_t bad = first;  // unit of `problem`
    std::string problem;
    try {
      read_frames();
    } catch (const InputError& error) {  // the frames before it are counted first
      problem = error.what();
      bad = units_.front().number;
    }
    try {
      counter_.count([this](Frame&& frame) { run_.frames->recycle(std::move(frame)); });
      send_read_units();
    } catch (const InputError& error) {
      problem = error.what();
      bad = first;
    }
    if (!problem.empty()) {
      link_.send(BadFrame{bad, problem});
      units_.clear();
      reported_ = true;
      no_more_ = true;
    }
    return true;
  }

  void receive(milliseconds time) {
    while (std::optional<ToRank> message = link_.receive(time)) {
      time = milliseconds(0);
      if (const auto* unit = std::get_if<WorkUnit>(&*message); unit && !reported_) {
        run_.frames->append(unit->begin, unit->end);
        units_.push_back(*unit);
        if (units_.size() == 1) {
          begin_unit();
        }
      }
      no_more_ = no_more_ || std::holds_alternative<NoMoreUnits>(*message);
      stopped_ = stopped_ || std::holds_alternative<StopNow>(*message);
    }
  }

  void begin_unit() {
    current_ = UnitCounts();
    current_.unit = units_.front();
    current_.end = current_.unit.begin;
    frames_in_unit_ = 0;
  }

  /// Reads frames for a batch. Moves units that have been read to read_.
  void read_frames() {
    while (!units_.empty() && !counter_.is_full()) {
      read_frame();
      if (current_.end == current_.unit.end) {
        read_.push_back(std::move(current_));
        units_.pop_front();
        if (!units_.empty()) {
          begin_unit();
        }
      }
    }
  }

  void read_frame() {
    std::optional<Frame> frame;
    try {
      frame = run_.frames->next();
    } catch (const InputError& error) {
      if (run_.run->spec().bad_frames == BadFrames::fail) {
        throw;
      }
      current_.left_out.push_back({current_.end++, error.what()});
      run_.frames->leave_out();
      return;
    }
    counter_.add(*std::move(frame));
    ++current_.end;
    ++frames_in_unit_;
  }

  /// Sends the units in read_, whose frames are counted.
  void send_read_units() {
    if (units_.empty() ||
        frames_in_unit_ == 0) {  // otherwise these have ended the block
      counter_.finish_block();
    }
    for (UnitCounts& counts : read_) {
      const auto block =
          blocks_.find(counts.unit.begin / run_.run->spec().counting.frames_per_block);
      if (block != blocks_.end()) {
        work_.result.frames += block->second.block.frames;
        counts.block = packed_block(std::move(block->second));
        blocks_.erase(block);
      }
      ++work_.units;
      link_.send(std::move(counts));
    }
    read_.clear();
  }

  const NeighbourRun& run_;
  RankLink& link_;
  RankWork work_;
  std::deque<WorkUnit> units_;        // in hand; the first one is being read
  UnitCounts current_;                // of the first unit
  std::uint64_t frames_in_unit_ = 0;  // of the first unit
  std::deque<UnitCounts> read_;       // their frames are being counted
  std::map<std::uint64_t, CoordinationBlock> blocks_;  // counted, by number
  bool no_more_ = false;
  bool stopped_ = false;
  bool told_ = false;
  bool reported_ = false;  // true after an unusable frame
  NeighbourCounter counter_;
};

class RankedCoordination : public RankedProgram {
 public:
  RankedCoordination(Communicator& ranks, StopSignals& signals,
                     std::vector<std::string> arguments)
      : RankedProgram(ranks, signals, "coordination", std::move(arguments)) {}

 private:
  std::optional<RdfOptions> parse(bool writes) override {
    parsed_ = parse_coordination_options(arguments_, writes);
    return parsed_->run;
  }
  void complete_options() override;
  void check() override {
    spec_ = command_of_run_->spec(*run_);
    check_input(*run_, spec_);
  }
  ExitCode go() override;

  void find_followed_frame();
  RankWork count_units(RankLink& link) const;
  CountedNeighbours count_on_all(const NeighbourSink& sink);
  CoordinationSummary count();

  std::optional<CoordinationOptions> parsed_;
  std::unique_ptr<CoordinationCommand> command_of_run_;
  CoordinationSpec spec_;
  std::vector<RankWork> work_;  ///< by rank, on rank 0
};

/// Rank 0 reads the minima of g(r) for all.
void RankedCoordination::complete_options() {
  std::string minima;
  agree(ranks_, [&] { minima = leads() ? find_minima(*parsed_) : ""; });
  minima = ranks_.broadcast(minima);
  command_of_run_ = std::make_unique<CoordinationCommand>(*std::move(parsed_), minima);
  options_ = command_of_run_->options();
}

/// All ranks sort particles like the same frame: the first one in the result.
void RankedCoordination::find_followed_frame() {
  std::uint64_t followed = first_.index.get();
  if (leads()) {
    const auto index = followed_frame(spec_, command_of_run_->result());
    followed = index ? index->get() : followed;
  }
  followed = std::stoull(ranks_.broadcast(std::to_string(followed)));
  agree(ranks_, [&] {
    if (followed != first_.index.get()) {
      run_->read(FrameIndex(followed), first_);
    }
  });
}

RankWork RankedCoordination::count_units(RankLink& link) const {
  const NeighbourRun run{run_.get(),       &spec_,
                         stream_.get(),    &first_,
                         signals_.token(), [this] { return signals_.signal(); }};
  return NeighbourUnits(run, link).count();
}

/// On rank 0. The last block waits until all inputs are known to be unchanged.
CountedNeighbours RankedCoordination::count_on_all(const NeighbourSink& sink) {
  const RankWeights weights(static_cast<std::size_t>(ranks_.size()), 1);
  const tasks::CountingOptions& options = run_->run().options;
  RankedFrames frames{beginning_.number, beginning_.end, options.frames_per_block};
  frames.smallest = SmallestUnit::block;
  const std::vector<std::uint64_t> in_hand = most_in_hand(frames, weights);
  const std::uint64_t bytes =
      spec_.per_particle ? 8 * spec_.shells.size() * first_.particle_count() : 0;
  const std::vector<FileOrder> order = first_.order;
  std::optional<CoordinationBlock> last;
  RankedCounts counts = lead(
      Coordinator(static_cast<std::uint32_t>(ranks_.size()),
                  HandOut(UnitCutter(frames, weights), weights, in_hand,
                          window_of(bytes, options.memory_bytes, in_hand)),
                  BlockAssembly(frames.begin, frames.end,
                                [&](UnitCounts&& unit) {
                                  CoordinationBlock block =
                                      unpacked_block<CoordinationBlock>(unit.block);
                                  if (unit.unit.end == frames.end) {
                                    last = std::move(block);
                                  } else {
                                    sink(std::move(block), order);
                                  }
                                })),
      {}, 0, [this](RankLink& link) { return count_units(link); });
  if (last) {
    sink(*std::move(last), order);
  }
  work_ = std::move(counts.work);
  return {counts.cancelled, run_->left_out(std::move(counts.left_out))};
}

CoordinationSummary RankedCoordination::count() {
  try {
    return count_coordination(
        *run_, spec_, signals_.token(), command_of_run_->result(),
        [this](const NeighbourSink& sink) { return count_on_all(sink); });
  } catch (...) {
    tell_end();
    throw;
  }
}

ExitCode RankedCoordination::go() {
  find_first_frame();
  find_followed_frame();
  agree(ranks_, [this] {
    if (beginning_.end > beginning_.number) {
      stream_ = run_->growing_stream();
    }
  });
  if (!leads()) {
    return follow([this](RankLink& link) { return count_units(link); });
  }
  report_start(*options_, *run_);
  const CoordinationSummary summary = count();
  signals_.disarm();
  tell_end();
  const ExitCode code = command_of_run_->report_end(summary, *run_, signal_, go_on_);
  if (ranks_.size() > 1 && options_->verbosity != Verbosity::quiet) {
    for (const RankWork& work : work_) {
      std::cerr << "  rank " << work.rank << " on " << work.host << ": " << work.units
                << " work units, waited " << std::fixed << std::setprecision(2)
                << work.waited_for_work << " s for work\n";
    }
  }
  return code;
}

}  // namespace

ExitCode run_ranked_coordination(Communicator& ranks, StopSignals& signals,
                                 const std::vector<std::string>& arguments) {
  return RankedCoordination(ranks, signals, arguments).run();
}

}  // namespace starhist::driver

#include "driver/mpi/ranked_coordination.hh"

#include <iomanip>
#include <iostream>
#include <utility>

#include "driver/commands/coordination/run_stages.hh"
#include "driver/commands/rdf_reports.hh"
#include "driver/mpi/agreement.hh"
#include "driver/mpi/neighbour_units.hh"
#include "driver/mpi/ranked_program.hh"
#include "driver/ranks/rank_summary.hh"
#include "driver/ranks/unit_cutter.hh"

namespace starhist::driver {
namespace {

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
  return count_neighbour_units({run_.get(), &spec_, stream_.get(), &first_,
                                signals_.token(), [this] { return signals_.signal(); }},
                               link);
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
  RankedCounts counts =
      lead(Coordinator(static_cast<std::uint32_t>(ranks_.size()),
                       HandOut(UnitCutter(frames, weights), weights, in_hand,
                               window_of(bytes, options.memory_bytes, in_hand)),
                       BlockAssembly(frames.begin, frames.end,
                                     [&](UnitCounts&& unit) {
                                       CoordinationBlock block =
                                           unpacked_neighbours(unit.block);
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

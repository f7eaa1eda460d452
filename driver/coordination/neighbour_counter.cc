#include "driver/coordination/neighbour_counter.hh"

#include <algorithm>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>
#include <utility>

#include "codelets/core/base/decimal_text.hh"
#include "codelets/core/base/error.hh"
#include "codelets/core/base/text.hh"
#include "codelets/core/counting/frame_facts.hh"
#include "codelets/core/geometry/flat_positions.hh"
#include "codelets/kernels/species_positions.hh"
#include "driver/run/run_checks.hh"
#include "tasks/runtime/cpu_topology.hh"

namespace starhist::driver {
namespace {

using kernels::NeighbourSearch;
using kernels::positions_of;
using kernels::PositionSpan;

/// Shares work out that may throw, and rethrows one of the exceptions.
void share_out(tasks::ThreadPool& threads, std::size_t count,
               const std::function<void(std::size_t)>& work) {
  std::mutex mutex;
  std::exception_ptr failure;
  threads.share_out(count, [&](std::size_t k) {
    try {
      work(k);
    } catch (...) {
      const std::lock_guard<std::mutex> lock(mutex);
      failure = std::current_exception();
    }
  });
  if (failure) {
    std::rethrow_exception(failure);
  }
}

/// Particles of a batch per thread, some milliseconds of work.
constexpr std::uint64_t particles_per_thread = 40'000;
constexpr std::size_t most_frames = 1024;  // of a batch

std::size_t thread_count() {
  return static_cast<std::size_t>(std::max(1, tasks::usable_processors()));
}

HistogramLayout without_pairs(HistogramLayout layout) {
  layout.pairs.clear();
  return layout;
}

/// Throws InputError if several images of a particle could be within a cut-off.
void check_cutoffs(const std::vector<NeighbourShell>& shells,
                   const HistogramLayout& layout, const Frame& frame) {
  const double half = frame.box.inscribed_radius();
  const Plane plane = two_dimensional(frame.box, frame.positions);
  for (const NeighbourShell& shell : shells) {
    if (shell.cutoff() > half * (1.0 + 1e-6)) {
      throw InputError(
          "--cutoff " + decimal_text(shell.cutoff()) + " of " +
          shell_name(shell, layout.species) + " exceeds " + rounded_text(half) +
          unit_suffix(layout.length_unit) +
          ", half the shortest lattice vector of frame " +
          std::to_string(frame.index.get()) +
          " (a particle may have several images within it, of which one would be "
          "counted): " +
          (plane == Plane::none
               ? "choose a smaller cut-off in the file's length unit, or a larger --box"
               : "the particles lie in the plane " + to_string(plane) + ": open the " +
                     "third axis with --open " + "xyz"[normal_axis(plane)]));
    }
  }
}

}  // namespace

FrameBatch::FrameBatch(const std::vector<NeighbourShell>& shells, Exclusion exclusion,
                       const io::TrajectoryInfo& info)
    : shells_(shells) {
  for (const NeighbourShell& shell : shells_) {
    excluded_.emplace_back(shell, exclusion, info);
  }
}

const std::vector<ShellCounts>& FrameBatch::count(const std::vector<Frame>& frames,
                                                  tasks::ThreadPool& threads) {
  const std::size_t searches = frames.size() * shells_.size();
  std::vector<std::optional<NeighbourSearch>> search(searches);
  results_.resize(searches);
  share_out(threads, searches, [&](std::size_t k) {
    const Frame& frame = frames[k / shells_.size()];
    const NeighbourShell& shell = shells_[k % shells_.size()];
    const PositionSpan centres = positions_of(frame.positions, shell.centre);
    search[k].emplace(frame.box, shell, centres,
                      positions_of(frame.positions, shell.neighbour));
    results_[k].counts.assign(centres.count, 0);
  });
  struct Part {
    std::size_t search;
    std::size_t number;
  };
  std::vector<Part> parts;
  for (std::size_t k = 0; k < searches; ++k) {
    for (std::size_t number = 0; number < search[k]->parts(); ++number) {
      parts.push_back({k, number});
    }
  }
  share_out(threads, parts.size(), [&](std::size_t p) {
    const Part& part = parts[p];
    search[part.search]->count(part.number, results_[part.search].counts.data());
  });
  share_out(threads, searches, [&](std::size_t k) {
    excluded_[k % shells_.size()].subtract(frames[k / shells_.size()],
                                           results_[k].counts);
    results_[k].by_number = by_number(results_[k].counts);
  });
  return results_;
}

NeighbourCounter::NeighbourCounter(const TrajectoryRun& run,
                                   const CoordinationSpec& spec, NeighbourSink sink)
    : run_(run),
      spec_(spec),
      sink_(std::move(sink)),
      no_pairs_(without_pairs(run.run().layout)),
      identity_(run.run().layout.species),
      threads_(static_cast<unsigned>(thread_count())),
      batch_(spec.shells, run.run().layout.exclusion, run.info()) {}

void NeighbourCounter::follow(Frame first) {
  first_.emplace();
  first_->index = first.index;
  first_->box = first.box;
  if (spec_.per_particle) {
    order_ = first.order;
    identity_.sort(first);
  }
}

void NeighbourCounter::add(Frame&& frame) {
  if (!first_) {
    follow(frame);
  }
  check_same_periodicity(*first_, frame);
  check_cutoffs(spec_.shells, run_.run().layout, frame);
  run_.run().exclusions.check(run_.run().layout, frame);
  if (spec_.per_particle) {
    identity_.sort(frame);
  }
  particles_ += frame.particle_count();
  frames_.push_back(std::move(frame));
}

bool NeighbourCounter::is_full() const {
  return frames_.size() >= most_frames ||
         (frames_.size() >= thread_count() &&
          particles_ >= thread_count() * particles_per_thread);
}

void NeighbourCounter::count(const std::function<void(Frame&&)>& recycle) {
  const std::vector<ShellCounts>& counts = batch_.count(frames_, threads_);
  for (std::size_t k = 0; k < frames_.size(); ++k) {
    add_to_block(frames_[k], &counts[k * spec_.shells.size()]);
    recycle(std::move(frames_[k]));
  }
  frames_.clear();
  particles_ = 0;
}

void NeighbourCounter::add_to_block(const Frame& frame, const ShellCounts* of_shells) {
  const std::uint64_t number = run_.frames().number_of(frame.index.get()) /
                               run_.spec().counting.frames_per_block;
  if (open_ && open_->number != number) {
    finish_block();
  }
  if (!open_) {
    open_.emplace();
    open_->number = number;
    open_->block = empty_block(no_pairs_, BlockIndex(0));
    open_->counts.resize(spec_.shells.size());
  }
  add_frame(no_pairs_.region, facts_of(no_pairs_, {}, frame), open_->block);
  open_->times.push_back(frame.time);
  for (std::size_t s = 0; s < spec_.shells.size(); ++s) {
    starhist::add(of_shells[s].by_number, open_->counts[s]);
    open_->frames.centres.push_back(of_shells[s].counts.size());
    open_->frames.neighbours.push_back(neighbour_sum(of_shells[s].by_number));
  }
  open_->particles.resize(spec_.per_particle ? spec_.shells.size() : 0);
  for (std::size_t s = 0; s < open_->particles.size(); ++s) {
    const std::vector<std::uint32_t>& own = of_shells[s].counts;
    std::vector<std::uint64_t>& sums = open_->particles[s];
    sums.resize(own.size());
    for (std::size_t i = 0; i < sums.size(); ++i) {
      sums[i] += own[i];
    }
  }
}

void NeighbourCounter::finish_block() {
  if (open_) {
    sink_(*std::exchange(open_, {}), order_);
  }
}

}  // namespace starhist::driver

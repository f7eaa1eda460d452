#include "driver/coordination/coordination_run.hh"

#include <algorithm>
#include <chrono>
#include <optional>

#include "codelets/core/base/decimal_text.hh"
#include "codelets/core/base/error.hh"
#include "codelets/core/base/seconds_since.hh"
#include "codelets/core/base/text.hh"
#include "codelets/core/counting/bin_position.hh"
#include "codelets/core/counting/frame_facts.hh"
#include "driver/coordination/frame_batch.hh"
#include "driver/lags/particle_identity.hh"
#include "driver/run/provenance.hh"
#include "driver/run/run_checks.hh"
#include "io/output/coordination_writer.hh"
#include "tasks/runtime/cpu_topology.hh"

namespace starhist::driver {
namespace {

/// Particles of a batch per thread, some milliseconds of work.
constexpr std::uint64_t particles_per_thread = 40'000;
constexpr std::uint64_t most_frames = 1024;  // of a batch

/// Throws InputError if the specification does not suit the trajectory.
void check_input(const TrajectoryRun& run, const CoordinationSpec& spec) {
  const io::TrajectoryInfo& info = run.info();
  if (info.stream) {
    throw InputError(info.paths.front() +
                     ": neighbours in a running simulation cannot be counted (they are "
                     "written at the end): write a trajectory first");
  }
  for (std::size_t s = 0; s < info.selections.size() && spec.per_particle; ++s) {
    if (!info.selections[s].empty()) {
      throw InputError("--per-particle needs the same particles in all frames, but " +
                       info.species[s] + " = '" + info.selections[s] +
                       "' selects them in each frame (omit --per-particle, or select "
                       "without within, beyond, x, y and z)");
    }
  }
}

/// Throws InputError if several images of a particle could be within a cut-off.
void check_cutoffs(const std::vector<NeighbourShell>& shells,
                   const HistogramLayout& layout, const Frame& frame) {
  const double half = frame.box.inscribed_radius();
  for (const NeighbourShell& shell : shells) {
    if (shell.cutoff() > half * (1.0 + 1e-6)) {
      throw InputError(
          "--cutoff " + number_text(shell.cutoff()) + " of " +
          shell_name(shell, layout.species) + " exceeds " + rounded_text(half) +
          unit_suffix(layout.length_unit) +
          ", half the shortest lattice vector of frame " +
          std::to_string(frame.index.get()) +
          " (a particle may have several images within it, of which one would be "
          "counted): choose a smaller cut-off in the file's length unit, or a larger "
          "--box");
    }
  }
}

/// Collects blocks, series and sums per particle.
class Collection {
 public:
  Collection(const TrajectoryRun& run, const CoordinationSpec& spec,
             io::CoordinationResult& result)
      : frames_per_block_(run.spec().frames_per_block), spec_(spec), result_(result) {
    result_.file.layout = run.run().layout;
    no_pairs_ = result_.file.layout;
    no_pairs_.pairs.clear();
    result_.file.edge_shift = edge_shift;
    result_.shells = spec.shells;
    result_.file.path = run.spec().output;
    if (spec.per_frame) {
      result_.frames.emplace();
    }
  }

  void add_frame(const Frame& frame, const ShellCounts* of_shells) {
    std::vector<BlockCounts>& blocks = result_.file.blocks;
    if (blocks.empty() || blocks.back().frames == frames_per_block_) {
      blocks.push_back(empty_block(no_pairs_, BlockIndex(blocks.size())));
      result_.counts.emplace_back(spec_.shells.size());
    }
    starhist::add_frame(facts_of(no_pairs_, {}, frame), blocks.back());
    result_.times.push_back(frame.time);
    for (std::size_t s = 0; s < spec_.shells.size(); ++s) {
      add(of_shells[s].by_number, result_.counts.back()[s]);
      if (result_.frames) {
        result_.frames->centres.push_back(of_shells[s].counts.size());
        result_.frames->neighbours.push_back(neighbour_sum(of_shells[s].by_number));
      }
    }
    if (spec_.per_particle) {
      add_particles(frame, of_shells);
    }
  }

 private:
  void add_particles(const Frame& frame, const ShellCounts* of_shells) {
    for (std::size_t s = 0; s < spec_.shells.size(); ++s) {
      if (result_.particles.size() == s) {
        const std::size_t centre = spec_.shells[s].centre.index();
        result_.particles.push_back(
            {frame.order.empty() ? FileOrder() : frame.order[centre],
             std::vector<std::uint64_t>(of_shells[s].counts.size())});
      }
      std::vector<std::uint64_t>& sums = result_.particles[s].neighbours;
      for (std::size_t i = 0; i < sums.size(); ++i) {
        sums[i] += of_shells[s].counts[i];
      }
    }
  }

  const std::uint32_t frames_per_block_;
  const CoordinationSpec& spec_;
  io::CoordinationResult& result_;
  HistogramLayout no_pairs_;  ///< of the blocks, which have no counts
};

/// Throws InputError unless some frame has a particle of each shell's centre species.
/// `particles`: sum over all frames, by species.
void check_centres(const io::CoordinationResult& result,
                   const std::vector<std::uint64_t>& particles) {
  const HistogramLayout& layout = result.file.layout;
  for (const NeighbourShell& shell : result.shells) {
    if (particles[shell.centre.index()] == 0) {
      throw InputError(
          "no frame has a particle of species " + layout.species[shell.centre.index()] +
          ", so " + shell_name(shell, layout.species) +
          " has no numbers of neighbours (select other frames or species)");
    }
  }
}

}  // namespace

CoordinationSummary count_coordination(TrajectoryRun& run, const CoordinationSpec& spec,
                                       const std::stop_token& stop,
                                       io::CoordinationResult& result) {
  const auto start = std::chrono::steady_clock::now();
  check_input(run, spec);
  const HistogramLayout& layout = run.run().layout;
  FrameSource& source = run.read_frames();
  io::CoordinationWriter writer(
      run.spec().output, run.spec().overwrite ? io::Overwrite::yes : io::Overwrite::no);
  CoordinationSummary summary;
  const auto thread_count =
      static_cast<unsigned>(std::max(1, tasks::usable_processors()));
  tasks::ThreadPool threads(thread_count);
  FrameBatch batch(spec.shells, layout.exclusion, run.info());
  ParticleIdentity identity(layout.species);
  Collection collection(run, spec, result);
  std::optional<Frame> first;  // without its positions
  std::vector<Frame> frames;
  for (bool ended = false; !ended && !stop.stop_requested();) {
    std::uint64_t particles = 0;
    while (frames.size() < most_frames &&
           (frames.size() < thread_count ||
            particles < thread_count * particles_per_thread)) {
      std::optional<Frame> frame = source.next();
      if (!frame) {
        ended = true;
        break;
      }
      if (!first) {
        first.emplace();
        first->index = frame->index;
        first->box = frame->box;
      }
      check_same_periodicity(*first, *frame);
      check_cutoffs(spec.shells, layout, *frame);
      run.run().exclusions.check(layout, *frame);
      if (spec.per_particle) {
        identity.sort(*frame);
      }
      particles += frame->particle_count();
      frames.push_back(*std::move(frame));
    }
    const std::vector<ShellCounts>& counts = batch.count(frames, threads);
    for (std::size_t k = 0; k < frames.size(); ++k) {
      collection.add_frame(frames[k], &counts[k * spec.shells.size()]);
      source.recycle(std::move(frames[k]));
      ++summary.frames;
    }
    frames.clear();
  }
  summary.cancelled = stop.stop_requested();
  if (!summary.cancelled) {
    summary.skipped_frames = run.left_out();
    run.check_unchanged();
    const std::vector<BlockCounts>& blocks = result.file.blocks;
    const BlockCounts all = blocks.empty() ? empty_block(layout, {}) : total(blocks);
    check_selections(layout, all.empty_frames, summary.frames);
    check_centres(result, all.particle_number);
    summary.empty_selections = empty_selections(layout, all.empty_frames);
    result.file.record = identity_record(run.spec(), run.info());
    result.file.record.emplace_back("frames left out",
                                    std::to_string(summary.skipped_frames.size()));
    writer.write(result);
  }
  summary.seconds = seconds_since(start);
  return summary;
}

}  // namespace starhist::driver

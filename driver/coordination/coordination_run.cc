#include "driver/coordination/coordination_run.hh"

#include <algorithm>
#include <chrono>
#include <exception>
#include <optional>

#include "codelets/core/base/error.hh"
#include "codelets/core/base/seconds_since.hh"
#include "codelets/core/counting/bin_position.hh"
#include "codelets/core/counting/frame_facts.hh"
#include "driver/coordination/batch_reader.hh"
#include "driver/coordination/frame_batch.hh"
#include "driver/lags/particle_identity.hh"
#include "driver/run/provenance.hh"
#include "driver/run/resume_point.hh"
#include "driver/run/run_checks.hh"
#include "io/output/coordination_writer.hh"
#include "tasks/runtime/cpu_topology.hh"

namespace starhist::driver {
namespace {

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

/// Collects blocks, series and sums per particle. Only finished blocks are in the
/// result.
class Collection {
 public:
  /// `result`: empty, or the finished blocks of an earlier run.
  Collection(const TrajectoryRun& run, const CoordinationSpec& spec,
             io::CoordinationResult& result)
      : run_(run), spec_(spec), result_(result) {
    if (result_.file.blocks.empty()) {
      result_ = {};
    }
    result_.file.layout = run.run().layout;
    no_pairs_ = result_.file.layout;
    no_pairs_.pairs.clear();
    result_.file.edge_shift = edge_shift;
    result_.shells = spec.shells;
    result_.file.path = run.spec().output;
    if (spec.per_frame && !result_.frames) {
      result_.frames.emplace();
    }
  }

  void add_frame(const Frame& frame, const ShellCounts* of_shells) {
    const std::uint64_t block = run_.frames().number_of(frame.index.get()) /
                                run_.spec().counting.frames_per_block;
    if (open_ && open_->number != block) {
      finish_block();
    }
    if (!open_) {
      open_.emplace(block,
                    empty_block(no_pairs_, BlockIndex(result_.file.blocks.size())));
      open_->counts.resize(spec_.shells.size());
    }
    starhist::add_frame(no_pairs_.region, facts_of(no_pairs_, {}, frame), open_->block);
    open_->times.push_back(frame.time);
    for (std::size_t s = 0; s < spec_.shells.size(); ++s) {
      add(of_shells[s].by_number, open_->counts[s]);
      open_->frames.centres.push_back(of_shells[s].counts.size());
      open_->frames.neighbours.push_back(neighbour_sum(of_shells[s].by_number));
    }
    if (spec_.per_particle) {
      add_particles(frame, of_shells);
    }
  }

  /// Moves the block of the last frames to the result.
  void finish_block() {
    if (!open_) {
      return;
    }
    result_.file.blocks.push_back(std::move(open_->block));
    result_.counts.push_back(std::move(open_->counts));
    append(open_->times, result_.times);
    if (result_.frames) {
      append(open_->frames.centres, result_.frames->centres);
      append(open_->frames.neighbours, result_.frames->neighbours);
    }
    for (std::size_t s = 0; s < open_->particles.size(); ++s) {
      std::vector<std::uint64_t>& sums = result_.particles[s].neighbours;
      for (std::size_t i = 0; i < sums.size(); ++i) {
        sums[i] += open_->particles[s][i];
      }
    }
    open_.reset();
  }

 private:
  /// Frames of a block that is not finished.
  struct OpenBlock {
    OpenBlock(std::uint64_t own_number, BlockCounts own_block)
        : number(own_number), block(std::move(own_block)) {}
    std::uint64_t number;  ///< of the block in the selection, including empty ones
    BlockCounts block;
    std::vector<NeighbourCounts> counts;  ///< by shell
    std::vector<double> times;
    io::FrameNeighbours frames;
    std::vector<std::vector<std::uint64_t>> particles;  ///< neighbours by shell
  };

  template <class Value>
  static void append(const std::vector<Value>& from, std::vector<Value>& to) {
    to.insert(to.end(), from.begin(), from.end());
  }

  void add_particles(const Frame& frame, const ShellCounts* of_shells) {
    open_->particles.resize(spec_.shells.size());
    for (std::size_t s = 0; s < spec_.shells.size(); ++s) {
      const std::vector<std::uint32_t>& counts = of_shells[s].counts;
      if (result_.particles.size() == s) {
        const std::size_t centre = spec_.shells[s].centre.index();
        result_.particles.push_back(
            {frame.order.empty() ? FileOrder() : frame.order[centre],
             std::vector<std::uint64_t>(counts.size())});
      }
      std::vector<std::uint64_t>& sums = open_->particles[s];
      sums.resize(counts.size());
      for (std::size_t i = 0; i < sums.size(); ++i) {
        sums[i] += counts[i];
      }
    }
  }

  const TrajectoryRun& run_;
  const CoordinationSpec& spec_;
  io::CoordinationResult& result_;
  HistogramLayout no_pairs_;  ///< of the blocks, which have no counts
  std::optional<OpenBlock> open_;
};

/// Saves the finished blocks of a result.
class SavedBlocks {
 public:
  SavedBlocks(io::CoordinationWriter& writer, const io::CoordinationResult& result)
      : writer_(writer), result_(result), saved_(result.file.blocks.size()) {}

  double seconds() const { return seconds_since(last_save_); }

  void save() {
    if (result_.file.blocks.size() > saved_) {
      writer_.save(result_);
      saved_ = result_.file.blocks.size();
      last_save_ = std::chrono::steady_clock::now();
    }
  }

 private:
  io::CoordinationWriter& writer_;
  const io::CoordinationResult& result_;
  std::size_t saved_;
  std::chrono::steady_clock::time_point last_save_ = std::chrono::steady_clock::now();
};

/// The provenance so far. `left_out`: number of frames left out by this run.
io::RunRecord provenance(const TrajectoryRun& run, const std::string& id,
                         std::size_t left_out) {
  io::RunRecord record = identity_record(run.spec(), run.info());
  const std::optional<ResumePoint>& point = run.resume_point();
  record.emplace_back(io::result_id, id);
  record.emplace_back(
      "frames left out",
      std::to_string(left_out + (point ? point->next_number - point->frames : 0)));
  return record;
}

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

/// Counts batches until the frames end or the run is stopped. The finished blocks are
/// saved at intervals and if the run is stopped.
void count_batches(TrajectoryRun& run, const CoordinationSpec& spec,
                   const std::stop_token& stop, BatchReader& reader,
                   Collection& collection, SavedBlocks& saved,
                   CoordinationSummary& summary) {
  tasks::ThreadPool threads(reader.threads());
  FrameBatch batch(spec.shells, run.run().layout.exclusion, run.info());
  std::vector<Frame> frames;
  for (bool ended = !reader.has_source(); !ended && !summary.cancelled;) {
    std::exception_ptr failure;
    try {
      ended = !reader.read(frames);
    } catch (...) {
      failure = std::current_exception();  // the frames before it are counted first
    }
    const std::vector<ShellCounts>& counts = batch.count(frames, threads);
    for (std::size_t k = 0; k < frames.size(); ++k) {
      collection.add_frame(frames[k], &counts[k * spec.shells.size()]);
      reader.recycle(std::move(frames[k]));
      ++summary.frames;
    }
    frames.clear();
    if (failure) {
      std::rethrow_exception(failure);
    }
    summary.cancelled = !ended && stop.stop_requested();
    if (summary.cancelled ||
        (!ended && saved.seconds() >= run.spec().checkpoint_seconds)) {
      saved.save();
    }
  }
  if (!summary.cancelled) {
    run.check_unchanged();
  }
}

/// Completes the result of all frames, and writes it.
void finish_result(TrajectoryRun& run, const BatchReader& reader, const std::string& id,
                   Collection& collection, io::CoordinationWriter& writer,
                   io::CoordinationResult& result, CoordinationSummary& summary) {
  const HistogramLayout& layout = run.run().layout;
  collection.finish_block();
  if (reader.has_source()) {
    summary.skipped_frames = run.left_out();
  }
  if (result.file.blocks.empty()) {
    refuse_no_frames(summary.skipped_frames);
  }
  const BlockCounts all = total(result.file.blocks);
  if (run.spec().part.count == 1) {
    check_selections(layout, all.empty_frames, summary.frames);
    check_centres(result, all.particle_number);
  }
  summary.empty_selections = empty_selections(layout, all.empty_frames);
  result.file.record = provenance(run, id, summary.skipped_frames.size());
  writer.write(result);
}

}  // namespace

void check_resumed(const TrajectoryRun& run, const CoordinationSpec& spec,
                   const io::CoordinationResult& earlier) {
  const ResumePoint& point = *run.resume_point();
  const auto refuse = [&](const std::string& problem) {
    throw InputError(run.spec().output + (point.finished ? "" : ".partial") +
                     " cannot be resumed: " + problem +
                     " (use the files and options of the earlier run, choose another "
                     "-o, or replace the file with --force)");
  };
  if (point.blocks != earlier.file.blocks.size()) {
    refuse("its last block ends with the trajectory, which has grown");
  }
  if (!earlier.file.blocks.empty() && spec.shells != earlier.shells) {
    refuse("its pairs or cut-offs differ");
  }
}

CoordinationSummary count_coordination(TrajectoryRun& run, const CoordinationSpec& spec,
                                       const std::stop_token& stop,
                                       io::CoordinationResult& result) {
  const auto start = std::chrono::steady_clock::now();
  check_input(run, spec);
  const std::optional<ResumePoint>& point = run.resume_point();
  ParticleIdentity identity(run.run().layout.species);
  if (point && spec.per_particle && !result.file.blocks.empty()) {
    Frame first;  // the sums have its particles
    run.read(result.file.blocks.front().first_frame, first);
    identity.sort(first);
  }
  CoordinationSummary summary;
  summary.frames = point ? point->frames : 0;
  summary.skipped_before = point ? point->next_number - point->frames : 0;
  BatchReader reader(
      run, spec, run.run().options.frames > 0 ? &run.read_frames() : nullptr, identity,
      static_cast<unsigned>(std::max(1, tasks::usable_processors())));
  io::CoordinationWriter writer(
      run.spec().output, run.spec().overwrite ? io::Overwrite::yes : io::Overwrite::no,
      point                  ? io::OldPartial::keep
      : run.spec().overwrite ? io::OldPartial::remove
                             : io::OldPartial::refuse);
  Collection collection(run, spec, result);
  const std::string id =
      point ? io::value_of(point->record, io::result_id).value_or("") : new_result_id();
  result.file.record = provenance(run, id, 0);
  SavedBlocks saved(writer, result);
  try {
    count_batches(run, spec, stop, reader, collection, saved, summary);
  } catch (...) {  // --resume starts from the finished blocks
    saved.save();
    throw;
  }
  for (const BlockCounts& block : result.file.blocks) {
    summary.frames_kept += block.frames;
  }
  if (!summary.cancelled) {
    finish_result(run, reader, id, collection, writer, result, summary);
  }
  summary.seconds = seconds_since(start);
  return summary;
}

}  // namespace starhist::driver

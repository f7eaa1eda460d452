#include "driver/coordination/coordination_run.hh"

#include <chrono>
#include <exception>
#include <optional>

#include "codelets/core/base/error.hh"
#include "codelets/core/base/seconds_since.hh"
#include "codelets/core/counting/bin_position.hh"
#include "driver/run/provenance.hh"
#include "driver/run/resume_point.hh"
#include "driver/run/run_checks.hh"
#include "io/output/coordination_writer.hh"

namespace starhist::driver {
namespace {

/// Appends blocks, series and sums per particle to a result.
class Collection {
 public:
  /// `result`: empty, or the finished blocks of an earlier run.
  Collection(const TrajectoryRun& run, const CoordinationSpec& spec,
             io::CoordinationResult& result)
      : spec_(spec), result_(result) {
    if (result_.file.blocks.empty()) {
      result_ = {};
    }
    result_.file.layout = run.run().layout;
    result_.file.edge_shift = edge_shift;
    result_.shells = spec.shells;
    result_.file.path = run.spec().output;
    if (spec.per_frame && !result_.frames) {
      result_.frames.emplace();
    }
  }

  /// `order`: of the particles of the first frame, by species; may be empty.
  void append(CoordinationBlock&& block, const std::vector<FileOrder>& order) {
    block.block.index = BlockIndex(result_.file.blocks.size());
    result_.file.blocks.push_back(std::move(block.block));
    result_.counts.push_back(std::move(block.counts));
    append_to(result_.times, block.times);
    if (result_.frames) {
      append_to(result_.frames->centres, block.frames.centres);
      append_to(result_.frames->neighbours, block.frames.neighbours);
    }
    for (std::size_t s = 0; s < block.particles.size(); ++s) {
      const std::size_t centre = spec_.shells[s].centre.index();
      if (result_.particles.size() == s) {
        result_.particles.push_back(
            {order.empty() ? FileOrder() : order[centre],
             std::vector<std::uint64_t>(block.particles[s].size())});
      }
      std::vector<std::uint64_t>& sums = result_.particles[s].neighbours;
      for (std::size_t i = 0; i < sums.size(); ++i) {
        sums[i] += block.particles[s][i];
      }
    }
  }

 private:
  template <class Value>
  static void append_to(std::vector<Value>& to, const std::vector<Value>& from) {
    to.insert(to.end(), from.begin(), from.end());
  }

  const CoordinationSpec& spec_;
  io::CoordinationResult& result_;
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

namespace {

/// Counts all frames of the run in this process.
CountedNeighbours count_frames(TrajectoryRun& run, const CoordinationSpec& spec,
                               const std::stop_token& stop,
                               const io::CoordinationResult& earlier,
                               const NeighbourSink& sink) {
  NeighbourCounter counter(run, spec, sink);
  if (const std::optional<FrameIndex> index = followed_frame(spec, earlier)) {
    Frame first;
    run.read(*index, first);
    counter.follow(std::move(first));
  }
  FrameSource& source = run.read_frames();
  CountedNeighbours counted;
  for (bool ended = false; !ended && !counted.cancelled;) {
    std::exception_ptr failure;
    try {
      while (!ended && !counter.is_full()) {
        std::optional<Frame> frame = source.next();
        ended = !frame;
        if (frame) {
          counter.add(*std::move(frame));
        }
      }
    } catch (...) {
      failure = std::current_exception();  // the frames before it are counted first
    }
    counter.count([&](Frame&& frame) { source.recycle(std::move(frame)); });
    if (failure) {
      std::rethrow_exception(failure);
    }
    counted.cancelled = !ended && stop.stop_requested();
  }
  if (!counted.cancelled) {
    run.check_unchanged();  // a last block that is not full would end with the old file
    counter.finish_block();
    counted.skipped_frames = run.left_out();
  }
  return counted;
}

}  // namespace

std::optional<FrameIndex> followed_frame(const CoordinationSpec& spec,
                                         const io::CoordinationResult& earlier) {
  return spec.per_particle && !earlier.file.blocks.empty()
             ? std::optional(earlier.file.blocks.front().first_frame)
             : std::nullopt;
}

CoordinationSummary count_coordination(TrajectoryRun& run, const CoordinationSpec& spec,
                                       const std::stop_token& stop,
                                       io::CoordinationResult& result,
                                       const CoordinationCounter& counter) {
  const auto start = std::chrono::steady_clock::now();
  check_input(run, spec);
  run.check_outputs();
  const HistogramLayout& layout = run.run().layout;
  const std::optional<ResumePoint>& point = run.resume_point();
  CoordinationSummary summary;
  summary.frames = point ? point->frames : 0;
  summary.skipped_before = point ? point->next_number - point->frames : 0;
  io::CoordinationWriter writer(
      run.spec().output, run.spec().overwrite ? io::Overwrite::yes : io::Overwrite::no,
      point                  ? io::OldPartial::keep
      : run.spec().overwrite ? io::OldPartial::remove
                             : io::OldPartial::refuse);
  Collection collection(run, spec, result);
  const std::string id = point ? io::value_of(point->record, io::result_id).value_or("")
                               : io::new_result_id();
  result.file.record = provenance(run, id, 0);
  std::size_t saved = result.file.blocks.size();
  auto last_save = std::chrono::steady_clock::now();
  const auto save = [&] {
    if (result.file.blocks.size() > saved) {
      writer.save(result);
      saved = result.file.blocks.size();
      last_save = std::chrono::steady_clock::now();
    }
  };
  const NeighbourSink sink = [&](CoordinationBlock&& block,
                                 const std::vector<FileOrder>& order) {
    summary.frames += block.block.frames;
    collection.append(std::move(block), order);
    if (seconds_since(last_save) >= run.spec().checkpoint_seconds) {
      save();
    }
  };
  CountedNeighbours counted;
  try {
    if (run.run().options.frames > 0) {
      counted = counter ? counter(sink) : count_frames(run, spec, stop, result, sink);
    }
    if (counted.cancelled) {
      save();
    }
  } catch (...) {  // --resume starts from the finished blocks
    save();
    throw;
  }
  for (const BlockCounts& block : result.file.blocks) {
    summary.frames_kept += block.frames;
  }
  summary.cancelled = counted.cancelled;
  if (!summary.cancelled) {
    summary.skipped_frames = std::move(counted.skipped_frames);
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
    add_warnings(run.start_warnings(), result.file.record);
    writer.write(result);
  }
  summary.seconds = seconds_since(start);
  return summary;
}

}  // namespace starhist::driver

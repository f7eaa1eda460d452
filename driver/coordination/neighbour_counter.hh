#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "codelets/core/counting/coordination.hh"
#include "codelets/core/counting/histogram.hh"
#include "codelets/kernels/neighbours/count_neighbours.hh"
#include "driver/coordination/excluded_neighbours.hh"
#include "driver/lags/particle_identity.hh"
#include "driver/run/trajectory_run.hh"
#include "io/result/coordination_result.hh"
#include "tasks/runtime/thread_pool.hh"

namespace starhist::driver {

/// The neighbours in the frames of one block.
struct CoordinationBlock {
  std::uint64_t number = 0;  ///< of the block in the selection, including empty ones
  BlockCounts block;         ///< without pairs
  std::vector<NeighbourCounts> counts;                ///< by shell
  std::vector<double> times;                          ///< Frame::time by frame
  io::FrameNeighbours frames;                         ///< entry frame * shells + shell
  std::vector<std::vector<std::uint64_t>> particles;  ///< neighbours by shell, or empty
};

/// Neighbours of one shell in one frame.
struct ShellCounts {
  NeighbourCounts by_number;          ///< particles by their number of neighbours
  std::vector<std::uint32_t> counts;  ///< numbers of neighbours by particle
};

/// Counts the neighbours of several frames in several threads: frames and parts of
/// frames are shared out.
class FrameBatch {
 public:
  FrameBatch(const std::vector<NeighbourShell>& shells, Exclusion exclusion,
             const io::TrajectoryInfo& info);

  /// Returns the neighbours by frame and shell, entry frame * shells + shell; valid
  /// until the next call. Throws like ExcludedNeighbours::subtract().
  const std::vector<ShellCounts>& count(const std::vector<Frame>& frames,
                                        tasks::ThreadPool& threads);

 private:
  const std::vector<NeighbourShell> shells_;
  std::vector<ExcludedNeighbours> excluded_;  ///< by shell
  std::vector<ShellCounts> results_;
};

/// Shells to count, and optional parts of the result.
struct CoordinationSpec {
  std::vector<NeighbourShell> shells;
  bool per_frame = false;
  bool per_particle = false;
};

/// Receives the blocks of a run, in order. `order`: order of the particles of the first
/// frame, by species, for CoordinationSpec::per_particle; empty: unknown.
using NeighbourSink =
    std::function<void(CoordinationBlock&& block, const std::vector<FileOrder>& order)>;

/// Counts the neighbours in the frames of a run on all processors of this process, and
/// sums them up in blocks.
class NeighbourCounter {
 public:
  /// `sink` receives each block after its last frame. `run` and `spec` must outlive
  /// this object.
  NeighbourCounter(const TrajectoryRun& run, const CoordinationSpec& spec,
                   NeighbourSink sink);

  /// Compares all frames with `first`, and sorts their particles like its particles for
  /// CoordinationSpec::per_particle. Default: the first frame added. Before add().
  void follow(Frame first);

  /// Adds a frame for count(). Throws InputError if it is periodic along other axes
  /// than the first one, has other particles although they are followed, or if a
  /// cut-off exceeds half its shortest lattice vector.
  void add(Frame&& frame);
  /// True if the frames added are enough for all threads.
  bool is_full() const;
  /// Counts the frames added since the last call, and passes each to `recycle`. Throws
  /// like FrameBatch::count().
  void count(const std::function<void(Frame&&)>& recycle);
  /// Passes the block of the last counted frames to the sink, if any.
  void finish_block();

 private:
  void add_to_block(const Frame& frame, const ShellCounts* of_shells);

  const TrajectoryRun& run_;
  const CoordinationSpec& spec_;
  const NeighbourSink sink_;
  const HistogramLayout no_pairs_;  ///< of the blocks, which have no counts
  ParticleIdentity identity_;
  tasks::ThreadPool threads_;
  FrameBatch batch_;
  std::optional<Frame> first_;  ///< without its positions
  std::vector<FileOrder> order_;
  std::vector<Frame> frames_;    ///< to be counted
  std::uint64_t particles_ = 0;  ///< in these
  std::optional<CoordinationBlock> open_;
};

}  // namespace starhist::driver

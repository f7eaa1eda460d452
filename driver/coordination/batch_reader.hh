#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "driver/coordination/coordination_run.hh"
#include "driver/lags/particle_identity.hh"
#include "driver/run/frames/frame_source.hh"

namespace starhist::driver {

/// Reads the frames of a run in batches, and checks them.
class BatchReader {
 public:
  /// `source`: null if no frame is left. `identity`: sorts the frames, for counts per
  /// particle. `threads`: number of threads that count a batch. References must outlive
  /// this object.
  BatchReader(const TrajectoryRun& run, const CoordinationSpec& spec,
              FrameSource* source, ParticleIdentity& identity, unsigned threads)
      : run_(run),
        spec_(spec),
        source_(source),
        identity_(identity),
        threads_(threads) {}

  unsigned threads() const { return threads_; }
  bool has_source() const { return source_ != nullptr; }

  /// Adds the frames of a batch to `frames`. Returns false if they are the last. Throws
  /// InputError for an unusable frame; `frames` then has the frames before it.
  bool read(std::vector<Frame>& frames);

  void recycle(Frame&& frame) { source_->recycle(std::move(frame)); }

 private:
  void check(Frame& frame);

  const TrajectoryRun& run_;
  const CoordinationSpec& spec_;
  FrameSource* const source_;
  ParticleIdentity& identity_;
  const unsigned threads_;
  std::optional<Frame> first_;  ///< without its positions
};

}  // namespace starhist::driver

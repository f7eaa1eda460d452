#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "codelets/core/counting/pair_exclusions.hh"
#include "driver/axes/particle_directions.hh"
#include "driver/commands/counted_runs.hh"
#include "driver/run/frames/frame_source.hh"
#include "io/reader/trajectory_reader.hh"
#include "tasks/runtime/runtime.hh"

namespace starhist::driver {

/// Ways to recount blocks.
enum class Recounter {
  automatic,  ///< definition if it is fast enough, otherwise cpu
  definition,
  cpu,  ///< cores, with a kernel variant that has not made the result
  gpu   ///< GPUs
};

/// "reference", "cpu" or "gpu"; "" is automatic. Throws InputError for other names.
Recounter parse_recounter(const std::string& name);

/// True if this processor has a kernel variant that has not counted any of the runs.
bool has_other_variant(const std::vector<CountedRun>& runs);

/// The pairs of a block that are counted again, in all frames of a source.
struct PairsOfBlock {
  const HistogramLayout& layout;
  const io::TrajectoryInfo& info;
  const PairExclusions& exclusions;
  std::uint32_t frames = 0;               ///< number of frames of the source
  ParticleDirections* vectors = nullptr;  ///< null unless the second axis is molecular
};

/// Counts blocks of a result again. Starts StarPU if the recounter needs it. One at a
/// time.
class Recount {
 public:
  /// `recounter` is not automatic. Throws InputError if this machine has no GPU, or no
  /// kernel variant except the one that made the result.
  Recount(Recounter recounter, const HistogramLayout& layout,
          const std::vector<CountedRun>& runs);

  /// Name in reports: "kernel avx2 on CPUs".
  const std::string& method() const { return method_; }

  /// The counts of the frames of `source`. Throws InputError if a frame cannot be used.
  BlockCounts count(FrameSource& source, const PairsOfBlock& pairs);

 private:
  BlockCounts count_with_kernels(FrameSource& source, const PairsOfBlock& pairs);

  std::string method_;
  std::optional<tasks::Runtime> runtime_;  ///< empty for the definition
};

}  // namespace starhist::driver

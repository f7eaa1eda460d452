#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "codelets/core/base/contract.hh"
#include "codelets/core/base/ids.hh"
#include "codelets/core/counting/gpu_positions.hh"
#include "codelets/core/geometry/box.hh"

namespace starhist {

/// Time of a frame whose file does not store it.
inline constexpr double no_time = std::numeric_limits<double>::quiet_NaN();

/// True if the step or the time of a frame is known. Readers return 0 for both, or
/// no_time for the time, if the file has neither.
inline bool has_moment(std::int64_t step, double time) {
  return step != 0 || (!std::isnan(time) && time != 0.0);
}

/// Step and time of a frame, as in Frame.
struct StepAndTime {
  std::int64_t step = 0;
  double time = no_time;
};

/// Largest rounding difference between equal times of this size: a few roundings of
/// single precision.
inline double time_rounding(double size) {
  return 0x1p-22 * size;
}

/// Identity of the particles of a species in a frame of the file, in the order of
/// Frame::positions.
struct FileOrder {
  /// Index of each particle among all particles of the frame in the file, from 0,
  /// including particles that are not read.
  std::vector<std::uint32_t> row;
  /// Particle numbers (ids) of the file; empty if it has none.
  std::vector<std::int64_t> id;

  bool operator==(const FileOrder&) const = default;
};

/// One snapshot of a trajectory.
struct Frame {
  FrameIndex index;       ///< position in the input, counted from 0
  std::int64_t step = 0;  ///< the simulator's own step number; 0 if the file has none
  double time = no_time;  ///< in the file's time unit; NaN if unknown
  Box box;
  /// positions[species] holds x, y, z of each particle of that species, as stored in
  /// the file (converted to double, not wrapped), in file order [file's length unit].
  std::vector<std::vector<double>> positions;
  /// Coordinates along the normal of the plane onto which `positions` are projected, by
  /// species and particle; empty unless ReadOptions::heights is set.
  std::vector<std::vector<double>> heights;
  /// Period of `heights`; 0: the box is open along the normal.
  double period = 0.0;
  /// The positions in the memory of a GPU; `positions` is then empty. Null: `positions`
  /// holds them.
  std::shared_ptr<const GpuPositions> on_gpu;
  /// Upper bound of the coordinates' absolute values [0, infinity], for checks without
  /// reading every position. Infinity: unknown.
  double coordinate_bound = std::numeric_limits<double>::infinity();
  std::uint64_t checksum = 0;  ///< frame_checksum(); 0: unknown
  /// By species; empty unless ReadOptions::tell_order is set.
  std::vector<FileOrder> order;
  /// Number of particles that the species a < b share in this frame, at the index
  /// a * species + b. Empty: PairExclusions knows them, the same in all frames.
  std::vector<std::uint64_t> shared_particles;

  std::uint64_t particle_count(SpeciesId species) const {
    STARHIST_EXPECT(
        species.index() < (on_gpu ? on_gpu->counts.size() : positions.size()),
        "the frame has this species");
    return on_gpu ? on_gpu->counts[species.index()]
                  : positions[species.index()].size() / 3;
  }
  /// Number of particles of all species.
  std::uint64_t particle_count() const {
    const std::size_t species = on_gpu ? on_gpu->counts.size() : positions.size();
    std::uint64_t count = 0;
    for (std::uint32_t s = 0; s < species; ++s) {
      count += particle_count(SpeciesId(s));
    }
    return count;
  }
};

}  // namespace starhist

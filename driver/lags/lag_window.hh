#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "codelets/core/counting/frame.hh"
#include "codelets/core/counting/lag_layout.hh"
#include "driver/lags/lag_notes.hh"
#include "driver/lags/particle_identity.hh"

namespace starhist::driver {

/// Choice of the origins, and how particles are followed between frames.
struct LagOptions {
  std::uint64_t every_origin = 1;  ///< frames 0, every_origin, ... are origins [>= 1]
  /// Positions are continuous in time. Otherwise particles are followed through the
  /// nearest image from frame to frame.
  bool unwrapped = false;
  std::uint32_t frames_per_block = 100;  ///< [>= 1]
  std::uint64_t first_number = 0;        ///< number of the first frame of block 0
};

/// Pairs each frame with the earlier frames, its origins, that lie one of the lags
/// before it. Keeps the origins in memory. Distances between two frames are measured in
/// the box of the later one.
class LagWindow {
 public:
  LagWindow(const LagLayout& layout, const LagOptions& options);

  /// Takes the next frame; `number` rises from call to call. Returns the frame of
  /// particle sets to count (sets_of()): sets without an origin are empty. Adds the
  /// frame's displacements. Throws InputError if the first frame has other
  /// particles.
  Frame add(Frame&& frame, std::uint64_t number);

  /// Takes a frame before the first counted one, only as an origin of later frames.
  void lead_in(Frame&& frame, std::uint64_t number);

  /// Turns the counts of a block of these frames into counts per channel without pairs
  /// of a particle with itself. Once per block, in their order.
  LaggedBlock finish(BlockCounts&& sets);
  /// Likewise for the last block while it is not full, any number of times.
  LaggedBlock so_far(BlockCounts&& sets) const;

  const LagNotes& notes() const { return notes_; }

  /// Memory for the origins of a trajectory with this many particles [bytes].
  static std::uint64_t origin_bytes(const LagLayout& layout, const LagOptions& options,
                                    std::uint64_t particles);

 private:
  using Positions = std::vector<std::vector<double>>;  ///< by species
  /// An earlier frame.
  struct Origin {
    std::uint64_t number = 0;
    StepAndTime moment;
    double coordinate_bound = 0.0;
    std::shared_ptr<const Positions> stored;      ///< as in the file
    std::shared_ptr<const Positions> continuous;  ///< followed through boundaries
  };
  /// Sums of a block in addition to the counted pairs.
  struct BlockSums {
    std::vector<DisplacementCounts> displacements;
    /// Per channel: pairs of a particle with itself by minimum-image distance, bins
    /// from distance 0 on and a last entry for out of range.
    std::vector<std::vector<std::uint64_t>> same;
    std::vector<std::uint64_t> same_pairs;       ///< per channel: their number
    std::vector<double> pairs_over_volume;       ///< per channel, without them
    std::vector<std::uint64_t> particle_number;  ///< per species: sum of N
  };

  void take(Frame& frame, std::uint64_t number);
  void follow(Frame& frame);
  void count_crossings(const Frame& frame, const Positions& before,
                       const Positions& now);
  void count_displacements(const Frame& frame, const Origin& origin, std::size_t lag,
                           BlockSums& sums) const;
  void count_same_pairs(const Frame& frame, const Origin& origin, std::size_t lag,
                        BlockSums& sums) const;
  BlockSums& sums_of(std::uint64_t block);

  const LagLayout layout_;
  const LagOptions options_;
  const UniformBins bins_;  ///< from_zero()
  ParticleIdentity identity_;
  std::shared_ptr<const Positions> stored_;      ///< of the last frame
  std::shared_ptr<const Positions> continuous_;  ///< of the last frame
  std::unique_ptr<Box> first_box_;
  /// Per species pair: ParticleIdentity::shared().
  std::vector<std::vector<std::pair<std::uint32_t, std::uint32_t>>> shared_;
  std::deque<Origin> origins_;
  std::map<std::uint64_t, BlockSums> sums_;  ///< by block, until finish()
  JumpWatch jump_watch_;
  LagNotes notes_;
};

}  // namespace starhist::driver

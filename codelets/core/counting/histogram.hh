#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "codelets/core/counting/bins.hh"
#include "codelets/core/counting/exclusion.hh"
#include "codelets/core/counting/frame.hh"
#include "codelets/core/counting/species_element.hh"
#include "codelets/core/counting/species_pair.hh"
#include "codelets/core/geometry/region.hh"
#include "codelets/core/geometry/second_axis.hh"

namespace starhist {

/// What is counted: which species pairs, over which bins, in which physical units.
struct HistogramLayout {
  std::vector<std::string> species;  ///< names
  std::vector<SpeciesPair> pairs;
  UniformBins bins;
  std::string length_unit;  ///< "" if the file does not specify it
  std::string time_unit;    ///< "" if the file does not specify it
  Exclusion exclusion = Exclusion::none;
  /// Elements by species if they are recorded, otherwise empty. They do not affect
  /// counts.
  std::vector<SpeciesElement> elements = {};
  /// Rules of the species whose particles are selected in each frame anew, by species;
  /// "" for the other species. Empty if no rule is.
  std::vector<std::string> selections = {};
  /// Plane in which distances are measured. In a plane, areas take the place of the
  /// volumes of BlockCounts [length unit^2].
  Plane plane = Plane::none;
  /// Space that the particles fill, from which the volumes of BlockCounts follow.
  Region region = {};
  /// Second quantity by which pairs are sorted, in BlockCounts::second.
  std::optional<SecondAxis> second = {};
};

/// A frame that was counted.
struct CountedFrame {
  FrameIndex index;
  std::uint64_t checksum = 0;  ///< frame_checksum(); 0: unknown

  friend bool operator==(const CountedFrame&, const CountedFrame&) = default;
};

/// The counts of one block of frames, from which all results are derived.
///
/// Sums run over the frames of the block. P is a frame's number of counted pairs:
/// pair_count() unless some are excluded. Vectors "per pair" follow
/// HistogramLayout::pairs, those "per species" HistogramLayout::species. Volumes are in
/// length units cubed. Invariant: underflow[p] + sum of counts[p] + out_of_range[p] ==
/// pairs[p].
struct BlockCounts {
  BlockIndex index;
  std::uint32_t frames = 0;  ///< number of frames
  FrameIndex first_frame;
  FrameIndex last_frame;
  /// The frames, in order; empty if only the first and the last one are known.
  std::vector<CountedFrame> counted;
  std::int64_t last_step = 0;   ///< Frame::step of the last frame
  double last_time = 0.0;       ///< Frame::time of the last frame; may be no_time
  double volume = 0.0;          ///< sum of V = region_volume(); 0 if undefined
  double inverse_volume = 0.0;  ///< sum of 1/V; 0 if V is undefined
  /// Smallest Box::inscribed_radius of the frames; infinite for open boxes.
  double inscribed_radius = std::numeric_limits<double>::infinity();
  /// The box, if all frames have the same one and it has a volume.
  std::optional<Box> box;
  std::vector<std::uint64_t> particle_number;  ///< per species: sum of N
  /// Per species: number of frames without its particles. Empty if
  /// HistogramLayout::selections is.
  std::vector<std::uint64_t> empty_frames;
  std::vector<std::vector<std::uint64_t>> counts;  ///< per pair: one entry per bin
  std::vector<std::uint64_t> underflow;            ///< per pair: pairs at r < r_min
  std::vector<std::uint64_t> out_of_range;         ///< per pair: pairs at r >= r_max
  std::vector<std::uint64_t> pairs;                ///< per pair: sum of P
  /// Per pair: sum of pair_count - P, the excluded pairs.
  std::vector<std::uint64_t> excluded;
  std::vector<double> pairs_over_volume;  ///< per pair: sum of P / V
  /// Per pair: counts by distance and second axis, bin by bin of the distance; empty
  /// without HistogramLayout::second. The counts of a bin sum up to
  /// SecondAxis::orders() times counts[p] of it.
  /// A row has one more entry, the pairs beyond the last bin, if
  /// SecondAxis::along_normal().
  std::vector<std::vector<std::uint64_t>> second;
  /// Per pair: sum of P / V with the volume V of the box in space, 0 if it is open
  /// along the normal. Empty unless SecondAxis::along_normal().
  std::vector<double> pairs_over_space;
  /// Half the smallest period along the normal, 0 if a frame is open along it; infinite
  /// unless SecondAxis::along_normal().
  double half_period = std::numeric_limits<double>::infinity();
};

/// Number of particle pairs in `frame`, of one species pair of the layout or of all,
/// including excluded pairs.
std::uint64_t pair_count(const HistogramLayout& layout, const Frame& frame,
                         PairId pair);
std::uint64_t pair_count(const HistogramLayout& layout, const Frame& frame);

/// A block without frames, vectors sized for `layout`.
BlockCounts empty_block(const HistogramLayout& layout, BlockIndex index);

/// Adds counts, underflow and out_of_range of `from` to `to`. All other sums are
/// unchanged.
void add_counts(const BlockCounts& from, BlockCounts& to);

/// Adds a later block to the sum of the earlier ones, like total().
void add_block(const BlockCounts& block, BlockCounts& sum);

/// Sum of the blocks, for averages over the whole run. Index and first frame are from
/// the first block; last frame, step and time from the last. The list of counted frames
/// is empty. `blocks` must not be empty.
BlockCounts total(const std::vector<BlockCounts>& blocks);

/// True if the invariant holds for a pair; false for sums that overflow.
bool adds_up(const BlockCounts& block, std::size_t pair);

/// True if the sums over the second axis are the counts by distance, which hold without
/// one.
bool second_adds_up(const HistogramLayout& layout, const BlockCounts& block);

/// Throws InternalError unless the invariant holds for every pair.
void check_conservation(const BlockCounts& block);

}  // namespace starhist

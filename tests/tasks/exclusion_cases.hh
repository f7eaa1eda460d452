#pragma once

#include <algorithm>
#include <vector>

#include "codelets/core/counting/pair_bin.hh"
#include "codelets/core/counting/pair_exclusions.hh"
#include "tests/tasks/trajectories.hh"

namespace starhist::testing {

/// Frames whose species are drawn from common particles: species may share some, and
/// every particle belongs to a compound.
struct ExclusionCase {
  Trajectory trajectory;
  std::vector<SpeciesMembers> members;
};

/// Particles 0, 1, ... of which each is in species A, B and C by chance (`overlap`) or
/// in one of them. Compounds have `compound_size` particles, in mixed order if that is
/// odd.
inline ExclusionCase random_exclusion_case(std::uint64_t seed, bool overlap,
                                           std::uint32_t particles,
                                           std::uint32_t compound_size,
                                           std::uint64_t frame_count) {
  Random random(seed);
  ExclusionCase made;
  const std::uint32_t compounds = std::max(particles / compound_size, 1U);
  std::vector<std::vector<std::uint32_t>> of_species(3);
  std::vector<std::uint32_t> compound(particles);
  for (std::uint32_t i = 0; i < particles; ++i) {
    compound[i] = compound_size % 2 == 1 ? i % compounds : i / compound_size;
    const auto only = random.below(3);
    for (std::uint32_t s = 0; s < 3; ++s) {
      if (overlap ? random.chance(0.6) : only == s) {
        of_species[s].push_back(i);
      }
    }
  }
  for (const auto& chosen : of_species) {
    SpeciesMembers members;
    members.count = chosen.size();
    members.particle = chosen;
    for (const std::uint32_t i : chosen) {
      members.compound.push_back(compound[i]);
    }
    made.members.push_back(members);
  }
  made.trajectory = random_trajectory(seed, frame_count);
  for (Frame& frame : made.trajectory.frames) {
    const auto all = random_positions(random, frame.box, particles);
    for (std::size_t s = 0; s < 3; ++s) {
      frame.positions[s].clear();
      for (const std::uint32_t i : of_species[s]) {
        frame.positions[s].insert(frame.positions[s].end(), all.begin() + 3 * i,
                                  all.begin() + 3 * i + 3);
      }
    }
  }
  return made;
}

/// True if the pair of particle i of `a` with j of `b` counts.
inline bool counts(Exclusion exclusion, const SpeciesMembers& a, std::size_t i,
                   const SpeciesMembers& b, std::size_t j) {
  if (a.particle[i] == b.particle[j]) {
    return false;
  }
  const bool same = a.compound[i] == b.compound[j];
  return exclusion == Exclusion::none || same == counts_only_same(exclusion);
}

/// expected_blocks by a plain loop that tests each pair.
inline std::vector<BlockCounts> expected_blocks(const ExclusionCase& made,
                                                std::uint32_t frames_per_block) {
  const HistogramLayout& layout = made.trajectory.layout;
  const UniformBins bins = layout.bins.from_zero();
  std::vector<BlockCounts> blocks =
      expected_blocks(made.trajectory, frames_per_block);  // all except pairs
  for (BlockCounts& block : blocks) {
    const BlockCounts none = empty_block(layout, block.index);
    block.counts = none.counts;
    block.underflow = none.underflow;
    block.out_of_range = none.out_of_range;
    block.pairs = none.pairs;
    block.pairs_over_volume = none.pairs_over_volume;
  }
  for (std::size_t f = 0; f < made.trajectory.frames.size(); ++f) {
    const Frame& frame = made.trajectory.frames[f];
    BlockCounts& block = blocks[f / frames_per_block];
    for (std::size_t p = 0; p < layout.pairs.size(); ++p) {
      const SpeciesPair& pair = layout.pairs[p];
      const auto& a = made.members[pair.first.index()];
      const auto& b = made.members[pair.second.index()];
      const auto& xyz_a = frame.positions[pair.first.index()];
      const auto& xyz_b = frame.positions[pair.second.index()];
      std::uint64_t counted = 0;
      for (std::size_t i = 0; i < a.particle.size(); ++i) {
        for (std::size_t j = pair.like() ? i + 1 : 0; j < b.particle.size(); ++j) {
          if (!counts(layout.exclusion, a, i, b, j)) {
            ++block.excluded[p];
            continue;
          }
          ++counted;
          const std::uint32_t bin =
              pair_bin(frame.box.minimum_image(), bins,
                       {xyz_a[3 * i], xyz_a[3 * i + 1], xyz_a[3 * i + 2]},
                       {xyz_b[3 * j], xyz_b[3 * j + 1], xyz_b[3 * j + 2]});
          if (bin == bins.count) {
            ++block.out_of_range[p];
          } else if (bin < layout.bins.below) {
            ++block.underflow[p];
          } else {
            ++block.counts[p][bin - layout.bins.below];
          }
        }
      }
      block.pairs[p] += counted;
      block.pairs_over_volume[p] +=
          frame.box.has_volume()
              ? static_cast<double>(counted) * (1.0 / frame.box.volume())
              : 0.0;
    }
  }
  return blocks;
}

inline std::vector<BlockCounts> counted_blocks(tasks::Runtime& runtime,
                                               const ExclusionCase& made,
                                               const tasks::CountingOptions& options) {
  const HistogramLayout& layout = made.trajectory.layout;
  return counted_blocks(runtime, made.trajectory, options,
                        PairExclusions(layout, made.members));
}

}  // namespace starhist::testing

#include "io/result/result_check.hh"

#include <cmath>
#include <limits>

#include "codelets/core/base/text.hh"

namespace starhist::io {
namespace {

std::string frames_problem(const BlockCounts& block) {
  if (block.frames == 0) {
    return "contains no frames";
  }
  const std::uint64_t first = block.first_frame.get();
  const std::uint64_t last = block.last_frame.get();
  if (last < first || last - first < block.frames - 1) {
    return std::to_string(block.frames) + " frames cannot lie between " +
           std::to_string(first) + " and " + std::to_string(last);
  }
  if (!block.counted.empty() && (block.counted.size() != block.frames ||
                                 block.counted.front().index != block.first_frame ||
                                 block.counted.back().index != block.last_frame)) {
    return "its list of frames belongs to another block";
  }
  for (const std::uint64_t empty : block.empty_frames) {
    if (empty > block.frames) {
      return "a selection is empty in " + std::to_string(empty) + " of " +
             std::to_string(block.frames) + " frames";
    }
  }
  return "";
}

bool is_sum(double value) {
  return std::isfinite(value) && value >= 0.0;
}

std::string volume_problem(const BlockCounts& block) {
  const double frames = block.frames;
  const double product = block.volume * block.inverse_volume;
  // Either sum V * sum 1/V >= frames^2 (Cauchy-Schwarz), or there are no volumes.
  if (!is_sum(block.volume) || !is_sum(block.inverse_volume) ||
      (block.volume > 0.0) != (block.inverse_volume > 0.0) ||
      (block.volume > 0.0 && product < frames * frames * (1.0 - 1e-9))) {
    return "sum of volumes " + number_text(block.volume) + " and of their inverses " +
           number_text(block.inverse_volume) + " are inconsistent";
  }
  if (!(block.inscribed_radius > 0.0)) {
    return "inscribed radius " + number_text(block.inscribed_radius) +
           " is not positive";
  }
  return "";
}

std::string pair_problem(const BlockCounts& block, std::size_t p,
                         const SpeciesPair& pair) {
  const std::uint64_t first = block.particle_number[pair.first.index()];
  const std::uint64_t second = block.particle_number[pair.second.index()];
  if (static_cast<double>(block.pairs[p]) >
      static_cast<double>(first) * static_cast<double>(second)) {
    return std::to_string(block.pairs[p]) + " pairs are too many for " +
           std::to_string(first) + " and " + std::to_string(second) +
           " particles (sums over the frames)";
  }
  if (!adds_up(block, p)) {
    return "counts and overflow do not add up to its " +
           std::to_string(block.pairs[p]) + " pairs";
  }
  const bool expected = block.pairs[p] > 0 && block.volume > 0.0;
  if (!is_sum(block.pairs_over_volume[p]) ||
      (expected && block.pairs_over_volume[p] == 0.0)) {
    return "pairs over volume " + number_text(block.pairs_over_volume[p]) +
           " is not possible";
  }
  return "";
}

/// Separations along the normal of a plane: a volume in space is at least an area times
/// the smallest period.
std::string height_problem(const BlockCounts& block) {
  if (!(block.half_period >= 0.0) || !std::isfinite(block.half_period)) {
    return "half period " + number_text(block.half_period) + " is not a length";
  }
  for (std::size_t p = 0; p < block.pairs_over_space.size(); ++p) {
    const double space = block.pairs_over_space[p];
    const double most = block.half_period == 0.0
                            ? std::numeric_limits<double>::infinity()
                            : block.pairs_over_volume[p] / (2.0 * block.half_period);
    const bool expected = block.half_period > 0.0 && block.pairs_over_volume[p] > 0.0;
    if (!is_sum(space) || space > most * (1.0 + 1e-9) || (expected && space == 0.0)) {
      return "pairs over the volume in space, " + number_text(space) +
             ", are not possible";
    }
  }
  return "";
}

}  // namespace

std::string block_problem(const BlockCounts& block, const HistogramLayout& layout) {
  std::string problem = frames_problem(block);
  if (problem.empty()) {
    problem = volume_problem(block);
  }
  for (std::size_t p = 0; problem.empty() && p < layout.pairs.size(); ++p) {
    problem = pair_problem(block, p, layout.pairs[p]);
    if (!problem.empty()) {
      problem = "pair " + pair_name(layout.pairs[p], layout.species) + ": " + problem;
    }
  }
  if (problem.empty() && !second_adds_up(layout, block)) {
    problem = "counts by second axis do not add up to those by distance";
  }
  if (problem.empty() && layout.second && layout.second->along_normal()) {
    problem = height_problem(block);
  }
  return problem.empty()
             ? ""
             : "block " + std::to_string(block.index.get()) + ": " + problem;
}

}  // namespace starhist::io

#include "codelets/core/analysis/block_length.hh"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>

#include "codelets/core/analysis/jackknife.hh"
#include "codelets/core/base/text.hh"

namespace starhist::analysis {
namespace {

constexpr std::size_t fewest_blocks = 4;
constexpr std::size_t fewest_for_verdict = 16;
/// Largest correlation by chance, in units of 1 / sqrt(blocks): 1.77 standard
/// deviations.
constexpr double one_pair_limit = 2.5;

/// Counts of a pair, and the counts expected for g = 1: sum of pairs/V times the shell
/// volume, or the number of frames without volumes.
struct Expectations {
  std::vector<double> frames;                 ///< [block]
  std::vector<std::vector<double>> counts;    ///< [block][bin]
  std::vector<std::vector<double>> expected;  ///< [block][bin]
};

Expectations expectations(const HistogramLayout& layout,
                          const std::vector<BlockCounts>& blocks,
                          const std::optional<ShellVolumes>& shells, PairId pair) {
  const std::size_t p = pair.index();
  const std::uint32_t bins = shells ? shells->defined() : layout.bins.count;
  Expectations all;
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    all.frames.push_back(blocks[b].frames);
    all.counts.emplace_back(blocks[b].counts[p].begin(),
                            blocks[b].counts[p].begin() + bins);
    all.expected.emplace_back(bins);
    for (std::uint32_t k = 0; k < bins; ++k) {
      all.expected[b][k] = shells ? blocks[b].pairs_over_volume[p] * shells->of(b, k)
                                  : static_cast<double>(blocks[b].frames);
    }
  }
  return all;
}

/// Number of the merged block that a block joins: blocks are merged in pairs, and an
/// odd last one joins the pair before it.
std::size_t place_in_half(std::size_t block, std::size_t blocks) {
  return std::min(block / 2, blocks / 2 - 1);
}

void halve(std::vector<double>& numbers) {
  std::vector<double> sums(numbers.size() / 2);
  for (std::size_t b = 0; b < numbers.size(); ++b) {
    sums[place_in_half(b, numbers.size())] += numbers[b];
  }
  numbers = sums;
}

void halve(std::vector<std::vector<double>>& rows) {
  const std::size_t half = rows.size() / 2;
  for (std::size_t b = 0; b < rows.size(); ++b) {
    const std::size_t into = place_in_half(b, rows.size());
    if (b == 2 * into) {
      rows[into] = std::vector<double>(rows[b]);
      continue;
    }
    for (std::size_t k = 0; k < rows[b].size(); ++k) {
      rows[into][k] += rows[b][k];
    }
  }
  rows.resize(half);
}

/// Root mean square over the bins of the jackknife error; NaN if no bin has one.
double rms_error(const Expectations& all) {
  const std::size_t bins = all.counts.front().size();
  double squares = 0.0;
  std::size_t used = 0;
  std::vector<double> weights(all.frames);
  for (std::size_t k = 0; k < bins; ++k) {
    double counts = 0.0;
    double expected = 0.0;
    for (std::size_t b = 0; b < all.counts.size(); ++b) {
      counts += all.counts[b][k];
      expected += all.expected[b][k];
      weights[b] = all.expected[b][k] > 0.0 ? all.frames[b] : 0.0;
    }
    const double error = jackknife_error(weights, [&](std::size_t b) {
      return (counts - all.counts[b][k]) / (expected - all.expected[b][k]);
    });
    if (std::isfinite(error)) {
      squares += error * error;
      ++used;
    }
  }
  return used == 0 ? std::numeric_limits<double>::quiet_NaN()
                   : std::sqrt(squares / static_cast<double>(used));
}

void accumulate(std::vector<std::vector<double>>& rows) {
  for (std::vector<double>& row : rows) {
    std::partial_sum(row.begin(), row.end(), row.begin());
  }
}

double ratio(double error, double first) {
  return first > 0.0 && error > 0.0 ? error / first : 0.0;
}

/// Correlation of neighbouring blocks: for each pair with errors, the squared ratio of
/// the next level's error to this level's, minus 1.
std::vector<double> correlations(const std::vector<double>& errors,
                                 const std::vector<double>& next) {
  std::vector<double> found;
  for (std::size_t p = 0; p < errors.size(); ++p) {
    if (errors[p] > 0.0 && next[p] >= 0.0) {  // neither is NaN
      const double growth = ratio(next[p], errors[p]);
      found.push_back(growth * growth - 1.0);
    }
  }
  return found;
}

/// True if the mean over the pairs exceeds the limit for one pair, or the largest value
/// exceeds its own limit, which grows with the number of pairs.
bool exceed_chance(const std::vector<double>& correlations, std::size_t blocks) {
  if (correlations.empty()) {
    return false;
  }
  const auto pairs = static_cast<double>(correlations.size());
  const double mean =
      std::accumulate(correlations.begin(), correlations.end(), 0.0) / pairs;
  const double largest = *std::max_element(correlations.begin(), correlations.end());
  const double unit = 1.0 / std::sqrt(static_cast<double>(blocks));
  return mean > one_pair_limit * unit ||
         largest >
             std::sqrt(one_pair_limit * one_pair_limit + 4.0 * std::log(pairs)) * unit;
}

bool grows(const BlockLengthLevel& level, const BlockLengthLevel& next) {
  return exceed_chance(correlations(level.errors, next.errors), level.blocks) ||
         exceed_chance(correlations(level.running_errors, next.running_errors),
                       level.blocks);
}

/// How to get more blocks. `single`: blocks have one frame.
std::string more_blocks(bool single) {
  return single ? "count more frames" : "count with a smaller --block";
}

/// Number of frames of all blocks.
double frames_of(const std::vector<BlockLengthLevel>& levels) {
  return std::round(levels[0].frames * static_cast<double>(levels[0].blocks));
}

/// Largest ratio of an error to the same one of level 0, among the levels that the test
/// compares; at least 1.
double largest_growth(const std::vector<BlockLengthLevel>& levels) {
  double largest = 1.0;
  for (std::size_t l = 0; l + 1 < levels.size(); ++l) {
    if (levels[l].blocks < fewest_for_verdict) {
      break;
    }
    const BlockLengthLevel& next = levels[l + 1];
    for (std::size_t p = 0; p < next.errors.size(); ++p) {
      largest = std::max({largest, ratio(next.errors[p], levels[0].errors[p]),
                          ratio(next.running_errors[p], levels[0].running_errors[p])});
    }
  }
  return largest;
}

/// A ratio of errors with two decimals.
std::string ratio_text(double ratio) {
  return number_text(std::round(ratio * 100.0) / 100.0);
}

/// "1 frame", "3 frames" or, for a mean length, "about 6.4 frames".
std::string frames_text(double frames) {
  const double rounded = std::round(10.0 * frames) / 10.0;
  return (rounded == frames ? "" : "about ") + number_text(rounded) +
         (frames == 1.0 ? " frame" : " frames");
}

}  // namespace

std::vector<BlockLengthLevel> block_length_levels(
    const HistogramLayout& layout, const std::vector<BlockCounts>& blocks,
    const std::vector<PairId>& pairs) {
  std::vector<BlockLengthLevel> levels;
  double frames = 0.0;
  bool has_volume = true;
  for (const BlockCounts& block : blocks) {
    frames += block.frames;
    has_volume = has_volume && block.volume > 0.0;
  }
  for (std::size_t count = blocks.size(); count >= fewest_blocks; count /= 2) {
    const auto number = static_cast<double>(count);
    levels.push_back(
        {frames / number, count, 1.0 / std::sqrt(2.0 * (number - 1.0)), {}, {}});
  }
  std::optional<ShellVolumes> shells;
  if (has_volume && !levels.empty()) {
    shells.emplace(layout, blocks);
  }
  for (const PairId pair : pairs) {
    if (levels.empty()) {
      break;
    }
    Expectations all = expectations(layout, blocks, shells, pair);
    for (std::size_t l = 0; l < levels.size(); ++l) {
      if (l > 0) {
        halve(all.frames);
        halve(all.counts);
        halve(all.expected);
      }
      levels[l].errors.push_back(rms_error(all));
      Expectations running = all;
      accumulate(running.counts);
      accumulate(running.expected);
      levels[l].running_errors.push_back(rms_error(running));
    }
  }
  return levels;
}

BlockLengthCheck check_block_length(const std::vector<BlockLengthLevel>& levels) {
  BlockLengthCheck check;
  if (levels.empty()) {
    return check;
  }
  for (std::size_t l = 0; l + 1 < levels.size(); ++l) {
    if (levels[l].blocks >= fewest_for_verdict && grows(levels[l], levels[l + 1])) {
      check.plateau = l + 1;
    }
  }
  const BlockLengthLevel& plateau = levels[check.plateau];
  for (std::size_t p = 0; p < plateau.errors.size(); ++p) {
    check.growth =
        std::max({check.growth, ratio(plateau.errors[p], levels[0].errors[p]),
                  ratio(plateau.running_errors[p], levels[0].running_errors[p])});
  }
  if (levels[0].blocks >= fewest_for_verdict) {
    check.verdict =
        check.plateau == 0 ? BlockVerdict::long_enough : BlockVerdict::too_short;
  }
  return check;
}

std::string to_sentence(const BlockLengthCheck& check,
                        const std::vector<BlockLengthLevel>& levels) {
  const auto needed_for = [](double frames) {  // of a block
    return number_text(std::ceil(frames) * static_cast<double>(fewest_for_verdict));
  };
  if (check.verdict == BlockVerdict::too_few_blocks) {
    std::string remedy = "count more frames";
    if (!levels.empty()) {
      remedy =
          needed_for(levels[0].frames) + " frames, but the run has " +
          number_text(frames_of(levels)) + ": count more frames" +
          (levels[0].frames <= 1.0 ? ""
                                   : "; a smaller --block tests only shorter blocks");
    }
    return "too few blocks to determine whether they are long enough (16 are needed: " +
           remedy + ")";
  }
  const std::string length = frames_text(levels[0].frames);
  if (check.verdict == BlockVerdict::long_enough) {
    constexpr double noticeable = 1.01;
    const double growth = largest_growth(levels);
    return "blocks of " + length + " are long enough: " +
           (growth < noticeable
                ? "errors do not grow with longer blocks"
                : "errors of longer blocks are up to " + ratio_text(growth) +
                      " times as large, which chance explains (levels with fewer than "
                      "8 blocks are not tested)");
  }
  const unsigned merged = 1U << check.plateau;
  const double longer = std::ceil(levels[0].frames * merged);
  std::string more;
  if (levels[check.plateau].blocks < fewest_for_verdict) {
    more = " or more (a test whether " + number_text(longer) +
           " is enough needs 16 such blocks, that is, " + needed_for(longer) +
           " frames; there are " + number_text(frames_of(levels)) + ")";
  }
  return "blocks of " + length + " are too short (joined in groups of " +
         std::to_string(merged) + ", they give errors up to " +
         ratio_text(check.growth) + " times as large): count again with --block " +
         number_text(longer) + more;
}

std::string error_caveat(const HistogramLayout& layout,
                         const std::vector<BlockCounts>& blocks,
                         const std::vector<PairId>& pairs) {
  constexpr std::size_t enough = 5;
  if (blocks.size() < enough) {
    std::uint64_t frames = 0;
    for (const BlockCounts& block : blocks) {
      frames += block.frames;
    }
    const double uncertainty =
        std::sqrt(0.5 / (static_cast<double>(blocks.size()) - 1.0));
    return "standard errors from " + std::to_string(blocks.size()) +
           " blocks are uncertain by " +
           std::to_string(std::lround(100 * uncertainty)) + " % themselves (" +
           more_blocks(frames <= blocks.size()) + ": 5 blocks or more)";
  }
  if (blocks.size() < fewest_for_verdict) {
    return "";
  }
  const auto levels = block_length_levels(layout, blocks, pairs);
  const BlockLengthCheck check = check_block_length(levels);
  return check.verdict == BlockVerdict::too_short
             ? "standard errors are too small, because " + to_sentence(check, levels)
             : "";
}

}  // namespace starhist::analysis

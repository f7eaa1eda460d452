#include "codelets/core/analysis/lags/lag_blocks.hh"

#include "codelets/core/analysis/block_length.hh"
#include "codelets/core/analysis/jackknife.hh"
#include "codelets/core/base/text.hh"

namespace starhist::analysis {

LagBlocks join_blocks(const std::vector<double>& frames,
                      const std::vector<double>& with_origin, std::uint64_t lag) {
  LagBlocks blocks;
  double covered = 0.0;  // frames of the joined block
  bool complete = true;
  for (std::size_t b = 0; b < frames.size(); ++b) {
    if (complete) {
      blocks.frames.push_back(0.0);
      covered = 0.0;
    } else if (covered > 0.0) {
      blocks.shorter = true;
    }
    blocks.joined.push_back(blocks.frames.size() - 1);
    blocks.frames.back() += with_origin[b];
    covered += blocks.frames.back() > 0.0 ? frames[b] : 0.0;
    complete = covered > 0.0 && covered >= static_cast<double>(lag);
  }
  std::size_t count = blocks.frames.size();
  if (!complete && count > 1) {
    --count;
  }
  if (blocks.shorter && count < fewest_joined_blocks) {
    count = 1;
  }
  for (std::size_t j = count; j < blocks.frames.size(); ++j) {
    blocks.frames[count - 1] += blocks.frames[j];
  }
  blocks.frames.resize(count);
  for (std::size_t& joined : blocks.joined) {
    joined = std::min(joined, count - 1);
  }
  return blocks;
}

std::vector<LagBlocks> lag_blocks(
    const LagLayout& layout, const std::vector<BlockCounts>& blocks,
    const std::vector<std::vector<DisplacementCounts>>& displacements,
    std::size_t group_count) {
  const BlockGroups groups(blocks.size(), group_count);
  std::vector<LagBlocks> of_lags;
  for (std::size_t lag = 0; lag < layout.lags.size(); ++lag) {
    const auto origins_of = [&](std::size_t b) {
      return static_cast<double>(
          displacements[b][layout.displacement(lag, SpeciesId(0))].frames);
    };
    double density = 0.0;  // share of the frames that have an origin
    for (std::size_t b = 0; b < blocks.size(); ++b) {
      density =
          std::max(density, origins_of(b) / static_cast<double>(blocks[b].frames));
    }
    std::vector<double> frames(groups.groups);
    std::vector<double> with_origin(groups.groups);
    bool begun = false;  // an earlier frame of the same run has an origin
    for (std::size_t b = 0; b < blocks.size(); ++b) {
      const double origins = origins_of(b);
      const auto all = static_cast<double>(blocks[b].frames);
      const bool other_run =
          b > 0 && blocks[b].first_frame.get() <= blocks[b - 1].last_frame.get();
      const bool continues = begun && !other_run;
      begun = origins > 0.0 || continues;
      with_origin[groups.of(b)] += origins;
      if (begun) {
        frames[groups.of(b)] += continues ? all : std::min(all, origins / density);
      }
    }
    of_lags.push_back(join_blocks(frames, with_origin, layout.lags[lag]));
  }
  return of_lags;
}

std::string error_caveat(const LagLayout& layout,
                         const std::vector<BlockCounts>& blocks,
                         const std::vector<LagBlocks>& of_lags,
                         const std::vector<PairId>& pairs) {
  std::vector<std::uint64_t> without;  // lags
  for (std::size_t lag = 0; lag < of_lags.size(); ++lag) {
    if (of_lags[lag].frames.size() < 2) {
      without.push_back(layout.lags[lag]);
    }
  }
  std::string caveat;
  if (!without.empty()) {
    caveat = "no standard errors at " + counted(without.size(), "lag") + ", from lag " +
             std::to_string(without.front()) + " on, because fewer than " +
             std::to_string(fewest_joined_blocks) +
             " blocks as long as the lag remain (count longer runs, or shorter lags)";
  }
  std::vector<PairId> shortest;  // channels
  for (const PairId pair : pairs) {
    shortest.emplace_back(static_cast<std::uint32_t>(layout.channel(0, pair)));
  }
  const std::string of_blocks = error_caveat(channels_of(layout), blocks, shortest);
  return caveat + (caveat.empty() || of_blocks.empty() ? "" : "; ") + of_blocks;
}

}  // namespace starhist::analysis

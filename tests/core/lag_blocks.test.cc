#include "codelets/core/analysis/lags/lag_blocks.hh"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "codelets/core/analysis/jackknife.hh"
#include "tests/support/catch.hh"
#include "tests/support/random.hh"

// Blocks joined for the standard errors of quantities of a lag.

namespace starhist::testing {
namespace {

using analysis::join_blocks;
using analysis::LagBlocks;
using FrameCounts = std::vector<double>;
using JoinedPlaces = std::vector<std::size_t>;

/// Numbers of frames with an origin `lag` frames earlier; every frame is one.
FrameCounts with_origin(const FrameCounts& frames, double lag) {
  FrameCounts with;
  double before = 0.0;
  for (const double own : frames) {
    with.push_back(std::max(0.0, std::min(own, before + own - lag)));
    before += own;
  }
  return with;
}

TEST_CASE("lag blocks: blocks as long as the lag stay as they are") {
  const FrameCounts ten(6, 10.0);
  for (const double lag : {0.0, 1.0, 9.0}) {
    const LagBlocks blocks =
        join_blocks(ten, with_origin(ten, lag), static_cast<std::uint64_t>(lag));
    CHECK(blocks.joined == JoinedPlaces{0, 1, 2, 3, 4, 5});
    CHECK(blocks.frames == FrameCounts{10.0 - lag, 10, 10, 10, 10, 10});
    CHECK(!blocks.shorter);
  }
  CHECK(join_blocks({50, 50}, {20, 50}, 30).joined == JoinedPlaces{0, 1});
}

TEST_CASE("lag blocks: shorter blocks are joined, a remainder to those before it") {
  const FrameCounts ten(13, 10.0);
  const LagBlocks blocks = join_blocks(ten, with_origin(ten, 15.0), 15);
  // The first block has no origin and does not count.
  CHECK(blocks.joined == JoinedPlaces{0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5});
  CHECK(blocks.frames == FrameCounts{15, 20, 20, 20, 20, 20});
  CHECK(blocks.shorter);
  const LagBlocks longer =
      join_blocks(FrameCounts(14, 10.0), FrameCounts(14, 10.0), 20);
  CHECK(longer.frames == FrameCounts{20, 20, 20, 20, 20, 20, 20});
  const LagBlocks rest = join_blocks(FrameCounts(13, 10.0), FrameCounts(13, 10.0), 20);
  CHECK(rest.frames == FrameCounts{20, 20, 20, 20, 20, 30});
  CHECK(rest.joined.back() == 5);
}

TEST_CASE("lag blocks: frames between rare origins count as covered") {
  // Every 40th frame has an origin, in blocks of 10 frames.
  FrameCounts with(24, 0.0);
  for (std::size_t b = 2; b < with.size(); b += 4) {
    with[b] = 1.0;
  }
  const LagBlocks blocks = join_blocks(FrameCounts(24, 10.0), with, 20);
  CHECK(blocks.frames == FrameCounts(6, 1.0));
  CHECK(join_blocks(FrameCounts(24, 10.0), with, 50).frames == FrameCounts{6.0});
}

TEST_CASE("lag blocks: frames before the first origin of a later run do not count") {
  LagLayout layout;
  layout.pairs.species = {"A"};
  layout.lags = {30};
  for (const std::uint64_t length : {100, 150}) {  // frames of each of two runs
    std::vector<BlockCounts> blocks;
    std::vector<std::vector<DisplacementCounts>> displacements;
    for (int run = 0; run < 2; ++run) {
      for (std::uint64_t first = 0; first < length; first += 10) {
        BlockCounts& block = blocks.emplace_back();
        block.frames = 10;
        block.first_frame = FrameIndex(first);
        block.last_frame = FrameIndex(first + 9);
        displacements.emplace_back(1);
        displacements.back().front().frames = first < 30 ? 0 : 10;
      }
    }
    const analysis::LagBlocks joined =
        analysis::lag_blocks(layout, blocks, displacements, 50).front();
    if (length == 100) {  // four joined blocks cover the lag
      CHECK(joined.frames == FrameCounts{140.0});
    } else {
      CHECK(joined.frames == FrameCounts(8, 30.0));
    }
  }
}

TEST_CASE("lag blocks: frames before the first origin of a block do not count") {
  LagLayout layout;
  layout.pairs.species = {"A"};
  layout.lags = {2};
  std::vector<BlockCounts> blocks;
  std::vector<std::vector<DisplacementCounts>> displacements;
  for (std::uint64_t first = 0; first < 30; first += 3) {
    BlockCounts& block = blocks.emplace_back();
    block.frames = 3;
    block.first_frame = FrameIndex(first);
    block.last_frame = FrameIndex(first + 2);
    displacements.emplace_back(1);
    displacements.back().front().frames = first == 0 ? 1 : 3;
  }
  // One frame of the first block has an origin, fewer than the lag.
  CHECK(analysis::lag_blocks(layout, blocks, displacements, 50).front().frames ==
        FrameCounts{4, 3, 3, 3, 3, 3, 3, 3, 3});
  layout.lags = {1};
  CHECK(analysis::lag_blocks(layout, blocks, displacements, 50).front().frames ==
        FrameCounts{1, 3, 3, 3, 3, 3, 3, 3, 3, 3});
  blocks.resize(5);  // four joined blocks
  displacements.resize(5);
  layout.lags = {2};
  CHECK(analysis::lag_blocks(layout, blocks, displacements, 50).front().frames ==
        FrameCounts{13});
}

TEST_CASE("lag blocks: four joined blocks are too few, five are enough") {
  CHECK(join_blocks(FrameCounts(9, 10.0), FrameCounts(9, 10.0), 20).frames ==
        FrameCounts{90.0});
  CHECK(join_blocks(FrameCounts(10, 10.0), FrameCounts(10, 10.0), 20).frames ==
        FrameCounts(5, 20.0));
}

/// Mean over random walks of the reported error of the mean squared displacement,
/// divided by the scatter of the walks.
double reported_over_true(std::size_t lag, bool join) {
  constexpr std::size_t walks = 400;
  constexpr std::size_t count = 20;
  constexpr std::size_t length = 10;
  constexpr std::size_t particles = 10;
  Random random(17);
  std::vector<double> estimates;
  double reported = 0.0;
  const FrameCounts frames(count, static_cast<double>(length));
  for (std::size_t walk = 0; walk < walks; ++walk) {
    FrameCounts squares(count);
    for (std::size_t particle = 0; particle < particles; ++particle) {
      FrameCounts x(count * length);
      for (std::size_t t = 1; t < x.size(); ++t) {
        x[t] = x[t - 1] + random.uniform(-1.0, 1.0);
      }
      for (std::size_t t = lag; t < x.size(); ++t) {
        squares[t / length] += (x[t] - x[t - lag]) * (x[t] - x[t - lag]);
      }
    }
    const FrameCounts with = with_origin(frames, static_cast<double>(lag));
    const LagBlocks blocks = join_blocks(frames, with, join ? lag : 0);
    const FrameCounts sums = blocks.sums(squares);
    const double all = std::accumulate(sums.begin(), sums.end(), 0.0);
    const double number = std::accumulate(with.begin(), with.end(), 0.0);
    estimates.push_back(all / number);
    reported += analysis::jackknife_error(blocks.frames, [&](std::size_t j) {
      return (all - sums[j]) / (number - blocks.frames[j]);
    });
  }
  const double mean = std::accumulate(estimates.begin(), estimates.end(), 0.0) / walks;
  double scatter = 0.0;
  for (const double estimate : estimates) {
    scatter += (estimate - mean) * (estimate - mean);
  }
  return reported / walks / std::sqrt(scatter / (walks - 1.0));
}

TEST_CASE("lag blocks: errors of displacements of random walks are right") {
  for (const std::size_t lag : {1, 5, 12, 20, 25}) {
    INFO("lag " << lag);
    const double ratio = reported_over_true(lag, true);
    CHECK(ratio > 0.75);
    CHECK(ratio < 1.2);
  }
  CHECK(reported_over_true(25, false) < 0.7);  // blocks as they are
  CHECK(std::isnan(reported_over_true(50, true)));
}

}  // namespace
}  // namespace starhist::testing

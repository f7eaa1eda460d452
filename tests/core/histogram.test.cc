#include "codelets/core/counting/histogram.hh"

#include <algorithm>

#include "codelets/core/base/error.hh"
#include "tests/support/boxes.hh"
#include "tests/support/catch.hh"
#include "tests/support/error_text.hh"
#include "tests/support/sample_result.hh"

namespace starhist {
namespace {

using testing::error_text;
using testing::missing;
using testing::sample_block;
using testing::sample_layout;

TEST_CASE("an empty block has vectors of all sizes and is conserved") {
  const HistogramLayout layout = sample_layout(7);
  const BlockCounts block = empty_block(layout, BlockIndex(5));
  CHECK(block.index == BlockIndex(5));
  CHECK(block.frames == 0);
  CHECK(block.particle_number == std::vector<std::uint64_t>(2));
  CHECK(block.counts == std::vector(3, std::vector<std::uint64_t>(7)));
  CHECK(block.out_of_range == std::vector<std::uint64_t>(3));
  CHECK(block.pairs == std::vector<std::uint64_t>(3));
  CHECK(block.pairs_over_volume == std::vector<double>(3));
  check_conservation(block);
}

TEST_CASE("the pairs of a frame are the sum over all species pairs") {
  HistogramLayout layout = sample_layout();
  Frame frame;
  frame.positions = {std::vector<double>(3 * 8), std::vector<double>(3 * 4)};
  CHECK(pair_count(layout, frame, PairId(0)) == 28);
  CHECK(pair_count(layout, frame, PairId(1)) == 32);
  CHECK(pair_count(layout, frame, PairId(2)) == 6);
  CHECK(pair_count(layout, frame) == 66);
  layout.pairs.clear();
  CHECK(pair_count(layout, frame) == 0);
}

TEST_CASE("the total adds sums, and spans the frames") {
  const HistogramLayout layout = sample_layout(4);
  std::vector<BlockCounts> blocks{sample_block(layout, 0), sample_block(layout, 1),
                                  sample_block(layout, 2, 3)};
  blocks[1].inscribed_radius = 1.25;
  const BlockCounts sum = total(blocks);

  CHECK(sum.index == blocks[0].index);
  CHECK(sum.frames == 23);
  CHECK(sum.first_frame == blocks[0].first_frame);
  CHECK(sum.last_frame == blocks[2].last_frame);
  CHECK(sum.last_step == blocks[2].last_step);
  CHECK(sum.last_time == blocks[2].last_time);
  CHECK(sum.volume == 23 * 27.0);
  CHECK(sum.inscribed_radius == 1.25);
  CHECK(sum.particle_number == std::vector<std::uint64_t>{23 * 8, 23 * 4});
  CHECK(sum.pairs == std::vector<std::uint64_t>{23 * 28, 23 * 32, 23 * 6});
  for (std::size_t p = 0; p < 3; ++p) {
    CHECK(sum.out_of_range[p] == blocks[0].out_of_range[p] + blocks[1].out_of_range[p] +
                                     blocks[2].out_of_range[p]);
    for (std::size_t k = 0; k < 4; ++k) {
      CHECK(sum.counts[p][k] ==
            blocks[0].counts[p][k] + blocks[1].counts[p][k] + blocks[2].counts[p][k]);
    }
  }
  check_conservation(sum);
}

TEST_CASE("the total has a box if all blocks have the same one") {
  std::vector<BlockCounts> blocks = testing::sample_blocks(sample_layout(4), 3);
  for (BlockCounts& block : blocks) {
    block.box = testing::cubic_box(3.0);
  }
  CHECK(total(blocks).box == testing::cubic_box(3.0));
  blocks[1].box = testing::cubic_box(3.5);
  CHECK_FALSE(total(blocks).box.has_value());
  blocks[1].box.reset();
  CHECK_FALSE(total(blocks).box.has_value());
}

TEST_CASE("a lost or repeated pair is found, in any bin of any pair") {
  const HistogramLayout layout = sample_layout(4);
  const BlockCounts good = sample_block(layout, 1);
  check_conservation(good);

  BlockCounts bad = good;
  ++bad.counts[2][3];
  CHECK(missing(error_text<InternalError>([&] { check_conservation(bad); }),
                {"block 1", "pair 2", "61", "60", "bug"}) == "");
  bad = good;
  --bad.pairs[0];
  CHECK(missing(error_text<InternalError>([&] { check_conservation(bad); }),
                {"pair 0", "280", "279"}) == "");
  bad = good;  // as if the previous bins held all pairs
  bad.pairs[2] -= bad.counts[2][3];
  CHECK(missing(error_text<InternalError>([&] { check_conservation(bad); }),
                {"pair 2"}) == "");
  bad = good;
  bad.out_of_range[1] = bad.pairs[1] + 1;
  bad.underflow[1] = bad.pairs[1];
  std::fill(bad.counts[1].begin(), bad.counts[1].end(), 0);
  CHECK(missing(error_text<InternalError>([&] { check_conservation(bad); }),
                {"pair 1"}) == "");
  bad = good;
  ++bad.out_of_range[1];
  CHECK(missing(error_text<InternalError>([&] { check_conservation(bad); }),
                {"pair 1"}) == "");
}

TEST_CASE("a bin that underflowed is found, although the sum is correct") {
  const HistogramLayout layout = sample_layout(4);
  BlockCounts block = sample_block(layout, 1);
  block.counts[0][0] -= block.counts[0][0] + 1;  // wraps around below zero
  block.counts[0][1] += sample_block(layout, 1).counts[0][0] + 1;
  CHECK(missing(error_text<InternalError>([&] { check_conservation(block); }),
                {"pair 0", "more were subtracted"}) == "");
}

TEST_CASE("pairs below r_min are part of the sum") {
  const HistogramLayout layout = sample_layout(4);
  BlockCounts block = sample_block(layout, 1);
  block.underflow[1] = block.counts[1][0];
  block.counts[1][0] = 0;
  check_conservation(block);
  const BlockCounts sum = total({block, block});
  CHECK(sum.underflow[1] == 2 * block.underflow[1]);
}

TEST_CASE("sums beyond 2^32 are exact") {
  const HistogramLayout layout = sample_layout(1);
  BlockCounts block = empty_block(layout, BlockIndex(0));
  block.counts[0][0] = (1ULL << 62U) + 1;
  block.out_of_range[0] = 1ULL << 32U;
  block.pairs[0] = (1ULL << 62U) + (1ULL << 32U) + 1;
  check_conservation(block);
  const BlockCounts twice = total({block, block});
  CHECK(twice.counts[0][0] == (1ULL << 63U) + 2);
  check_conservation(twice);
}

}  // namespace
}  // namespace starhist

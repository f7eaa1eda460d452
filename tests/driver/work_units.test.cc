// Work units: cutting a run, handing out, and combining units into blocks in any order.
#include <algorithm>
#include <numeric>
#include <set>

#include "codelets/core/base/error.hh"
#include "driver/ranks/coordinator.hh"
#include "driver/ranks/rank_summary.hh"
#include "driver/ranks/unit_cutter.hh"
#include "tests/support/catch.hh"
#include "tests/support/error_text.hh"
#include "tests/support/random.hh"

namespace starhist {
namespace {

using namespace driver;
using testing::error_text;

std::vector<WorkUnit> all_units(const RankedFrames& frames,
                                const RankWeights& weights) {
  UnitCutter cutter(frames, weights);
  std::vector<WorkUnit> units;
  while (const auto unit = cutter.next()) {
    units.push_back(*unit);
  }
  return units;
}

TEST_CASE("units cover all frames in order and stay within blocks") {
  for (const std::uint64_t begin : {0ULL, 7ULL, 38ULL, 100ULL}) {
    for (const std::uint64_t count : {1ULL, 19ULL, 1000ULL, 4000ULL, 25'000ULL}) {
      for (const std::uint32_t block : {1U, 10U, 100U}) {
        for (const std::uint32_t ranks : {1U, 3U, 64U}) {
          const RankWeights weights(ranks, 1 + count % 4);
          const std::uint64_t batch = 1 + count % 7;
          INFO(begin << ", " << count << ", " << block << ", " << ranks);
          const RankedFrames frames{begin, begin + count, block, 1000, batch};
          const std::uint64_t most = most_frames_per_unit(frames, weights);
          std::uint64_t next = begin;
          std::uint64_t number = 0;
          for (const WorkUnit& unit : all_units(frames, weights)) {
            REQUIRE(unit.number == number++);
            REQUIRE(unit.begin == next);
            REQUIRE(unit.end > unit.begin);
            REQUIRE(unit.frames() <= most);
            REQUIRE((unit.end - 1) / block == unit.begin / block);
            REQUIRE(unit.rows.all());
            next = unit.end;
          }
          REQUIRE(next == begin + count);
        }
      }
    }
  }
}

TEST_CASE("the units of a block have equal lengths, except for the last ones") {
  const std::vector<WorkUnit> units = all_units({0, 4000, 100, 1000}, {1, 1});
  for (std::size_t k = 0; k < 120; ++k) {  // at most 31 frames
    CHECK(units[k].frames() == 25);
  }
}

TEST_CASE("the last units have one frame, and each rank gets many") {
  const std::vector<WorkUnit> units = all_units({0, 100'000, 100, 1000}, {1, 1, 1, 1});
  CHECK(units.front().frames() == 100);
  CHECK(units.back().frames() == 1);
  const std::vector<WorkUnit> few = all_units({0, 2560, 100, 1000}, {1, 1, 1, 1});
  CHECK(few.size() >= 256);
}

TEST_CASE("rows are divided for few frames with many pairs") {
  CHECK(row_parts({0, 1, 100, 8'000'000'000'000}, {8}) == 1);
  CHECK(row_parts({0, 1, 100, 8'000'000'000'000}, RankWeights(8, 1)) == 48);
  CHECK(row_parts({0, 1, 100, 8'000'000'000'000}, {4, 4}) == 48);
  CHECK(row_parts({0, 1, 100, 100'000}, RankWeights(8, 1)) == 1);
  CHECK(row_parts({0, 1000, 100, 8'000'000'000'000}, RankWeights(8, 1)) == 1);
  const std::vector<WorkUnit> units = all_units({5, 7, 100, 1'000'000'000}, {1, 1, 1});
  REQUIRE(units.size() == 18);
  for (std::size_t k = 0; k < units.size(); ++k) {
    CHECK(units[k].begin == 5 + k / 9);
    CHECK(units[k].frames() == 1);
    CHECK(units[k].rows == RowPart{static_cast<std::uint32_t>(k % 9), 9});
  }
}

TEST_CASE(
    "rows are not divided, and units are blocks, where that is the smallest unit") {
  RankedFrames frames{0, 2, 100, 10'000'000'000};
  REQUIRE(row_parts(frames, RankWeights(4, 1)) > 1);
  frames.smallest = SmallestUnit::frame;
  CHECK(row_parts(frames, RankWeights(4, 1)) == 1);
  frames = {20, 47, 10, 10'000'000'000};
  frames.smallest = SmallestUnit::block;
  CHECK(row_parts(frames, RankWeights(40, 1)) == 1);
  CHECK(most_frames_per_unit(frames, {1, 1}) == 10);
  const std::vector<WorkUnit> units = all_units(frames, {1, 1});
  REQUIRE(units.size() == 3);
  CHECK(units[1].begin == 30);
  CHECK(units[1].end == 40);
  CHECK(units[2].end == 47);
  CHECK(most_in_hand(frames, {1, 8}) == std::vector<std::uint64_t>{2, 2});
}

TEST_CASE("a rank has three units in hand, and no unit is far ahead of a missing one") {
  HandOut hand_out(UnitCutter({0, 1000, 1, 1000}, {1, 1}), {1, 1}, {3, 3}, 5);
  for (std::uint64_t k = 0; k < 3; ++k) {
    CHECK(hand_out.next(0, 0)->number == k);
  }
  CHECK_FALSE(hand_out.next(0, 0));
  CHECK(hand_out.next(1, 0)->number == 3);
  CHECK(hand_out.next(1, 0)->number == 4);
  CHECK_FALSE(hand_out.next(1, 0));  // the window is full
  hand_out.returned(1);
  CHECK_FALSE(hand_out.next(1, 0));
  CHECK(hand_out.next(1, 1)->number == 5);
  hand_out.stop();
  hand_out.returned(0);
  CHECK_FALSE(hand_out.next(0, 6));
  CHECK(hand_out.is_empty());
}

TEST_CASE("a unit is a batch, except for the first and the last ones") {
  const std::vector<WorkUnit> units = all_units({0, 400, 20, 1000, 7}, {1, 1, 1, 1});
  CHECK(most_frames_per_unit({0, 400, 20, 1000, 7}, {1, 1, 1, 1}) == 7);
  for (std::size_t k = 7; k < 50; ++k) {
    CHECK(units[k].frames() >= 6);  // of blocks of 20 frames: 7, 7, 6
  }
  CHECK(units.back().frames() == 1);
  CHECK(units.size() < 90);
}

TEST_CASE("the first unit of each rank does not depend on GPUs and batches") {
  for (const std::uint64_t count : {5ULL, 100ULL, 5000ULL}) {
    for (const std::uint32_t ranks : {1U, 3U, 8U}) {
      const RankedFrames frames{7, 7 + count, 20, 1000, 1 + count % 9};
      const std::vector<WorkUnit> units = all_units(frames, RankWeights(ranks, 4));
      for (std::uint32_t rank = 0; rank < ranks; ++rank) {
        INFO(count << " frames, rank " << rank << " of " << ranks);
        const std::optional<WorkUnit> first = first_unit(frames, ranks, rank);
        REQUIRE(first.has_value() == (rank < units.size()));
        if (first) {
          CHECK(first->begin == units[rank].begin);
          CHECK(first->end == units[rank].end);
        }
      }
    }
  }
}

TEST_CASE("a rank with several GPUs has units in hand for each") {
  const RankWeights weights{1, 4};
  const RankedFrames frames{0, 100, 1, 1000};
  HandOut hand_out(UnitCutter(frames, weights), weights, most_in_hand(frames, weights),
                   1000);
  const auto fill = [&] {
    while (hand_out.next(0, 0) || hand_out.next(1, 0)) {
    }
  };
  fill();
  CHECK(hand_out.in_hand(0) == 3);
  CHECK(hand_out.in_hand(1) == 9);
  while (!hand_out.is_empty()) {
    const std::uint32_t rank = hand_out.in_hand(1) > 4 ? 1 : 0;
    hand_out.returned(rank);
    fill();
    CHECK((hand_out.in_hand(1) >= 4 || hand_out.is_empty()));
  }
}

TEST_CASE("two units of several seconds are ahead, for any number of GPUs") {
  RankedFrames frames{0, 64'000, 100, 1000};
  const RankWeights weights{8, 1};
  using Units = std::vector<std::uint64_t>;
  REQUIRE(most_frames_per_unit(frames, weights) == 100);
  CHECK(most_in_hand(frames, weights) == Units{17, 3});  // unknown
  frames.seconds_per_frame = 1e-4;                       // 0.01 s per unit
  CHECK(most_in_hand(frames, weights) == Units{17, 3});
  frames.seconds_per_frame = 2e-3;
  CHECK(most_in_hand(frames, weights) == Units{6, 3});
  frames.seconds_per_frame = 4.0;
  CHECK(most_in_hand(frames, weights) == Units{3, 3});
}

TEST_CASE("a rank has fewer units in hand at the end of a run") {
  const RankedFrames single{0, 9, 1, 1000};
  RankedFrames blocks{15, 98, 10, 1000};  // nine of them
  blocks.smallest = SmallestUnit::block;
  for (const RankedFrames& frames : {single, blocks}) {
    HandOut hand_out(UnitCutter(frames, {1, 1}), {1, 1}, {3, 3}, 100);
    for (std::uint32_t k = 0; k < 9; ++k) {
      const std::uint32_t rank = k % 2;
      while (!hand_out.next(rank, 0)) {
        REQUIRE(hand_out.in_hand(rank) > 0);
        hand_out.returned(rank);
      }
      CHECK(hand_out.in_hand(rank) <= std::max(1U, (9 - k) / 2));
    }
    CHECK(hand_out.in_hand(0) == 1);
    CHECK(hand_out.is_empty());
  }
}

TEST_CASE("the window bounds the memory of waiting counts") {
  HistogramLayout layout;
  layout.pairs = all_pairs(3);
  layout.bins = make_bins(1.0, 10'000);
  CHECK(window_of(layout, 1ULL << 40U, {3, 3, 3, 3}) == 60);
  CHECK(window_of(layout, 1ULL << 40U, {9}) == 45);
  CHECK(window_of(layout, 1ULL << 20U, {3, 3, 3, 3}) == 12);
  const std::uint64_t window = window_of(layout, 320ULL << 20U, {3, 3, 3, 3});
  CHECK(window == (20ULL << 20U) / (8 * 6 * 10'016));
  layout.second = SecondAxis{};
  layout.second->count = 9;
  CHECK(window_of(layout, 3200ULL << 20U, {3, 3, 3, 3}) ==
        (200ULL << 20U) / (8 * 6 * 100'016));
}

/// Counts that add up, different for each frame.
UnitCounts counts_of(const WorkUnit& unit, const HistogramLayout& layout) {
  UnitCounts counts;
  counts.unit = unit;
  counts.end = unit.end;
  counts.counts.assign(layout.pairs.size(),
                       std::vector<std::uint64_t>(layout.bins.count, 0));
  counts.underflow.assign(layout.pairs.size(), 0);
  counts.out_of_range.assign(layout.pairs.size(), 0);
  for (std::uint64_t n = unit.begin; n < unit.end; ++n) {
    FrameFacts frame;
    frame.index = FrameIndex(2 * n);
    frame.step = static_cast<std::int64_t>(10 * n);
    frame.time = 0.1 * static_cast<double>(n);
    const double edge = 1.0 + 0.001 * static_cast<double>(n * n % 97);
    frame.box = Box::from_lengths_and_angles({edge, edge, edge}, {90, 90, 90});
    frame.period = 2.0 + 0.01 * static_cast<double>(n * n % 89);
    frame.particle_number.assign(layout.species.size(), n + 1);
    frame.pairs.assign(layout.pairs.size(), 2 * (n + 5));
    frame.excluded.assign(layout.pairs.size(), 1);
    for (std::size_t p = 0; p < layout.pairs.size(); ++p) {
      // The first rows have more than the total, and the last subtract the excess.
      const std::uint64_t first = unit.rows.number == 0 ? 1000 : 0;
      const std::uint64_t last = unit.rows.number + 1 == unit.rows.count ? 1000 : 0;
      if (unit.rows.number == 0) {
        counts.counts[p][(n + p) % layout.bins.count] += n + 5;
        counts.out_of_range[p] += n + 5;
      }
      counts.counts[p][0] += first - last;
    }
    if (unit.rows.number == 0) {
      counts.frames.push_back(std::move(frame));
    }
  }
  return counts;
}

HistogramLayout small_layout() {
  HistogramLayout layout;
  layout.species = {"A", "B"};
  layout.pairs = all_pairs(2);
  layout.bins = make_bins(1.0, 5);
  layout.second = SecondAxis{};
  layout.second->count = 3;
  layout.second->limit = 1.0;
  return layout;
}

bool equal(const BlockCounts& a, const BlockCounts& b) {
  return a.index == b.index && a.frames == b.frames && a.first_frame == b.first_frame &&
         a.last_frame == b.last_frame && a.last_step == b.last_step &&
         a.last_time == b.last_time && a.volume == b.volume &&
         a.inverse_volume == b.inverse_volume &&
         a.inscribed_radius == b.inscribed_radius && a.box == b.box &&
         a.particle_number == b.particle_number && a.counts == b.counts &&
         a.underflow == b.underflow && a.out_of_range == b.out_of_range &&
         a.pairs == b.pairs && a.excluded == b.excluded &&
         a.pairs_over_volume == b.pairs_over_volume &&
         a.pairs_over_space == b.pairs_over_space && a.half_period == b.half_period;
}

std::vector<BlockCounts> assemble(std::vector<UnitCounts> units,
                                  const RankedFrames& frames) {
  std::vector<BlockCounts> blocks;
  BlockAssembly assembly(
      small_layout(), frames.frames_per_block, frames.begin, frames.end, {},
      [&](BlockCounts&& block) { blocks.push_back(std::move(block)); });
  for (UnitCounts& unit : units) {
    assembly.add(std::move(unit));
  }
  CHECK(assembly.next_frame() == frames.end);
  CHECK(assembly.open_block() == nullptr);
  return blocks;
}

TEST_CASE("blocks do not depend on units and their order, to the last bit") {
  const HistogramLayout layout = small_layout();
  const RankedFrames frames{3, 120, 25, 1000};
  std::vector<UnitCounts> one;
  for (const WorkUnit& unit : all_units({3, 120, 25, 1000}, {1})) {
    one.push_back(counts_of(unit, layout));
  }
  const std::vector<BlockCounts> expected = assemble(one, frames);
  REQUIRE(expected.size() == 5);
  CHECK(expected.front().frames == 22);
  CHECK(expected.front().half_period == 0.5 * (2.0 + 0.01 * 5));
  testing::Random random(5);
  for (const std::uint64_t pairs : {1000ULL, 500'000'000ULL}) {
    for (const std::uint32_t ranks : {1U, 2U, 9U}) {
      std::vector<UnitCounts> units;
      for (const WorkUnit& unit :
           all_units({3, 120, 25, pairs}, RankWeights(ranks, 1))) {
        units.push_back(counts_of(unit, layout));
      }
      for (std::size_t k = units.size(); k > 1; --k) {
        std::swap(units[k - 1], units[random.below(k)]);
      }
      const std::vector<BlockCounts> blocks = assemble(units, frames);
      REQUIRE(blocks.size() == expected.size());
      for (std::size_t b = 0; b < blocks.size(); ++b) {
        INFO(pairs << ", " << ranks << ", block " << b);
        CHECK(equal(blocks[b], expected[b]));
      }
    }
  }
}

TEST_CASE("counts that do not add up are not passed on") {
  UnitCounts unit = counts_of({0, 0, 4, {}}, small_layout());
  ++unit.counts[1][2];
  CHECK(error_text<InternalError>([&] {
          assemble({unit}, {0, 4, 4, 1});
        }).find("block 0, pair 1") != std::string::npos);
}

TEST_CASE("a stopped run keeps the frames before the first missing one") {
  const HistogramLayout layout = small_layout();
  std::vector<BlockCounts> blocks;
  BlockAssembly assembly(layout, 10, 0, 100, {}, [&](BlockCounts&& block) {
    blocks.push_back(std::move(block));
  });
  UnitCounts cut = counts_of({1, 5, 10, {}}, layout);
  cut.end = 7;
  cut.frames.resize(2);
  assembly.add(counts_of({2, 10, 20, {}}, layout));
  assembly.add(std::move(cut));
  CHECK(assembly.next_unit() == 0);
  assembly.add(counts_of({0, 0, 5, {}}, layout));
  CHECK(blocks.empty());
  CHECK(assembly.next_frame() == 7);
  REQUIRE(assembly.open_block() != nullptr);
  CHECK(assembly.open_block()->frames == 7);
}

TEST_CASE("empty blocks are not delivered, and frames left out are recorded") {
  std::vector<BlockCounts> blocks;
  BlockAssembly assembly(small_layout(), 2, 0, 4, {}, [&](BlockCounts&& block) {
    blocks.push_back(std::move(block));
  });
  UnitCounts none;
  none.unit = {0, 0, 2, {}};
  none.end = 2;
  none.left_out = {{0, "frame 0 is bad"}, {1, "frame 1 is bad"}};
  assembly.add(std::move(none));
  assembly.add(counts_of({1, 2, 4, {}}, small_layout()));
  REQUIRE(blocks.size() == 1);
  CHECK(blocks[0].index.get() == 1);
  REQUIRE(assembly.left_out().size() == 2);
  CHECK(assembly.left_out()[1].why == "frame 1 is bad");
}

TEST_CASE("units that are blocks are passed on in order, up to an incomplete one") {
  std::vector<std::uint64_t> passed_on;
  BlockAssembly assembly(
      0, 9, [&](UnitCounts&& counts) { passed_on.push_back(counts.unit.number); });
  const auto unit = [](std::uint64_t number, std::uint64_t end) {
    UnitCounts counts;
    counts.unit = {number, 2 * number, 2 * number + 2, {}};
    counts.end = end;
    counts.block = {'x'};
    return counts;
  };
  assembly.add(unit(1, 4));
  CHECK(passed_on.empty());
  UnitCounts none = unit(2, 6);
  none.block.clear();
  none.left_out = {{4, "bad"}, {5, "bad"}};
  assembly.add(std::move(none));
  assembly.add(unit(4, 10));
  assembly.add(unit(0, 2));
  assembly.add(unit(3, 7));
  CHECK(passed_on == std::vector<std::uint64_t>{0, 1});
  CHECK(assembly.next_frame() == 6);
  CHECK(assembly.left_out().size() == 2);
  CHECK(assembly.open_block() == nullptr);
}

/// Ranks that count concurrently, in random turns.
struct Job {
  Job(const RankWeights& rank_weights, const RankedFrames& run_frames,
      std::uint64_t window)
      : weights(rank_weights),
        most(most_in_hand(run_frames, weights)),
        ranks(static_cast<std::uint32_t>(weights.size())),
        frames(run_frames),
        coordinator(
            ranks, HandOut(UnitCutter(frames, weights), weights, most, window),
            BlockAssembly(
                small_layout(), frames.frames_per_block, frames.begin, frames.end, {},
                [this](BlockCounts&& block) { blocks.push_back(std::move(block)); })),
        in_hand(ranks),
        at_end(ranks, false) {}

  void deliver() {
    for (Coordinator::Outgoing& out : coordinator.next_messages()) {
      if (const auto* unit = std::get_if<WorkUnit>(&out.message)) {
        in_hand[out.rank].push_back(*unit);
        CHECK(in_hand[out.rank].size() <= most[out.rank]);
      } else if (std::holds_alternative<StopNow>(out.message)) {
        in_hand[out.rank].clear();
        at_end[out.rank] = true;
      } else {
        at_end[out.rank] = true;
      }
    }
  }

  /// Lets a rank count a unit or end.
  void step(std::uint32_t rank) {
    if (!in_hand[rank].empty()) {
      const WorkUnit unit = in_hand[rank].front();
      in_hand[rank].erase(in_hand[rank].begin());
      if (bad_frames.count(unit.begin) > 0) {
        in_hand[rank].clear();
        coordinator.take(rank,
                         BadFrame{unit.number, "bad " + std::to_string(unit.begin)});
      } else {
        coordinator.take(rank, counts_of(unit, small_layout()));
      }
    } else if (at_end[rank] && !coordinator.has_ended(rank)) {
      RankWork work;
      work.rank = rank;
      coordinator.take(rank, std::move(work));
    }
    deliver();
  }

  void run(std::uint64_t seed) {
    testing::Random random(seed);
    deliver();
    for (int k = 0; k < 100'000 && !coordinator.ended(); ++k) {
      step(static_cast<std::uint32_t>(random.below(ranks)));
    }
    REQUIRE(coordinator.ended());
  }

  RankWeights weights;
  std::vector<std::uint64_t> most;
  std::uint32_t ranks;
  RankedFrames frames;
  std::vector<BlockCounts> blocks;
  Coordinator coordinator;
  std::vector<std::vector<WorkUnit>> in_hand;
  std::vector<bool> at_end;
  std::set<std::uint64_t> bad_frames;
};

TEST_CASE("all blocks are delivered in order, whatever the ranks' speeds") {
  for (const std::uint32_t ranks : {1U, 2U, 7U}) {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      RankWeights weights(ranks, 1);
      weights.back() = 1 + seed % 4;
      Job job(weights, {0, 95, 10, 1000, 1 + seed % 3}, 4 * sum(weights));
      job.run(seed);
      REQUIRE(job.blocks.size() == 10);
      for (std::size_t b = 0; b < 10; ++b) {
        CHECK(job.blocks[b].index.get() == b);
        CHECK(job.blocks[b].frames == (b < 9 ? 10 : 5));
      }
    }
  }
}

TEST_CASE("the first of several bad frames is reported, after all blocks before it") {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Job job({1, 1, 1}, {0, 95, 5, 1000}, 60);
    job.bad_frames = {31, 33, 52};
    job.run(seed);
    CHECK(job.coordinator.bad_frame() == "bad 31");
    REQUIRE(job.blocks.size() == 6);
  }
}

TEST_CASE("a signal to one rank ends all") {
  Job job({1, 1, 1}, {0, 1000, 10, 1000}, 30);
  job.deliver();
  for (int k = 0; k < 30; ++k) {
    job.step(static_cast<std::uint32_t>(k % 3));
  }
  job.coordinator.take(2, StopRequest{10});
  job.run(3);
  CHECK(job.coordinator.stopped());
  CHECK(job.coordinator.signal() == 10);
  CHECK(job.blocks.size() == 15);
  CHECK(job.coordinator.assembly().next_frame() == 150);
}

}  // namespace
}  // namespace starhist

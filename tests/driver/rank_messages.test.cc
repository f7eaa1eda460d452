// Messages between ranks as bytes, and shares of ranks on one host.
#include <cmath>
#include <cstdint>

#include "codelets/core/base/error.hh"
#include "driver/ranks/host_share.hh"
#include "driver/ranks/messages.hh"
#include "driver/ranks/packing.hh"
#include "tests/support/catch.hh"
#include "tests/support/error_text.hh"

namespace starhist {
namespace {

using namespace driver;
using testing::error_text;
using testing::missing;

UnitCounts some_counts() {
  UnitCounts counts;
  counts.unit = {7, 20, 22, {1, 3}};
  counts.end = 21;
  counts.frames.resize(1);
  counts.frames[0].index = FrameIndex(40);
  counts.frames[0].step = -5;
  counts.frames[0].time = 0.1;
  counts.frames[0].box =
      Box::from_lengths_and_angles({3.1, 2.9, 4.7}, {77.0, 95.5, 101.3});
  counts.frames[0].period = 4.5;
  counts.frames[0].particle_number = {3, 0};
  counts.frames[0].pairs = {3, 0, 1};
  counts.frames[0].excluded = {0, 1, 2};
  counts.left_out = {{20, "frame 20: not a number"}};
  counts.counts = {{1, UINT64_MAX}, {}, {3}};
  counts.underflow = {1, 2, 3};
  counts.out_of_range = {4, 5, 6};
  counts.second = {{7}, {8, 9}, {}};
  counts.block = {'a', '\0', 'b'};
  return counts;
}

TEST_CASE("a planar box of a frame arrives unchanged") {
  UnitCounts sent = some_counts();
  sent.frames[0].box = Box::in_plane({Vec3{3, 0, 0}, {1, 2, 0}, {0, 0, 5}}, Plane::xy);
  const auto got = std::get<UnitCounts>(unpacked_from_rank(packed(FromRank(sent))));
  CHECK(got.frames[0].box == sent.frames[0].box);
  CHECK(got.frames[0].box.volume() == 6.0);
}

TEST_CASE("the counts of a unit arrive unchanged") {
  const UnitCounts sent = some_counts();
  const auto got = std::get<UnitCounts>(unpacked_from_rank(packed(FromRank(sent))));
  CHECK(got.unit.number == 7);
  CHECK(got.unit.begin == 20);
  CHECK(got.unit.end == 22);
  CHECK(got.unit.rows == RowPart{1, 3});
  CHECK(got.end == 21);
  REQUIRE(got.frames.size() == 1);
  CHECK(got.frames[0].index == FrameIndex(40));
  CHECK(got.frames[0].step == -5);
  CHECK(got.frames[0].time == 0.1);
  CHECK(got.frames[0].box == sent.frames[0].box);
  CHECK(got.frames[0].box.volume() == sent.frames[0].box.volume());
  CHECK(got.frames[0].period == 4.5);
  CHECK(got.frames[0].particle_number == sent.frames[0].particle_number);
  CHECK(got.frames[0].pairs == sent.frames[0].pairs);
  CHECK(got.frames[0].excluded == sent.frames[0].excluded);
  REQUIRE(got.left_out.size() == 1);
  CHECK(got.left_out[0].number == 20);
  CHECK(got.left_out[0].why == "frame 20: not a number");
  CHECK(got.counts == sent.counts);
  CHECK(got.underflow == sent.underflow);
  CHECK(got.out_of_range == sent.out_of_range);
  CHECK(got.second == sent.second);
  CHECK(got.block == sent.block);
}

TEST_CASE("a block between frames arrives unchanged") {
  LaggedBlock sent;
  BlockCounts& pairs = sent.pairs;
  pairs.index = BlockIndex(3);
  pairs.frames = 2;
  pairs.first_frame = FrameIndex(5);
  pairs.last_frame = FrameIndex(8);
  pairs.counted = {{FrameIndex(5), 1}, {FrameIndex(8), UINT64_MAX}};
  pairs.last_step = -4;
  pairs.last_time = 0.3;
  pairs.volume = 2.1;
  pairs.inverse_volume = 0.7;
  pairs.inscribed_radius = 1.3;
  pairs.particle_number = {7, 9};
  pairs.empty_frames = {0, 1};
  pairs.counts = {{1, 2}, {3, 4}};
  pairs.underflow = {5, 6};
  pairs.out_of_range = {7, 8};
  pairs.pairs = {9, 10};
  pairs.excluded = {11, 12};
  pairs.pairs_over_volume = {0.1, 0.2};
  pairs.second = {{1, 0, 2}, {}};
  pairs.pairs_over_space = {0.3, 0.4};
  pairs.half_period = 2.25;
  sent.displacements = {{2, no_time, 6, 0.1 + 0.2, {1, 2, 3}, 4, 5}};
  const auto arrived = [&] { return unpacked_block<LaggedBlock>(packed_block(sent)); };
  CHECK_FALSE(arrived().pairs.box);
  pairs.box = Box::from_lengths_and_angles({3.1, 2.9, 4.7}, {77.0, 95.5, 101.3});
  const LaggedBlock got = arrived();
  CHECK(packed_block(got) == packed_block(sent));
  CHECK(got.pairs.index == pairs.index);
  CHECK(got.pairs.frames == 2);
  CHECK(got.pairs.first_frame == pairs.first_frame);
  CHECK(got.pairs.last_frame == pairs.last_frame);
  CHECK(got.pairs.counted == pairs.counted);
  CHECK(got.pairs.last_step == -4);
  CHECK(std::tuple(got.pairs.last_time, got.pairs.volume, got.pairs.inverse_volume,
                   got.pairs.inscribed_radius) == std::tuple(0.3, 2.1, 0.7, 1.3));
  CHECK(got.pairs.box == pairs.box);
  CHECK(got.pairs.particle_number == pairs.particle_number);
  CHECK(got.pairs.empty_frames == pairs.empty_frames);
  CHECK(got.pairs.counts == pairs.counts);
  CHECK(got.pairs.underflow == pairs.underflow);
  CHECK(got.pairs.out_of_range == pairs.out_of_range);
  CHECK(got.pairs.pairs == pairs.pairs);
  CHECK(got.pairs.excluded == pairs.excluded);
  CHECK(got.pairs.pairs_over_volume == pairs.pairs_over_volume);
  CHECK(got.pairs.second == pairs.second);
  CHECK(got.pairs.pairs_over_space == pairs.pairs_over_space);
  CHECK(got.pairs.half_period == 2.25);
  REQUIRE(got.displacements.size() == 1);
  const DisplacementCounts& d = got.displacements[0];
  CHECK(std::isnan(d.time));
  CHECK(std::tuple(d.frames, d.particles, d.squares, d.underflow, d.out_of_range) ==
        std::tuple(2, 6, 0.1 + 0.2, 4, 5));
  CHECK(d.counts == sent.displacements[0].counts);
}

TEST_CASE("other messages arrive unchanged") {
  RankWork work;
  work.rank = 3;
  work.host = "node3";
  work.units = 17;
  work.result.pairs = 12;
  work.result.workers = {{"CPU 0", false, "", 4, 5, 0.5}};
  work.result.tasks = {{"H-O", 1, 6, 7, 0.25, 0.75, 0.5}};
  work.waited_for_work = 1.5;
  work.changed_file = "a.h5";
  work.result.lags = {true, false, {{0.5, 0.75}}, {{20, 30}}, {3, FrameIndex(9)},
                      {},   true};
  work.result.lags.jumps = {
      {{{{5, FrameIndex(7)}, 1}, {}, {{2, FrameIndex(8)}, 0}}}, 400, 20};
  const auto got = std::get<RankWork>(unpacked_from_rank(packed(FromRank(work))));
  CHECK(got.host == "node3");
  CHECK(got.units == 17);
  CHECK(got.result.pairs == 12);
  REQUIRE(got.result.workers.size() == 1);
  CHECK(got.result.workers[0].name == "CPU 0");
  CHECK(got.result.workers[0].busy_seconds == 0.5);
  REQUIRE(got.result.tasks.size() == 1);
  const codelets::TaskRecord& task = got.result.tasks[0];
  CHECK(std::tuple(task.name, task.worker, task.pairs, task.frames, task.start,
                   task.end,
                   task.predicted) == std::tuple("H-O", 1, 6, 7, 0.25, 0.75, 0.5));
  CHECK(got.waited_for_work == 1.5);
  CHECK(got.changed_file == "a.h5");
  CHECK(got.result.lags.boxes_differ);
  CHECK_FALSE(got.result.lags.periodic);
  REQUIRE(got.result.lags.times.size() == 1);
  CHECK(got.result.lags.times[0].longest == 0.75);
  REQUIRE(got.result.lags.steps.size() == 1);
  CHECK(got.result.lags.steps[0].longest == 30);
  CHECK(got.result.lags.long_steps.count == 3);
  CHECK(got.result.lags.long_steps.first_frame == FrameIndex(9));
  CHECK(got.result.lags.has_ids);
  const Jumps& jumps = got.result.lags.jumps;
  CHECK(std::tuple(jumps.steps, jumps.particles) == std::tuple(400, 20));
  CHECK(std::tuple(jumps.axes[0].jumps.count, jumps.axes[0].between) ==
        std::tuple(5, 1));
  CHECK(jumps.axes[2].jumps.first_frame == FrameIndex(8));
  CHECK(std::get<BadFrame>(unpacked_from_rank(packed(FromRank(BadFrame{9, "bad"}))))
            .message == "bad");
  CHECK(std::get<StopRequest>(unpacked_from_rank(packed(FromRank(StopRequest{10}))))
            .signal == 10);
  CHECK(std::holds_alternative<StopNow>(unpacked_to_rank(packed(ToRank(StopNow())))));
  CHECK(
      std::get<WorkUnit>(unpacked_to_rank(packed(ToRank(WorkUnit{1, 2, 5, {}})))).end ==
      5);
}

TEST_CASE("invalid bytes are refused") {
  std::vector<char> bytes = packed(FromRank(some_counts()));
  for (const std::size_t size : {std::size_t{0}, std::size_t{1}, bytes.size() - 1}) {
    const std::vector<char> cut(bytes.begin(),
                                bytes.begin() + static_cast<std::ptrdiff_t>(size));
    CHECK(missing(error_text<InternalError>([&] { unpacked_from_rank(cut); }),
                  {"a message between ranks is too short"}) == "");
  }
  bytes[0] = 77;
  CHECK(missing(error_text<InternalError>([&] { unpacked_from_rank(bytes); }),
                {"a message between ranks is of an unknown kind"}) == "");
}

RankPlace place(std::uint32_t host, std::vector<std::uint32_t> processors,
                std::optional<std::string> visible = {}, std::uint32_t gpus = 0) {
  return {host, std::move(processors), std::move(visible), gpus};
}

using Numbers = std::vector<std::uint32_t>;

TEST_CASE(
    "ranks of a host divide its processors, unless each was given different ones") {
  const auto shares =
      share_hosts({place(0, {0, 8, 1, 9}), place(0, {0, 8, 1, 9}),
                   place(2, {0, 8, 1, 9}), place(3, {0, 1}), place(3, {2, 3})});
  CHECK(shares[0].processors == Numbers{0, 8});
  CHECK(shares[1].processors == Numbers{1, 9});
  CHECK(shares[1].number == 1);
  CHECK(shares[1].ranks == 2);
  CHECK(shares[2].processors.empty());
  CHECK(shares[2].ranks == 1);
  CHECK(shares[3].processors.empty());
  CHECK(shares[4].processors.empty());
  const auto crowded =
      share_hosts({place(0, {4, 5}), place(0, {4, 5}), place(0, {4, 5})});
  CHECK(crowded[0].processors == Numbers{4});
  CHECK(crowded[1].processors == Numbers{5});
  CHECK(crowded[2].processors == Numbers{4});
}

TEST_CASE("ranks of a host divide its GPUs, unless each was given different ones") {
  const auto all = share_hosts({place(0, {}, {}, 5), place(0, {}, {}, 5)});
  CHECK(all[0].visible_gpus == "0,1");
  CHECK(all[1].visible_gpus == "2,3,4");
  const auto some = share_hosts(
      {place(0, {}, "3,5", 8), place(0, {}, "3,5", 8), place(0, {}, "3,5", 8)});
  CHECK(some[0].visible_gpus == "3");
  CHECK(some[1].visible_gpus == "5");
  CHECK(some[2].visible_gpus == "");
  const auto own = share_hosts({place(0, {}, "0", 8), place(0, {}, "1", 8)});
  CHECK_FALSE(own[0].visible_gpus);
  CHECK_FALSE(own[1].visible_gpus);
  const auto alone = share_hosts({place(0, {}, {}, 8)});
  CHECK_FALSE(alone[0].visible_gpus);
  const auto none = share_hosts({place(0, {}), place(0, {})});
  CHECK_FALSE(none[0].visible_gpus);
}

}  // namespace
}  // namespace starhist

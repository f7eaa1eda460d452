// Messages between ranks as bytes, and shares of ranks on one host.
#include "codelets/core/base/error.hh"
#include "driver/ranks/host_share.hh"
#include "driver/ranks/messages.hh"
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
  counts.frames[0].particle_number = {3, 0};
  counts.frames[0].pairs = {3, 0, 1};
  counts.frames[0].excluded = {0, 1, 2};
  counts.left_out = {{20, "frame 20: not a number"}};
  counts.counts = {{1, UINT64_MAX}, {}, {3}};
  counts.underflow = {1, 2, 3};
  counts.out_of_range = {4, 5, 6};
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
  CHECK(got.frames[0].particle_number == sent.frames[0].particle_number);
  CHECK(got.frames[0].pairs == sent.frames[0].pairs);
  CHECK(got.frames[0].excluded == sent.frames[0].excluded);
  REQUIRE(got.left_out.size() == 1);
  CHECK(got.left_out[0].number == 20);
  CHECK(got.left_out[0].why == "frame 20: not a number");
  CHECK(got.counts == sent.counts);
  CHECK(got.underflow == sent.underflow);
  CHECK(got.out_of_range == sent.out_of_range);
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

// A rank that counts work units, with frames that it has read ahead.
#include "driver/ranks/rank_counting.hh"

#include <map>

#include "driver/ranks/rank_link.hh"
#include "driver/run/trajectory_run.hh"
#include "tests/support/catch.hh"
#include "tests/support/starpu_environment.hh"
#include "tests/support/temporary_directory.hh"
#include "tests/support/test_location.hh"

namespace starhist {
namespace {

using namespace driver;

/// By number of the unit.
using Counts = std::map<std::uint64_t, std::vector<std::vector<std::uint64_t>>>;

TEST_CASE("frames read ahead for another unit are skipped") {
  const testing::TemporaryDirectory folder;
  testing::StarpuEnvironment environment;
  environment.set("STARPU_NCPU", "1");
  TrajectoryRunSpec spec;
  spec.inputs = {testing::data_file("water.h5")};
  spec.output = folder.file("out.h5");
  spec.bins = make_bins(1.4, 280);
  TrajectoryRun run(spec);
  const Frame first = run.first_frame();
  tasks::Runtime runtime(tasks::CpuMode::core, run.kernels());
  const auto count = [&](const std::optional<WorkUnit>& ahead) {
    const std::unique_ptr<FrameStream> stream = run.growing_stream();
    RankRun rank;
    rank.spec = &run.run();
    rank.frames = stream.get();
    rank.first = first;
    rank.most_frames_per_unit = 2;
    rank.read_ahead = ahead;
    if (ahead) {
      stream->append(ahead->begin, ahead->end);
    }
    LocalLink link;
    link.send_to_rank(WorkUnit{4, 3, 5, {}});
    link.send_to_rank(WorkUnit{6, 7, 8, {}});
    link.send_to_rank(NoMoreUnits());
    CHECK(count_units(rank, runtime, link).units == 2);
    Counts counts;
    for (const FromRank& message : link.take_from_rank()) {
      if (const auto* unit = std::get_if<UnitCounts>(&message)) {
        counts[unit->unit.number] = unit->counts;
      }
    }
    return counts;
  };
  const Counts expected = count({});
  REQUIRE(expected.size() == 2);
  CHECK(expected.at(4) != expected.at(6));
  CHECK(count(WorkUnit{4, 3, 5, {}}) == expected);
  CHECK(count(WorkUnit{0, 0, 2, {}}) == expected);
  CHECK(count(WorkUnit{0, 3, 4, {}}) == expected);
  CHECK(count(WorkUnit{0, 7, 8, {}}) == expected);
  CHECK(count(WorkUnit{0, 30, 51, {}}) == expected);
}

}  // namespace
}  // namespace starhist

// Excluded pairs, shared particles and r_min: the counts equal those of a plain loop
// that tests each pair.
#include "codelets/core/base/error.hh"
#include "tasks/pair_counter.hh"
#include "tests/support/catch.hh"
#include "tests/support/error_text.hh"
#include "tests/support/starpu_environment.hh"
#include "tests/tasks/exclusion_cases.hh"

namespace starhist {
namespace {

using testing::counted_blocks;
using testing::difference;
using testing::expected_blocks;
using testing::StarpuEnvironment;

constexpr std::array exclusions{Exclusion::none, Exclusion::same_molecule,
                                Exclusion::different_molecules};

void check_scheduler(const char* scheduler, const char* workers,
                     std::initializer_list<std::uint32_t> compound_sizes) {
  const StarpuEnvironment environment;
  environment.set("STARPU_SCHED", scheduler);
  environment.set("STARPU_NCPU", workers);
  tasks::Runtime runtime(tasks::CpuMode::core);
  for (const bool overlap : {false, true}) {
    for (const std::uint32_t compound_size : compound_sizes) {
      auto made = testing::random_exclusion_case(7 + compound_size, overlap, 120,
                                                 compound_size, 7);
      for (const std::uint64_t below : {0U, 40U}) {
        made.trajectory.layout.bins = make_bins(0.7, 300 - below, below);
        for (const Exclusion exclusion : exclusions) {
          made.trajectory.layout.exclusion = exclusion;
          const auto expected = expected_blocks(made, 3);
          for (const std::uint64_t most_pairs_per_task : {0U, 77U}) {
            for (const tasks::Clustering clusters :
                 {tasks::Clustering::off, tasks::Clustering::on}) {
              INFO(to_string(exclusion)
                   << ", units of " << compound_size << ", overlap " << overlap
                   << ", tasks of " << most_pairs_per_task << ", bins below " << below);
              tasks::CountingOptions options;
              options.frames = 7;
              options.frames_per_block = 3;
              options.most_pairs_per_task = most_pairs_per_task;
              options.clusters = clusters;
              CHECK(difference(counted_blocks(runtime, made, options), expected) == "");
            }
          }
        }
      }
    }
  }
}

TEST_CASE("exclusions under scheduler lws") {
  check_scheduler("lws", "2", {1, 3, 8, 200});
}
TEST_CASE("exclusions under scheduler eager, one worker") {
  check_scheduler("eager", "1", {3});
}
TEST_CASE("exclusions under scheduler dmdas", "[slow]") {
  check_scheduler("dmdas", "2", {8});
}

TEST_CASE("inter and intra add up to all pairs, bin by bin") {
  const StarpuEnvironment environment;
  environment.set("STARPU_NCPU", "2");
  tasks::Runtime runtime(tasks::CpuMode::core);
  auto made = testing::random_exclusion_case(5, true, 300, 5, 4);
  tasks::CountingOptions options;
  const auto counted = [&](Exclusion exclusion) {
    made.trajectory.layout.exclusion = exclusion;
    return total(counted_blocks(runtime, made, options));
  };
  const BlockCounts all = counted(Exclusion::none);
  const BlockCounts inter = counted(Exclusion::same_residue);
  const BlockCounts intra = counted(Exclusion::different_residues);
  for (std::size_t p = 0; p < all.pairs.size(); ++p) {
    CHECK(inter.pairs[p] + intra.pairs[p] == all.pairs[p]);
    CHECK(inter.out_of_range[p] + intra.out_of_range[p] == all.out_of_range[p]);
    CHECK(intra.pairs[p] > 0);
    for (std::size_t k = 0; k < all.counts[p].size(); ++k) {
      CHECK(inter.counts[p][k] + intra.counts[p][k] == all.counts[p][k]);
    }
  }
}

TEST_CASE("one compound of all particles: no pairs remain, or all") {
  const StarpuEnvironment environment;
  environment.set("STARPU_NCPU", "2");
  tasks::Runtime runtime(tasks::CpuMode::core);
  // Large enough for the fast kernel, and for several tasks of one compound.
  auto made = testing::random_exclusion_case(6, true, 400, 400, 2);
  tasks::CountingOptions options;
  options.most_pairs_per_task = 20'000;
  for (const Exclusion exclusion : exclusions) {
    made.trajectory.layout.exclusion = exclusion;
    const auto blocks = counted_blocks(runtime, made, options);
    CHECK(difference(blocks, expected_blocks(made, 100)) == "");
    CHECK((blocks[0].pairs[0] == 0) == (exclusion == Exclusion::same_molecule));
  }
}

TEST_CASE("coincident particles are pairs, a particle with itself is not") {
  const StarpuEnvironment environment;
  environment.set("STARPU_NCPU", "1");
  tasks::Runtime runtime(tasks::CpuMode::core);
  auto made = testing::random_exclusion_case(8, true, 40, 2, 3);
  for (Frame& frame : made.trajectory.frames) {
    for (auto& positions : frame.positions) {
      std::fill(positions.begin(), positions.end(), 0.25);
    }
  }
  const auto blocks = counted_blocks(runtime, made, {});
  CHECK(difference(blocks, expected_blocks(made, 100)) == "");
  for (std::size_t p = 0; p < blocks[0].pairs.size(); ++p) {
    CHECK(blocks[0].counts[p][0] == blocks[0].pairs[p]);
  }
}

TEST_CASE("recorded work: subtracted pairs are not counted twice") {
  const StarpuEnvironment environment;
  environment.set("STARPU_NCPU", "2");
  tasks::Runtime runtime(tasks::CpuMode::core);
  auto made = testing::random_exclusion_case(9, false, 90, 3, 2);
  HistogramLayout& layout = made.trajectory.layout;
  for (const Exclusion exclusion : exclusions) {
    layout.exclusion = exclusion;
    const PairExclusions pairs(layout, made.members);
    tasks::PairCounter counter(
        runtime, layout, {}, [](BlockCounts&&) {}, pairs);
    std::uint64_t work = 0;
    for (Frame frame : made.trajectory.frames) {
      work += pairs.work(layout, frame);
      counter.add(std::move(frame));
    }
    counter.finish();
    CHECK(counter.status().pairs_done() == work);
  }
}

TEST_CASE("a frame with other particle numbers is refused by name") {
  const StarpuEnvironment environment;
  environment.set("STARPU_NCPU", "1");
  tasks::Runtime runtime(tasks::CpuMode::core);
  auto made = testing::random_exclusion_case(10, false, 30, 3, 2);
  made.trajectory.layout.exclusion = Exclusion::same_molecule;
  made.trajectory.frames[1].positions[1].resize(3);
  const std::string text =
      testing::error_text<InputError>([&] { counted_blocks(runtime, made, {}); });
  CHECK(testing::missing(text, {"frame 1", "1 particles of species B"}) == "");
}

TEST_CASE("without exclusions and shared particles, numbers may change") {
  const StarpuEnvironment environment;
  environment.set("STARPU_NCPU", "1");
  tasks::Runtime runtime(tasks::CpuMode::core);
  auto made = testing::random_exclusion_case(11, false, 30, 3, 2);
  made.trajectory.frames[1].positions[1].resize(3);
  CHECK(difference(counted_blocks(runtime, made, {}),
                   expected_blocks(made.trajectory, 100)) == "");
}

}  // namespace
}  // namespace starhist

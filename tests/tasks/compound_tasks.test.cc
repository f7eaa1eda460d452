#include "tasks/submission/counting_tasks.hh"
#include "tests/support/catch.hh"
#include "tests/support/starpu_environment.hh"
#include "tests/tasks/exclusion_cases.hh"

namespace starhist {
namespace {

TEST_CASE("pairs within compounds: counted immediately without CPU workers") {
  const testing::StarpuEnvironment environment;
  environment.set("STARPU_NCPU", "1");
  const tasks::Runtime runtime(tasks::CpuMode::core);
  for (const bool overlap : {false, true}) {
    for (const std::uint64_t most_pairs : {1U, 20U, 1'000'000U}) {
      INFO("overlap " << overlap << ", tasks of " << most_pairs << " pairs");
      auto made = testing::random_exclusion_case(17, overlap, 100, 6, 5);
      HistogramLayout& layout = made.trajectory.layout;
      layout.exclusion = Exclusion::different_molecules;
      const PairExclusions exclusions(layout, made.members);
      codelets::RunStatus status(1);
      tasks::PinnedPool memory(false);
      tasks::CompletionMonitor monitor;
      const LabelledPairs no_labels;
      tasks::PendingBlock block(layout, exclusions, no_labels,
                                empty_block(layout, BlockIndex(0)), memory, monitor);
      const std::vector<Frame>& frames = made.trajectory.frames;
      for (const Frame& frame : frames) {
        block.add_frame(facts_of(layout, exclusions, frame));
      }
      tasks::CompoundTasks compound_tasks(layout, exclusions, 1, status);
      for (const tasks::CompoundJob& job :
           tasks::cut_compounds(layout, exclusions, frames, most_pairs)) {
        compound_tasks.count_here(job, frames, block);
      }
      block.close();
      REQUIRE(block.complete());
      CHECK(testing::difference({block.take()}, testing::expected_blocks(made, 5)) ==
            "");
    }
  }
}

}  // namespace
}  // namespace starhist

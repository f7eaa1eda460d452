// Pairs that are counted together with a label per particle: their choice, and equality
// with the counts of separate tasks.
#include <map>

#include "tasks/planning/labelled_plan.hh"
#include "tasks/runtime/runtime.hh"
#include "tests/support/catch.hh"
#include "tests/support/starpu_environment.hh"
#include "tests/tasks/exclusion_cases.hh"

namespace starhist {
namespace {

using tasks::choose_labelled_pairs;
using tasks::Labelling;
using testing::StarpuEnvironment;

tasks::MachineSpeeds cores(std::uint64_t workers) {
  tasks::MachineSpeeds machine;
  machine.workers = workers;
  return machine;
}

/// All pairs of species with these numbers of particles, and a frame of them.
struct Numbers {
  HistogramLayout layout;
  Frame frame;

  explicit Numbers(const std::vector<std::size_t>& particles) {
    for (const std::size_t count : particles) {
      layout.species.push_back("S" + std::to_string(layout.species.size()));
      frame.positions.emplace_back(3 * count);
    }
    layout.pairs = all_pairs(particles.size());
    layout.bins = make_bins(1.0, 50);
  }

  LabelledPairs choose(const tasks::MachineSpeeds& machine,
                       const tasks::CountingOptions& options) const {
    return choose_labelled_pairs(machine, layout, options, frame);
  }
};

tasks::CountingOptions run_of(std::uint64_t frames,
                              Labelling labels = Labelling::automatic) {
  tasks::CountingOptions options;
  options.frames = frames;
  options.labels = labels;
  return options;
}

/// "" if each labelled pair is in one group, at the histogram of its two labels.
std::string problem_of(const LabelledPairs& labels, const HistogramLayout& layout) {
  std::map<PairId, int> seen;
  for (const LabelledPairs::Group& group : labels.groups) {
    if (group.pairs.empty()) {
      return "a group is empty";
    }
    for (const kernels::cpu::LabelRun& run : group.runs) {
      if (run.first_label < run.row_label) {
        return "a label comes before that of the rows";
      }
      for (std::uint32_t label = run.first_label; label < run.end_label; ++label) {
        const PairId pair =
            group.pairs.at(run.first_histogram + label - run.first_label);
        SpeciesId first = labels.species[run.row_label];
        SpeciesId second = labels.species[label];
        if (second < first) {
          std::swap(first, second);
        }
        if (!(layout.pairs[pair.index()] == SpeciesPair{first, second})) {
          return "a histogram is of another pair";
        }
        ++seen[pair];
      }
    }
  }
  for (std::uint32_t p = 0; p < layout.pairs.size(); ++p) {
    if (seen[PairId(p)] != (labels.contains(PairId(p)) ? 1 : 0)) {
      return "pair " + std::to_string(p) + " is in another number of groups";
    }
  }
  return "";
}

TEST_CASE("many small species are counted together, in groups of equal work") {
  const Numbers numbers(std::vector<std::size_t>(105, 18));
  for (const std::uint64_t frames : {0U, 1U, 10U, 100'000U}) {
    const LabelledPairs labels = numbers.choose(cores(2), run_of(frames));
    CHECK(std::count(labels.labelled.begin(), labels.labelled.end(), true) == 5565);
    CHECK(problem_of(labels, numbers.layout) == "");
    REQUIRE(labels.groups.size() == 8);
    const std::uint64_t all = 1890 * 1889 / 2;
    CHECK(tasks::pair_count(numbers.layout, numbers.frame, labels) == all);
    for (const LabelledPairs::Group& group : labels.groups) {
      const auto share =
          static_cast<double>(tasks::pair_count(numbers.layout, numbers.frame, group)) *
          8.0 / static_cast<double>(all);
      CHECK(share == Approx(1.0).margin(0.01));
    }
  }
}

TEST_CASE("large species keep separate tasks") {
  CHECK(
      Numbers(std::vector<std::size_t>(9, 1978)).choose(cores(2), run_of(20)).empty());
  // Water with many small species: O-O, H-H and H-O, and pairs of water with others.
  std::vector<std::size_t> particles(20, 5);
  particles.insert(particles.begin() + 3, {10'000, 20'000});
  const Numbers numbers(particles);
  const LabelledPairs labels = numbers.choose(cores(2), run_of(1000));
  CHECK(problem_of(labels, numbers.layout) == "");
  CHECK(std::count(labels.labelled.begin(), labels.labelled.end(), true) == 210);
}

TEST_CASE("few small pairs are not labelled") {
  CHECK(Numbers({3, 4, 5}).choose(cores(2), run_of(10)).empty());
  CHECK(Numbers(std::vector<std::size_t>(5, 4)).choose(cores(2), run_of(10)).empty());
  CHECK_FALSE(
      Numbers(std::vector<std::size_t>(6, 4)).choose(cores(2), run_of(10)).empty());
  CHECK_FALSE(Numbers({3, 4000}).choose(cores(2), run_of(10, Labelling::on)).empty());
}

TEST_CASE("no labels if they are off, without CPU workers, or within compounds") {
  Numbers numbers(std::vector<std::size_t>(105, 18));
  CHECK(numbers.choose(cores(2), run_of(10, Labelling::off)).empty());
  CHECK(numbers.choose(cores(0), run_of(10, Labelling::on)).empty());
  numbers.layout.exclusion = Exclusion::different_molecules;
  CHECK(numbers.choose(cores(2), run_of(10, Labelling::on)).empty());
}

TEST_CASE("with GPUs labels are for pairs whose launches would take longer") {
  tasks::MachineSpeeds machine = cores(15);
  machine.gpus = 1;
  const Numbers names(std::vector<std::size_t>(765, 24));
  CHECK_FALSE(names.choose(machine, run_of(10)).empty());
  const Numbers elements(std::vector<std::size_t>(12, 60));
  CHECK_FALSE(elements.choose(cores(15), run_of(100'000)).empty());
  CHECK(elements.choose(machine, run_of(100'000)).empty());
}

TEST_CASE("pairs outside of the layout are in no group") {
  Numbers numbers(std::vector<std::size_t>(12, 7));
  std::vector<SpeciesPair> some;
  for (std::size_t p = 0; p < numbers.layout.pairs.size(); p += 3) {
    some.push_back(numbers.layout.pairs[p]);
  }
  numbers.layout.pairs = some;
  const LabelledPairs labels = numbers.choose(cores(1), run_of(1));
  CHECK(std::count(labels.labelled.begin(), labels.labelled.end(), true) == 26);
  CHECK(problem_of(labels, numbers.layout) == "");
}

/// Numbers of pairs by name of the tasks of a run.
std::map<std::string, std::uint64_t> pairs_by_task(
    tasks::Runtime& runtime, const testing::Trajectory& trajectory,
    tasks::CountingOptions options, std::vector<BlockCounts>& blocks) {
  options.record_tasks = true;
  tasks::PairCounter counter(
      runtime, trajectory.layout, options,
      [&](BlockCounts&& block) { blocks.push_back(std::move(block)); });
  for (Frame frame : trajectory.frames) {
    counter.add(std::move(frame));
  }
  counter.finish();
  std::map<std::string, std::uint64_t> pairs;
  for (const codelets::TaskRecord& task : counter.status().records()) {
    pairs[task.name] += task.pairs;
  }
  return pairs;
}

TEST_CASE("labelled tasks: frames of all kinds have the counts of the reference") {
  for (const char* workers : {"1", "2"}) {
    for (const tasks::CpuMode mode : {tasks::CpuMode::core, tasks::CpuMode::pool}) {
      const StarpuEnvironment environment;
      environment.set("STARPU_NCPU", workers);
      tasks::Runtime runtime(mode);
      for (const std::uint64_t seed : {93U, 94U, 95U}) {
        const testing::Trajectory trajectory = testing::random_trajectory(seed, 12);
        for (const std::uint32_t frames_per_block : {1U, 5U, 100U}) {
          INFO(workers << " workers, seed " << seed << ", " << frames_per_block
                       << " frames per block");
          tasks::CountingOptions options = run_of(12, Labelling::on);
          options.frames_per_block = frames_per_block;
          std::vector<BlockCounts> blocks;
          const auto pairs = pairs_by_task(runtime, trajectory, options, blocks);
          CHECK(testing::difference(blocks, testing::expected_blocks(
                                                trajectory, frames_per_block)) == "");
          CHECK(pairs.size() == 1);
          CHECK(pairs.count("small species") == 1);
        }
      }
    }
  }
}

TEST_CASE("labelled tasks: small species together with large ones") {
  const StarpuEnvironment environment;
  environment.set("STARPU_NCPU", "2");
  tasks::Runtime runtime(tasks::CpuMode::core);
  testing::Random random(17);
  testing::Trajectory trajectory{{{}, {}, make_bins(0.8, 200), "nm", "ps"}, {}};
  std::vector<std::size_t> particles{3, 800, 5, 0, 7, 2, 1, 9};
  for (std::size_t s = 0; s < particles.size(); ++s) {
    trajectory.layout.species.push_back("S" + std::to_string(s));
  }
  trajectory.layout.pairs = all_pairs(particles.size());
  for (std::uint64_t index = 0; index < 4; ++index) {
    Frame frame;
    frame.index = FrameIndex(index);
    frame.box = testing::truncated_octahedron();
    for (const std::size_t count : particles) {
      frame.positions.push_back(testing::random_positions(random, frame.box, count));
    }
    trajectory.frames.push_back(frame);
  }
  std::vector<BlockCounts> blocks;
  const auto pairs = pairs_by_task(runtime, trajectory, run_of(4), blocks);
  CHECK(testing::difference(blocks, testing::expected_blocks(trajectory, 100)) == "");
  CHECK(pairs.at("S1-S1") == 4 * 800 * 799 / 2);
  CHECK(pairs.at("small species") >= 4 * 27 * 26 / 2);
}

TEST_CASE("labelled tasks: the parts of a block add up to it") {
  const StarpuEnvironment environment;
  environment.set("STARPU_NCPU", "2");
  tasks::Runtime runtime(tasks::CpuMode::core);
  const testing::Trajectory trajectory = testing::random_trajectory(96, 9);
  std::vector<BlockCounts> blocks;
  std::vector<std::uint64_t> parts;
  tasks::PairCounter counter(runtime, trajectory.layout, run_of(9, Labelling::on),
                             [&](BlockCounts&& block) { blocks.push_back(block); });
  for (const Frame& frame : trajectory.frames) {
    counter.add(Frame(frame));
    if (frame.index.get() % 3 == 1) {
      counter.end_part([&](const BlockCounts&, std::uint64_t next_number) {
        parts.push_back(next_number);
      });
    }
  }
  counter.finish();
  CHECK(parts == std::vector<std::uint64_t>{2, 5, 8});
  CHECK(testing::difference(blocks, testing::expected_blocks(trajectory, 100)) == "");
}

TEST_CASE("labelled tasks: excluded pairs and shared particles") {
  const StarpuEnvironment environment;
  environment.set("STARPU_NCPU", "2");
  tasks::Runtime runtime(tasks::CpuMode::core);
  for (const bool overlap : {false, true}) {
    for (const std::uint32_t compound_size : {1U, 3U, 8U}) {
      auto made = testing::random_exclusion_case(7 + compound_size, overlap, 120,
                                                 compound_size, 7);
      for (const std::uint64_t below : {0U, 40U}) {
        made.trajectory.layout.bins = make_bins(0.7, 300 - below, below);
        for (const Exclusion exclusion : {Exclusion::none, Exclusion::same_molecule,
                                          Exclusion::different_molecules}) {
          made.trajectory.layout.exclusion = exclusion;
          INFO(to_string(exclusion) << ", units of " << compound_size << ", overlap "
                                    << overlap << ", bins below " << below);
          tasks::CountingOptions options = run_of(7, Labelling::on);
          options.frames_per_block = 3;
          CHECK(testing::difference(testing::counted_blocks(runtime, made, options),
                                    testing::expected_blocks(made, 3)) == "");
        }
      }
    }
  }
}

}  // namespace
}  // namespace starhist

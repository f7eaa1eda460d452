#include <algorithm>
#include <thread>

#include "codelets/kernels/cpu/variants.hh"
#include "tests/program/rdf_runner.hh"
#include "tests/support/catch.hh"
#include "tests/support/reference_counts.hh"

// Whole runs over the real trajectories: every count equals the independent program's
// of tests/data, however the work is divided.

namespace starhist::testing {
namespace {

using Words = RdfRunner::Words;

/// rdf arguments for the frames and bins of `reference`.
Words arguments_for(const ReferenceCounts& reference, const Words& more) {
  Words words{reference.trajectory,
              "--r-max",
              reference.r_max,
              "--bins",
              reference.bins,
              "--step",
              "5"};
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

/// "" if every count equals the reference, including pairs "near" an edge.
std::string difference_to_reference(const io::ResultFile& result,
                                    const ReferenceCounts& reference) {
  const BlockCounts sum = total(result.blocks);
  if (sum.frames != reference.frames || sum.counts.size() != reference.pairs.size()) {
    return "other frames or pairs";
  }
  for (std::size_t p = 0; p < reference.pairs.size(); ++p) {
    const ReferencePair& pair = reference.pairs[p];
    const std::string name = pair_name(result.layout.pairs[p], result.layout.species);
    if (result.layout.pairs[p].first.index() != pair.first ||
        result.layout.pairs[p].second.index() != pair.second) {
      return name + " is another pair";
    }
    if (sum.pairs[p] != pair.total || sum.out_of_range[p] != pair.out_of_range) {
      return name + ": " + std::to_string(sum.out_of_range[p]) + " of " +
             std::to_string(sum.pairs[p]) + " beyond r_max";
    }
    if (sum.counts[p] != pair.counts) {
      const auto [ours, theirs] =
          std::mismatch(sum.counts[p].begin(), sum.counts[p].end(), pair.counts.begin(),
                        pair.counts.end());
      return name + ": bin " + std::to_string(ours - sum.counts[p].begin());
    }
  }
  return "";
}

std::string recorded(const io::ResultFile& result, const std::string& name) {
  const auto entry =
      std::find_if(result.record.begin(), result.record.end(),
                   [&](const auto& candidate) { return candidate.first == name; });
  return entry == result.record.end() ? "(not recorded)" : entry->second;
}

ReferenceCounts triclinic_reference() {
  return read_reference_counts(data_file("nacl-triclinic-npt.r2.2.b777.txt"));
}

TEST_CASE("both real trajectories have their reference counts, all pairs, all r_max") {
  const std::vector<ReferenceCounts> references = all_reference_counts();
  CHECK(references.size() >= 4);
  for (const ReferenceCounts& reference : references) {
    INFO(reference.trajectory << ", r_max " << reference.r_max);
    const RdfRunner rdf;
    const ProgramRun run = rdf.run(arguments_for(reference, {}));
    INFO(run.err);
    REQUIRE(run.exit_code == 0);
    const io::ResultFile result = rdf.result();
    CHECK(difference_to_reference(result, reference) == "");
    const BlockCounts sum = total(result.blocks);
    CHECK(relative_error(sum.volume, reference.volume) < 1e-12);
    CHECK(relative_error(sum.inverse_volume, reference.inverse_volume) < 1e-12);
  }
}

TEST_CASE("clusters do not affect the counts") {
  for (const ReferenceCounts& reference : all_reference_counts()) {
    for (const std::string clusters : {"on", "off", "auto"}) {
      INFO(reference.trajectory << ", r_max " << reference.r_max << ", clusters "
                                << clusters);
      const RdfRunner rdf;
      const ProgramRun run =
          rdf.run(arguments_for(reference, {"--clusters", clusters}));
      INFO(run.err);
      REQUIRE(run.exit_code == 0);
      CHECK(difference_to_reference(rdf.result(), reference) == "");
    }
  }
}

TEST_CASE(
    "a short r_max: most pairs are skipped, and counts equal those without clusters") {
  const RdfRunner rdf;
  const Words words{triclinic_reference().trajectory,
                    "--r-max",
                    "0.3",
                    "--bins",
                    "50",
                    "--last",
                    "5",
                    "--verbose",
                    "--force"};
  const auto counts = [&](const std::string& clusters, std::string& messages) {
    Words all = words;
    all.insert(all.end(), {"--clusters", clusters});
    const ProgramRun run = rdf.run(all);
    INFO(run.err);
    REQUIRE(run.exit_code == 0);
    messages = run.err;
    return total(rdf.result().blocks);
  };
  std::string with;
  std::string without;
  const BlockCounts clustered = counts("on", with);
  const BlockCounts plain = counts("off", without);
  CHECK(clustered.counts == plain.counts);
  CHECK(clustered.out_of_range == plain.out_of_range);
  CHECK(missing(with, {"% of the pairs were evaluated"}) == "");
  CHECK(without.find("evaluated") == std::string::npos);
}

TEST_CASE("counts do not depend on scheduler, workers, task size or CPU mode",
          "[slow]") {
  const ReferenceCounts reference = triclinic_reference();
  const Words block_sizes{"1", "7", "100"};
  std::size_t runs = 0;
  for (const std::string scheduler : {"eager", "lws", "random", "dmda", "dmdas"}) {
    for (const std::string workers : {"1", "2"}) {
      for (const std::string task_pairs : {"", "100000"}) {
        for (const std::string mode : {"core", "team"}) {
          const std::string block = block_sizes[runs++ % block_sizes.size()];
          INFO(scheduler << " " << workers << " workers, tasks of '" << task_pairs
                         << "', " << mode << ", blocks of " << block);
          Words more{"--cpu-mode", mode, "--block", block};
          if (!task_pairs.empty()) {
            more.insert(more.end(), {"--task-pairs", task_pairs});
          }
          const RdfRunner rdf;
          const ProgramRun run =
              rdf.run(arguments_for(reference, more),
                      {{{"STARPU_SCHED", scheduler}, {"STARPU_NCPU", workers}}});
          INFO(run.err);
          REQUIRE(run.exit_code == 0);
          const io::ResultFile result = rdf.result();
          CHECK(difference_to_reference(result, reference) == "");
          CHECK(recorded(result, "scheduler") == scheduler);
          if (std::thread::hardware_concurrency() >= 2) {
            CHECK(recorded(result, "workers") == workers);
          }
        }
      }
    }
  }
}

TEST_CASE("blocks of any size have the same sum") {
  const ReferenceCounts reference = triclinic_reference();
  for (const std::size_t block : {1U, 2U, 7U, 9U, 100U}) {
    INFO("blocks of " << block);
    const RdfRunner rdf;
    const ProgramRun run =
        rdf.run(arguments_for(reference, {"--block", std::to_string(block)}));
    INFO(run.err);
    REQUIRE(run.exit_code == 0);
    const io::ResultFile result = rdf.result();
    CHECK(result.blocks.size() == (reference.frames + block - 1) / block);
    CHECK(difference_to_reference(result, reference) == "");
    CHECK(result.blocks.front().frames ==
          std::min<std::size_t>(block, reference.frames));
    CHECK(result.blocks.front().first_frame.get() == 0);
    CHECK(result.blocks.back().last_frame.get() == 40);
  }
}

TEST_CASE("counts do not depend on the kernel, and its name is recorded") {
  const ReferenceCounts reference = triclinic_reference();
  for (const kernels::cpu::Variant& variant : kernels::cpu::variants()) {
    INFO(variant.name);
    const RdfRunner rdf;
    const ProgramRun run = rdf.run(arguments_for(reference, {}),
                                   {{{"STARHIST_CPU_VARIANT", variant.name}}});
    INFO(run.err);
    if (variant.supported) {
      REQUIRE(run.exit_code == 0);
      CHECK(difference_to_reference(rdf.result(), reference) == "");
      CHECK(recorded(rdf.result(), "cpu variant") == variant.name);
    } else {
      CHECK(run.exit_code == 1);
      CHECK(run.err.find(variant.name) != std::string::npos);
      CHECK(rdf.nothing_left());
    }
  }
}

}  // namespace
}  // namespace starhist::testing

#include <optional>
#include <utility>

#include "codelets/core/base/text.hh"
#include "driver/axes/vectors/molecular_vectors.hh"
#include "driver/commands/verify/compare_blocks.hh"
#include "driver/commands/verify/reopened_run.hh"
#include "driver/commands/verify/verified_result.hh"
#include "io/result/stored_distributions.hh"

namespace starhist::driver {
namespace {

class RdfBlocks : public RunBlocks {
 public:
  RdfBlocks(const CountedRun& run, const RecordedRun& recorded)
      : result_(*run.result), run_(run, recorded) {
    const HistogramLayout& layout = run_.layout();
    if (layout.second && layout.second->molecular()) {
      vectors_.emplace(recorded.spec.inputs, run_.input().options(), layout,
                       run_.info());
    }
    for (const SpeciesPair& pair : result_.layout.pairs) {
      pair_names_.push_back("pair " + pair_name(pair, result_.layout.species));
    }
  }

  ReopenedRun& run() override { return run_; }

  std::uint64_t compare(std::uint64_t number, Recount& recount,
                        Differences& differences) override {
    const BlockCounts& block = result_.blocks[number];
    BlockFrames frames(block, run_);
    const BlockCounts counts =
        recount.count(frames, {run_.layout(), run_.info(), run_.exclusions(),
                               block.frames, vectors_ ? &*vectors_ : nullptr});
    Comparison comparison(number, differences);
    compare_blocks(result_.layout, block, counts, run_.species(), pair_names_,
                   comparison);
    return comparison.numbers();
  }

 private:
  const io::ResultFile& result_;
  ReopenedRun run_;
  std::optional<MolecularVectors> vectors_;
  std::vector<std::string> pair_names_;
};

class VerifiedRdf : public VerifiedResult {
 public:
  VerifiedRdf(io::ResultFile result, io::ExternalFiles external)
      : result_(std::move(result)), external_(external) {}

  const io::ResultFile& file() const override { return result_; }
  CountingCommand command() const override {
    return {{"--r-max=1", "--bins=1"},
            {"axis2", "axis2-bins", "axis2-max"},
            [](const std::vector<std::string>& words) {
              return parse_rdf_options(words, false);
            }};
  }
  std::string contents() const override {
    return counted(result_.layout.pairs.size(), "species pair");
  }
  std::string sum_rule() const override {
    return "pairs below r_min, in bins and beyond r_max add up to the number of all "
           "pairs, in " +
           counted(result_.blocks.size(), "block") + ", " + contents() + " each";
  }
  std::unique_ptr<RunBlocks> open(const std::vector<CountedRun>& runs, std::size_t run,
                                  const RecordedRun& recorded) override {
    return std::make_unique<RdfBlocks>(runs[run], recorded);
  }
  std::uint64_t compare_distributions(Differences& differences) const override {
    return io::compare_distributions(
        result_, external_,
        [&](const std::string& place, double stored, double expected) {
          differences.add({std::nullopt, "g(r), " + place, number_text(stored),
                           number_text(expected), "its counts give"});
        });
  }

 private:
  const io::ResultFile result_;
  const io::ExternalFiles external_;
};

}  // namespace

std::unique_ptr<VerifiedResult> verified_rdf(io::ResultFile result,
                                             io::ExternalFiles external) {
  return std::make_unique<VerifiedRdf>(std::move(result), external);
}

}  // namespace starhist::driver

#pragma once

#include <cstdint>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "driver/commands/verify/recorded_run.hh"
#include "driver/commands/verify/recount.hh"
#include "driver/commands/verify/reopened_run.hh"
#include "driver/report/verification.hh"
#include "io/result/coordination_result.hh"
#include "io/result/lag_result.hh"

namespace starhist::driver {

/// The blocks of one run, to be recounted from its trajectory. For one thread.
class RunBlocks {
 public:
  RunBlocks() = default;
  RunBlocks(const RunBlocks&) = delete;
  RunBlocks& operator=(const RunBlocks&) = delete;
  virtual ~RunBlocks() = default;

  virtual ReopenedRun& run() = 0;

  /// Recounts the block with this number in the result, and adds each difference.
  /// Returns the number of compared numbers. Throws InputError if a frame cannot be
  /// used.
  virtual std::uint64_t compare(std::uint64_t block, Recount& recount,
                                Differences& differences) = 0;
};

/// A result whose blocks can be recounted.
class VerifiedResult {
 public:
  VerifiedResult() = default;
  VerifiedResult(const VerifiedResult&) = delete;
  VerifiedResult& operator=(const VerifiedResult&) = delete;
  virtual ~VerifiedResult() = default;

  /// Path, provenance, layout, and the frames of all blocks.
  virtual const io::ResultFile& file() const = 0;
  /// How the options of its runs are parsed.
  virtual CountingCommand command() const = 0;
  /// "3 species pairs"
  virtual std::string contents() const = 0;
  /// The relation between its numbers that held when it was read.
  virtual std::string sum_rule() const = 0;
  /// False: only the definition can recount it.
  virtual bool has_kernels() const { return true; }
  /// Number of counted pairs of particles of a block.
  virtual std::uint64_t pairs(std::uint64_t block) const {
    return sum_of(file().blocks[block].pairs);
  }
  /// Number of pairs that its recount looks at.
  virtual std::uint64_t work(std::uint64_t block) const {
    return pairs(block) + sum_of(file().blocks[block].excluded);
  }

  /// Opens the trajectory of a run. `runs`: all runs of the result. The arguments and
  /// this object must outlive the blocks. Throws like ReopenedRun.
  virtual std::unique_ptr<RunBlocks> open(const std::vector<CountedRun>& runs,
                                          std::size_t run,
                                          const RecordedRun& recorded) = 0;

  /// Compares the stored g(r) with the counts, and returns the number of values.
  virtual std::uint64_t compare_distributions(Differences& differences) const {
    static_cast<void>(differences);
    return 0;
  }
  /// Compares sums over all blocks, which all have been recounted, and returns the
  /// number of compared numbers.
  virtual std::uint64_t compare_sums(Differences& differences) const {
    static_cast<void>(differences);
    return 0;
  }
  /// Name of these sums; "" without them.
  virtual std::string sums() const { return ""; }

 private:
  static std::uint64_t sum_of(const std::vector<std::uint64_t>& numbers) {
    return std::accumulate(numbers.begin(), numbers.end(), std::uint64_t{0});
  }
};

/// `external`: treatment of other files with data of the result.
std::unique_ptr<VerifiedResult> verified_rdf(io::ResultFile result,
                                             io::ExternalFiles external);
std::unique_ptr<VerifiedResult> verified_lags(io::LagResult result);
std::unique_ptr<VerifiedResult> verified_neighbours(io::CoordinationResult result);

}  // namespace starhist::driver

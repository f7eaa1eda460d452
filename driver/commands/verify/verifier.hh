#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "driver/commands/verify/verified_result.hh"

namespace starhist::driver {

/// The blocks to recount.
struct Sample {
  std::optional<std::uint64_t> blocks;  ///< most blocks; empty: all
  std::optional<double> seconds;        ///< time limit [s]; one block may exceed it
  std::uint64_t seed = 1;
};

/// Recounts blocks of a result. `runs`: all runs of the result, `recorded`: how to read
/// their frames. Throws InputError if a trajectory cannot be read, or is another one,
/// and if the recounter cannot be used.
Verification verify(VerifiedResult& result, const std::vector<CountedRun>& runs,
                    const std::vector<RecordedRun>& recorded, const Sample& sample,
                    Recounter recounter);

}  // namespace starhist::driver

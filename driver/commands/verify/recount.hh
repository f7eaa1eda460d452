#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "driver/commands/verify/reopened_run.hh"
#include "tasks/runtime/runtime.hh"

namespace starhist::driver {

/// Ways to recount blocks.
enum class Recounter {
  automatic,  ///< definition if it is fast enough, otherwise cpu
  definition,
  cpu,  ///< cores, with a kernel variant that has not made the result
  gpu   ///< GPUs
};

/// "reference", "cpu" or "gpu"; "" is automatic. Throws InputError for other names.
Recounter parse_recounter(const std::string& name);

/// True if this processor has a kernel variant that has not counted any of the runs.
bool has_other_variant(const std::vector<CountedRun>& runs);

/// Counts blocks of a result again. Starts StarPU if the recounter needs it. One at a
/// time.
class Recount {
 public:
  /// `recounter` is not automatic. Throws InputError if this machine has no GPU, or no
  /// kernel variant except the one that made the result.
  Recount(Recounter recounter, const UniformBins& bins,
          const std::vector<CountedRun>& runs);

  /// Name in reports: "kernel avx2 on CPUs".
  const std::string& method() const { return method_; }

  /// The frames of `block`, read and counted again. Throws InputError if a frame cannot
  /// be used.
  BlockCounts count(const BlockCounts& block, ReopenedRun& run);

 private:
  BlockCounts count_with_kernels(const BlockCounts& block, ReopenedRun& run);

  std::string method_;
  std::optional<tasks::Runtime> runtime_;  ///< empty for the definition
};

}  // namespace starhist::driver

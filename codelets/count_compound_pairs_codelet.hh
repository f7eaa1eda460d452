#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include <starpu.h>

#include "codelets/compound_frame.hh"
#include "codelets/core/counting/bins.hh"
#include "codelets/core/counting/compound_pairs.hh"
#include "codelets/run_status.hh"
#include "codelets/task_args.hh"
#include "perfmodels/work_class.hh"

namespace starhist::codelets {

/// What becomes of the pairs within units.
enum class CompoundTask : std::uint32_t { add, subtract };

/// Arguments of a task; `slice_count` of CompoundFrame follow it in memory
/// (set_task_args).
struct CountCompoundPairsArgs {
  using Slice = CompoundFrame;

  const CompoundPairs* compounds = nullptr;  ///< lives longer than the task
  CompoundPairs::Rows rows;                  ///< of each frame
  UniformBins bins;                          ///< from zero
  CompoundTask what = CompoundTask::add;
  std::int32_t threads = 1;
  std::uint32_t slice_count = 0;
  RunStatus* status = nullptr;

  std::span<const CompoundFrame> slices() const {
    return {reinterpret_cast<const CompoundFrame*>(this + 1), slice_count};
  }
};

/// Counts pairs within units, for a worker's replica of the counts. Subtracted ones may
/// leave it with numbers below zero, which wrap around as unsigned ones do: the sum
/// over all workers is right again.
void count_compound_pairs(const CountCompoundPairsArgs& args,
                          std::span<const CompoundFrame> frames, const double* first,
                          const double* second, std::uint64_t* counts);

/// What StarPU has measured of such a task that has ended. The pairs are those that it
/// added: subtracted ones have been counted by another task.
std::optional<TaskRecord> compound_record_of(const starpu_task& task);

/// Buffers: positions of the first species, in the order of the file (STARPU_R), of the
/// second (STARPU_R; only for unlike pairs), counts (STARPU_REDUX). CPU only.
starpu_codelet* count_compound_pairs_codelet(perfmodels::PairKind kind);

}  // namespace starhist::codelets

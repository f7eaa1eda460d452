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

/// Whether pairs within compounds are added to the counts or subtracted.
enum class CompoundTask : std::uint32_t { add, subtract };

/// Arguments of a task; `slice_count` CompoundFrames follow it in memory
/// (set_task_args()).
struct CountCompoundPairsArgs {
  using Slice = CompoundFrame;

  const CompoundPairs* compounds = nullptr;  ///< must outlive the task
  CompoundPairs::Rows rows;                  ///< rows to count, in each frame
  UniformBins bins;                          ///< UniformBins::from_zero()
  CompoundTask what = CompoundTask::add;
  std::int32_t threads = 1;       ///< of a parallel worker [>= 1]
  std::uint32_t slice_count = 0;  ///< number of frames
  RunStatus* status = nullptr;    ///< must outlive the task

  std::span<const CompoundFrame> slices() const {
    return {reinterpret_cast<const CompoundFrame*>(this + 1), slice_count};
  }
};

/// Adds the pairs within compounds of `frames` to a worker's replica of the counts, or
/// subtracts them. A replica may underflow modulo 2^64; the sum of all replicas is
/// correct. Throws InternalError if not all pairs were counted.
void count_compound_pairs(const CountCompoundPairsArgs& args,
                          std::span<const CompoundFrame> frames, const double* first,
                          const double* second, std::uint64_t* counts);

/// Returns the record of such a task that has ended. It does not include subtracted
/// pairs, because another task has counted them. Empty without StarPU's profiling.
std::optional<TaskRecord> compound_record_of(const starpu_task& task);

/// The codelet for like or unlike pairs. Buffers: positions of the first species in the
/// order of the file (STARPU_R), of the second (STARPU_R; only for unlike pairs),
/// counts (STARPU_REDUX). CPU only. Lives for the whole program.
starpu_codelet* count_compound_pairs_codelet(perfmodels::PairKind kind);

}  // namespace starhist::codelets

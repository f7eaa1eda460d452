#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include <starpu.h>

#include "codelets/core/counting/bins.hh"
#include "codelets/core/counting/unit_pairs.hh"
#include "codelets/core/geometry/minimum_image.hh"
#include "codelets/run_status.hh"
#include "codelets/task_args.hh"
#include "perfmodels/work_class.hh"

namespace starhist::codelets {

/// One frame in the position handles: offsets and numbers of particles.
struct UnitFrame {
  MinimumImage image;
  std::uint64_t first_offset = 0;
  std::uint64_t first_count = 0;
  std::uint64_t second_offset = 0;
  std::uint64_t second_count = 0;
};

/// What becomes of the pairs within units.
enum class UnitTask : std::uint32_t { add, subtract };

/// Arguments of a task; `part_count` UnitFrames follow it in memory (set_task_args).
struct CountUnitPairsArgs {
  using Part = UnitFrame;

  const UnitPairs* units = nullptr;  ///< lives longer than the task
  UnitPairs::Rows rows;              ///< of each frame
  UniformBins bins;                  ///< from zero
  UnitTask what = UnitTask::add;
  std::int32_t threads = 1;
  std::uint32_t part_count = 0;
  RunStatus* status = nullptr;

  std::span<const UnitFrame> parts() const {
    return {reinterpret_cast<const UnitFrame*>(this + 1), part_count};
  }
};

/// Counts pairs within units, for a worker's replica of the counts. Subtracted ones may
/// leave it with numbers below zero, which wrap around as unsigned ones do: the sum
/// over all workers is right again.
void count_unit_pairs(const CountUnitPairsArgs& args, std::span<const UnitFrame> frames,
                      const double* first, const double* second, std::uint64_t* counts);

/// What StarPU has measured of such a task that has ended. The pairs are those that it
/// added: subtracted ones have been counted by another task.
std::optional<TaskRecord> unit_record_of(const starpu_task& task);

/// Buffers: positions of the first species, in the order of the file (STARPU_R), of the
/// second (STARPU_R; only for unlike pairs), counts (STARPU_REDUX). CPU only.
starpu_codelet* count_unit_pairs_codelet(perfmodels::PairKind kind);

}  // namespace starhist::codelets

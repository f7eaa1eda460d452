#pragma once

#include <span>
#include <vector>

#include "codelets/core/counting/bins.hh"
#include "codelets/core/geometry/box.hh"
#include "perfmodels/task_times.hh"
#include "tasks/runtime/runtime.hh"

namespace starhist::tasks {

/// Work of equal counting tasks for measurements: all pairs of one species, or of two.
struct CalibrationWork {
  perfmodels::PairKind pairs = perfmodels::PairKind::like;
  Box box;
  UniformBins bins;
  std::span<const double> first;   ///< positions: x, y, z of each particle
  std::span<const double> second;  ///< empty for like pairs
  /// Order in which the particles are counted; they are sorted into it first.
  perfmodels::Order order = perfmodels::Order::any;
  /// Index of the number of frames per task: perfmodels::measured_frames[measurement],
  /// all with these positions.
  std::size_t measurement = 0;

  std::uint32_t frames() const { return perfmodels::measured_frames[measurement]; }
  /// Pairs of particles per frame.
  std::uint64_t pair_count() const;
};

/// Runs `repeat` tasks on each of `workers`, on all of them concurrently, and returns
/// the times of these tasks as measured by StarPU [s], in any order. `workers` are
/// StarPU's numbers, `implementation` is the index of an implementation of the codelet
/// for such workers. With STARPU_CALIBRATE=1 StarPU records the times for its models.
/// Throws InternalError if pairs are lost, and the first error of a task.
std::vector<double> time_tasks(Runtime& runtime, const CalibrationWork& work,
                               std::span<const int> workers, unsigned implementation,
                               int repeat);

}  // namespace starhist::tasks

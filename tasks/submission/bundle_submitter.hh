#pragma once

#include <atomic>
#include <functional>
#include <list>
#include <memory>
#include <optional>
#include <vector>

#include "codelets/core/counting/frame.hh"
#include "codelets/core/counting/histogram.hh"
#include "codelets/core/counting/pair_exclusions.hh"
#include "tasks/collection/block_in_flight.hh"
#include "tasks/memory/transfer_memory.hh"
#include "tasks/planning/frame_jobs.hh"
#include "tasks/planning/tile_effort.hh"
#include "tasks/planning/unit_jobs.hh"
#include "tasks/planning/work_plan.hh"
#include "tasks/runtime/runtime.hh"
#include "tasks/runtime/thread_team.hh"
#include "tasks/submission/bundle_positions.hh"

namespace starhist::tasks {

/// Submits the tasks of a bundle of frames of one block: for every species pair one
/// task, or several when the pair is large; longest first. Pairs within units, which
/// PairExclusions wants counted or subtracted, have tasks of their own.
class BundleSubmitter {
 public:
  /// Both are called, in a StarPU thread, once per submitted bundle: `on_rest_for_cpus`
  /// when no tasks are left but those that only CPU workers may do, then `on_done` when
  /// the last has ended. The arguments must live until then.
  BundleSubmitter(Runtime& runtime, const HistogramLayout& layout,
                  const PairExclusions& exclusions, TransferMemory& memory,
                  codelets::RunStatus& status, std::function<void()> on_rest_for_cpus,
                  std::function<void()> on_done);
  /// When all tasks have ended.
  ~BundleSubmitter();

  /// Copies the positions and submits. All frames must have
  /// boxes of one kind. Calls both at once if there is not a single pair.
  void submit(const std::vector<Frame>& frames, const WorkPlan& plan,
              BlockInFlight& block);

 private:
  struct Bundle;
  struct TaskTicket;
  void forget_finished_bundles();
  DataHandle submit_sort(const std::vector<Frame>& frames,
                         const BundlePositions& bundle, SpeciesId species);
  void allocate_scratch(const std::vector<Frame>& frames, const WorkPlan& plan);
  std::uint64_t room_for_cpu_tasks(const WorkPlan& plan,
                                   const std::vector<Frame>& frames) const;
  void submit_job(const CountJob& job, const std::vector<DataHandle>& positions,
                  perfmodels::Geometry geometry, bool tiled, BlockInFlight& block,
                  Bundle& bundle);
  void submit_units(const UnitJob& job, BlockInFlight& block, Bundle& bundle);
  void count_units_here(const UnitJob& job, const std::vector<Frame>& frames,
                        BlockInFlight& block) const;
  codelets::CountUnitPairsArgs unit_args(const UnitJob& job) const;
  static void task_ended(void* ticket) noexcept;
  static void unit_task_ended(void* bundle) noexcept;
  static void bundle_task_ended(Bundle* bundle) noexcept;

  Runtime& runtime_;
  const HistogramLayout& layout_;
  const PairExclusions& exclusions_;
  TransferMemory& memory_;
  codelets::RunStatus& status_;
  std::function<void()> on_rest_for_cpus_;
  std::function<void()> on_done_;
  ThreadTeam copying_threads_;
  std::list<Bundle> in_flight_;
  std::vector<std::string> pair_names_;
  std::vector<std::string> unit_names_;
  FrameJobs jobs_;
  std::optional<TileEfforts> efforts_;  ///< of the last tiled bundle
  std::unique_ptr<codelets::GpuScratch>
      scratch_;  ///< with GPUs, from the first tiled bundle on
  std::uint64_t bundles_ = 0;
  std::atomic<std::uint64_t> cpu_tasks_{0};  ///< submitted and not ended
};

}  // namespace starhist::tasks

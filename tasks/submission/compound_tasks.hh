#pragma once

#include <map>
#include <string>
#include <vector>

#include "codelets/core/counting/frame.hh"
#include "codelets/core/counting/histogram.hh"
#include "codelets/core/counting/pair_exclusions.hh"
#include "codelets/count_compound_pairs_codelet.hh"
#include "codelets/run_status.hh"
#include "tasks/collection/pending_block.hh"
#include "tasks/cutting/compound_jobs.hh"
#include "tasks/submission/submitted_batch.hh"

namespace starhist::tasks {

/// Tasks that count pairs within compounds, to be added or subtracted according to the
/// exclusion. They are for CPU workers. All references must live until the tasks have
/// ended.
class CompoundTasks {
 public:
  /// `threads`: number per CPU worker.
  CompoundTasks(const HistogramLayout& layout, const PairExclusions& exclusions,
                int threads, codelets::RunStatus& status);

  /// Submits the task of a job. Throws RunError if StarPU refuses it.
  void submit(const CompoundJob& job, int priority, PendingBlock& block,
              SubmittedBatch& batch);

  /// Counts in the calling thread, for machines with GPUs but no CPU worker. `frames`
  /// are the frames of the job's batch.
  void count_here(const CompoundJob& job, const std::vector<Frame>& frames,
                  PendingBlock& block) const;

 private:
  codelets::CountCompoundPairsArgs args_of(const CompoundJob& job) const;

  const HistogramLayout& layout_;
  const PairExclusions& exclusions_;
  int threads_;
  codelets::RunStatus& status_;
  /// Names of the species pairs that have had a task; StarPU keeps pointers to them.
  std::map<PairId, std::string> names_;
};

}  // namespace starhist::tasks

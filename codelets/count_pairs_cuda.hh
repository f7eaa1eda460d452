#pragma once

#include <string>

#include <starpu.h>

#include "codelets/run_status.hh"
#include "perfmodels/work_class.hh"

namespace starhist::codelets {

/// Adds the CUDA implementations to a counting codelet: the variant of that name, or
/// for "auto" all that suit the geometry and the order, the usually fastest first.
/// Throws InputError for an unknown name. In a build without CUDA it adds nothing and
/// throws InputError unless the name is "auto".
void add_cuda_implementations(starpu_codelet& codelet, perfmodels::Geometry geometry,
                              perfmodels::Order order, const std::string& variant);

/// Adds to the status the pairs that GPUs counted as out of range cluster by cluster
/// since the last call. Call it while no task runs. Throws RunError when CUDA reports
/// an error, and rethrows an earlier task's exception.
void collect_skipped_pairs_of_gpus(RunStatus& status);

}  // namespace starhist::codelets

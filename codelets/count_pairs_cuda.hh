#pragma once

#include <string>

#include <starpu.h>

#include "codelets/run_status.hh"
#include "perfmodels/work_class.hh"

namespace starhist::codelets {

/// Adds the CUDA implementations to a counting codelet: the variant of that name, or
/// for "auto" all that suit the geometry and the order, the usually fastest first. Does
/// nothing in a build without CUDA. Throws InputError for an unknown name.
void add_cuda_implementations(starpu_codelet& codelet, perfmodels::Geometry geometry,
                              perfmodels::Order order, const std::string& variant);

/// Adds to the status the pairs that GPUs passed over cluster by cluster since the last
/// call. When no task runs.
void collect_skipped_pairs_of_gpus(RunStatus& status);

}  // namespace starhist::codelets

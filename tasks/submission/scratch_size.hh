#pragma once

#include <cstddef>

#include "codelets/core/counting/frame.hh"
#include "codelets/core/counting/histogram.hh"
#include "tasks/planning/batch_plan.hh"

namespace starhist::tasks {

/// Bytes of scratch memory that each stream of a GPU needs to sort and to count in
/// clusters, in batches of frames like `frame`: enough for one frame, and for the
/// largest task of a batch up to the size of one launch and 1 GiB. A larger task is
/// counted in several launches, and not sorted. 0 in a build without CUDA.
std::size_t scratch_bytes(const HistogramLayout& layout, const Frame& frame,
                          const BatchPlan& plan);

}  // namespace starhist::tasks

#pragma once

#include "codelets/kernels/cuda/kernel_args.hh"

namespace starhist::kernels::cuda {

/// Finds a work item of a launch by its number. Work items are numbered through all
/// slices; within a slice, first through the clusters of rows, then through the
/// superclusters of columns.
class WorkItemCursor {
 public:
  __device__ explicit WorkItemCursor(const KernelArgs& args) : args_(args) {}

  /// Moves to a work item. Returns false if the number is beyond the last item. Faster
  /// forwards than backwards.
  __device__ bool move_to(std::uint64_t work_item) {
    if (work_item >= args_.cluster_work.work_items) {
      return false;
    }
    if (work_item < first_work_item_) {
      first_work_item_ = 0;
      slice_index_ = 0;
    }
    while (work_item >= first_work_item_ + work_items()) {
      first_work_item_ += work_items();
      ++slice_index_;
    }
    const std::uint64_t within = work_item - first_work_item_;
    row_cluster_ = slice().first_row_cluster() +
                   static_cast<std::uint32_t>(within % slice().row_clusters());
    first_super_ = static_cast<std::uint32_t>(within / slice().row_clusters()) *
                   args_.cluster_work.superclusters_per_work_item;
    return true;
  }

  __device__ const KernelSlice& slice() const { return args_.slice[slice_index_]; }
  /// Number of the item's cluster of rows in its slice.
  __device__ std::uint32_t row_cluster() const { return row_cluster_; }
  /// Number of the item's first supercluster of columns in its slice.
  __device__ std::uint32_t first_super() const { return first_super_; }

 private:
  __device__ std::uint64_t work_items() const {
    return slice().work_items(args_.cluster_work.superclusters_per_work_item);
  }

  const KernelArgs& args_;
  std::uint32_t slice_index_ = 0;
  std::uint64_t first_work_item_ = 0;  ///< of the slice
  std::uint32_t row_cluster_ = 0;
  std::uint32_t first_super_ = 0;
};

}  // namespace starhist::kernels::cuda

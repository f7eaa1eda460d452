#pragma once

#include <algorithm>
#include <optional>

#include "codelets/kernels/clusters/cluster_distance.hh"
#include "codelets/kernels/clusters/cluster_images.hh"
#include "codelets/kernels/cpu/fixed_point.hh"
#include "codelets/kernels/cpu/local_positions.hh"
#include "codelets/kernels/cpu/pair_loop.hh"

namespace starhist::kernels::cpu {

/// Finds the clusters of columns that are not out of range, for each cluster of rows of
/// a block in spatial order. Groups of clusters are compared first. Constant after
/// set(), so threads may share it.
class ClusterSearch {
 public:
  /// Prepares the search. `fixed` was made for the block and has a lattice that is
  /// usable, or usable with images. Memory is reused.
  void set(const PairBlock& block, const FixedPoint& fixed) {
    set_columns(block, fixed);
    set_rows(block, fixed);
  }
  /// Replaces the block by another one with the same columns.
  void set_rows(const PairBlock& block, const FixedPoint& fixed);

  std::size_t row_clusters() const { return rows_.count(); }
  std::size_t row_begin(std::size_t cluster) const {
    return block_->row_begin + cluster * row_size_;
  }
  std::size_t row_end(std::size_t cluster) const {
    return std::min(row_begin(cluster) + row_size_, block_->row_end);
  }

  /// Sets the local positions of `loop`, which runs with images need.
  void set_local_positions(PairLoop& loop) const;

  /// Groups of column clusters that are not out of range of a group of row clusters;
  /// kept for the next row cluster of the group. SIZE_MAX: not yet set.
  struct Near {
    std::size_t row_group = SIZE_MAX;
    std::vector<std::size_t> column_groups;
  };

  /// Calls visit(column_begin, column_end, class, images) for each run of columns in
  /// which rows [row_begin(cluster), row_end(cluster)) may have pairs in range; for a
  /// like pair only columns after the cluster's first row. If the lattice is usable
  /// with images, a run is one cluster of columns with its images (NearImages*, null if
  /// unknown); otherwise images are null. `near` belongs to the calling thread and this
  /// block.
  template <class Visit>
  void visit_runs(std::size_t cluster, Near& near, Visit visit) const;

  /// True: pair loops find the columns near each row, in place of visit_runs().
  bool has_near_columns() const { return near_columns_; }
  /// The clusters for pair loops. `memory` of the calling thread is a part of it.
  NearColumns near_columns(std::vector<std::uint32_t>& memory) const;
  std::size_t row_groups() const { return row_groups_.count(); }
  /// First row of a group, or the end of the rows for row_groups().
  std::size_t row_group_begin(std::size_t group) const {
    return std::min(block_->row_begin + group * row_clusters_per_group_ * row_size_,
                    block_->row_end);
  }

 private:
  static constexpr std::size_t clusters_per_group = 32;
  /// Pairs of a group of rows with fewer columns are fewer than 2^32.
  static constexpr std::size_t most_near_columns = 1U << 25U;

  /// First column with a partner in a cluster of rows.
  std::size_t first_column(std::size_t cluster) const {
    return block_->like ? row_begin(cluster) + 1 : 0;
  }
  void set_columns(const PairBlock& block, const FixedPoint& fixed);
  void find_near_groups(std::size_t row_group, Near& near) const;

  const PairBlock* block_ = nullptr;
  std::size_t row_size_ = row_cluster_size;
  std::size_t column_size_ = cluster_size;
  std::size_t row_clusters_per_group_ = 64;
  bool near_columns_ = false;
  std::optional<ClusterDistance> distance_;
  std::optional<ClusterImages> images_;
  LocalPositions<double> local_rows_;
  LocalPositions<float> local_columns_;
  ClusterBoxes rows_;
  ClusterBoxes row_groups_;
  ClusterBoxes columns_;
  ClusterBoxes column_groups_;
};

template <class Visit>
void ClusterSearch::visit_runs(std::size_t cluster, Near& near, Visit visit) const {
  if (near.row_group != cluster / row_clusters_per_group_) {
    find_near_groups(cluster / row_clusters_per_group_, near);
  }
  const std::size_t first = first_column(cluster);
  std::size_t run_begin = 0;
  std::size_t run_end = 0;
  ClusterClass run_class = ClusterClass::out_of_range;
  NearImages images;
  const auto end_run = [&] {
    if (run_class != ClusterClass::out_of_range) {
      visit(std::max(run_begin * column_size_, first),
            std::min(run_end * column_size_, block_->second.count), run_class,
            images.count > 0 ? &images : nullptr);
    }
    run_class = ClusterClass::out_of_range;
    images.count = 0;
  };
  for (const std::size_t group : near.column_groups) {
    const std::size_t group_end =
        std::min((group + 1) * clusters_per_group, columns_.count());
    if (group_end * column_size_ <= first ||
        distance_->classify(rows_, cluster, column_groups_, group) ==
            ClusterClass::out_of_range) {
      continue;
    }
    for (std::size_t t = std::max(group * clusters_per_group, first / column_size_);
         t < group_end; ++t) {
      const ClusterClass of_cluster = distance_->classify(rows_, cluster, columns_, t);
      const bool of_images = images_ && of_cluster != ClusterClass::out_of_range;
      if (of_cluster != run_class || t != run_end || of_images) {
        end_run();
        run_begin = t;
        run_class = of_cluster;
        if (of_images) {
          images_->find(rows_, cluster, local_rows_.extent[cluster], columns_, t,
                        local_columns_.extent[t], images);
        }
      }
      run_end = t + 1;
    }
  }
  end_run();
}

}  // namespace starhist::kernels::cpu

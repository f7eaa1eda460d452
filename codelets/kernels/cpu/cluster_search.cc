#include "codelets/kernels/cpu/cluster_search.hh"

namespace starhist::kernels::cpu {

void ClusterSearch::set_columns(const PairBlock& block, const FixedPoint& fixed) {
  distance_.emplace(fixed.lattice, *block.bins);
  images_.reset();
  row_size_ = row_cluster_size;
  column_size_ = cluster_size;
  row_clusters_per_group_ = 64;
  near_columns_ = !block.bins->uniform() && fixed.lattice.usable &&
                  fixed.lattice.metric != Metric::searched &&
                  block.second.count < most_near_columns;
  if (near_columns_) {
    row_size_ = NearColumns::rows_per_cluster;
    column_size_ = NearColumns::columns_per_cluster;
    row_clusters_per_group_ = 8;
  }
  if (fixed.lattice.usable_with_images) {
    images_.emplace(*block.image, fixed.lattice, *block.bins);
    const ClusterSizes sizes = image_cluster_sizes(block.second.count);
    row_size_ = sizes.rows;
    column_size_ = sizes.columns;
  }
  const std::int32_t* columns[3];
  for (std::size_t axis = 0; axis < 3; ++axis) {
    columns[axis] = fixed.second[axis].data();
  }
  columns_.set(columns, block.second.count, column_size_);
  column_groups_.set(columns, block.second.count, clusters_per_group * column_size_);
  if (images_) {
    local_columns_.set(fixed.lattice, columns, block.second.count, columns_,
                       column_size_);
  }
}

void ClusterSearch::set_rows(const PairBlock& block, const FixedPoint& fixed) {
  block_ = &block;
  const std::int32_t* rows[3];
  for (std::size_t axis = 0; axis < 3; ++axis) {
    rows[axis] = block.like ? fixed.second[axis].data() + block.row_begin
                            : fixed.first[axis].data();
  }
  const std::size_t row_count = block.row_end - block.row_begin;
  rows_.set(rows, row_count, row_size_);
  row_groups_.set(rows, row_count, row_clusters_per_group_ * row_size_);
  if (images_) {
    local_rows_.set(fixed.lattice, rows, row_count, rows_, row_size_);
  }
}

void ClusterSearch::set_local_positions(PairLoop& loop) const {
  for (int axis = 0; axis < 3; ++axis) {
    loop.local_row[axis] = local_rows_.at[axis].data();
    loop.local_column[axis] = local_columns_.at[axis].data();
  }
  loop.local_row_origin = block_->row_begin;
}

NearColumns ClusterSearch::near_columns(std::vector<std::uint32_t>& memory) const {
  const auto arrays = [](const ClusterBoxes& boxes) {
    BoxArrays out;
    for (int axis = 0; axis < 3; ++axis) {
      out.centre[axis] = boxes.centre[axis].data();
      out.half[axis] = boxes.half[axis].data();
    }
    out.count = boxes.count();
    return out;
  };
  NearColumns near;
  near.clusters_per_group = clusters_per_group;
  near.row_clusters_per_group = row_clusters_per_group_;
  near.clusters = arrays(columns_);
  near.groups = arrays(column_groups_);
  near.rows = arrays(rows_);
  near.row_groups = arrays(row_groups_);
  for (int k = 0; k < 6; ++k) {
    near.selling[k] = static_cast<float>(distance_->selling()[k]);
  }
  // Each of up to six terms is rounded less than ten times.
  near.out_of_range_r2 =
      static_cast<float>((1.0 + 1e-5) * distance_->out_of_range_r2());
  memory.resize(column_groups_.count());
  near.near_groups = memory.data();
  return near;
}

void ClusterSearch::find_near_groups(std::size_t row_group, Near& near) const {
  near.row_group = row_group;
  near.column_groups.clear();
  const std::size_t first = first_column(row_group * row_clusters_per_group_);
  for (std::size_t group = first / (clusters_per_group * column_size_);
       group < column_groups_.count(); ++group) {
    if (distance_->classify(row_groups_, row_group, column_groups_, group) !=
        ClusterClass::out_of_range) {
      near.column_groups.push_back(group);
    }
  }
}

}  // namespace starhist::kernels::cpu

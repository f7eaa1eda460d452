#pragma once

#include <memory>
#include <string>
#include <vector>

#include "io/reader/trajectory_reader.hh"

namespace starhist::io {

/// A trajectory whose species are groups of those of another; what is in none of them
/// is left out. For rules that do not need particles one by one.
class GroupedTrajectory : public TrajectoryReader {
 public:
  /// Throws InputError when the file has no such species.
  GroupedTrajectory(std::unique_ptr<TrajectoryReader> reader,
                    const std::vector<SpeciesGroup>& groups);

  const TrajectoryInfo& info() const override { return info_; }
  void read(FrameIndex index, Frame& frame) override;
  double read_time(FrameIndex index, Frame& /*scratch*/) override {
    return reader_->read_time(index, scratch_);
  }

 private:
  void group_elements();
  void group_order(std::vector<FileOrder>& grouped);

  std::unique_ptr<TrajectoryReader> reader_;
  TrajectoryInfo info_;
  std::vector<std::vector<std::size_t>> members_;  ///< of each species, in the file's
  Frame scratch_;
};

}  // namespace starhist::io

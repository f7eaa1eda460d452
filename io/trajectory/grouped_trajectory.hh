#pragma once

#include <memory>
#include <string>
#include <vector>

#include "io/reader/trajectory_reader.hh"

namespace starhist::io {

/// A trajectory whose species are groups of another one's species; the remaining
/// species are left out. For rules that do not refer to single particles.
class GroupedTrajectory : public TrajectoryReader {
 public:
  /// Throws InputError when a group names a species that the file does not have.
  GroupedTrajectory(std::unique_ptr<TrajectoryReader> reader,
                    const std::vector<SpeciesGroup>& groups);

  const TrajectoryInfo& info() const override { return info_; }
  void read(FrameIndex index, Frame& frame) override;
  StepAndTime read_moment(FrameIndex index, Frame& /*scratch*/) override {
    return reader_->read_moment(index, scratch_);
  }

 private:
  void group_elements();
  void group_order(std::vector<FileOrder>& grouped);

  std::unique_ptr<TrajectoryReader> reader_;
  TrajectoryInfo info_;
  /// for each species, indices of the file's species
  std::vector<std::vector<std::size_t>> members_;
  Frame scratch_;
};

}  // namespace starhist::io

#pragma once

#include <memory>
#include <vector>

#include "io/trajectory_reader.hh"

namespace starhist {

/// Makes a species of the atoms of each name, of a trajectory that has all particles as
/// one species. Where no atom has a name, it stays one.
class SpeciesByName : public TrajectoryReader {
 public:
  explicit SpeciesByName(std::unique_ptr<TrajectoryReader> reader);

  const TrajectoryInfo& info() const override { return info_; }
  void read(FrameIndex index, Frame& frame) override;

 private:
  std::unique_ptr<TrajectoryReader> reader_;
  TrajectoryInfo info_;
  Frame all_;
};

}  // namespace starhist

#pragma once

#include <memory>
#include <utility>

#include "io/reader/trajectory_reader.hh"

namespace starhist::io {

/// Base of classes that modify another trajectory: forwards all calls. Derived classes
/// override the differences.
class WrappedTrajectory : public TrajectoryReader {
 public:
  explicit WrappedTrajectory(std::unique_ptr<TrajectoryReader> reader)
      : reader_(std::move(reader)), info_(reader_->info()) {}

  const TrajectoryInfo& info() const override { return info_; }
  void read(FrameIndex index, Frame& frame) override { reader_->read(index, frame); }
  StepAndTime read_moment(FrameIndex index, Frame& scratch) override {
    return reader_->read_moment(index, scratch);
  }
  bool passes_on() const override { return reader_->passes_on(); }
  PassedOn passed_on(FrameIndex index) override { return reader_->passed_on(index); }

 protected:
  std::unique_ptr<TrajectoryReader> reader_;
  TrajectoryInfo info_;
};

}  // namespace starhist::io

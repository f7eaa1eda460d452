#pragma once

#include <cstdint>
#include <limits>
#include <optional>

namespace starhist::io {

/// Times of a trajectory that stores them in single precision. A simulation computes
/// them as step x time step and rounds. If one short decimal is the time step of all
/// frames, the times are exact multiples of it, also where neighbouring frames have the
/// same time in the file.
class StepTimes {
 public:
  /// Adds the step and the time of a frame as the file has them.
  void add(std::int64_t step, double time);

  /// Finds the time step after the last frame was added.
  void find_time_step();

  /// The time of a frame: its step times the time step, or else the shortest decimal
  /// that rounds to the time in the file.
  double time(std::int64_t step, double stored) const;

 private:
  /// `numerator` / `denominator`, both whole, so that a multiple is rounded once.
  struct TimeStep {
    double numerator = 0.0;
    double denominator = 1.0;
  };

  bool consistent_ = true;
  double low_ = 0.0;  ///< bounds of the time step
  double high_ = std::numeric_limits<double>::infinity();
  std::optional<TimeStep> time_step_;
};

}  // namespace starhist::io

#pragma once

#include <cstdint>
#include <limits>
#include <optional>

namespace starhist::io {

/// Times of a trajectory that stores them in single precision. A simulation computes
/// them as step x time step and rounds. If one short decimal fits all frames as the
/// time step, times become exact multiples of it, even if adjacent frames have equal
/// times in the file.
class StepTimes {
 public:
  /// Adds step and time of a frame as stored in the file.
  void add(std::int64_t step, double time);

  /// Determines the time step; to be called after the last add().
  void find_time_step();

  /// Returns the time of a frame: step times the time step or, if that is unknown, the
  /// shortest decimal that rounds to the stored time.
  double time(std::int64_t step, double stored) const;

 private:
  /// `numerator` / `denominator`, both integral, so that a multiple is rounded only
  /// once.
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

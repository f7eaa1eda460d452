#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "codelets/core/counting/frame.hh"
#include "driver/lags/jumps.hh"
#include "driver/lags/long_steps.hh"

namespace starhist::driver {

/// The problem of long steps, of which there is at least one, and its reason; without a
/// remedy. `unwrapped`: LagOptions::unwrapped.
std::string to_sentence(const LongSteps& steps, bool unwrapped);

/// Times, or steps, between the two frames of a lag; NaN if unknown.
struct LagTimes {
  double shortest = no_time;
  double longest = no_time;

  void add(const LagTimes& other) {
    shortest = std::fmin(shortest, other.shortest);  // ignores NaN
    longest = std::fmax(longest, other.longest);
  }
  /// Whether frames are apart.
  bool any() const { return shortest < 0.0 || longest > 0.0; }
  bool differ() const { return longest - shortest > 1e-3 * std::abs(longest); }
};

/// Observations of a count between frames, for notes to the user.
struct LagNotes {
  bool boxes_differ = false;    ///< two frames have different boxes
  bool periodic = false;        ///< the first box is periodic along some axis
  std::vector<LagTimes> times;  ///< by lag
  std::vector<LagTimes> steps;  ///< by lag
  LongSteps long_steps;
  Jumps jumps;
  bool has_ids = false;  ///< the file has particle ids

  /// Adds the observations of another process, which follows the same frames from the
  /// first one but may end earlier or later.
  void add(const LagNotes& other) {
    boxes_differ = boxes_differ || other.boxes_differ;
    periodic = periodic || other.periodic;
    has_ids = has_ids || other.has_ids;
    times.resize(std::max(times.size(), other.times.size()));
    steps.resize(times.size());
    for (std::size_t lag = 0; lag < other.times.size(); ++lag) {
      times[lag].add(other.times[lag]);
      steps[lag].add(other.steps[lag]);
    }
    if (other.long_steps.count > long_steps.count) {
      long_steps = other.long_steps;
    }
    if (other.jumps.steps > jumps.steps) {
      jumps = other.jumps;
    }
  }
};

}  // namespace starhist::driver

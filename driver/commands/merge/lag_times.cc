#include "driver/commands/merge/lag_times.hh"

#include <algorithm>
#include <cmath>
#include <iostream>
#include <optional>

#include "codelets/core/base/decimal_text.hh"
#include "codelets/core/base/error.hh"
#include "codelets/core/base/text.hh"
#include "io/export/lag_table.hh"

namespace starhist::driver {
namespace {

std::vector<double> times_of_lags(const io::LagResult& result) {
  std::vector<double> times;
  for (std::size_t lag = 0; lag < result.layout.lags.size(); ++lag) {
    times.push_back(io::lag_time(result, lag));
  }
  return times;
}

bool any_time(const std::vector<double>& times) {
  return std::any_of(times.begin(), times.end(),
                     [](double time) { return std::abs(time) > 0.0; });
}

/// Smallest distance between the numbers of a run's frames; empty for one frame.
std::optional<std::uint64_t> frame_distance(const CountedRun& run) {
  const std::vector<std::uint64_t> numbers = run.frame_numbers();
  std::optional<std::uint64_t> distance;
  for (std::size_t k = 1; k < numbers.size(); ++k) {
    const std::uint64_t own = numbers[k] - numbers[k - 1];
    distance = std::min(distance.value_or(own), own);
  }
  return distance;
}

/// Mean steps between consecutive frames of a run, from the ends of its first and last
/// block; NaN for one block.
double mean_steps(const CountedRun& run, std::uint64_t distance) {
  if (run.end - run.begin < 2) {
    return no_time;
  }
  const BlockCounts& first = run.result->blocks[run.begin];
  const BlockCounts& last = run.result->blocks[run.end - 1];
  return static_cast<double>(last.last_step - first.last_step) *
         static_cast<double>(distance) /
         static_cast<double>(last.last_frame.get() - first.last_frame.get());
}

/// False if one is NaN. A smaller difference is rounding, as for a warning of vanhove.
bool differ(double a, double b) {
  return std::abs(a - b) > 1e-3 * std::max(std::abs(a), std::abs(b));
}

/// How the lags of two results differ in time, or without times in steps: "lag 1 lasts
/// 0.5 ps in a.h5 and 1 ps in b.h5"; "" if they do not, or if it is unknown.
std::string difference(const io::LagResult& a, const CountedRun& of_a,
                       const io::LagResult& b, const CountedRun& of_b) {
  const auto text = [&](std::uint64_t lag, const std::string& in_a,
                        const std::string& in_b) {
    return "lag " + std::to_string(lag) + " lasts " + in_a + " in " +
           of_a.result->path + " and " + in_b + " in " + of_b.result->path;
  };
  const std::vector<double> times_a = times_of_lags(a);
  const std::vector<double> times_b = times_of_lags(b);
  if (any_time(times_a) && any_time(times_b)) {
    const std::string unit = unit_suffix(a.layout.pairs.time_unit);
    for (std::size_t lag = 0; lag < times_a.size(); ++lag) {
      if (differ(times_a[lag], times_b[lag])) {
        return text(a.layout.lags[lag], rounded_text(times_a[lag]) + unit,
                    rounded_text(times_b[lag]) + unit);
      }
    }
    return "";
  }
  const std::optional<std::uint64_t> distance_a = frame_distance(of_a);
  const std::optional<std::uint64_t> distance_b = frame_distance(of_b);
  if (!distance_a || !distance_b || a.layout.lags.back() == 0) {
    return "";
  }
  const double steps_a = mean_steps(of_a, *distance_a);
  const double steps_b = mean_steps(of_b, *distance_b);
  if (differ(steps_a, steps_b)) {
    return text(1, rounded_text(steps_a) + " steps", rounded_text(steps_b) + " steps");
  }
  return of_a.trajectory == of_b.trajectory && *distance_a != *distance_b
             ? text(1, counted(*distance_a, "frame") + " of the trajectory",
                    std::to_string(*distance_b))
             : "";
}

}  // namespace

void check_same_lag_times(const std::vector<io::LagResult>& results,
                          const std::vector<io::ResultFile>& channels,
                          const std::vector<CountedRun>& runs) {
  const auto first_run = [&](std::size_t result) -> const CountedRun& {
    return *std::find_if(runs.begin(), runs.end(), [&](const CountedRun& run) {
      return run.result == &channels[result];
    });
  };
  const CountedRun& a = first_run(0);
  for (std::size_t k = 1; k < results.size(); ++k) {
    const CountedRun& b = first_run(k);
    const std::string found = difference(results.front(), a, results[k], b);
    if (found.empty()) {
      continue;
    }
    const std::optional<std::uint64_t> distance_a = frame_distance(a);
    const std::optional<std::uint64_t> distance_b = frame_distance(b);
    const bool parts_of_one_run =
        a.trajectory == b.trajectory && !a.recorded("option --part").empty() &&
        !b.recorded("option --part").empty() &&
        (!distance_a || !distance_b || distance_a == distance_b);
    if (!parts_of_one_run) {
      throw InputError(
          "results with different times between frames cannot be merged: " + found +
          " (count both with the same time between frames: --step or "
          "--every)");
    }
    std::cerr
        << "starhist: frames are not at equal intervals, so a lag mixes different "
           "times: "
        << found << '\n';
  }
}

}  // namespace starhist::driver

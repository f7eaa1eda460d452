#include "driver/lags/lag_plan.hh"

#include <cstdio>
#include <string>

#include "codelets/core/base/error.hh"

namespace starhist::driver {
namespace {

std::string gibibytes(std::uint64_t bytes) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g GiB",
                static_cast<double>(bytes) / (1024.0 * 1024.0 * 1024.0));
  return text;
}

/// Number of frames t < frame_count with an origin `lag` frames earlier.
std::uint64_t frames_with_origin(std::uint64_t frame_count, std::uint64_t lag,
                                 std::uint64_t every_origin) {
  return lag < frame_count ? (frame_count - lag - 1) / every_origin + 1 : 0;
}

}  // namespace

LagPlan plan_lags(const LagLayout& layout, const LagOptions& options,
                  const Frame& first, std::uint64_t frame_count,
                  std::uint64_t memory_bytes) {
  if (options.every_origin > 1 && options.every_origin >= frame_count) {
    throw InputError("--every-origin " + std::to_string(options.every_origin) +
                     ": no frame is the second origin (" + std::to_string(frame_count) +
                     (frame_count == 1 ? " frame is" : " frames are") +
                     " selected): give a smaller number, or select more frames");
  }
  const std::uint64_t particles = first.particle_count();
  LagPlan plan{layout, options, LagWindow::origin_bytes(layout, options, particles), 0};
  if (plan.origin_bytes > memory_bytes / 2) {
    throw InputError(
        "the origins of lag " + std::to_string(layout.lags.back()) + " take " +
        gibibytes(plan.origin_bytes) + " of memory, more than half of the limit of " +
        gibibytes(memory_bytes) +
        ": keep fewer with a larger --every-origin or shorter --lags, or raise "
        "--memory");
  }
  for (const std::uint64_t lag : layout.lags) {
    const std::uint64_t frames =
        frames_with_origin(frame_count, lag, options.every_origin);
    for (const SpeciesPair& pair : layout.pairs.pairs) {
      const std::uint64_t first_count = first.particle_count(pair.first);
      const std::uint64_t second_count = first.particle_count(pair.second);
      plan.expected_pairs +=
          frames * (lag == 0 ? pair_count(pair, first_count, second_count)
                             : first_count * second_count);
    }
  }
  return plan;
}

}  // namespace starhist::driver

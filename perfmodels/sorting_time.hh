#pragma once

namespace starhist::perfmodels {

/// Approximate time in which a GPU sorts particles into spatial order [s per particle].
inline constexpr double gpu_seconds_to_sort_a_particle = 1e-9;

}  // namespace starhist::perfmodels

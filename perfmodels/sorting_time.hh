#pragma once

namespace starhist::perfmodels {

/// Time that a GPU takes to bring particles into spatial order, about [s per particle].
inline constexpr double gpu_seconds_to_sort_a_particle = 1e-9;

}  // namespace starhist::perfmodels

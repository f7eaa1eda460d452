#pragma once

#include <cstdint>

namespace starhist::analysis {

/// The wave numbers first + i * step, i = 0 .. count - 1, in 1 / (length unit of the
/// distances). q = 4 pi sin(theta) / wavelength.
struct QGrid {
  double first = 0.0;
  double step = 0.0;
  std::uint32_t count = 0;

  double at(std::uint32_t i) const { return first + i * step; }
  double last() const { return at(count - 1); }
};

/// Largest number of wave numbers.
inline constexpr std::uint32_t max_q_count = 1000000;

/// The wave numbers from `first` up to `last`, which is included if it is an integer
/// number of steps away. Throws InputError unless 0 < first <= last and step > 0, all
/// finite, and for more than max_q_count wave numbers.
QGrid make_q_grid(double first, double last, double step);

}  // namespace starhist::analysis

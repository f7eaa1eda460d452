#pragma once

#include <cstddef>
#include <vector>

namespace starhist::analysis {

/// Adds `sign` times `other` to `values`, which are as long or empty.
inline void add_to(std::vector<double>& values, const std::vector<double>& other,
                   double sign) {
  values.resize(other.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] += sign * other[i];
  }
}

inline void add_to(std::vector<std::vector<double>>& rows,
                   const std::vector<std::vector<double>>& other, double sign) {
  rows.resize(other.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    add_to(rows[i], other[i], sign);
  }
}

}  // namespace starhist::analysis

#pragma once

#include <cstddef>
#include <utility>
#include <vector>

namespace starhist::driver {

/// Sorts values of species, pairs or results: entry k becomes values[place[k]].
template <class Value>
void rearrange(std::vector<Value>& values, const std::vector<std::size_t>& place) {
  std::vector<Value> sorted;
  for (std::size_t k = 0; k < place.size() && !values.empty(); ++k) {
    sorted.push_back(std::move(values[place[k]]));
  }
  values = std::move(sorted);
}

}  // namespace starhist::driver

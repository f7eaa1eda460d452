#include "python/src/same_group.hh"

#include <unordered_map>

#include "codelets/core/counting/pair_bin.hh"

namespace starhist::python {

std::vector<std::uint64_t> count_same_group(const UniformBins& bins, const Box& box,
                                            const GroupedParticles& a,
                                            const GroupedParticles& b) {
  std::unordered_map<std::int64_t, std::vector<std::size_t>> members;
  for (std::size_t j = 0; j < b.count; ++j) {
    members[b.groups[j]].push_back(j);
  }
  const auto position = [](const GroupedParticles& of, std::size_t i) {
    const double* at = of.positions + 3 * i;
    return Vec3{at[0], at[1], at[2]};
  };
  std::vector<std::uint64_t> counts(bins.count + 1);  // the last one: out of range
  for (std::size_t i = 0; i < a.count; ++i) {
    const auto found = members.find(a.groups[i]);
    if (found == members.end()) {
      continue;
    }
    for (const std::size_t j : found->second) {
      ++counts[pair_bin(box.minimum_image(), bins, position(a, i), position(b, j))];
    }
  }
  counts.pop_back();
  return counts;
}

}  // namespace starhist::python

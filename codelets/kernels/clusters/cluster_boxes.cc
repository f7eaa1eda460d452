#include "codelets/kernels/clusters/cluster_boxes.hh"

#include <algorithm>

namespace starhist::kernels {

void ClusterBoxes::set(const std::int32_t* const (&xyz)[3], std::size_t particles,
                       std::size_t group) {
  const std::size_t count = (particles + group - 1) / group;
  for (int axis = 0; axis < 3; ++axis) {
    centre[axis].resize(count + padding);
    half[axis].resize(count + padding);
    for (std::size_t t = 0; t < count; ++t) {
      const std::int32_t* value = xyz[axis] + t * group;
      const std::size_t size = std::min(group, particles - t * group);
      // Differences to the first particle are taken modulo 2^32, but do not wrap among
      // themselves, because they are below 2^32.
      const auto first = static_cast<std::uint32_t>(value[0]);
      std::int32_t low = 0;
      std::int32_t high = 0;
      for (std::size_t i = 0; i < size; ++i) {
        const auto d =
            static_cast<std::int32_t>(static_cast<std::uint32_t>(value[i]) - first);
        low = std::min(low, d);
        high = std::max(high, d);
      }
      const std::int64_t span = std::int64_t{high} - low;
      const std::int64_t middle = low + span / 2;
      centre[axis][t] =
          static_cast<std::int32_t>(first + static_cast<std::uint32_t>(middle));
      half[axis][t] = static_cast<std::uint32_t>((span + 1) / 2);
    }
  }
}

}  // namespace starhist::kernels

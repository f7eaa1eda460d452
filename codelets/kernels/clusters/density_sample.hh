#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace starhist::kernels {

/// Indices of up to 2048 of `particles` particles, spread over all at unequal steps,
/// from which density_contrast_of() estimates. A sample of only these particles gives
/// the same result.
std::vector<std::uint32_t> sampled_particles(std::size_t particles);

}  // namespace starhist::kernels

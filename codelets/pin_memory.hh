#pragma once

#include <cstddef>

namespace starhist::codelets {

/// Pins host memory for all GPUs, so that transfers are fast and asynchronous. Returns
/// false if CUDA refuses, and in a build without CUDA; transfers are then slower.
bool pin_memory(void* memory, std::size_t bytes) noexcept;
/// Unpins memory that pin_memory() has pinned, before it is freed. `memory` is the same
/// address.
void unpin_memory(void* memory) noexcept;

}  // namespace starhist::codelets

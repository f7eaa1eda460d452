#pragma once

#include <cstddef>

namespace starhist::codelets {

/// Pins main memory, so that all GPUs reach it quickly and while other things go on.
/// False where CUDA refuses, or in a build without it: then transfers take longer.
bool pin_memory(void* memory, std::size_t bytes) noexcept;
/// What was pinned, from its beginning, before it is freed.
void unpin_memory(void* memory) noexcept;

}  // namespace starhist::codelets

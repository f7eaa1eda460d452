#pragma once

#include <cstddef>
#include <functional>

namespace starhist::io {

/// How many threads may do what one reader does: the other cores count pairs, or read
/// as well.
std::size_t threads_for_slices();

/// Calls work(begin, end) for parts of [0, count), some of them in threads of their
/// own, and returns when all are done: for what takes milliseconds, as of a frame of a
/// million particles, which a run may have to wait for. No part is smaller than
/// `least`, and each but the last a multiple of it. `work` must not throw.
void in_parallel_slices(std::size_t count, std::size_t least,
                        const std::function<void(std::size_t, std::size_t)>& work,
                        std::size_t threads = threads_for_slices());

}  // namespace starhist::io

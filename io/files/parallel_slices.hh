#pragma once

#include <cstddef>
#include <functional>

namespace starhist::io {

/// Number of threads that one reader may use, as other cores count pairs or run other
/// readers: a quarter of the cores of the process [1, 4].
std::size_t threads_for_slices();

/// Calls work(begin, end) for slices that make up [0, count), at most `threads` of
/// them, all but one in threads of their own, and returns when all are done. Meant for
/// work of milliseconds, such as a frame of a million particles. No slice is smaller
/// than `least` [> 0] (unless count is), and each but the last is a multiple of it.
/// `work` must not throw.
void in_parallel_slices(std::size_t count, std::size_t least,
                        const std::function<void(std::size_t, std::size_t)>& work,
                        std::size_t threads = threads_for_slices());

}  // namespace starhist::io

#pragma once

#include <cstddef>
#include <functional>

namespace starhist::io {

/// Returns the number of threads that one reader may use: a quarter of the process'
/// cores [1, 4]. The other cores count pairs or run other readers.
std::size_t threads_for_slices();

/// Calls work(begin, end) for at most `threads` slices that partition [0, count), and
/// returns when all have finished. One slice runs in the calling thread, each other in
/// a new one. Meant for work of milliseconds, such as a frame of a million particles.
/// No slice is smaller than `least` [> 0] (unless count is), and the size of each but
/// the last is a multiple of it. `work` must not throw.
void in_parallel_slices(std::size_t count, std::size_t least,
                        const std::function<void(std::size_t, std::size_t)>& work,
                        std::size_t threads = threads_for_slices());

}  // namespace starhist::io

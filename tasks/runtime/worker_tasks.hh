#pragma once

#include <cstddef>
#include <functional>

namespace starhist::tasks {

/// Calls work(0), ..., work(count - 1) once each, in any order, in a task of each of
/// StarPU's CPU workers, and returns after all have returned; in the calling thread if
/// there are no CPU workers. Idle workers poll, so that other threads would have to
/// share their cores. If `gpu_work` is given, one of the workers of each GPU calls it
/// once at the same time. StarPU must run and not be paused; the calling thread is not
/// a worker. After an exception, work that has not begun is left out, and the first
/// exception is rethrown. Throws RunError if StarPU refuses a task.
void run_on_workers(std::size_t count, const std::function<void(std::size_t)>& work,
                    const std::function<void()>& gpu_work = {});

/// Number of GPUs that have workers.
std::size_t gpus_with_workers();

}  // namespace starhist::tasks

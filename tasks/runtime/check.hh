#pragma once

#include <string>

namespace starhist::tasks {

/// Throws RunError "StarPU could not <action>: <reason>" unless `code`, what a StarPU
/// function returned, is 0. -ENODEV says which setting may have left no worker.
void check_starpu(int code, const std::string& action);

}  // namespace starhist::tasks

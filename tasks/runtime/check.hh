#pragma once

#include <string>

namespace starhist::tasks {

/// Throws RunError "StarPU could not <action>: <reason>" unless `code`, the return
/// value of a StarPU function, is 0. For -ENODEV the message names the setting that may
/// have left no worker.
void check_starpu(int code, const std::string& action);

}  // namespace starhist::tasks

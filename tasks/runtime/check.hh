#pragma once

#include <string>
#include <vector>

namespace starhist::tasks {

/// Throws RunError "StarPU could not <action>: <reason>" unless `code`, the return
/// value of a StarPU function, is 0. For -ENODEV the message names the variables that
/// may have left no worker, and adds `problems`.
void check_starpu(int code, const std::string& action,
                  const std::vector<std::string>& problems = {});

}  // namespace starhist::tasks

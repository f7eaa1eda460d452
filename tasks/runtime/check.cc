#include "tasks/runtime/check.hh"

#include <cerrno>
#include <cstring>

#include "codelets/core/base/error.hh"

namespace starhist::tasks {

void check_starpu(int code, const std::string& action,
                  const std::vector<std::string>& problems) {
  if (code == 0) {
    return;
  }
  std::string reason = std::strerror(code < 0 ? -code : code);
  if (code == -ENODEV) {
    reason =
        "no worker can do it (look at STARPU_NCPU, STARPU_WORKERS_CPUID and "
        "STARPU_NCUDA)";
    for (const std::string& problem : problems) {
      reason += "; " + problem;
    }
  }
  throw RunError("StarPU could not " + action + ": " + reason);
}

}  // namespace starhist::tasks

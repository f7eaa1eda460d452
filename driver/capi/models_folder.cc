#include "driver/capi/models_folder.hh"

#include <cstdlib>
#include <filesystem>
#include <system_error>

#include <unistd.h>

#include "codelets/core/base/error.hh"
#include "tasks/runtime/recommended_environment.hh"

namespace starhist::capi {
namespace {

/// StarPU's folder for models; "": a folder for temporary files.
std::filesystem::path models_folder() {
  if (const char* folder = std::getenv("STARPU_PERF_MODEL_DIR")) {
    return folder;
  }
  for (const char* variable : {"XDG_CACHE_HOME", "STARPU_HOME", "HOME"}) {
    if (const char* home = std::getenv(variable)) {
      return std::filesystem::path(home) / ".starpu" / "sampling";
    }
  }
  return {};
}

}  // namespace

void check_models_folder() {
  const std::filesystem::path folder = models_folder();
  std::error_code failure;
  if (folder.empty()) {
    return;
  }
  if (folder.string().size() > tasks::longest_models_path) {
    throw RunError("the folder of StarPU's performance models, " + folder.string() +
                   ", has a path too long for StarPU (set STARPU_HOME to a shorter "
                   "one, before the process starts)");
  }
  std::filesystem::create_directories(folder, failure);
  if (failure || ::access(folder.c_str(), W_OK | X_OK) != 0) {
    throw RunError(
        "StarPU has no place for its performance models: " + folder.string() +
        " cannot be written (set STARPU_HOME to a folder that can, before "
        "the process starts)");
  }
}

}  // namespace starhist::capi

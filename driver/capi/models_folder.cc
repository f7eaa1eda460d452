#include "driver/capi/models_folder.hh"

#include <cstdlib>
#include <filesystem>
#include <system_error>

#include <unistd.h>

#include "codelets/core/base/error.hh"

namespace starhist::capi {
namespace {

/// Where StarPU keeps its models; "": in a folder for temporary files.
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
  std::filesystem::create_directories(folder, failure);
  if (failure || ::access(folder.c_str(), W_OK | X_OK) != 0) {
    throw RunError(
        "StarPU has no place for its performance models: " + folder.string() +
        " cannot be written (set STARPU_HOME to a folder that can, before "
        "the process starts)");
  }
}

}  // namespace starhist::capi

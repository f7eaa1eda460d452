#include "driver/commands/starpu_defaults.hh"

#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <string>
#include <system_error>

#include <unistd.h>

#include "codelets/core/base/error.hh"
#include "tasks/runtime/recommended_environment.hh"

namespace starhist::driver {
namespace {

/// A folder that is removed when the program ends.
class TemporaryModels {
 public:
  TemporaryModels() {
    std::error_code failure;
    path_ = (std::filesystem::temp_directory_path(failure) / "starhist-models-XXXXXX")
                .string();
    if (failure || ::mkdtemp(path_.data()) == nullptr) {
      path_.clear();
    }
  }
  ~TemporaryModels() {
    std::error_code ignored;
    if (!path_.empty()) {
      std::filesystem::remove_all(path_, ignored);
    }
  }
  TemporaryModels(const TemporaryModels&) = delete;
  TemporaryModels& operator=(const TemporaryModels&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

/// StarPU's folder for performance models of this machine.
std::filesystem::path models_folder(const std::string& home) {
  return std::filesystem::path(home) / ".starpu" / "sampling";
}

/// Reason why StarPU cannot keep its models in HOME; "" if it can.
std::string problem_of(const char* home) {
  if (home == nullptr) {
    return "HOME is not set";
  }
  const std::filesystem::path folder = models_folder(home);
  if (folder.string().size() > tasks::longest_models_path) {
    return folder.string() + " is too long for StarPU";
  }
  std::error_code failure;
  std::filesystem::create_directories(folder, failure);
  return !failure && ::access(folder.c_str(), W_OK | X_OK) == 0
             ? ""
             : folder.string() + " cannot be written";
}

/// Uses a temporary folder if needed, because StarPU aborts if it cannot write its
/// models.
void keep_models_somewhere() {
  if (std::getenv("STARPU_HOME") != nullptr ||
      std::getenv("STARPU_PERF_MODEL_DIR") != nullptr) {
    return;
  }
  const std::string problem = problem_of(std::getenv("HOME"));
  if (problem.empty()) {
    return;
  }
  static const TemporaryModels models;
  if (models.path().empty() ||
      models_folder(models.path()).string().size() > tasks::longest_models_path) {
    throw RunError(problem +
                   ", and no temporary folder is writable either, so StarPU cannot "
                   "store its models (set STARPU_HOME)");
  }
  std::cerr << "starhist: " << problem << ", so StarPU's models of this machine are in "
            << models.path()
            << " until the run ends (set STARPU_HOME to use another place)\n";
  setenv("STARPU_HOME", models.path().c_str(), /*overwrite=*/1);
}

}  // namespace

void set_starpu_defaults(tasks::CpuMode mode) {
  keep_models_somewhere();
  for (const tasks::EnvironmentSetting& setting :
       tasks::recommended_environment(mode)) {
    setenv(setting.variable.c_str(), setting.value.c_str(), /*overwrite=*/0);
  }
}

}  // namespace starhist::driver

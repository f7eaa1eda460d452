#include "driver/commands/starpu_defaults.hh"

#include <cstdlib>

#include "tasks/runtime/recommended_environment.hh"

namespace starhist::driver {

void set_starpu_defaults(tasks::CpuMode mode) {
  for (const tasks::EnvironmentSetting& setting :
       tasks::recommended_environment(mode)) {
    setenv(setting.variable.c_str(), setting.value.c_str(), /*overwrite=*/0);
  }
}

}  // namespace starhist::driver

#include "tasks/runtime/gpus.hh"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <system_error>

#ifdef STARHIST_CUDA
#include "codelets/kernels/cuda/launch/devices.hh"
#endif

namespace starhist::tasks {
namespace {

/// The numbers in a variable such as STARPU_WORKERS_CUDAID="1 3"; empty if it is not
/// set.
std::vector<int> numbers_in(const char* variable) {
  std::vector<int> numbers;
  const char* text = std::getenv(variable);
  std::istringstream words(text == nullptr ? "" : text);
  for (int number = 0; words >> number;) {
    numbers.push_back(number);
  }
  return numbers;
}

/// `otherwise`: without STARPU_NCUDA; -1: all.
int most_gpus(int otherwise = -1) {
  const std::vector<int> variable = numbers_in("STARPU_NCUDA");
  const int wanted = variable.empty() || variable[0] < 0 ? otherwise : variable[0];
  return wanted < 0 ? STARPU_MAXCUDADEVS : std::min(wanted, STARPU_MAXCUDADEVS);
}

#ifdef STARHIST_CUDA
/// False also if the files have other names, as on a Jetson.
bool has_device_files() {
  std::error_code ignored;
  return std::filesystem::exists("/dev/nvidia0", ignored) ||
         std::filesystem::exists("/dev/dxg", ignored);  // of Windows' Linux subsystem
}

/// True if CUDA_VISIBLE_DEVICES begins with an invalid number, which hides all GPUs.
bool are_hidden() {
  const char* visible = std::getenv("CUDA_VISIBLE_DEVICES");
  return visible != nullptr && (*visible == '\0' || *visible == '-');
}
#endif

}  // namespace

bool expect_gpus() {
#ifdef STARHIST_CUDA
  return most_gpus() > 0 && !are_hidden() &&
         (has_device_files() || kernels::cuda::device_count() > 0);
#else
  return false;
#endif
}

GpuChoice choose_gpus(starpu_conf& conf, int most_wanted) {
  GpuChoice choice;
  const int most = most_gpus(most_wanted);
#ifdef STARHIST_CUDA
  if (most > 0) {
    const kernels::cuda::DeviceSurvey survey =
        kernels::cuda::survey_devices(numbers_in("STARPU_WORKERS_CUDAID"), most);
    if (!survey.problem.empty()) {
      choice.problems.push_back("GPUs are not used: " + survey.problem);
    }
    for (const kernels::cuda::DeviceState& device : survey.devices) {
      choice.names[device.id] = device.name;
      if (!device.problem.empty()) {
        choice.problems.push_back("GPU " + std::to_string(device.id) + " (" +
                                  device.name + ") is not used: " + device.problem);
      } else {
        conf.workers_cuda_gpuid[choice.count++] = static_cast<unsigned>(device.id);
        choice.free_bytes =
            std::min<std::uint64_t>(choice.free_bytes, device.free_bytes);
      }
    }
    conf.use_explicit_workers_cuda_gpuid = choice.problems.empty() ? 0 : 1;
  }
#endif
  conf.ncuda = std::min(choice.count, most);
  if (!choice.problems.empty()) {  // STARPU_NCUDA would let StarPU use these GPUs
    conf.precedence_over_environment_variables = 1;
  }
  return choice;
}

std::optional<perfmodels::GpuProperties> gpu_properties([[maybe_unused]] int id) {
#ifdef STARHIST_CUDA
  const kernels::cuda::DeviceUnits units = kernels::cuda::device_units(id);
  if (units.multiprocessors > 0 && units.clock_khz > 0 && units.shared_bytes > 0) {
    return perfmodels::GpuProperties{
        units.capability, units.multiprocessors, 1e3 * units.clock_khz,
        static_cast<std::uint32_t>(units.shared_bytes), units.single_to_double};
  }
#endif
  return {};
}

}  // namespace starhist::tasks

#include <algorithm>

#include "codelets/kernels/cuda/kernels.hh"
#include "codelets/kernels/cuda/launch/devices.hh"

namespace starhist::kernels::cuda {
namespace {

std::string version_text(int version) {
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

/// DeviceSurvey::problem for an error of cudaGetDeviceCount(). A driver may support an
/// older CUDA version than the runtime that this program is linked with.
std::string driver_problem(cudaError_t error) {
  int driver = 0;
  int runtime = 0;
  if (cudaDriverGetVersion(&driver) != cudaSuccess || driver == 0) {
    return "";  // no driver: no GPU that this process may use
  }
  cudaRuntimeGetVersion(&runtime);
  if (error == cudaErrorInsufficientDriver) {
    return "the NVIDIA driver supports CUDA " + version_text(driver) +
           ", this build needs " + version_text(runtime) +
           " (update the driver, or build with an older CUDA Toolkit)";
  }
  return cudaGetErrorString(error);
}

/// DeviceState::problem of a GPU.
std::string problem_of(int id) {
  cudaError_t error = cudaSetDevice(id);
  cudaFuncAttributes attributes{};
  if (error == cudaSuccess) {
    // Creates the context and loads the kernels, which fails without code for this GPU.
    error = cudaFuncGetAttributes(
        &attributes, reinterpret_cast<const void*>(count_pairs_by_definition));
  }
  if (error == cudaSuccess) {
    // If other programs have taken all memory, StarPU would wait for it.
    constexpr std::size_t trial_bytes = 1U << 25U;
    void* trial = nullptr;
    error = cudaMalloc(&trial, trial_bytes);
    cudaFree(trial);
  }
  if (error == cudaSuccess) {
    return "";
  }
  cudaGetLastError();  // clears the error, so that later calls do not report it
  if (error == cudaErrorNoKernelImageForDevice) {
    const int capability = device_units(id).capability;
    return "this build has no code for its compute capability " +
           std::to_string(capability / 10) + "." + std::to_string(capability % 10) +
           " (configure a new build folder with -DCMAKE_CUDA_ARCHITECTURES=" +
           std::to_string(capability) + ")";
  }
  return cudaGetErrorString(error);
}

}  // namespace

int device_count() {
  int count = 0;
  if (cudaGetDeviceCount(&count) != cudaSuccess) {
    cudaGetLastError();
    return 0;
  }
  return count;
}

DeviceUnits device_units(int id) {
  const auto value = [id](cudaDeviceAttr attribute) {
    int number = 0;
    return cudaDeviceGetAttribute(&number, attribute, id) == cudaSuccess ? number : 0;
  };
  const DeviceUnits units{10 * value(cudaDevAttrComputeCapabilityMajor) +
                              value(cudaDevAttrComputeCapabilityMinor),
                          value(cudaDevAttrMultiProcessorCount),
                          value(cudaDevAttrClockRate),
                          value(cudaDevAttrMaxSharedMemoryPerBlockOptin),
                          value(cudaDevAttrSingleToDoublePrecisionPerfRatio)};
  cudaGetLastError();
  return units;
}

DeviceSurvey survey_devices(const std::vector<int>& ids, int most) {
  DeviceSurvey survey;
  int count = 0;
  const cudaError_t error = cudaGetDeviceCount(&count);
  if (error != cudaSuccess) {
    cudaGetLastError();
    if (error != cudaErrorNoDevice) {
      survey.problem = driver_problem(error);
    }
    return survey;
  }
  int usable = 0;
  for (int id = 0; id < count && usable < most; ++id) {
    if (!ids.empty() && std::find(ids.begin(), ids.end(), id) == ids.end()) {
      continue;
    }
    DeviceState device;
    device.id = id;
    cudaDeviceProp properties{};
    if (cudaGetDeviceProperties(&properties, id) == cudaSuccess) {
      device.name = properties.name;
    }
    device.problem = problem_of(id);
    if (device.problem.empty()) {
      std::size_t total = 0;
      cudaMemGetInfo(&device.free_bytes, &total);
      ++usable;
    }
    survey.devices.push_back(device);
  }
  cudaGetLastError();
  return survey;
}

}  // namespace starhist::kernels::cuda

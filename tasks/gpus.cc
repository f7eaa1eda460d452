#include "tasks/gpus.hh"

#include <cstdlib>

#ifdef STARHIST_CUDA
#include "codelets/kernels/cuda/devices.hh"
#endif

namespace starhist {

GpuChoice choose_gpus(starpu_conf& conf) {
  GpuChoice choice;
  const char* wanted = std::getenv("STARPU_NCUDA");
  const bool none_wanted = wanted != nullptr && std::atoi(wanted) == 0;
#ifdef STARHIST_CUDA
  if (!none_wanted) {
    const cuda::DeviceSurvey survey = cuda::survey_devices();
    if (!survey.problem.empty()) {
      choice.problems.push_back("GPUs are not used: " + survey.problem);
    }
    for (const cuda::DeviceState& device : survey.devices) {
      choice.names.push_back(device.name);
      if (!device.problem.empty()) {
        choice.problems.push_back("GPU " + std::to_string(device.id) + " (" +
                                  device.name + ") is not used: " + device.problem);
      } else if (choice.count < STARPU_MAXCUDADEVS) {
        conf.workers_cuda_gpuid[choice.count++] = static_cast<unsigned>(device.id);
      }
    }
    const bool all = choice.count == static_cast<int>(survey.devices.size());
    conf.use_explicit_workers_cuda_gpuid = all ? 0 : 1;
  }
#endif
  if (choice.count == 0 || none_wanted) {
    conf.ncuda = 0;
  } else {
    conf.ncuda = choice.count;
  }
  return choice;
}

}  // namespace starhist

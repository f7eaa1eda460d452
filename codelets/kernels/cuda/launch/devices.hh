#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace starhist::kernels::cuda {

/// A GPU as this process sees it.
struct DeviceState {
  int id = 0;                  ///< CUDA's number
  std::string name;            ///< "NVIDIA H100 80GB HBM3"
  std::string problem;         ///< why it cannot be used; empty if it can
  std::size_t free_bytes = 0;  ///< free memory; 0 if it cannot be used
};

/// Result of survey_devices().
struct DeviceSurvey {
  std::vector<DeviceState> devices;
  /// Reason why a machine that seems to have GPUs has no usable one, such as a driver
  /// older than the toolkit; empty if the machine has no GPU.
  std::string problem;
};

/// Number of GPUs that CUDA reports, usable or not; 0 also after an error of CUDA.
int device_count();

/// Surveys the GPUs with these numbers (empty: all) in ascending order, until `most`
/// usable ones are found. A GPU is usable if a context can be created and it can run
/// the kernels of this build. Takes some tenths of a second per GPU, which its first
/// use would otherwise take; other GPUs are not touched.
DeviceSurvey survey_devices(const std::vector<int>& ids, int most);

/// Units of a GPU, as CUDA reports them; 0: unknown.
struct DeviceUnits {
  int capability = 0;  ///< compute capability: 10 major + minor
  int multiprocessors = 0;
  int clock_khz = 0;         ///< highest clock rate [kHz]
  int shared_bytes = 0;      ///< most shared memory of a thread block
  int single_to_double = 0;  ///< ratio of the speeds in single and double precision
};

/// Reads the units of the GPU with this number, without creating a context on it.
DeviceUnits device_units(int id);

}  // namespace starhist::kernels::cuda

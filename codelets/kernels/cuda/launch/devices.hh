#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace starhist::kernels::cuda {

/// A GPU as this process sees it.
struct DeviceState {
  int id = 0;           ///< CUDA's number
  std::string name;     ///< "NVIDIA H100 80GB HBM3"
  std::string problem;  ///< why it cannot be used; empty if it can
  std::size_t free_bytes = 0;
};

/// What was found on looking for GPUs.
struct DeviceSurvey {
  std::vector<DeviceState> devices;
  /// Why there are none although this machine seems to have some, such as a driver that
  /// is older than the toolkit; empty if there simply is no GPU.
  std::string problem;
};

/// GPUs that CUDA sees, usable or not; 0 also where it cannot tell.
int device_count();

/// Looks at the GPUs of these numbers (empty: all) until `most` are found that can be
/// used: can a context be made, do our kernels run there? Takes some tenths of a second
/// per GPU, which the first use would take otherwise; the others are left alone.
DeviceSurvey survey_devices(const std::vector<int>& ids, int most);

}  // namespace starhist::kernels::cuda

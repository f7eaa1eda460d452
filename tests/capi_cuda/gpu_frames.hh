#pragma once

#include "codelets/kernels/cuda/launch/device_array.hh"
#include "tests/capi/c_library.hh"
#include "tests/capi/particle_arrays.hh"
#include "tests/support/catch.hh"

namespace starhist::testing {

inline void check_cuda(cudaError_t error) {
  kernels::cuda::check(error, "run a test");
}

/// Returns true, and notifies CTest, if a test needs a GPU and there is none.
inline bool skipped() {
  int count = 0;
  if (cudaGetDeviceCount(&count) != cudaSuccess || count == 0) {
    WARN("SKIPPED: no GPU");
    return true;
  }
  return false;
}

/// Two workers on cores, and all GPUs.
constexpr int all_gpus = -1;

/// The arrays in the memory of the current GPU.
template <class Real>
struct ArraysOnGpu {
  explicit ArraysOnGpu(const ParticleArrays<Real>& from)
      : arrays(from), memory(from.memory.data(), from.memory.size()) {}

  const Real* positions() const {
    return reinterpret_cast<const Real*>(memory.get() + arrays.offset);
  }

  const ParticleArrays<Real>& arrays;
  kernels::cuda::DeviceArray<char> memory;
};

inline starhist_status add(const TestHistogram& histogram,
                           const ArraysOnGpu<double>& on_gpu, const double* box,
                           cudaStream_t stream = nullptr) {
  return starhist_add_gpu_frame(histogram.get(), on_gpu.arrays.particles,
                                on_gpu.positions(), on_gpu.arrays.particle_stride,
                                on_gpu.arrays.component_stride, stream, box);
}

inline starhist_status add(const TestHistogram& histogram,
                           const ArraysOnGpu<float>& on_gpu, const double* box,
                           cudaStream_t stream = nullptr) {
  return starhist_add_gpu_frame_float(histogram.get(), on_gpu.arrays.particles,
                                      on_gpu.positions(), on_gpu.arrays.particle_stride,
                                      on_gpu.arrays.component_stride, stream, box);
}

inline starhist_status add(const TestHistogram& histogram,
                           const ParticleArrays<double>& arrays, const double* box) {
  return starhist_add_frame(histogram.get(), arrays.particles, arrays.positions(),
                            arrays.particle_stride, arrays.component_stride, box);
}

inline starhist_status add(const TestHistogram& histogram,
                           const ParticleArrays<float>& arrays, const double* box) {
  return starhist_add_frame_float(histogram.get(), arrays.particles, arrays.positions(),
                                  arrays.particle_stride, arrays.component_stride, box);
}

/// "" if all blocks and pairs of the histograms have equal counts.
inline std::string difference(const TestHistogram& a, const TestHistogram& b) {
  std::size_t pairs = 0;
  must(starhist_get_numbers(a.get(), nullptr, nullptr, nullptr, &pairs, nullptr));
  if (a.block_count() != b.block_count()) {
    return "other numbers of blocks";
  }
  for (std::uint64_t block = 0; block < a.block_count(); ++block) {
    for (std::size_t p = 0; p < pairs; ++p) {
      if (a.counts(block, p) != b.counts(block, p)) {
        return "block " + std::to_string(block) + ", pair " + std::to_string(p);
      }
    }
  }
  return "";
}

}  // namespace starhist::testing

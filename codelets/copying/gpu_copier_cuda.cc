#include <algorithm>
#include <new>
#include <string>
#include <utility>

#include <starpu.h>

#include "codelets/copying/current_gpu.hh"
#include "codelets/copying/gpu_copier.hh"
#include "codelets/core/base/error.hh"
#include "codelets/kernels/cuda/launch/device_array.hh"
#include "codelets/kernels/cuda/launch/gather_positions.hh"

namespace starhist::codelets {
namespace {

using kernels::cuda::check;
using kernels::cuda::GatheredSummary;

/// Makes a GPU the thread's current one during its lifetime.
class CurrentGpu {
 public:
  explicit CurrentGpu(int gpu) { check(cudaSetDevice(gpu), "use the GPU"); }

 private:
  CurrentGpuGuard guard_;
};

/// Growing device memory that StarPU does not manage.
class GrowingMemory {
 public:
  GrowingMemory() = default;
  ~GrowingMemory() { cudaFree(memory_); }
  GrowingMemory(const GrowingMemory&) = delete;
  GrowingMemory& operator=(const GrowingMemory&) = delete;

  /// Returns at least `bytes` bytes; their content is lost when the memory grows.
  void* of_size(std::size_t bytes) {
    if (bytes > bytes_) {
      cudaFree(std::exchange(memory_, nullptr));
      bytes_ = 0;
      if (cudaMalloc(&memory_, bytes) != cudaSuccess) {
        cudaGetLastError();  // clears the error, so that later calls do not report it
        throw std::bad_alloc();
      }
      bytes_ = bytes;
    }
    return memory_;
  }

 private:
  void* memory_ = nullptr;
  std::size_t bytes_ = 0;
};

std::ptrdiff_t size_of_number(const GpuArray& array) {
  return array.single ? sizeof(float) : sizeof(double);
}

kernels::cuda::StridedPositions strided(const GpuArray& array) {
  kernels::cuda::StridedPositions positions{static_cast<const char*>(array.data),
                                            array.single, array.particle_stride,
                                            array.component_stride};
  if (positions.particle_stride == 0 && positions.component_stride == 0) {
    positions.component_stride = size_of_number(array);
    positions.particle_stride = 3 * size_of_number(array);
  }
  return positions;
}

/// The GPU that holds the byte at `address`.
int gpu_of(const char* address) {
  cudaPointerAttributes attributes{};
  const cudaError_t error = cudaPointerGetAttributes(&attributes, address);
  if (error != cudaSuccess) {
    cudaGetLastError();
  }
  if (error != cudaSuccess || (attributes.type != cudaMemoryTypeDevice &&
                               attributes.type != cudaMemoryTypeManaged)) {
    throw InputError(
        "positions are not in GPU memory (give memory from cudaMalloc, or use the "
        "function for main memory)");
  }
  return attributes.device;
}

/// Sum of the counts.
std::size_t sum_of(std::span<const std::uint64_t> counts) {
  std::size_t sum = 0;
  for (const std::uint64_t count : counts) {
    sum += count;
  }
  return sum;
}

class CudaCopier : public GpuCopier {
 public:
  explicit CudaCopier(int gpu)
      : gpu_(gpu),
        node_(starpu_worker_get_memory_node(static_cast<unsigned>(
            starpu_worker_get_by_devid(STARPU_CUDA_WORKER, gpu)))) {
    const CurrentGpu current(gpu_);
    int least = 0;
    int greatest = 0;
    check(cudaDeviceGetStreamPriorityRange(&least, &greatest), "look at priorities");
    // High priority, so that copies need not wait for a multiprocessor behind queued
    // blocks of counting tasks.
    check(cudaStreamCreateWithPriority(&stream_, cudaStreamNonBlocking, greatest),
          "make a stream");
    check(cudaEventCreateWithFlags(&made_, cudaEventDisableTiming), "make an event");
  }
  ~CudaCopier() override {
    if (made_ != nullptr) {
      cudaEventDestroy(made_);
    }
    if (stream_ != nullptr) {
      cudaStreamDestroy(stream_);
    }
  }
  CudaCopier(const CudaCopier&) = delete;
  CudaCopier& operator=(const CudaCopier&) = delete;

  unsigned node() const override { return node_; }

  std::shared_ptr<double> allocate(std::size_t numbers) override {
    const CurrentGpu current(gpu_);
    const std::size_t bytes = numbers * sizeof(double);
    const std::uintptr_t address = starpu_malloc_on_node(node_, bytes);
    if (address == 0) {
      throw std::bad_alloc();
    }
    return {reinterpret_cast<double*>(address),
            [gpu = gpu_, node = node_, bytes](double* memory) {
              const CurrentGpu owner(gpu);
              starpu_free_on_node(node, reinterpret_cast<std::uintptr_t>(memory),
                                  bytes);
            }};
  }

  void set_order(std::span<const std::uint32_t> particles) override {
    ordered_ = particles.size();
    if (ordered_ == 0) {
      return;
    }
    const CurrentGpu current(gpu_);
    check(cudaMemcpyAsync(order_.of_size(particles.size_bytes()), particles.data(),
                          particles.size_bytes(), cudaMemcpyHostToDevice, stream_),
          "copy labels to the GPU");
    wait();
  }

  bool gather(const GpuArray& array, std::span<const std::uint64_t> counts,
              GpuPositions& to) override {
    const CurrentGpu current(gpu_);
    wait_for_positions(static_cast<cudaStream_t>(array.stream));
    const std::size_t particles = sum_of(counts);
    to.gpu = gpu_;
    to.xyz = particles == 0 ? nullptr : allocate(3 * particles);
    to.counts.assign(counts.begin(), counts.end());
    std::vector<GatheredSummary> found(counts.size());
    const std::size_t bytes = counts.size() * sizeof(GatheredSummary);
    auto* const summaries = static_cast<GatheredSummary*>(summaries_.of_size(bytes));
    constexpr int all_bits = 0xff;
    check(cudaMemsetAsync(summaries, all_bits, bytes, stream_), "clear memory");
    const auto* order =
        ordered_ == 0 ? nullptr : static_cast<const std::uint32_t*>(order_.of_size(0));
    std::size_t first = 0;
    for (std::size_t s = 0; s < counts.size(); ++s) {
      check(kernels::cuda::gather_positions(
                strided(array), order == nullptr ? nullptr : order + first, first,
                counts[s], to.xyz.get() + 3 * first, summaries + s, stream_),
            "copy positions");
      first += counts[s];
    }
    check(cudaMemcpyAsync(found.data(), summaries, bytes, cudaMemcpyDeviceToHost,
                          stream_),
          "look at positions");
    wait();
    bool finite = true;
    to.extents.assign(counts.size(), {});
    for (std::size_t s = 0; s < counts.size(); ++s) {
      finite = finite && found[s].finite != 0;
      if (found[s].any()) {
        to.extents[s] = {found[s].least(), found[s].most()};
      }
    }
    return finite;
  }

  void copy(const double* from, double* to, std::size_t numbers) override {
    check(cudaMemcpyAsync(to, from, numbers * sizeof(double), cudaMemcpyDeviceToDevice,
                          stream_),
          "copy positions");
  }

  void wait() override { check(cudaStreamSynchronize(stream_), "copy positions"); }

  std::vector<double> fetch(const double* from, std::size_t numbers) override {
    std::vector<double> fetched(numbers);
    check(cudaMemcpyAsync(fetched.data(), from, numbers * sizeof(double),
                          cudaMemcpyDeviceToHost, stream_),
          "look at positions");
    wait();
    return fetched;
  }

 private:
  /// Makes this object's stream wait for the work queued on `stream`.
  void wait_for_positions(cudaStream_t stream) {
    cudaStreamCaptureStatus capturing = cudaStreamCaptureStatusNone;
    cudaError_t error = cudaStreamIsCapturing(stream, &capturing);
    if (error == cudaSuccess && capturing == cudaStreamCaptureStatusNone) {
      error = cudaEventRecord(made_, stream);
    }
    if (capturing != cudaStreamCaptureStatusNone ||
        error == cudaErrorStreamCaptureImplicit) {
      cudaGetLastError();
      throw InputError(
          "the stream of the positions is being captured into a graph, which cannot "
          "count (end the capture before)");
    }
    if (error == cudaErrorInvalidResourceHandle || error == cudaErrorInvalidValue) {
      cudaGetLastError();
      throw InputError("the stream of the positions does not belong to GPU " +
                       std::to_string(gpu_) + ", which holds them");
    }
    check(error, "wait for positions");
    check(cudaStreamWaitEvent(stream_, made_, 0), "wait for positions");
  }

  int gpu_;
  unsigned node_;
  cudaStream_t stream_ = nullptr;
  cudaEvent_t made_ = nullptr;
  GrowingMemory order_;
  std::size_t ordered_ = 0;
  GrowingMemory summaries_;
};

}  // namespace

std::optional<int> gpu_with(const GpuArray& array) {
  const kernels::cuda::StridedPositions positions = strided(array);
  const std::ptrdiff_t number = size_of_number(array);
  if (reinterpret_cast<std::uintptr_t>(array.data) % static_cast<std::size_t>(number) !=
          0 ||
      positions.particle_stride % number != 0 ||
      positions.component_stride % number != 0) {
    throw InputError(
        "positions on a GPU are not aligned (address and strides must be "
        "multiples of " +
        std::to_string(number) + " bytes)");
  }
  // Check only the corners of the memory to be read; the caller is responsible for the
  // memory between them.
  const std::ptrdiff_t along_particles =
      static_cast<std::ptrdiff_t>(array.particles - 1) * positions.particle_stride;
  const std::ptrdiff_t along_components = 2 * positions.component_stride;
  const char* const low = positions.data +
                          std::min<std::ptrdiff_t>(along_particles, 0) +
                          std::min<std::ptrdiff_t>(along_components, 0);
  const char* const high = positions.data +
                           std::max<std::ptrdiff_t>(along_particles, 0) +
                           std::max<std::ptrdiff_t>(along_components, 0) + number - 1;
  const int gpu = gpu_of(low);
  if (gpu_of(high) != gpu) {
    throw InputError("positions reach into the memory of another GPU");
  }
  return gpu;
}

std::unique_ptr<GpuCopier> make_gpu_copier(int gpu) {
  return std::make_unique<CudaCopier>(gpu);
}

}  // namespace starhist::codelets

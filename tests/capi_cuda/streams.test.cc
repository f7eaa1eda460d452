// Positions are read after their stream's work has produced them, and before the call
// returns.
#include <limits>

#include "tests/capi_cuda/gpu_frames.hh"
#include "tests/capi_cuda/producer.hh"
#include "tests/support/boxes.hh"
#include "tests/support/error_text.hh"
#include "tests/support/random.hh"

namespace starhist::testing {
namespace {

constexpr std::size_t particles = 2000;
constexpr double box[3] = {1.0, 1.0, 1.0};
constexpr int late = 200;  // ms

/// Frames whose array has NaN before a kernel on `stream` writes positions, and NaN
/// again as soon as the call returns.
void check_stream(const TestContext& context, cudaStream_t stream) {
  const TestHistogram on_gpu(context, 0.5, 100, STARHIST_BOX_LENGTHS);
  const TestHistogram on_host(context, 0.5, 100, STARHIST_BOX_LENGTHS);
  const std::vector<double> nothing(3 * particles,
                                    std::numeric_limits<double>::quiet_NaN());
  const kernels::cuda::DeviceArray<double> array(nothing.data(), nothing.size());
  const std::size_t bytes = nothing.size() * sizeof(double);
  Random random(1);
  for (int k = 0; k < 3; ++k) {
    const std::vector<double> xyz = random_positions(random, cubic_box(1.0), particles);
    const kernels::cuda::DeviceArray<double> later(xyz.data(), xyz.size());
    check_cuda(copy_late(later.get(), array.get(), bytes, late, stream));
    must(starhist_add_gpu_frame(on_gpu.get(), particles, array.get(), 0, 0, stream,
                                box));
    check_cuda(cudaMemset(array.get(), 0xff, bytes));  // NaN
    must(starhist_add_frame(on_host.get(), particles, xyz.data(), 0, 0, box));
  }
  CHECK(difference(on_gpu, on_host) == "");
}

/// A stream that does not wait for the default stream.
struct Stream {
  Stream() { check_cuda(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking)); }
  ~Stream() { cudaStreamDestroy(stream); }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  cudaStream_t stream = nullptr;
};

TEST_CASE(
    "GPU arrays are read after the work of their stream, and before the call returns") {
  if (skipped()) {
    return;
  }
  const TestContext context(0, 2, all_gpus);
  const Stream own;
  for (const cudaStream_t stream :
       {own.stream, cudaStream_t(nullptr), cudaStreamLegacy, cudaStreamPerThread}) {
    check_stream(context, stream);
  }
}

TEST_CASE("GPU arrays do not wait for other streams") {
  if (skipped()) {
    return;
  }
  const TestContext context(0, 2, all_gpus);
  const TestHistogram histogram(context, 0.5, 100, STARHIST_BOX_LENGTHS);
  Random random(2);
  const std::vector<double> xyz = random_positions(random, cubic_box(1.0), particles);
  const kernels::cuda::DeviceArray<double> array(xyz.data(), xyz.size());
  const kernels::cuda::DeviceArray<double> other(xyz.data(), xyz.size());
  const Stream busy;
  const Stream own;
  // The first call creates streams and memory, which waits for the GPU.
  must(starhist_add_gpu_frame(histogram.get(), particles, array.get(), 0, 0, own.stream,
                              box));
  check_cuda(copy_late(array.get(), other.get(), xyz.size() * sizeof(double), 10 * late,
                       busy.stream));
  must(starhist_add_gpu_frame(histogram.get(), particles, array.get(), 0, 0, own.stream,
                              box));
  CHECK(cudaStreamQuery(busy.stream) == cudaErrorNotReady);
  check_cuda(cudaStreamSynchronize(busy.stream));
}

TEST_CASE("GPU arrays of a stream that is being captured are refused") {
  if (skipped()) {
    return;
  }
  const TestContext context(0, 2, all_gpus);
  const TestHistogram histogram(context, 0.5, 100, STARHIST_BOX_LENGTHS);
  Random random(3);
  const std::vector<double> xyz = random_positions(random, cubic_box(1.0), particles);
  const kernels::cuda::DeviceArray<double> array(xyz.data(), xyz.size());
  const Stream own;
  check_cuda(cudaStreamBeginCapture(own.stream, cudaStreamCaptureModeRelaxed));
  const std::string text = outcome(starhist_add_gpu_frame(
      histogram.get(), particles, array.get(), 0, 0, own.stream, box));
  cudaGraph_t graph = nullptr;
  check_cuda(cudaStreamEndCapture(own.stream, &graph));
  check_cuda(cudaGraphDestroy(graph));
  CHECK(missing(text, {"STARHIST_BAD_ARGUMENT", "captured"}) == "");
  must(starhist_add_gpu_frame(histogram.get(), particles, array.get(), 0, 0, own.stream,
                              box));
  CHECK(histogram.block_count() == 1);
}

}  // namespace
}  // namespace starhist::testing

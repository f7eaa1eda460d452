// Uncountable input in GPU memory returns a status and a message, and leaves the
// histogram unchanged.
#include <cmath>
#include <limits>

#include "tests/capi_cuda/gpu_frames.hh"
#include "tests/support/boxes.hh"
#include "tests/support/error_text.hh"
#include "tests/support/random.hh"

namespace starhist::testing {
namespace {

constexpr std::size_t particles = 500;
constexpr double box[3] = {1.0, 1.0, 1.0};

std::vector<double> some_positions() {
  Random random(1);
  return random_positions(random, cubic_box(1.0), particles);
}

std::string added(const TestHistogram& histogram, const double* positions,
                  std::ptrdiff_t particle_stride = 0,
                  std::ptrdiff_t component_stride = 0) {
  return outcome(starhist_add_gpu_frame(histogram.get(), particles, positions,
                                        particle_stride, component_stride, nullptr,
                                        box));
}

TEST_CASE("GPU arrays with an invalid position are refused, with its particle") {
  if (skipped()) {
    return;
  }
  const TestContext context(0, 2, all_gpus);
  const TestHistogram histogram(context, 0.5, 100, STARHIST_BOX_LENGTHS);
  histogram.set_species({"A", "B"});
  std::vector<std::int32_t> labels(particles);
  for (std::size_t i = 0; i < particles; ++i) {
    labels[i] = i % 3 == 0 ? 1 : i % 7 == 0 ? -1 : 0;
  }
  must(starhist_set_labels(histogram.get(), particles, labels.data()));
  const double infinity = std::numeric_limits<double>::infinity();
  for (const double bad : {std::nan(""), infinity, -infinity, 1e30, -1e30}) {
    for (const std::size_t particle :
         {std::size_t{0}, std::size_t{123}, particles - 1}) {
      std::vector<double> xyz = some_positions();
      xyz[3 * particle + 1] = bad;
      const kernels::cuda::DeviceArray<double> array(xyz.data(), xyz.size());
      const std::string on_host = outcome(
          starhist_add_frame(histogram.get(), particles, xyz.data(), 0, 0, box));
      const std::string named = "particle " + std::to_string(particle) + " ";
      CHECK(missing(on_host, {"STARHIST_BAD_POSITION", named.c_str()}) == "");
      CHECK(added(histogram, array.get()) == on_host);
    }
  }
  std::vector<double> xyz = some_positions();
  xyz[3 * 7] = std::nan("");  // does not count
  const kernels::cuda::DeviceArray<double> array(xyz.data(), xyz.size());
  CHECK(added(histogram, array.get()) == "STARHIST_OK");
  CHECK(histogram.counts(STARHIST_ALL_BLOCKS, 0).pairs > 0);
  CHECK(histogram.block_count() == 1);
}

TEST_CASE("GPU arrays that are not on a GPU, or not aligned, are refused") {
  if (skipped()) {
    return;
  }
  const TestContext context(0, 2, all_gpus);
  const TestHistogram histogram(context, 0.5, 100, STARHIST_BOX_LENGTHS);
  const std::vector<double> xyz = some_positions();
  const kernels::cuda::DeviceArray<double> array(xyz.data(), xyz.size());
  const auto refused = [](const std::string& text, const char* why) {
    CHECK(missing(text, {"STARHIST_BAD_ARGUMENT", why}) == "");
  };
  refused(added(histogram, xyz.data()), "not in GPU memory");
  refused(added(histogram, array.get(), 25, 8), "aligned");
  refused(added(histogram, array.get(), 24, 12), "aligned");
  const char* const odd = reinterpret_cast<const char*>(array.get()) + 4;
  refused(added(histogram, reinterpret_cast<const double*>(odd)), "aligned");
  double* pinned = nullptr;
  check_cuda(cudaMallocHost(&pinned, xyz.size() * sizeof(double)));
  refused(added(histogram, pinned), "not in GPU memory");
  check_cuda(cudaFreeHost(pinned));
  CHECK(added(histogram, nullptr).starts_with("STARHIST_NULL_POINTER: "));
  CHECK(outcome(starhist_add_gpu_frame(histogram.get(), 0, nullptr, 0, 0, nullptr,
                                       box)) == "STARHIST_OK");
  const std::uint64_t other = particles + 1;
  must(starhist_set_species_counts(histogram.get(), 1, &other));
  CHECK(added(histogram, array.get()).starts_with("STARHIST_BAD_COUNT: "));
  must(starhist_set_species_counts(histogram.get(), 1, &particles));
  CHECK(added(histogram, array.get()) == "STARHIST_OK");
  CHECK(histogram.counts(STARHIST_ALL_BLOCKS, 0).pairs ==
        particles * (particles - 1) / 2);
}

TEST_CASE("GPU arrays in managed memory are counted") {
  if (skipped()) {
    return;
  }
  const TestContext context(0, 2, all_gpus);
  const TestHistogram on_gpu(context, 0.5, 100, STARHIST_BOX_LENGTHS);
  const TestHistogram on_host(context, 0.5, 100, STARHIST_BOX_LENGTHS);
  const std::vector<double> xyz = some_positions();
  double* managed = nullptr;
  check_cuda(cudaMallocManaged(&managed, xyz.size() * sizeof(double)));
  std::copy(xyz.begin(), xyz.end(), managed);
  CHECK(added(on_gpu, managed) == "STARHIST_OK");
  must(starhist_add_frame(on_host.get(), particles, xyz.data(), 0, 0, box));
  CHECK(difference(on_gpu, on_host) == "");
  check_cuda(cudaFree(managed));
}

TEST_CASE("GPU arrays are refused by a context without GPUs") {
  if (skipped()) {
    return;
  }
  check_cuda(cudaSetDevice(0));
  const TestContext context;
  const TestHistogram histogram(context, 0.5, 100, STARHIST_BOX_LENGTHS);
  const std::vector<double> xyz = some_positions();
  const kernels::cuda::DeviceArray<double> array(xyz.data(), xyz.size());
  CHECK(missing(added(histogram, array.get()), {"STARHIST_NO_GPU", "GPU 0"}) == "");
  must(starhist_add_frame(histogram.get(), particles, xyz.data(), 0, 0, box));
  CHECK(histogram.block_count() == 1);
}

TEST_CASE("GPU arrays: a context keeps the thread's current GPU") {
  if (skipped()) {
    return;
  }
  int gpus = 0;
  check_cuda(cudaGetDeviceCount(&gpus));
  for (int gpu = gpus; gpu-- > 0;) {
    check_cuda(cudaSetDevice(gpu));
    const TestContext context(0, 1, all_gpus);
    int now = -1;
    check_cuda(cudaGetDevice(&now));
    CHECK(now == gpu);
  }
}

}  // namespace
}  // namespace starhist::testing

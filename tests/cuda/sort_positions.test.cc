// Sorting on a GPU gives the order of CPUs, position by position.
#include "codelets/kernels/cuda/clusters/sort_positions.hh"

#include "codelets/kernels/clusters/spatial_order.hh"
#include "tests/cuda/gpu_only.hh"
#include "tests/kernels/kernel_cases.hh"

namespace starhist::testing {
namespace {

using Positions = std::vector<double>;

struct Frames {
  Positions positions;
  Positions sorted;  ///< from copy_in_spatial_order on CPUs
  std::vector<kernels::cuda::SortBlock> blocks;
};

Frames frames_of(Random& random, const Box& box, bool unwrapped) {
  Frames frames;
  for (const std::size_t count : {1, 0, 33, 5000, 2}) {
    PairProblem problem = random_problem(random, box, 1.0, 10, count, true);
    if (unwrapped) {
      unwrap(random, box, 100, problem.first);
    }
    const kernels::PositionSpan span{problem.first.data(), count};
    kernels::Bounds bounds;
    bounds.add(span, 0, count);
    const MinimumImage& image = box.minimum_image();
    constexpr auto axes = kernels::ClusterAxes::cartesian;
    frames.blocks.push_back(
        {kernels::make_spatial_grid(
             image, bounds, count,
             kernels::density_contrast_of(span, image, bounds, axes), axes),
         frames.positions.size() / 3, count});
    Positions sorted(3 * count);
    kernels::copy_in_spatial_order(span, image, axes, sorted.data());
    frames.positions.insert(frames.positions.end(), problem.first.begin(),
                            problem.first.end());
    frames.sorted.insert(frames.sorted.end(), sorted.begin(), sorted.end());
  }
  return frames;
}

Positions sorted_by_gpu(const Frames& frames, std::size_t scratch_bytes) {
  const DeviceArray<double> positions(frames.positions.data(), frames.positions.size());
  const Positions zeros(frames.positions.size());
  const DeviceArray<double> sorted(zeros.data(), zeros.size());
  const std::vector<char> nothing(scratch_bytes);
  const DeviceArray<char> scratch(nothing.data(), scratch_bytes);
  check_cuda(
      kernels::cuda::copy_in_spatial_order(frames.blocks, positions.get(), sorted.get(),
                                           {scratch.get(), scratch_bytes}, nullptr));
  Positions out(zeros.size());
  sorted.copy_to(out.data());
  return out;
}

TEST_CASE("GPU: particles are sorted into the order of CPUs") {
  if (skipped()) {
    return;
  }
  Random random(48);
  for (const KernelCase& c : kernel_cases()) {
    for (const bool unwrapped : {false, true}) {
      INFO(c.name << (unwrapped ? ", unwrapped" : ""));
      const Frames frames = frames_of(random, c.box, unwrapped);
      const std::size_t bytes =
          kernels::cuda::sort_scratch_bytes(frames.positions.size() / 3);
      CHECK(sorted_by_gpu(frames, bytes) == frames.sorted);
    }
  }
}

TEST_CASE("GPU: without memory for sorting, particles keep their order") {
  if (skipped()) {
    return;
  }
  Random random(49);
  const Frames frames = frames_of(random, cubic_box(1.0), false);
  for (const std::size_t bytes : {0, 1000, 60'000}) {
    CHECK(sorted_by_gpu(frames, bytes) == frames.positions);
  }
}

}  // namespace
}  // namespace starhist::testing

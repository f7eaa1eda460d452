// Speed of only the CUDA kernels: 10^9 pairs/s, like the tables of CADISHI.
//
//     cuda_kernels PARTICLES [BINS,... [VARIANT [ORDER [PART [FRAMES [KIND]]]]]]
//
// Counts two species of PARTICLES random particles. VARIANT: all, tensor or
// fixed-point; ORDER: any, or tiled for spatial order, which lets the tensor cores
// count periodic boxes; PART: of the r_max of periodic boxes (1); FRAMES: equal frames
// in a launch, in any order (1); KIND: like pairs of one species, or unlike. All pairs
// count, including those out of range.
#include <algorithm>
#include <cstdio>
#include <sstream>

#include "codelets/kernels/cuda/cluster_records.hh"
#include "tests/cuda/device_kernel.hh"
#include "tests/kernels/kernel_cases.hh"

namespace starhist::testing {
namespace {

/// Compares the counts of the first `rows` rows with the definition.
bool equal_on_a_part(const PairProblem& problem, kernels::PairBlock block,
                     const kernels::Bounds& bounds, kernels::cuda::Variant variant,
                     const kernels::cuda::Scratch& scratch) {
  block.row_end = std::min<std::size_t>(block.row_end, 5000);
  const std::vector<std::uint64_t> zeros(problem.bins.count + 1ULL);
  const DeviceArray<std::uint64_t> fast(zeros.data(), zeros.size());
  const DeviceArray<std::uint64_t> exact(zeros.data(), zeros.size());
  check_cuda(kernels::cuda::count_pairs({&block, 1}, {&bounds, 1}, variant, fast.get(),
                                        scratch, nullptr)
                 .error);
  check_cuda(kernels::cuda::count_pairs({&block, 1}, {&bounds, 1},
                                        kernels::cuda::Variant::definition, exact.get(),
                                        scratch, nullptr)
                 .error);
  Counts a(zeros.size());
  Counts b(zeros.size());
  fast.copy_to(a.data());
  exact.copy_to(b.data());
  return a == b;
}

void bench(const std::string& name, const Box& box, double r_max, std::uint32_t bins,
           std::size_t particles, kernels::cuda::Variant variant,
           const char* variant_name, bool clustered, std::size_t frames, bool like) {
  Random random(7);
  PairProblem problem = random_problem(random, box, r_max, bins, particles, like);
  if (clustered) {
    problem.cluster(kernels::ClusterAxes::cartesian);
  }
  kernels::PairBlock block = problem.block();
  kernels::Bounds bounds;
  bounds.add(block.first, 0, particles);
  bounds.add(block.second, 0, particles);
  const DeviceArray<double> first(block.first.xyz, 3 * particles);
  const DeviceArray<double> second(block.second.xyz, 3 * particles);
  block.first.xyz = first.get();
  block.second.xyz = like ? first.get() : second.get();
  const std::vector<kernels::PairBlock> blocks(frames, block);
  const std::vector<kernels::Bounds> all_bounds(frames, bounds);
  const std::vector<char> nothing(
      kernels::cuda::scratch_bytes(1, particles, particles));
  const DeviceArray<char> memory(nothing.data(), nothing.size());
  const kernels::cuda::Scratch scratch{memory.get(), nothing.size()};
  const bool equal = equal_on_a_part(problem, block, bounds, variant, scratch);
  const std::vector<std::uint64_t> zeros(bins + 1ULL);
  const DeviceArray<std::uint64_t> counts(zeros.data(), zeros.size());
  cudaEvent_t begin;
  cudaEvent_t end;
  check_cuda(cudaEventCreate(&begin));
  check_cuda(cudaEventCreate(&end));
  std::vector<float> milliseconds;
  for (int repeat = 0; repeat < 6; ++repeat) {
    check_cuda(cudaEventRecord(begin));
    check_cuda(kernels::cuda::count_pairs(blocks, all_bounds, variant, counts.get(),
                                          scratch, nullptr)
                   .error);
    check_cuda(cudaEventRecord(end));
    check_cuda(cudaEventSynchronize(end));
    float time = 0.0F;
    check_cuda(cudaEventElapsedTime(&time, begin, end));
    if (repeat > 0) {
      milliseconds.push_back(time);
    } else if (time > 1000.0F) {  // by definition: once is sufficient
      milliseconds.assign(5, time);
      break;
    }
  }
  std::sort(milliseconds.begin(), milliseconds.end());
  const auto pairs = static_cast<double>(frames * block.pair_count());
  const auto rate = [&](float time) {
    return pairs / (1e6 * static_cast<double>(time));
  };
  std::printf("%-12s %-24s %7u %8zu %9.1f %9.1f %9.1f  %s\n", variant_name,
              name.c_str(), bins, particles, rate(milliseconds[2]),
              rate(milliseconds.back()), rate(milliseconds.front()),
              equal ? "equal" : "DIFFERENT");
  std::fflush(stdout);
}

}  // namespace
}  // namespace starhist::testing

int main(int argc, char** argv) {
  using namespace starhist;
  using namespace starhist::testing;
  const std::size_t particles = argc > 1 ? std::stoul(argv[1]) : 524'288;
  std::istringstream list(argc > 2 ? argv[2] : "100,1000,10000,50000,200000");
  const std::string only = argc > 3 ? argv[3] : "all";
  const bool clustered = argc > 4 && std::string(argv[4]) == "tiled";
  const double part = argc > 5 ? std::stod(argv[5]) : 1.0;
  const std::size_t frames = argc > 6 ? std::stoul(argv[6]) : 1;
  const bool like = argc > 7 && std::string(argv[7]) == "like";
  std::printf("10^9 pairs/s, median, min and max of 5 runs; r_max %g of the usual\n",
              part);
  std::printf("%-12s %-24s %7s %8s %9s\n", "variant", "box", "bins", "N each", "rate");
  for (std::string bins; std::getline(list, bins, ',');) {
    const auto count = static_cast<std::uint32_t>(std::stoul(bins));
    const Box open;
    if (only != "fixed-point") {
      bench("open", open, 1.7321, count, particles, kernels::cuda::Variant::tensor,
            "tensor", clustered, frames, like);
    }
    if (only == "tensor" && !clustered) {
      continue;
    }
    if (!clustered) {
      bench("open", open, 1.7321, count, particles, kernels::cuda::Variant::fixed_point,
            "fixed-point", clustered, frames, like);
    }
    for (const KernelCase& c : kernel_cases()) {
      if (c.name == "cubic" || c.name == "orthorhombic" ||
          c.name.starts_with("truncated octahedron") ||
          c.name == "rhombic dodecahedron, far" || c.name == "hexagonal, far" ||
          c.name == "skewed b + 2a, far") {
        bench(c.name, c.box, part * c.r_max, count, particles,
              clustered ? kernels::cuda::Variant::tensor
                        : kernels::cuda::Variant::fixed_point,
              clustered ? "images" : "fixed-point", clustered, frames, like);
      }
    }
  }
}

#include "driver/trials/kernel_trial.hh"

#include <algorithm>
#include <chrono>
#include <numeric>

#include "codelets/core/base/error.hh"
#include "codelets/core/base/seconds_since.hh"
#include "codelets/kernels/clusters/spatial_order.hh"
#include "codelets/kernels/reference/reference_count_pairs.hh"

namespace starhist::driver {

KernelTrial::Count count_with(const kernels::cpu::Variant& variant) {
  return [&variant](std::span<const kernels::PairBlock> blocks, std::uint64_t* counts) {
    return kernels::cpu::count_pairs(variant, blocks, 1, counts).pairs;
  };
}

KernelTrial::KernelTrial(const SampleBox& sample, std::uint32_t bin_count,
                         std::uint64_t particles, bool like, bool clustered)
    : first_(random_positions(sample.box, particles, 1)),
      second_(like ? std::vector<double>()
                   : random_positions(sample.box, particles, 2)),
      box_(sample.box),
      bins_(make_bins(sample.r_max, bin_count)) {
  block_.first = {first_.data(), particles};
  block_.second = {like ? first_.data() : second_.data(), particles};
  block_.like = like;
  block_.row_end = particles;
  block_.image = &box_.minimum_image();
  block_.bins = &bins_;
  block_.clustered = clustered;
  if (clustered) {
    for (auto* positions : {&first_, &second_}) {
      const std::vector<double> before = *positions;
      kernels::copy_in_spatial_order({before.data(), before.size() / 3},
                                     box_.minimum_image(),
                                     kernels::ClusterAxes::lattice, positions->data());
    }
  }
}

bool KernelTrial::equals_reference(const Count& count, std::uint64_t rows) const {
  kernels::PairBlock part = block_;
  part.row_end = std::min<std::uint64_t>(rows, block_.row_end);
  std::vector<std::uint64_t> expected(bins_.count + 1ULL);
  std::vector<std::uint64_t> counts(bins_.count + 1ULL);
  kernels::reference::count_pairs({&part, 1}, 1, expected.data());
  count({&part, 1}, counts.data());
  return counts == expected;
}

double KernelTrial::seconds(const kernels::cpu::Variant& variant, int threads) const {
  std::vector<std::uint64_t> counts(bins_.count + 1ULL);
  const auto start = std::chrono::steady_clock::now();
  kernels::cpu::count_pairs(variant, {&block_, 1}, threads, counts.data());
  const double seconds = seconds_since(start);
  if (std::accumulate(counts.begin(), counts.end(), std::uint64_t{0}) !=
      block_.pair_count()) {
    throw InternalError("variant " + variant.name + " lost pairs");
  }
  return seconds;
}

}  // namespace starhist::driver

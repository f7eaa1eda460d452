#include "perfmodels/gpu_speeds.hh"

#include <array>

#include "tests/support/catch.hh"

namespace starhist::perfmodels {
namespace {

constexpr GpuProperties h100;
constexpr GpuProperties a100{80, 108, 1.41e9, 166'912, 2};
constexpr GpuProperties l4{89, 58, 2.04e9, 101'376, 64};
constexpr GpuProperties b200{100, 148, 1.965e9, 232'448, 2};

constexpr std::array kernels{GpuKernel::fixed_point, GpuKernel::tensor,
                             GpuKernel::clusters};
constexpr std::array geometries{Geometry::open, Geometry::orthorhombic,
                                Geometry::triclinic, Geometry::triclinic_far,
                                Geometry::triclinic_centred};

/// Gain of the fixed-point kernel for orthorhombic boxes since the H100 was measured
/// (on an H200: 1.14, and 1.22 for like pairs).
constexpr double faster = 1.12;

double rate(const GpuProperties& gpu, GpuKernel kernel, Geometry geometry,
            std::uint32_t bins = 10'000) {
  return gpu_pairs_per_second(gpu, kernel, geometry, bins);
}

TEST_CASE("GPU speeds: an H100 counts as measured") {
  // docs/benchmarks/kernels-gpu.md, 10 000 and 200 000 bins, any order
  CHECK(rate(h100, GpuKernel::tensor, Geometry::open) == Approx(2046e9).epsilon(0.02));
  CHECK(rate(h100, GpuKernel::fixed_point, Geometry::orthorhombic) ==
        Approx(faster * 1094e9).epsilon(0.04));
  CHECK(rate(h100, GpuKernel::fixed_point, Geometry::triclinic) ==
        Approx(950e9).epsilon(0.02));
  CHECK(rate(h100, GpuKernel::fixed_point, Geometry::triclinic_far) ==
        Approx(429e9).epsilon(0.1));
  CHECK(rate(h100, GpuKernel::tensor, Geometry::open, 200'000) ==
        Approx(759e9).epsilon(0.02));
  CHECK(rate(h100, GpuKernel::fixed_point, Geometry::triclinic_far, 200'000) ==
        Approx(69e9).epsilon(0.1));
}

TEST_CASE("GPU speeds: a task takes as long as the models of an H100 measured") {
  const auto seconds = [](GpuKernel kernel, Geometry geometry, double pairs,
                          std::uint32_t frames, double tasks) {
    return gpu_task_seconds(h100, kernel, geometry, 10'000, pairs, frames, tasks);
  };
  // perfmodels/sampling: like pairs, two tasks at a time in any order.
  CHECK(seconds(GpuKernel::tensor, Geometry::open, 1.1e9, 1, 2) ==
        Approx(1106e-6).epsilon(0.05));
  CHECK(seconds(GpuKernel::fixed_point, Geometry::orthorhombic, 8.6e9, 1, 2) ==
        Approx(16'274e-6 / faster).epsilon(0.05));
  CHECK(seconds(GpuKernel::fixed_point, Geometry::orthorhombic, 4.3e9, 32, 2) ==
        Approx(9177e-6 / faster).epsilon(0.1));
  CHECK(seconds(GpuKernel::clusters, Geometry::orthorhombic, 1.4e10, 1, 1) ==
        Approx(5140e-6).epsilon(0.1));
  CHECK(seconds(GpuKernel::clusters, Geometry::orthorhombic, 3.9e10, 32, 1) ==
        Approx(12'771e-6).epsilon(0.1));
  CHECK(seconds(GpuKernel::tensor, Geometry::open, 1.0, 1, 2) == 30e-6);
}

TEST_CASE("GPU speeds: proportional to multiprocessors and clock") {
  for (const GpuKernel kernel : kernels) {
    for (const Geometry geometry : geometries) {
      GpuProperties half = h100;
      half.multiprocessors /= 2;
      CHECK(rate(half, kernel, geometry) == Approx(0.5 * rate(h100, kernel, geometry)));
      half.clock *= 3.0;
      CHECK(rate(half, kernel, geometry) == Approx(1.5 * rate(h100, kernel, geometry)));
    }
  }
}

TEST_CASE("GPU speeds: more bins, or less shared memory for them, are never faster") {
  for (const GpuKernel kernel : kernels) {
    for (const Geometry geometry : geometries) {
      double last = 1e99;
      for (double bins = 1.0; bins < 4e9; bins *= 1.7) {
        const auto number = static_cast<std::uint32_t>(bins);
        const double now = rate(h100, kernel, geometry, number);
        CHECK(now > 0.0);
        CHECK(now <= 1.02 * last);  // clusters: 8 bits are as fast as 50 000 of 32
        GpuProperties small = h100;
        small.shared_bytes /= 4;
        CHECK(rate(small, kernel, geometry, number) <= 1.02 * now);
        last = now;
      }
    }
  }
}

TEST_CASE("GPU speeds: without tensor cores for doubles, only fixed point is fast") {
  const auto per_clock = [](const GpuProperties& gpu, GpuKernel kernel) {
    return rate(gpu, kernel, Geometry::open) / (gpu.clock * gpu.multiprocessors);
  };
  CHECK(per_clock(l4, GpuKernel::tensor) == Approx(0.25));
  CHECK(per_clock(l4, GpuKernel::clusters) == Approx(0.5));
  CHECK(per_clock(l4, GpuKernel::fixed_point) > 3.0);
  for (const GpuProperties& gpu : {h100, a100, b200}) {
    CHECK(per_clock(gpu, GpuKernel::tensor) > 5.0);
    CHECK(per_clock(gpu, GpuKernel::clusters) > 8.0);
  }
}

TEST_CASE("GPU speeds: CUDA's ratio decides for an architecture without an entry") {
  GpuProperties later = h100;
  later.capability = 137;
  later.single_to_double = 2;
  CHECK(rate(later, GpuKernel::tensor, Geometry::open) > 1e12);
  later.single_to_double = 64;
  CHECK(rate(later, GpuKernel::tensor, Geometry::open) < 1e11);
  CHECK(rate(later, GpuKernel::fixed_point, Geometry::open) ==
        rate(h100, GpuKernel::fixed_point, Geometry::open));
}

TEST_CASE("GPU speeds: sorting takes longer on a smaller GPU") {
  CHECK(gpu_seconds_to_sort_a_particle(h100) == Approx(1e-9));
  CHECK(gpu_seconds_to_sort_a_particle(l4) == Approx(2.2e-9).epsilon(0.02));
}

}  // namespace
}  // namespace starhist::perfmodels

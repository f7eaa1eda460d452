// Positions in GPU memory have exactly the counts of positions in main memory and of
// the defining function, and are not copied through main memory.
#include <starpu.h>

#include "codelets/core/counting/pair_bin.hh"
#include "tests/capi_cuda/gpu_frames.hh"
#include "tests/support/boxes.hh"
#include "tests/support/random.hh"

namespace starhist::testing {
namespace {

constexpr std::size_t species = 3;
constexpr double r_max = 0.6;
constexpr std::uint64_t bins = 200;

/// A frame of up to 120 particles of each species; sometimes empty.
Frame random_frame(Random& random, const Box& box, bool small = true) {
  Frame frame;
  frame.box = box;
  for (std::size_t s = 0; s < species; ++s) {
    const std::size_t most = small ? 120 : 9000;
    const std::size_t count = random.chance(0.1) ? 0 : random.below(most);
    frame.positions.push_back(random_positions(random, box, count));
    unwrap(random, box, 2, frame.positions.back());
  }
  return frame;
}

bool open(const Box& box) {
  return !box.periodic()[0] && !box.periodic()[1] && !box.periodic()[2];
}

/// A histogram of three species for such boxes.
struct Counted {
  Counted(const TestContext& context, const Box& box)
      : histogram(context, r_max, bins,
                  open(box) ? STARHIST_BOX_NONE : STARHIST_BOX_MATRIX) {
    histogram.set_species({"A", "B", "C"});
    if (!open(box)) {
      must(starhist_set_periodic(histogram.get(), box.periodic()[0] ? 1 : 0,
                                 box.periodic()[1] ? 1 : 0, box.periodic()[2] ? 1 : 0));
    }
    must(starhist_set_frames_per_block(histogram.get(), 4));
  }
  TestHistogram histogram;
};

/// Adds the counts of a frame, pair by pair, from the positions in the arrays.
template <class Real>
void add_naively(const ParticleArrays<Real>& arrays, const Box& box,
                 std::vector<TestHistogram::Counts>& sums) {
  const UniformBins grid = make_bins(r_max, bins);
  const bool compact = arrays.particle_stride == 0;
  const std::ptrdiff_t row = compact ? 3 * sizeof(Real) : arrays.particle_stride;
  const std::ptrdiff_t column = compact ? sizeof(Real) : arrays.component_stride;
  const auto coordinate = [&](std::size_t i, std::ptrdiff_t c) {
    Real value;
    std::memcpy(&value,
                arrays.memory.data() + arrays.offset +
                    static_cast<std::ptrdiff_t>(i) * row + c * column,
                sizeof value);
    return static_cast<double>(value);
  };
  const auto position = [&](std::size_t i) {
    return Vec3{coordinate(i, 0), coordinate(i, 1), coordinate(i, 2)};
  };
  for (std::size_t i = 0; i < arrays.particles; ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const std::int32_t a = std::min(arrays.labels[i], arrays.labels[j]);
      const std::int32_t b = std::max(arrays.labels[i], arrays.labels[j]);
      if (a < 0) {
        continue;
      }
      // 0-0, 0-1, 0-2, 1-1, 1-2, 2-2
      TestHistogram::Counts& sum = sums[static_cast<std::size_t>(a * (5 - a) / 2 + b)];
      const std::uint32_t bin =
          pair_bin(box.minimum_image(), grid, position(i), position(j));
      ++(bin < bins ? sum.bins[bin] : sum.out_of_range);
      ++sum.pairs;
    }
  }
}

template <class Real>
void check_box(const TestContext& context, const NamedBox& named,
               Arrangement arrangement, std::uint64_t seed) {
  INFO(named.name << ", arrangement " << static_cast<int>(arrangement) << ", "
                  << sizeof(Real) << " bytes");
  const Counted on_gpu(context, named.box);
  const Counted on_host(context, named.box);
  std::vector<TestHistogram::Counts> expected(6, {std::vector<std::uint64_t>(bins)});
  Random random(seed);
  const std::array<double, 9> matrix = matrix_of(named.box);
  const double* box = open(named.box) ? nullptr : matrix.data();
  for (int k = 0; k < 10; ++k) {
    const Frame frame = random_frame(random, named.box);
    auto arrays = arrays_of<Real>(frame, arrangement, random);
    for (std::int32_t& label : arrays.labels) {
      label = random.chance(0.1) ? -1 : label;
    }
    const ArraysOnGpu<Real> positions(arrays);
    for (const Counted* counted : {&on_gpu, &on_host}) {
      must(starhist_set_labels(counted->histogram.get(), arrays.labels.size(),
                               arrays.labels.data()));
    }
    must(add(on_gpu.histogram, positions, box));
    must(add(on_host.histogram, arrays, box));
    add_naively(arrays, named.box, expected);
  }
  CHECK(difference(on_gpu.histogram, on_host.histogram) == "");
  for (std::size_t p = 0; p < expected.size(); ++p) {
    CHECK((on_gpu.histogram.counts(STARHIST_ALL_BLOCKS, p) == expected[p]));
  }
}

TEST_CASE("GPU arrays of any box, type, strides and species are counted exactly") {
  if (skipped()) {
    return;
  }
  const TestContext context(0, 2, all_gpus);
  std::vector<NamedBox> boxes = test_boxes();
  boxes.push_back({"open", Box()});
  std::uint64_t seed = 1;
  for (const NamedBox& box : boxes) {
    for (const Arrangement arrangement :
         {Arrangement::compact, Arrangement::by_column, Arrangement::backwards}) {
      check_box<double>(context, box, arrangement, ++seed);
      check_box<float>(context, box, arrangement, ++seed);
    }
  }
}

TEST_CASE("GPU arrays and arrays in main memory may alternate") {
  if (skipped()) {
    return;
  }
  const TestContext context(0, 2, all_gpus);
  const Box box = cubic_box(1.0);
  const std::array<double, 9> matrix = matrix_of(box);
  const Counted mixed(context, box);
  const Counted on_host(context, box);
  Random random(3);
  for (int k = 0; k < 30; ++k) {
    const auto arrays = arrays_of<double>(random_frame(random, box, k % 5 != 0),
                                          Arrangement::compact, random);
    for (const Counted* counted : {&mixed, &on_host}) {
      must(starhist_set_labels(counted->histogram.get(), arrays.labels.size(),
                               arrays.labels.data()));
    }
    if (random.chance(0.5)) {
      must(add(mixed.histogram, ArraysOnGpu<double>(arrays), matrix.data()));
    } else {
      must(add(mixed.histogram, arrays, matrix.data()));
    }
    must(add(on_host.histogram, arrays, matrix.data()));
  }
  CHECK(difference(mixed.histogram, on_host.histogram) == "");
}

TEST_CASE("GPU arrays of many small species are counted alongside those on CPUs") {
  if (skipped()) {
    return;
  }
  const TestContext context(0, 2, all_gpus);
  const double box[3] = {1.0, 1.0, 1.0};
  const TestHistogram mixed(context, r_max, bins, STARHIST_BOX_LENGTHS);
  const TestHistogram on_host(context, r_max, bins, STARHIST_BOX_LENGTHS);
  constexpr std::size_t many = 12;
  std::vector<std::string> names;
  const std::vector<std::uint64_t> numbers(many, 20);
  for (std::size_t s = 0; s < many; ++s) {
    names.push_back("S" + std::to_string(s));
  }
  for (const TestHistogram* histogram : {&mixed, &on_host}) {
    histogram->set_species(names);
    must(starhist_set_species_counts(histogram->get(), many, numbers.data()));
  }
  Random random(4);
  for (int k = 0; k < 20; ++k) {
    const std::vector<double> xyz = random_positions(random, cubic_box(1.0), 20 * many);
    const kernels::cuda::DeviceArray<double> on_gpu(xyz.data(), xyz.size());
    must(k % 2 == 0 ? starhist_add_frame(mixed.get(), 20 * many, xyz.data(), 0, 0, box)
                    : starhist_add_gpu_frame(mixed.get(), 20 * many, on_gpu.get(), 0, 0,
                                             nullptr, box));
    must(starhist_add_frame(on_host.get(), 20 * many, xyz.data(), 0, 0, box));
  }
  CHECK(difference(mixed, on_host) == "");
}

/// Bytes that StarPU has copied from main memory, and to it, since the last call.
struct Moved {
  std::uint64_t from_main_memory = 0;
  std::uint64_t to_main_memory = 0;
};
Moved moved() {
  Moved sum;
  for (int bus = 0; bus < starpu_bus_get_count(); ++bus) {
    starpu_profiling_bus_info info{};
    REQUIRE(starpu_bus_get_profiling_info(bus, &info) == 0);
    const auto bytes = static_cast<std::uint64_t>(info.transferred_bytes);
    sum.from_main_memory += starpu_bus_get_src(bus) == STARPU_MAIN_RAM ? bytes : 0;
    sum.to_main_memory += starpu_bus_get_dst(bus) == STARPU_MAIN_RAM ? bytes : 0;
  }
  return sum;
}

/// 30 000 particles, in spatial order for a short r_max.
void check_large(const TestContext& context, double far, std::uint64_t frames) {
  INFO("r_max " << far);
  constexpr std::size_t particles = 30'000;
  constexpr std::uint64_t bytes_of_frame = 3 * particles * sizeof(double);
  const double box[6] = {1.0, 1.1, 1.2, 80.0, 70.0, 100.0};
  const TestHistogram on_gpu(context, far, bins, STARHIST_BOX_ANGLES);
  const TestHistogram on_host(context, far, bins, STARHIST_BOX_ANGLES);
  for (const TestHistogram* histogram : {&on_gpu, &on_host}) {
    must(starhist_set_expected_frames(histogram->get(), frames));
    must(starhist_set_frames_per_block(histogram->get(), 7));
  }
  std::vector<std::vector<double>> all;
  Random random(5);
  for (std::uint64_t f = 0; f < frames; ++f) {
    all.push_back(random_positions(random, cubic_box(1.0), particles));
    for (std::size_t k = 0; k < all.back().size() / 2; ++k) {
      all.back()[k] *= 0.5;  // half of them crowded
    }
  }
  moved();
  for (const std::vector<double>& xyz : all) {
    const kernels::cuda::DeviceArray<double> positions(xyz.data(), xyz.size());
    must(starhist_add_gpu_frame(on_gpu.get(), particles, positions.get(), 0, 0, nullptr,
                                box));
  }
  const auto counts = on_gpu.counts(STARHIST_ALL_BLOCKS, 0);
  const Moved by_starpu = moved();
  // Only the sums of blocks, 1.6 kB each, may move.
  INFO("StarPU has copied " << by_starpu.from_main_memory << " bytes from and "
                            << by_starpu.to_main_memory
                            << " to main memory; a frame has " << bytes_of_frame);
  CHECK(by_starpu.from_main_memory < bytes_of_frame / 8);
  CHECK(by_starpu.to_main_memory < bytes_of_frame / 8);
  std::printf("bytes copied by StarPU: %llu from main memory, %llu to it\n",
              static_cast<unsigned long long>(by_starpu.from_main_memory),
              static_cast<unsigned long long>(by_starpu.to_main_memory));
  CHECK(counts.pairs == frames * particles * (particles - 1) / 2);
  for (const std::vector<double>& xyz : all) {
    must(starhist_add_frame(on_host.get(), particles, xyz.data(), 0, 0, box));
  }
  CHECK(difference(on_gpu, on_host) == "");
}

TEST_CASE("GPU arrays are counted without a copy through main memory") {
  if (skipped()) {
    return;
  }
  const TestContext context(0, 2, all_gpus);
  check_large(context, 0.04, 40);
  check_large(context, 0.5, 20);
}

/// Compares counts of frames from both memories after the same settings.
template <class Settings>
void check_settings(const TestContext& context, Settings set) {
  const double box[3] = {1.0, 1.0, 1.0};
  const TestHistogram on_gpu(context, 0.5, bins, STARHIST_BOX_LENGTHS);
  const TestHistogram on_host(context, 0.5, bins, STARHIST_BOX_LENGTHS);
  must(set(on_gpu.get()));
  must(set(on_host.get()));
  Random random(8);
  for (const std::size_t particles : {300UL, 20'000UL}) {
    const auto xyz = random_positions(random, cubic_box(1.0), particles);
    const kernels::cuda::DeviceArray<double> positions(xyz.data(), xyz.size());
    must(starhist_add_gpu_frame(on_gpu.get(), particles, positions.get(), 0, 0, nullptr,
                                box));
    must(starhist_add_frame(on_host.get(), particles, xyz.data(), 0, 0, box));
  }
  CHECK(difference(on_gpu, on_host) == "");
  std::uint32_t columns = 0;
  must(starhist_get_second_axis(on_gpu.get(), nullptr, &columns, nullptr));
  if (columns > 0) {
    const auto counts = [&](const TestHistogram& histogram) {
      std::vector<std::uint64_t> all(bins * columns);
      must(starhist_get_second_counts(histogram.get(), all_blocks, 0, all.size(),
                                      all.data()));
      return all;
    };
    CHECK(counts(on_gpu) == counts(on_host));
  }
}

TEST_CASE("GPU arrays are counted by a second axis") {
  if (skipped()) {
    return;
  }
  for (const int workers : {0, 2}) {
    const TestContext context(0, workers, all_gpus);
    check_settings(context, [](starhist_histogram* histogram) {
      return starhist_set_second_axis(histogram, STARHIST_COSINE_Z, 0, 0.0);
    });
    check_settings(context, [](starhist_histogram* histogram) {
      must(starhist_set_plane(histogram, STARHIST_PLANE_XY));
      return starhist_set_second_axis(histogram, STARHIST_SEPARATION_Z, 0, 0.0);
    });
  }
}

TEST_CASE("GPU arrays are counted in a plane") {
  if (skipped()) {
    return;
  }
  for (const int workers : {0, 2}) {
    check_settings(TestContext(0, workers, all_gpus),
                   [](starhist_histogram* histogram) {
                     return starhist_set_plane(histogram, STARHIST_PLANE_XZ);
                   });
  }
}

TEST_CASE("GPU arrays are counted between edges by CPU workers") {
  if (skipped()) {
    return;
  }
  const std::vector<double> edges{0.01, 0.03, 0.1, 0.3};
  const auto set = [&](starhist_histogram* histogram) {
    return starhist_set_edges(histogram, edges.size(), edges.data());
  };
  check_settings(TestContext(0, 2, all_gpus), set);
  const TestContext without_cpus(0, 0, all_gpus);
  const TestHistogram histogram(without_cpus, 0.5, bins, STARHIST_BOX_LENGTHS);
  CHECK(outcome(set(histogram.get())).starts_with("STARHIST_WRONG_STATE"));
}

TEST_CASE("GPU arrays are counted with GPUs only, and by each of them") {
  int gpus = 0;
  if (skipped()) {
    return;
  }
  check_cuda(cudaGetDeviceCount(&gpus));
  const TestContext context(0, 0, all_gpus);
  const double box[3] = {1.0, 1.0, 1.0};
  const TestHistogram on_gpus(context, 0.5, bins, STARHIST_BOX_LENGTHS);
  const TestHistogram on_host(context, 0.5, bins, STARHIST_BOX_LENGTHS);
  Random random(6);
  for (int k = 0; k < 4 * gpus; ++k) {
    check_cuda(cudaSetDevice(k % gpus));
    const std::vector<double> xyz = random_positions(random, cubic_box(1.0), 3000);
    const kernels::cuda::DeviceArray<double> positions(xyz.data(), xyz.size());
    check_cuda(cudaSetDevice(0));
    must(starhist_add_gpu_frame(on_gpus.get(), 3000, positions.get(), 0, 0, nullptr,
                                box));
    int current = -1;
    check_cuda(cudaGetDevice(&current));
    CHECK(current == 0);
    must(starhist_add_frame(on_host.get(), 3000, xyz.data(), 0, 0, box));
  }
  CHECK(difference(on_gpus, on_host) == "");
}

}  // namespace
}  // namespace starhist::testing

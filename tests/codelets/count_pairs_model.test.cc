#include "perfmodels/count_pairs_model.hh"

#include <cmath>
#include <set>

#include "tests/support/boxes.hh"
#include "tests/support/catch.hh"
#include "tests/support/starpu_environment.hh"

namespace starhist {
namespace {

const perfmodels::ModelKey key{
    perfmodels::PairKind::like, perfmodels::Geometry::open, 10'000, "avx2", 4, "auto"};

TEST_CASE("the model symbol contains everything that determines the speed") {
  CHECK(perfmodels::ModelKey{perfmodels::PairKind::like,
                             perfmodels::Geometry::triclinic_far, 9999, "avx2", 1}
            .symbol() == "count_pairs_like_triclinic_far_10000bins_avx2_1threads");
  CHECK(perfmodels::ModelKey{perfmodels::PairKind::unlike, perfmodels::Geometry::open,
                             1, "baseline", 16}
            .symbol() == "count_pairs_unlike_open_1000bins_baseline_16threads");
  CHECK(perfmodels::ModelKey{perfmodels::PairKind::like, perfmodels::Geometry::open, 1,
                             "avx2", 1, "definition"}
            .symbol() == "count_pairs_like_open_1000bins_avx2_1threads_definition");
  perfmodels::ModelKey clustered = key;
  clustered.order = perfmodels::Order::spatial;
  CHECK(clustered.symbol() == key.symbol() + "_tiled");
  const testing::StarpuEnvironment environment;
  perfmodels::CountPairsModel model(key);
  CHECK(model.symbol == model.name());
  CHECK(model.type == STARPU_PER_ARCH);
}

TEST_CASE("bin classes contain their numbers of bins, and are few") {
  std::uint32_t last = 0;
  std::set<std::uint32_t> classes;
  for (double bins = 1; bins < 2e9; bins *= 1.3) {
    const std::uint32_t most = perfmodels::bin_class(static_cast<std::uint32_t>(bins));
    CHECK(most >= bins);
    CHECK(most >= last);
    last = most;
    classes.insert(most);
  }
  CHECK(classes.size() == 8);
}

TEST_CASE("the geometry of a box depends on the range of distances") {
  const auto geometry_of = [](const Box& box, double r_max, std::uint32_t bins = 100) {
    return perfmodels::geometry_of(box, make_bins(r_max, bins));
  };
  CHECK(geometry_of(Box(), 1e9) == perfmodels::Geometry::open);
  CHECK(geometry_of(testing::cubic_box(1.0), 0.9) ==
        perfmodels::Geometry::orthorhombic);
  const Box box = testing::truncated_octahedron();
  const double half_width = std::sqrt(box.minimum_image().exact_rounding_r2);
  CHECK(geometry_of(box, 0.99 * half_width) == perfmodels::Geometry::triclinic);
  CHECK(geometry_of(box, 1.01 * half_width) == perfmodels::Geometry::triclinic_centred);
  const Box skewed =
      testing::periodic_box({1.0, 0.0, 0.0}, {0.3, 1.1, 0.0}, {0.1, -0.2, 0.9});
  CHECK(geometry_of(skewed, 0.9) == perfmodels::Geometry::triclinic_far);
  CHECK(geometry_of(skewed, 0.1) == perfmodels::Geometry::triclinic);
  // Rounded edges are an error of few wide bins, but of many narrow ones.
  const Box rounded = testing::periodic_box({1.0, 0.0, 0.0}, {0.33333, 0.94281, 0.0},
                                            {-0.33333, 0.47140, 0.81650});
  CHECK(geometry_of(rounded, 0.6, 500) == perfmodels::Geometry::triclinic_centred);
  CHECK(geometry_of(rounded, 0.6, 50'000) == perfmodels::Geometry::triclinic_far);
}

TEST_CASE("with STARPU_CALIBRATE=1 StarPU keeps an entry for each size of work") {
  const testing::StarpuEnvironment environment;
  environment.set("STARPU_CALIBRATE", "1");
  perfmodels::CountPairsModel model(key);
  CHECK(model.type == STARPU_HISTORY_BASED);
  const auto footprint = [&](const perfmodels::WorkSize& size) {
    perfmodels::WorkSize copy = size;
    starpu_task task{};
    task.cl_arg = &copy;
    return model.footprint(&task);
  };
  std::set<std::uint32_t> entries;
  for (const std::uint64_t pairs :
       {0ULL, 1ULL, 1000ULL, 1ULL << 32U, (1ULL << 32U) + 1}) {
    for (const std::uint32_t bins : {1U, 1000U}) {
      for (const std::uint32_t frames : {1U, 7U}) {
        const std::uint32_t entry = footprint({pairs, pairs, pairs, bins, frames});
        CHECK(footprint({2 * pairs, pairs, pairs, bins, frames}) == entry);
        entries.insert(entry);
      }
    }
  }
  CHECK(entries.size() == 20);
}

TEST_CASE("predictions follow observations, unless the models are frozen") {
  const testing::StarpuEnvironment environment;
  perfmodels::CountPairsModel model(key);
  const double expected = model.seconds(STARPU_CPU_WORKER, 0, 1e9);
  CHECK(expected == Approx(1e9 / (1.2e9 * 4)).epsilon(0.01));
  const double on_gpu = model.seconds(STARPU_CUDA_WORKER, 0, 1e9);
  for (int k = 0; k < 30; ++k) {
    model.observe(STARPU_CPU_WORKER, 0, 1e8, 1, 3.0 * 0.1 * expected);
  }
  CHECK(model.seconds(STARPU_CPU_WORKER, 0, 1e9) ==
        Approx(3.0 * expected).epsilon(0.01));
  CHECK(model.seconds(STARPU_CUDA_WORKER, 0, 1e9) == on_gpu);
  model.observe(STARPU_CPU_WORKER, 0, 1e8, 1, 1000.0);  // interrupted
  CHECK(model.seconds(STARPU_CPU_WORKER, 0, 1e9) < 4.0 * expected);

  environment.set("STARPU_CALIBRATE", "0");
  perfmodels::CountPairsModel frozen(key);
  frozen.observe(STARPU_CPU_WORKER, 0, 1e8, 1, 10.0);
  CHECK(frozen.seconds(STARPU_CPU_WORKER, 0, 1e9) == expected);
}

TEST_CASE("tiled tasks: usual ratio to any order, until they are measured") {
  const testing::StarpuEnvironment environment;
  perfmodels::ModelKey far = key;
  far.geometry = perfmodels::Geometry::triclinic_far;
  const perfmodels::CountPairsModel any_order(far);
  far.order = perfmodels::Order::spatial;
  perfmodels::CountPairsModel clustered(far);
  const auto ratio = [&](starpu_worker_archtype kind) {
    return clustered.seconds(kind, 0, 1e11) / any_order.seconds(kind, 0, 1e11);
  };
  CHECK(ratio(STARPU_CPU_WORKER) == Approx(0.33).epsilon(0.001));
  CHECK(ratio(STARPU_CUDA_WORKER) == Approx(0.17).epsilon(0.02));
  CHECK(clustered.source(STARPU_CPU_WORKER) == perfmodels::SpeedSource::properties);
  for (int k = 0; k < 30; ++k) {
    clustered.observe(STARPU_CPU_WORKER, 0, 1e9, 1, 7.0);
  }
  CHECK(clustered.source(STARPU_CPU_WORKER) == perfmodels::SpeedSource::this_run);
  CHECK(clustered.seconds(STARPU_CPU_WORKER, 0, 1e9) == Approx(7.0).epsilon(0.01));
}

TEST_CASE("without any model, tasks of one order correct the speeds of both orders") {
  const testing::StarpuEnvironment environment;
  perfmodels::ModelKey sorted = key;
  sorted.order = perfmodels::Order::spatial;
  perfmodels::CountPairsModel any_order(key);
  perfmodels::CountPairsModel spatial_order(sorted);
  any_order.fall_back_on(spatial_order);
  spatial_order.fall_back_on(any_order);
  const auto seconds = [&] {
    return spatial_order.seconds_of_fastest(STARPU_CUDA_WORKER, 1e10);
  };
  const double expected = seconds();
  for (int k = 0; k < 30; ++k) {
    any_order.observe(STARPU_CUDA_WORKER, 0, 1e10, 1,
                      4.0 * perfmodels::gpu_task_seconds(
                                {}, perfmodels::GpuKernel::tensor,
                                perfmodels::Geometry::open, 10'000, 1e10, 1, 1));
  }
  CHECK(seconds() == Approx(4.0 * expected).epsilon(0.02));
  CHECK(spatial_order.source(STARPU_CUDA_WORKER) ==
        perfmodels::SpeedSource::properties);
  // Tasks in this order count from then on.
  for (int k = 0; k < 30; ++k) {
    spatial_order.observe(STARPU_CUDA_WORKER, 0, 1e10, 1, 2.0 * expected);
  }
  CHECK(seconds() == Approx(2.0 * expected).epsilon(0.02));
}

TEST_CASE("equal GPUs share their times, unlike ones do not") {
  const testing::StarpuEnvironment environment;
  perfmodels::CountPairsModel model(key);
  const perfmodels::GpuProperties fast;
  perfmodels::GpuProperties slow;
  slow.multiprocessors = fast.multiprocessors / 4;
  model.load(1, {{0, fast}, {1, slow}, {3, fast}});
  const auto seconds = [&](int gpu) {
    return model.seconds({STARPU_CUDA_WORKER, gpu}, 0, 1e10);
  };
  const double of_fast = seconds(0);
  const double of_slow = seconds(1);
  CHECK(of_slow == Approx(4.0 * of_fast).epsilon(0.02));
  CHECK(seconds(3) == of_fast);
  CHECK(model.source({STARPU_CUDA_WORKER, 1}) == perfmodels::SpeedSource::properties);
  for (int k = 0; k < 30; ++k) {
    model.observe({STARPU_CUDA_WORKER, 3}, 0, 1e10, 1, 2.0 * of_fast);
  }
  CHECK(seconds(0) == Approx(2.0 * of_fast).epsilon(0.02));
  CHECK(seconds(1) == of_slow);
  CHECK(model.source({STARPU_CUDA_WORKER, 0}) == perfmodels::SpeedSource::this_run);
  CHECK(model.source({STARPU_CUDA_WORKER, 1}) == perfmodels::SpeedSource::properties);
}

TEST_CASE("an open box has two GPU kernels: the faster one is expected") {
  const testing::StarpuEnvironment environment;
  const perfmodels::CountPairsModel model(key);
  const auto kernel = [&](perfmodels::GpuKernel which) {
    return perfmodels::gpu_task_seconds({}, which, perfmodels::Geometry::open, 10'000,
                                        1e10, 2, 1);
  };
  const double tensor = model.seconds(STARPU_CUDA_WORKER, 0, 1e10, 2);
  const double fixed_point = model.seconds(STARPU_CUDA_WORKER, 1, 1e10, 2);
  CHECK(tensor == kernel(perfmodels::GpuKernel::tensor));
  CHECK(fixed_point == kernel(perfmodels::GpuKernel::fixed_point));
  CHECK(tensor < fixed_point);
  CHECK(model.seconds_of_fastest(STARPU_CUDA_WORKER, 1e10, 2) == tensor);
  perfmodels::ModelKey only = key;
  only.cuda_variant = "fixed-point";
  CHECK(perfmodels::CountPairsModel(only).seconds_of_fastest(STARPU_CUDA_WORKER, 1e10,
                                                             2) == fixed_point);
}

TEST_CASE("the time of tiny tasks hardly affects predictions for large ones") {
  const testing::StarpuEnvironment environment;
  perfmodels::CountPairsModel model(key);
  const double expected = model.seconds(STARPU_CPU_WORKER, 0, 1e9);
  const auto tiny_tasks = [&] {
    for (int k = 0; k < 10; ++k) {
      model.observe(STARPU_CPU_WORKER, 0, 100.0, 1, 1e-4);
    }
  };
  tiny_tasks();
  CHECK(model.seconds(STARPU_CPU_WORKER, 0, 1e9) > 10.0 * expected);
  for (int k = 0; k < 3; ++k) {
    model.observe(STARPU_CPU_WORKER, 0, 1e9, 1, 2.0 * expected);
    tiny_tasks();
  }
  CHECK(model.seconds(STARPU_CPU_WORKER, 0, 1e9) ==
        Approx(2.0 * expected).epsilon(0.05));
}

TEST_CASE("a task's predicted time depends on its evaluated pairs") {
  const testing::StarpuEnvironment environment;
  perfmodels::CountPairsModel model(key);
  starpu_codelet codelet{};
  codelet.model = &model;
  perfmodels::WorkSize size{1'000'000'000, 50'000'000, 70'000'000, 10'000, 1};
  starpu_task task{};
  task.cl = &codelet;
  task.cl_arg = &size;
  for (const auto& [kind, evaluated] :
       {std::pair(STARPU_CPU_WORKER, 5e7), std::pair(STARPU_CUDA_WORKER, 7e7)}) {
    starpu_perfmodel_device device{kind, 0, 1};
    starpu_perfmodel_arch arch{1, &device};
    CHECK(model.arch_cost_function(&task, &arch, 0) ==
          Approx(1e6 * model.seconds(kind, 0, evaluated)));
  }
}

TEST_CASE("a slow start does not favour the slower implementation") {
  const testing::StarpuEnvironment environment;
  perfmodels::CountPairsModel model(key);
  const double expected = model.seconds(STARPU_CUDA_WORKER, 0, 1e9);
  for (int k = 0; k < 4; ++k) {
    model.observe(STARPU_CUDA_WORKER, 0, 1e9, 1, 8.0 * expected);
    CHECK(model.seconds(STARPU_CUDA_WORKER, 0, 1e9) > 3.0 * expected);
    CHECK(model.seconds(STARPU_CUDA_WORKER, 0, 1e9) <
          model.seconds(STARPU_CUDA_WORKER, 1, 1e9));
  }
}

TEST_CASE("predicted times between, below and above the measured sizes") {
  perfmodels::SpeedTable table;
  CHECK(table.empty());
  table.add(1e6, 1e-3);
  table.add(1e8, 0.9e-1);
  table.add(1e8, 1.1e-1);  // averaged
  table.add(0.0, 1.0);     // invalid: ignored
  CHECK(table.seconds(1e6) == Approx(1e-3));
  CHECK(table.seconds(1e8) == Approx(1e-1));
  CHECK(table.seconds(1e7) == Approx(1e-2));
  CHECK(table.seconds(10.0) == Approx(1e-3));
  CHECK(table.seconds(1e9) == Approx(1.0));
  table.add(2e7, 2e-2);
  table.add(5e7, 5e-2);
  table.add(2e8, 1.5);  // interrupted
  CHECK(table.seconds(1e9) == Approx(1.0));
}

}  // namespace
}  // namespace starhist

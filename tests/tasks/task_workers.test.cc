#include "tasks/submission/task_workers.hh"

#include "tasks/runtime/runtime.hh"
#include "tests/support/catch.hh"
#include "tests/support/starpu_environment.hh"

namespace starhist {
namespace {

TEST_CASE("schedulers for which restricted tasks are known to complete") {
  for (const char* scheduler : {"dmdas", "dmda", "eager", "lws"}) {
    CHECK(tasks::keeps_to_workers(scheduler));
  }
  for (const char* scheduler : {"", "modular-eager", "modular-heft", "heteroprio"}) {
    CHECK_FALSE(tasks::keeps_to_workers(scheduler));
  }
}

TEST_CASE("without GPUs all workers count and sort, but none in GPU memory") {
  const testing::StarpuEnvironment environment;
  environment.set("STARPU_NCPU", "2");
  environment.set("STARPU_NCUDA", "0");
  const tasks::Runtime runtime(tasks::CpuMode::core);
  tasks::TaskWorkers workers;
  for (const bool spatial_order : {false, true}) {
    const tasks::TaskWorkers::Masks& masks = workers.of(std::nullopt, spatial_order);
    CHECK(masks.counting == std::vector<std::uint32_t>{0b11U});
    CHECK(masks.sorting == masks.counting);
    CHECK(&workers.of(std::nullopt, spatial_order) == &masks);
    CHECK(workers.of(0, spatial_order).counting == std::vector<std::uint32_t>{0U});
  }
}

}  // namespace
}  // namespace starhist

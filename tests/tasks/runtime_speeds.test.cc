#include "tasks/runtime/runtime_speeds.hh"

#include "codelets/count_pairs_codelet.hh"
#include "tests/support/catch.hh"
#include "tests/support/starpu_environment.hh"

namespace starhist {
namespace {

TEST_CASE("speeds of the runtime: its workers, and speeds of their models") {
  const testing::StarpuEnvironment environment;
  environment.set("STARPU_NCPU", "2");
  environment.set("STARPU_NCUDA", "0");
  tasks::Runtime runtime(tasks::CpuMode::core);
  const auto kind = perfmodels::PairKind::unlike;
  const auto geometry = perfmodels::Geometry::triclinic_far;
  tasks::Workload work;
  work.kind = kind;
  work.geometry = geometry;
  const tasks::MachineSpeeds machine = tasks::runtime_speeds(runtime, work);
  CHECK(machine.workers == 2);
  CHECK(machine.threads_per_worker == 1);
  CHECK(machine.gpus == 0);
  CHECK(machine.gpu_memory == UINT64_MAX);
  CHECK(machine.any_order.gpu == 0.0);
  const auto model = [&](perfmodels::Order order) -> const auto& {
    return runtime.count_pairs(kind, geometry, order).model();
  };
  const auto& any = model(perfmodels::Order::any);
  const auto& spatial = model(perfmodels::Order::spatial);
  CHECK(machine.any_order.worker == 1e8 / any.seconds(STARPU_CPU_WORKER, 0, 1e8));
  CHECK(machine.any_order.worker_source == any.source(STARPU_CPU_WORKER));
  CHECK(machine.spatial_order.worker ==
        1e8 / spatial.seconds(STARPU_CPU_WORKER, 0, 1e8));
  CHECK(machine.spatial_order.worker_source == spatial.source(STARPU_CPU_WORKER));
  CHECK(machine.spatial_order.worker != machine.any_order.worker);
}

}  // namespace
}  // namespace starhist

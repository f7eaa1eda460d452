#include "tasks/runtime/needed_workers.hh"

#include "tests/support/catch.hh"

namespace starhist {
namespace {

using tasks::needed_workers;
using tasks::NeededWorkers;

constexpr double small_run = 64 * 499'500.0;        // 64 frames of 1000 particles
constexpr double large_run = 2000 * 199'990'000.0;  // 2000 frames of 20 000

TEST_CASE("a small run starts a few CPU workers and no GPU") {
  const NeededWorkers needed = needed_workers(small_run, 64, 64, true);
  CHECK(needed.gpus == 0);
  CHECK(needed.cpu_workers == 11);  // 0.107 s of a slow core, 1 ms for each start
  CHECK(needed_workers(0.0, 1, 64, true).cpu_workers == 4);
}

TEST_CASE("a large run starts all GPUs that it can use, and all CPU workers") {
  const NeededWorkers needed = needed_workers(large_run, 2000, 64, true);
  CHECK(needed.gpus == 8);
  CHECK(needed.cpu_workers == -1);
  CHECK(needed_workers(large_run, 2000, 64, false).cpu_workers == -1);
}

TEST_CASE("a GPU starts as soon as slow cores need longer than it needs to start") {
  const double pairs_of_sixteen_cores = 0.15 * 16 * 3e8;
  CHECK(needed_workers(0.99 * pairs_of_sixteen_cores, 1, 16, true).gpus == 0);
  CHECK(needed_workers(1.01 * pairs_of_sixteen_cores, 1, 16, true).gpus == 1);
  CHECK(needed_workers(1.01 * pairs_of_sixteen_cores, 1, 17, true).gpus == 0);
}

TEST_CASE("a further GPU starts if it saves more time than it takes to start") {
  CHECK(needed_workers(7e9, 1, 16, true).gpus == 1);
  CHECK(needed_workers(8e9, 1, 16, true).gpus == 2);
  CHECK(needed_workers(3.1e10, 1, 16, true).gpus == 3);
}

TEST_CASE("without GPUs their number is not limited, so that problems are reported") {
  CHECK(needed_workers(small_run, 64, 64, false).gpus == -1);
  CHECK(needed_workers(large_run, 2000, 64, false).gpus == -1);
}

TEST_CASE("alongside GPUs that wait for the host, one CPU worker starts") {
  const double pairs = 499'500.0;  // of 1000 particles
  CHECK(needed_workers(40'000 * pairs, 40'000, 16, true).cpu_workers_beside_gpus == 1);
  CHECK(needed_workers(40'000 * pairs, 40'000, 16, false).cpu_workers_beside_gpus ==
        -1);
  CHECK(needed_workers(large_run, 2000, 16, true).cpu_workers_beside_gpus == -1);
}

TEST_CASE("a machine with few cores starts all of them") {
  CHECK(needed_workers(small_run, 64, 2, true).cpu_workers == -1);
  CHECK(needed_workers(small_run, 64, 21, true).cpu_workers == -1);
  CHECK(needed_workers(small_run, 64, 22, true).cpu_workers == 11);
}

}  // namespace
}  // namespace starhist

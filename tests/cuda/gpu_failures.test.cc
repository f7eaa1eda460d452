// Failures of GPUs before counting, as far as they can be tested without a GPU.
#include <filesystem>

#include "tests/program/rdf_runner.hh"
#include "tests/support/catch.hh"

namespace starhist::testing {
namespace {

/// Runs with a driver library that is older than the CUDA runtime.
ProgramRun run_with_old_driver(const RdfRunner& rdf,
                               const std::map<std::string, std::string>& more) {
  ProgramSetting setting;
  setting.environment = more;
  setting.environment["LD_LIBRARY_PATH"] = STARHIST_OLD_DRIVER;
  return rdf.run({data_file("water.h5"), "--r-max", "1.2", "--bins", "60", "--step",
                  "10", "--verbose"},
                 setting);
}

TEST_CASE("a driver older than the toolkit: one message, and the CPUs count") {
  if (!std::filesystem::exists(STARHIST_OLD_DRIVER "/libcuda.so.1")) {
    WARN("the library of an old driver is not here");
    return;
  }
  const RdfRunner rdf;
  // With a choice of workers, starhist does not leave the GPUs out of a small run.
  const ProgramRun run = run_with_old_driver(rdf, {{"STARPU_RESERVE_NCPU", "0"}});
  INFO(run.err);
  CHECK(run.exit_code == 0);
  CHECK(missing(run.err,
                {"GPUs are not used", "driver supports CUDA 11.4", "this build needs",
                 "update the driver", "scheduler lws", "CPU 0"}) == "");
  CHECK(rdf.result().blocks.size() == 1);

  const RdfRunner second;
  const ProgramRun quiet = run_with_old_driver(second, {{"STARPU_NCUDA", "0"}});
  CHECK(quiet.exit_code == 0);
  CHECK(quiet.err.find("GPU") == std::string::npos);

  const RdfRunner one_core;
  const ProgramRun chosen =
      run_with_old_driver(one_core, {{"STARPU_NCPU", "1"}, {"STARPU_NCUDA", "1"}});
  CHECK(chosen.exit_code == 0);
  CHECK(missing(chosen.err, {"GPUs are not used", "CPU 0"}) == "");
  CHECK(chosen.err.find("CPU 1") == std::string::npos);

  const RdfRunner third;
  const ProgramRun none =
      run_with_old_driver(third, {{"STARPU_NCPU", "0"}, {"STARPU_NCUDA", "1"}});
  CHECK(none.exit_code == 2);
  CHECK(missing(none.err, {"no worker", "STARPU_NCPU", "GPUs are not used",
                           "driver supports CUDA 11.4"}) == "");
  CHECK(third.nothing_left());
}

TEST_CASE("a GPU variant without a GPU: the CPUs count") {
  const RdfRunner rdf;
  const ProgramRun run = rdf.run({data_file("water.h5"), "--r-max", "1.2", "--bins",
                                  "60", "--step", "10", "--variant", "fixed-point"},
                                 {{{"STARPU_NCUDA", "0"}}});
  CHECK(run.exit_code == 0);
  CHECK(rdf.result().blocks.size() == 1);
}

}  // namespace
}  // namespace starhist::testing

#include "tasks/runtime/runtime.hh"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <map>

#include <starpu.h>
#include <unistd.h>

#include "codelets/core/base/error.hh"
#include "codelets/count_pairs_codelet.hh"
#include "codelets/kernels/cpu/variants.hh"
#include "tasks/runtime/check.hh"
#include "tasks/runtime/recommended_environment.hh"
#include "tests/support/catch.hh"
#include "tests/support/error_text.hh"
#include "tests/support/run_program.hh"
#include "tests/support/starpu_environment.hh"
#include "tests/support/temporary_directory.hh"
#include "tests/support/test_location.hh"

namespace starhist {
namespace {

using testing::data_file;
using testing::error_text;
using testing::missing;
using testing::StarpuEnvironment;

TEST_CASE("the environment determines workers and scheduler, again at each start") {
  const StarpuEnvironment environment;
  {
    environment.set("STARPU_NCPU", "1");
    const tasks::Runtime runtime(tasks::CpuMode::core);
    CHECK(runtime.scheduler() == "lws");
    CHECK(runtime.workers().size() == 1);
    CHECK(runtime.threads_per_worker() == 1);
  }
  environment.set("STARPU_NCPU", "2");
  environment.set("STARPU_SCHED", "dmdas");
  const tasks::Runtime runtime(tasks::CpuMode::core);
  CHECK(runtime.scheduler() == "dmdas");
  REQUIRE(runtime.workers().size() == 2);
  CHECK(runtime.workers()[1].id == 1);
  CHECK(missing(runtime.workers()[1].name, {"CPU 1"}) == "");
}

TEST_CASE("teams: a worker per NUMA domain, with threads for its processors") {
  const StarpuEnvironment environment;
  const tasks::Runtime runtime(tasks::CpuMode::pool);
  CHECK_FALSE(runtime.workers().empty());
  CHECK(runtime.threads_per_worker() >= 1);
}

TEST_CASE("teams refuse a binding that would put them on the same cores") {
  const testing::TemporaryDirectory folder;
  testing::ProgramSetting setting;  // a new process: OpenMP reads the variable once
  setting.environment["OMP_PROC_BIND"] = "close";
  const auto run =
      testing::run_program({"rdf", data_file("water.h5"), "-o", folder.file("out.h5"),
                            "--r-max", "0.5", "--bins", "10", "--cpu-mode", "team"},
                           setting);
  CHECK(run.exit_code == 1);
  CHECK(missing(run.err, {"OMP_PROC_BIND", "--cpu-mode core"}) == "");
}

TEST_CASE("without any worker there is a message about the settings") {
  const StarpuEnvironment environment;
  environment.set("STARPU_NCPU", "0");
  CHECK(missing(error_text<RunError>(
                    [] { const tasks::Runtime runtime(tasks::CpuMode::core); }),
                {"STARPU_NCPU"}) == "");
  environment.set("STARPU_NCPU", "1");
  const tasks::Runtime runtime(tasks::CpuMode::core);
  CHECK(runtime.workers().size() == 1);
}

TEST_CASE("settings apply unless the environment overrides them") {
  const StarpuEnvironment environment;
  tasks::StarpuSettings settings;
  settings.cpu_workers = 1;
  settings.gpus = 0;
  settings.scheduler = "eager";
  {
    const tasks::Runtime runtime(tasks::CpuMode::core, {}, settings);
    CHECK(runtime.workers().size() == 1);
    CHECK(runtime.scheduler() == "eager");
    CHECK_FALSE(runtime.shared());
  }
  environment.set("STARPU_NCPU", "2");
  environment.set("STARPU_SCHED", "lws");
  const tasks::Runtime runtime(tasks::CpuMode::core, {}, settings);
  CHECK(runtime.cpu_workers() == 2);
  CHECK(runtime.scheduler() == "lws");
}

TEST_CASE("a running StarPU is shared on request, and keeps running") {
  const StarpuEnvironment environment;
  environment.set("STARPU_NCPU", "2");
  REQUIRE(starpu_init(nullptr) == 0);
  CHECK(missing(error_text<RunError>(
                    [] { const tasks::Runtime runtime(tasks::CpuMode::core); }),
                {"is already running"}) == "");
  tasks::StarpuSettings settings;
  settings.cpu_workers = 1;
  settings.share_running = true;
  for (const std::uint32_t bins : {10U, 20'000U, 10U}) {
    const tasks::Runtime runtime(tasks::CpuMode::core, {bins}, settings);
    CHECK(runtime.shared());
    CHECK(runtime.workers().size() == 2);
  }
  CHECK(tasks::Runtime::starpu_runs());
  starpu_shutdown();
  CHECK_FALSE(tasks::Runtime::starpu_runs());
}

TEST_CASE("a StarPU without counting workers is not shared") {
  const StarpuEnvironment environment;
  starpu_conf conf;
  starpu_conf_init(&conf);
  conf.ncpus = 0;
  conf.ncuda = 0;
  conf.catch_signals = 0;
  if (starpu_init(&conf) != 0) {
    return;  // StarPU itself refuses to run without workers
  }
  tasks::StarpuSettings settings;
  settings.share_running = true;
  CHECK(missing(error_text<RunError>([&] {
                  const tasks::Runtime runtime(tasks::CpuMode::core, {}, settings);
                }),
                {"no worker that can count"}) == "");
  starpu_shutdown();
}

TEST_CASE("other kernels on the same StarPU share the models of equal kernels") {
  const StarpuEnvironment environment;
  environment.set("STARPU_NCPU", "1");
  tasks::Runtime first(tasks::CpuMode::core, {50'000});
  tasks::Runtime other(first, {100});
  tasks::Runtime equal(first, {50'000});
  const auto codelet = [](tasks::Runtime& runtime) {
    return runtime
        .count_pairs(perfmodels::PairKind::like, perfmodels::Geometry::open,
                     perfmodels::Order::any)
        .get();
  };
  CHECK(codelet(first) == codelet(equal));
  CHECK(codelet(first) != codelet(other));
  CHECK(other.workers().size() == 1);
  CHECK(other.scheduler() == first.scheduler());
}

TEST_CASE("an unknown scheduler is refused, with StarPU's list") {
  const StarpuEnvironment environment;
  environment.set("STARPU_SCHED", "fastest");
  CHECK(missing(error_text<InputError>(
                    [] { const tasks::Runtime runtime(tasks::CpuMode::core); }),
                {"'fastest'", "STARPU_SCHED", "lws", "dmdas"}) == "");
}

TEST_CASE("an invalid number is refused, where StarPU would abort") {
  const StarpuEnvironment environment;
  for (const char* text : {"two", "", "1x", "1.5", "-1"}) {
    environment.set("STARPU_NCUDA", text);
    CHECK(missing(error_text<InputError>(
                      [] { const tasks::Runtime runtime(tasks::CpuMode::core); }),
                  {"STARPU_NCUDA", text, "whole number"}) == "");
  }
}

TEST_CASE("there is a codelet for each kind of pair, geometry and order") {
  const StarpuEnvironment environment;
  environment.set("STARPU_NCPU", "1");
  tasks::Runtime runtime(tasks::CpuMode::core);
  std::vector<starpu_codelet*> codelets;
  for (const perfmodels::PairKind pair :
       {perfmodels::PairKind::like, perfmodels::PairKind::unlike}) {
    for (const perfmodels::Geometry geometry :
         {perfmodels::Geometry::open, perfmodels::Geometry::orthorhombic,
          perfmodels::Geometry::triclinic, perfmodels::Geometry::triclinic_far,
          perfmodels::Geometry::triclinic_centred}) {
      for (const perfmodels::Order order :
           {perfmodels::Order::any, perfmodels::Order::spatial}) {
        starpu_codelet* codelet = runtime.count_pairs(pair, geometry, order).get();
        CHECK(std::find(codelets.begin(), codelets.end(), codelet) == codelets.end());
        const std::string symbol = codelet->model->symbol;
        CHECK(
            missing(symbol, {pair == perfmodels::PairKind::like ? "_like_" : "_unlike_",
                             to_string(geometry).c_str()}) == "");
        CHECK(symbol.ends_with("_tiled") == (order == perfmodels::Order::spatial));
        codelets.push_back(codelet);
      }
    }
  }
}

std::vector<std::string> environment_now() {
  std::vector<std::string> all;
  for (char** variable = environ; *variable != nullptr; ++variable) {
    all.emplace_back(*variable);
  }
  return all;
}

TEST_CASE("StarPU starts without a change of the environment or of signal handlers") {
  const StarpuEnvironment environment;
  unsetenv("STARPU_WORKERS_GETBIND");
  unsetenv("STARPU_NWORKER_PER_CUDA");
  const std::vector<std::string> before = environment_now();
  std::map<int, void (*)(int)> handlers;
  for (const int signal : {SIGINT, SIGSEGV, SIGTRAP, SIGTERM, SIGABRT}) {
    struct sigaction action {};
    sigaction(signal, nullptr, &action);
    handlers[signal] = action.sa_handler;
  }
  for (const tasks::CpuMode mode : {tasks::CpuMode::core, tasks::CpuMode::pool}) {
    const tasks::Runtime runtime(mode);
    CHECK(environment_now() == before);
    for (const auto& [signal, handler] : handlers) {
      struct sigaction action {};
      sigaction(signal, nullptr, &action);
      INFO("signal " << signal);
      CHECK((action.sa_handler == handler));
    }
  }
}

TEST_CASE("a program gets a list of StarPU's variables to set") {
  unsetenv("STARPU_NWORKER_PER_CUDA");
  const auto value_of = [](tasks::CpuMode mode, const std::string& variable) {
    for (const auto& setting : tasks::recommended_environment(mode)) {
      if (setting.variable == variable) {
        return setting.value;
      }
    }
    return std::string();
  };
  for (const tasks::CpuMode mode : {tasks::CpuMode::core, tasks::CpuMode::pool}) {
    CHECK(value_of(mode, "STARPU_WORKERS_GETBIND") == "1");
    CHECK(value_of(mode, "HWLOC_COMPONENTS") == "-gl");
    CHECK(value_of(mode, "STARPU_SILENT") == "1");
    CHECK(value_of(mode, "CUDA_DEVICE_MAX_CONNECTIONS") == "2");
  }
  CHECK(value_of(tasks::CpuMode::core, "STARPU_NWORKER_PER_CUDA") == "2");
  CHECK(value_of(tasks::CpuMode::pool, "STARPU_NWORKER_PER_CUDA").empty());
}

TEST_CASE("the CPU variant follows the choice of kernels") {
  const StarpuEnvironment environment;
  environment.set("STARPU_NCPU", "1");
  const std::string usual = kernels::cpu::selected_variant().name;
  {
    const tasks::Runtime runtime(tasks::CpuMode::core, {100, "auto", "baseline"});
    CHECK(runtime.kernels().cpu_variant == "baseline");
    CHECK(kernels::cpu::selected_variant().name == "baseline");
  }
  kernels::cpu::select_variant(usual);  // restore it for the other tests
  CHECK(missing(
            error_text<InputError>([] {
              const tasks::Runtime refused(tasks::CpuMode::core, {100, "auto", "sse"});
            }),
            {"sse", "baseline"}) == "");
}

TEST_CASE("CPU modes have names") {
  CHECK(tasks::parse_cpu_mode("core") == tasks::CpuMode::core);
  CHECK(tasks::parse_cpu_mode("team") == tasks::CpuMode::pool);
  CHECK(missing(error_text<InputError>([] { tasks::parse_cpu_mode("cores"); }),
                {"'cores'", "core", "team"}) == "");
}

TEST_CASE("return codes become errors with the action and the reason") {
  tasks::check_starpu(0, "start");
  CHECK(error_text<RunError>([] { tasks::check_starpu(-EINVAL, "start"); }) ==
        "StarPU could not start: Invalid argument");
  CHECK(missing(
            error_text<RunError>([] { tasks::check_starpu(-ENODEV, "submit a task"); }),
            {"could not submit a task", "no worker", "STARPU_NCPU"}) == "");
}

}  // namespace
}  // namespace starhist

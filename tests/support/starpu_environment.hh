#pragma once

#include <string>

#include <stdlib.h>

#include "tests/support/temporary_directory.hh"

namespace starhist::testing {

/// StarPU's environment for a test: recommended settings, none of the user's, and its
/// files in a separate folder. Construct it before any Runtime, which reads it.
class StarpuEnvironment {
 public:
  StarpuEnvironment() {
    for (const char* variable :
         {"STARPU_SCHED", "STARPU_NCPU", "STARPU_NCUDA", "STARPU_CALIBRATE",
          "STARPU_WORKERS_CPUID", "STARPU_WORKERS_CUDAID", "STARHIST_GPU_FAULT",
          "STARPU_MAIN_THREAD_BIND", "STARPU_CATCH_SIGNALS", "STARPU_LIMIT_CPU_MEM",
          "OMP_PROC_BIND", "OMP_PLACES", "GOMP_CPU_AFFINITY", "STARHIST_CPU_VARIANT"}) {
      unsetenv(variable);
    }
    // Like tasks::recommended_environment(), which tests of codelets do not link.
    set("STARPU_WORKERS_GETBIND", "1");
    set("STARPU_SILENT", "1");
    set("STARPU_NWORKER_PER_CUDA", "2");
    set("STARPU_HOME", files_.file(""));
    set("XDG_CACHE_HOME", files_.file(""));  // overrides STARPU_HOME
    set("STARPU_PERF_MODEL_DIR", files_.file("models"));
    set("STARPU_WORKERS_NOBIND", "1");  // concurrent tests must not share a core
  }

  void set(const std::string& variable, const std::string& value) const {
    setenv(variable.c_str(), value.c_str(), 1);
  }

 private:
  TemporaryDirectory files_;
};

}  // namespace starhist::testing

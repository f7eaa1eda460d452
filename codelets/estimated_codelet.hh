#pragma once

#include <starpu.h>

namespace starhist::codelets {

/// Predicts the microseconds of a task on a worker of `arch`; StarPU calls it.
using MicrosecondsOf = double (*)(starpu_task* task, starpu_perfmodel_arch* arch,
                                  unsigned implementation);

/// A performance model that estimates without measuring, sufficient for very short
/// tasks. `symbol` must live as long as the model, which lives until starpu_shutdown.
inline starpu_perfmodel estimate_model(const char* symbol, MicrosecondsOf estimate) {
  starpu_perfmodel model{};
  model.type = STARPU_PER_ARCH;
  model.symbol = symbol;
  model.arch_cost_function = estimate;
  return model;
}

/// A codelet with a name and a model, without buffers and implementations.
inline starpu_codelet codelet_of(const char* name, starpu_perfmodel& model) {
  starpu_codelet codelet;
  starpu_codelet_init(&codelet);
  codelet.name = name;
  codelet.model = &model;
  return codelet;
}

}  // namespace starhist::codelets

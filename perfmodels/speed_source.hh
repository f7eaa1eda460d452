#pragma once

namespace starhist::perfmodels {

/// Basis of the predicted speed of a kind of worker.
enum class SpeedSource {
  history,      ///< StarPU's history of this work
  this_run,     ///< tasks of this run
  other_order,  ///< StarPU's history of the same work in the other order of particles
  properties    ///< the properties of a GPU, or the usual speed of a processor
};

/// True if the speed was measured for this work.
constexpr bool is_measured(SpeedSource source) {
  return source == SpeedSource::history || source == SpeedSource::this_run;
}

}  // namespace starhist::perfmodels

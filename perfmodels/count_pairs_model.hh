#pragma once

#include <cstdint>
#include <string>

#include <starpu.h>

#include "codelets/core/box.hh"

namespace starhist {

/// What the time of a counting task depends on, besides the code that runs: the first
/// member of its arguments.
struct WorkSize {
  std::uint64_t pairs = 0;
  std::uint32_t bin_count = 0;
  std::uint32_t frame_count = 0;
};

enum class PairKind { like, unlike };

/// Performance model of one counting codelet: the history of its times, one entry per
/// WorkSize and kind of worker. The symbol names everything else that sets the time:
/// count_pairs_<like|unlike>_<box kind>_<cpu variant>_<threads>threads.
///
/// StarPU keeps the models until starpu_shutdown: this object must live longer.
class CountPairsModel {
 public:
  CountPairsModel(PairKind pairs, BoxKind box, const std::string& cpu_variant,
                  int threads);
  CountPairsModel(const CountPairsModel&) = delete;
  CountPairsModel& operator=(const CountPairsModel&) = delete;

  starpu_perfmodel* get() { return &model_; }
  const std::string& symbol() const { return symbol_; }

 private:
  std::string symbol_;
  starpu_perfmodel model_{};
};

}  // namespace starhist

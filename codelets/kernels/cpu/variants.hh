#pragma once

#include <string>
#include <vector>

#include "codelets/kernels/cpu/pair_loop.hh"

namespace starhist::kernels::cpu {

/// One compilation of the pair loop.
struct Variant {
  std::string name;  ///< "avx512", "avx2", "neon", "baseline"
  PairLoopFunction loop = nullptr;
  bool supported = false;  ///< supported by this processor
};

/// All variants of this build, fastest first; the last one runs everywhere.
const std::vector<Variant>& variants();

/// The variant with this name. Throws InputError if it does not exist, or if this
/// processor does not support it.
const Variant& find_variant(const std::string& name);

/// The selected variant; by default the one that STARHIST_CPU_VARIANT names, or the
/// fastest supported one. Throws InputError like find_variant().
const Variant& selected_variant();

/// Selects a variant for the whole program. Call it before counting starts, because it
/// is not thread-safe. Throws InputError like find_variant().
void select_variant(const std::string& name);

}  // namespace starhist::kernels::cpu

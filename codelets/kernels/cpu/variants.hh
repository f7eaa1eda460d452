#pragma once

#include <string>
#include <vector>

#include "codelets/kernels/cpu/pair_loop.hh"

namespace starhist::kernels::cpu {

/// One compilation of the pair loop.
struct Variant {
  std::string name;  ///< "avx512", "avx2", "baseline"
  PairLoopFunction loop = nullptr;
  bool supported = false;  ///< by this processor
};

/// All variants of this build, fastest first; the last one runs everywhere.
const std::vector<Variant>& variants();

/// The variant named `name`. Throws InputError when there is none of that name, or
/// when this processor does not support it.
const Variant& find_variant(const std::string& name);

/// The variant that was selected, else the one that STARHIST_CPU_VARIANT names, else
/// the fastest supported one. Throws InputError as find_variant does.
const Variant& selected_variant();

/// Selects a variant for the whole program. To be called before anything is counted, as
/// it is not thread-safe. Throws InputError as find_variant does.
void select_variant(const std::string& name);

}  // namespace starhist::kernels::cpu

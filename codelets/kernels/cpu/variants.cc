#include "codelets/kernels/cpu/variants.hh"

#include <cstdlib>

#include "codelets/core/base/error.hh"
#include "codelets/core/base/text.hh"

namespace starhist::kernels::cpu {
namespace {

std::vector<Variant> make_variants() {
  std::vector<Variant> list;
#if defined(__x86_64__)
  const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  const bool avx512 =
      avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl");
  list.push_back({"avx512", pair_loop_avx512, avx512});
  list.push_back({"avx2", pair_loop_avx2, avx2});
#elif defined(__aarch64__)
  list.push_back({"neon", pair_loop_neon, true});
#endif
  list.push_back({"baseline", pair_loop_baseline, true});
  return list;
}

const Variant* selected = nullptr;

const Variant& choose() {
  if (const char* name = std::getenv("STARHIST_CPU_VARIANT")) {
    return find_variant(name);
  }
  for (const Variant& variant : variants()) {
    if (variant.supported) {
      return variant;
    }
  }
  return variants().back();
}

}  // namespace

const std::vector<Variant>& variants() {
  static const std::vector<Variant> list = make_variants();
  return list;
}

const Variant& find_variant(const std::string& name) {
  std::vector<std::string> names;
  for (const Variant& variant : variants()) {
    if (variant.name == name) {
      if (!variant.supported) {
        throw InputError("CPU variant '" + name +
                         "' is not supported by this processor (unset "
                         "STARHIST_CPU_VARIANT to choose the fastest that is)");
      }
      return variant;
    }
    names.push_back(variant.name);
  }
  throw InputError("unknown CPU variant '" + name +
                   "' (STARHIST_CPU_VARIANT is one of " + join(names, ", ") + ")");
}

const Variant& selected_variant() {
  static const Variant& chosen = choose();
  return selected != nullptr ? *selected : chosen;
}

void select_variant(const std::string& name) {
  selected = &find_variant(name);
}

}  // namespace starhist::kernels::cpu

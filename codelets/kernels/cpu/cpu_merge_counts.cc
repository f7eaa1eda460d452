#include "codelets/kernels/cpu/cpu_merge_counts.hh"

#include <algorithm>

#include "codelets/core/base/contract.hh"

namespace starhist::kernels::cpu {

void merge_counts(std::uint64_t* sum, const std::uint64_t* terms, std::size_t size) {
  STARHIST_EXPECT(sum != terms, "terms are not added to themselves");
  for (std::size_t k = 0; k < size; ++k) {
    sum[k] += terms[k];
  }
}

void zero_counts(std::uint64_t* counts, std::size_t size) {
  std::fill_n(counts, size, std::uint64_t{0});
}

}  // namespace starhist::kernels::cpu

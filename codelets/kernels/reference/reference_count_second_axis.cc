#include "codelets/kernels/reference/reference_count_second_axis.hh"

namespace starhist::kernels::reference {

void count_second_axis(const SecondAxisPairs& pairs, std::uint64_t* counts) {
  for (std::size_t i = 0; i < pairs.first.count; ++i) {
    for (std::size_t j = pairs.like ? i + 1 : 0; j < pairs.second.count; ++j) {
      ++counts[pairs.cell(i, j)];
      if (pairs.axis.orders(pairs.like) == 2) {
        ++counts[pairs.cell(j, i)];
      }
    }
  }
}

}  // namespace starhist::kernels::reference

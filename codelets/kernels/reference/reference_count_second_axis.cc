#include "codelets/kernels/reference/reference_count_second_axis.hh"

namespace starhist::kernels::reference {

void count_second_axis(const SecondAxisPairs& pairs, std::uint64_t* counts) {
  const MinimumImage& image = pairs.box.minimum_image();
  for (std::size_t i = 0; i < pairs.first.count; ++i) {
    for (std::size_t j = pairs.like ? i + 1 : 0; j < pairs.second.count; ++j) {
      const Vec3 a = pairs.first[i];
      const Vec3 b = pairs.second[j];
      ++counts[pair_cell(image, pairs.bins, pairs.second_bins(), pairs.direction(i), a,
                         b)];
      if (pairs.like && pairs.axis.kind == SecondAxis::Kind::cosine) {
        ++counts[pair_cell(image, pairs.bins, pairs.second_bins(), pairs.direction(j),
                           b, a)];
      }
    }
  }
}

}  // namespace starhist::kernels::reference

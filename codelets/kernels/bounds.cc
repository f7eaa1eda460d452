#include "codelets/kernels/bounds.hh"

#include "codelets/core/base/contract.hh"

namespace starhist::kernels {

void Bounds::add(const PositionSpan& span, std::size_t begin, std::size_t end) {
  STARHIST_EXPECT(begin <= end && end <= span.count, "the span has these positions");
  // Four positions at a time: twelve independent minima, which the compiler vectorizes.
  constexpr std::size_t lanes = 12;
  const double* value = span.xyz + 3 * begin;
  const double* const last = span.xyz + 3 * end;
  double least[lanes];
  double most[lanes];
  for (std::size_t k = 0; k < lanes; k += 3) {
    least[k] = low.x;
    least[k + 1] = low.y;
    least[k + 2] = low.z;
    most[k] = high.x;
    most[k + 1] = high.y;
    most[k + 2] = high.z;
  }
  for (; last - value >= static_cast<std::ptrdiff_t>(lanes); value += lanes) {
    for (std::size_t k = 0; k < lanes; ++k) {
      least[k] = value[k] < least[k] ? value[k] : least[k];
      most[k] = value[k] > most[k] ? value[k] : most[k];
    }
  }
  for (std::size_t k = 0; value < last; ++value, ++k) {
    least[k] = std::min(least[k], *value);
    most[k] = std::max(most[k], *value);
  }
  for (std::size_t k = 0; k < lanes; k += 3) {
    add({{least[k], least[k + 1], least[k + 2]}, {most[k], most[k + 1], most[k + 2]}});
  }
}

}  // namespace starhist::kernels

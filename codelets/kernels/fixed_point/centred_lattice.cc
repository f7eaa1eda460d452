#include "codelets/kernels/fixed_point/centred_lattice.hh"

#include <algorithm>
#include <utility>

#include "codelets/core/geometry/orthogonal_sublattice.hh"

namespace starhist::kernels {

std::optional<CentredLattice> make_centred_lattice(const MinimumImage& image,
                                                   const BinScale& bins,
                                                   const Bounds& bounds) {
  std::optional<OrthogonalSublattice> found =
      orthogonal_sublattice(image, most_deviation_in_bins / bins.inverse_width);
  if (!found) {
    return std::nullopt;
  }
  const auto longest = static_cast<std::size_t>(
      std::max_element(std::begin(found->edge), std::end(found->edge),
                       [](Vec3 a, Vec3 b) { return dot(a, a) < dot(b, b); }) -
      std::begin(found->edge));
  std::swap(found->edge[0], found->edge[longest]);
  std::swap(found->dual[0], found->dual[longest]);
  std::swap(found->halved[0], found->halved[longest]);
  MinimumImage orthogonal{};
  std::copy_n(found->edge, 3, orthogonal.edge);
  std::copy_n(found->dual, 3, orthogonal.dual);
  CentredLattice out{make_fixed_lattice(orthogonal, bins, bounds)};
  std::copy_n(found->halved, 3, out.halved);
  constexpr double second_order = 1.001;
  out.lattice.fast.error_abs +=
      static_cast<float>(second_order * found->deviation * bins.inverse_width);
  return out;
}

}  // namespace starhist::kernels

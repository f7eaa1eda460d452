#include "io/positions.hh"

#include <cmath>
#include <numeric>
#include <string>

#include "codelets/core/error.hh"
#include "codelets/core/text.hh"

namespace starhist {
namespace {

template <class Real>
bool all_equal(const Real* position, double value) {
  return position[0] == value && position[1] == value && position[2] == value;
}

template <class Real>
std::string position_text(const Real* position) {
  return "(" + number_text(position[0]) + ", " + number_text(position[1]) + ", " +
         number_text(position[2]) + ")";
}

}  // namespace

template <class Real>
void gather_positions(const std::vector<Real>& raw,
                      const std::vector<std::uint32_t>& members, const FillValue& fill,
                      std::vector<double>& out, PositionSummary& summary) {
  double zero = 0.0;  // and NaN once any component was not finite
  std::uint64_t unwritten = 0;
  const double fill_value = fill.value_or(0.0);
  out.resize(3 * members.size());
  for (std::size_t i = 0; i < members.size(); ++i) {
    const Real* position = &raw[3 * std::size_t{members[i]}];
    out[3 * i] = position[0];
    out[3 * i + 1] = position[1];
    out[3 * i + 2] = position[2];
    zero += out[3 * i] * 0.0 + out[3 * i + 1] * 0.0 + out[3 * i + 2] * 0.0;
    unwritten += all_equal(position, 0.0) || all_equal(position, fill_value);
  }
  summary.finite = summary.finite && zero == 0.0;
  summary.unwritten += unwritten;
}

template <class Real>
void check_positions(const std::vector<Real>& raw,
                     const std::vector<std::uint32_t>& members, const FillValue& fill) {
  constexpr std::size_t longest_chance = 7;
  std::size_t run = 0;
  for (std::size_t i = 0; i < members.size(); ++i) {
    const Real* position = &raw[3 * std::size_t{members[i]}];
    for (int axis = 0; axis < 3; ++axis) {
      if (!std::isfinite(position[axis])) {
        throw InputError("particle " + std::to_string(members[i]) + " has position " +
                         position_text(position) + ", which is not finite");
      }
    }
    const bool unwritten =
        all_equal(position, 0.0) || (fill && all_equal(position, *fill));
    run = unwritten ? run + 1 : 0;
    if (run > longest_chance || (run > 1 && run == members.size())) {
      throw InputError("particles " + std::to_string(members[i + 1 - run]) + " to " +
                       std::to_string(members[i]) + " are all at exactly " +
                       position_text(position) +
                       ": their positions are lost (the file was truncated, or never "
                       "completed)");
    }
  }
}

std::vector<std::uint32_t> all_particles(std::size_t count) {
  std::vector<std::uint32_t> particles(count);
  std::iota(particles.begin(), particles.end(), std::uint32_t{0});
  return particles;
}

template void gather_positions(const std::vector<float>&,
                               const std::vector<std::uint32_t>&, const FillValue&,
                               std::vector<double>&, PositionSummary&);
template void gather_positions(const std::vector<double>&,
                               const std::vector<std::uint32_t>&, const FillValue&,
                               std::vector<double>&, PositionSummary&);
template void check_positions(const std::vector<float>&,
                              const std::vector<std::uint32_t>&, const FillValue&);
template void check_positions(const std::vector<double>&,
                              const std::vector<std::uint32_t>&, const FillValue&);

}  // namespace starhist

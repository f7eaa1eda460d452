#include "io/reader/positions.hh"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <mutex>
#include <numeric>
#include <string>

#include "codelets/core/base/error.hh"
#include "codelets/core/base/text.hh"
#include "io/text/unwritten_positions.hh"

namespace starhist::io {
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

namespace {

/// Coordinates of four positions, in twelve independent sums that the compiler
/// vectorizes.
constexpr std::size_t lanes = 12;

struct Lanes {
  double squares[lanes] = {};
  std::uint32_t blank[lanes] = {};  ///< number of zero or fill values

  template <class Real>
  void copy(const Real* from, double fill, double* to) {
    for (std::size_t k = 0; k < lanes; ++k) {
      const double value = from[k];
      to[k] = value;
      squares[k] += value * value;
      blank[k] += value == 0.0 || value == fill ? 1U : 0U;
    }
  }
};

/// Copies members [begin, end); begin is a multiple of 4.
template <class Real>
PositionSummary gather_some(const std::vector<Real>& raw,
                            const std::vector<std::uint32_t>& members, double fill,
                            std::size_t begin, std::size_t end, double* out) {
  Lanes seen;
  std::size_t i = begin;
  Real block[lanes];
  for (; i + 4 <= end; i += 4) {
    const Real* from = &raw[3 * std::size_t{members[i]}];
    if (members[i + 3] != members[i] + 3) {  // not contiguous
      for (std::size_t k = 0; k < lanes; ++k) {
        block[k] = raw[3 * std::size_t{members[i + k / 3]} + k % 3];
      }
      from = block;
    }
    seen.copy(from, fill, out + 3 * i);
  }
  if (i < end) {
    std::fill(std::begin(block), std::end(block), Real{1});
    double rest[lanes];
    for (std::size_t k = 0; k < 3 * (end - i); ++k) {
      block[k] = raw[3 * std::size_t{members[i + k / 3]} + k % 3];
    }
    seen.copy(block, fill, rest);
    std::copy_n(rest, 3 * (end - i), out + 3 * i);
  }
  PositionSummary summary;
  std::uint64_t blank[3] = {};
  for (std::size_t k = 0; k < lanes; ++k) {
    summary.squares += seen.squares[k];
    blank[k % 3] += seen.blank[k];
  }
  summary.unwritten = *std::min_element(std::begin(blank), std::end(blank));
  return summary;
}

}  // namespace

template <class Real>
void gather_positions(const std::vector<Real>& raw,
                      const std::vector<std::uint32_t>& members, const FillValue& fill,
                      std::vector<double>& out, PositionSummary& summary,
                      std::size_t threads) {
  constexpr std::size_t least = 1U << 17U;  // takes half a millisecond
  out.resize(3 * members.size());
  std::mutex mutex;
  in_parallel_slices(
      members.size(), least,
      [&](std::size_t begin, std::size_t end) {
        const PositionSummary part =
            gather_some(raw, members, fill.value_or(0.0), begin, end, out.data());
        const std::lock_guard lock(mutex);
        summary.squares += part.squares;
        summary.unwritten += part.unwritten;
      },
      threads);
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
      refuse_unwritten(members[i + 1 - run], members[i], position_text(position));
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
                               std::vector<double>&, PositionSummary&, std::size_t);
template void gather_positions(const std::vector<double>&,
                               const std::vector<std::uint32_t>&, const FillValue&,
                               std::vector<double>&, PositionSummary&, std::size_t);
template void check_positions(const std::vector<float>&,
                              const std::vector<std::uint32_t>&, const FillValue&);
template void check_positions(const std::vector<double>&,
                              const std::vector<std::uint32_t>&, const FillValue&);

}  // namespace starhist::io
